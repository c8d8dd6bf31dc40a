"""Scopes as files."""

import os

import numpy as np
import pytest
from railblocks.gui.recording.measured_data import load_recording
from railblocks.gui.scopes.export import export_scope


@pytest.mark.parametrize("ending", ["png", "svg", "csv"])
def test_a_scope_is_exported(scoped, tmp_path, ending):
    path = tmp_path / f"scope.{ending}"
    export_scope(scoped, os.fspath(path))
    data = path.read_bytes()
    starts = {"png": b"\x89PNG", "svg": b"<?xml", "csv": b"time [s],plant.y"}
    assert data.startswith(starts[ending])
    if ending == "csv":
        again = load_recording(os.fspath(path))
        np.testing.assert_allclose(again.values("plant.y"), scoped.recordings[0].values("plant.y"))
