"""Curves of results as figures, and the style of all figures."""
