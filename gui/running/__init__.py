"""Runs beside the window: a worker thread and what it tells."""
