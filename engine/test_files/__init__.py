"""Tests as files: a diagram, values, and what its runs must meet."""
