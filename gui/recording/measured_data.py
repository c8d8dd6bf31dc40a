"""Measured data to lay over a run."""

from __future__ import annotations

import os

from railblocks.engine.measurements.reading import load_data

from .recording import Recording


def load_recording(path: str) -> Recording:
    """A file of any kind that the engine reads; raises `DiagramError`."""
    return Recording.of_results(load_data(path), os.path.basename(path))
