"""Signals that come from nowhere but time, a seed or a table."""
