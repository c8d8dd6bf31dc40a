"""Measured data as recordings."""

import os

import pytest
from railblocks.engine.errors import DiagramError
from railblocks.gui.recording.measured_data import load_recording


def test_data_without_time_are_refused(tmp_path):
    path = tmp_path / "bad.csv"
    path.write_text("a,b\n1,2\n3,4\n")
    with pytest.raises(DiagramError, match="no column 'time'"):
        load_recording(os.fspath(path))
