"""Colours, and text as Qt shows it."""
