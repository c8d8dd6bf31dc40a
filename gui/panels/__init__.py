"""Panels around the canvas: library, inspector, explorer, problems, run bar, start page."""
