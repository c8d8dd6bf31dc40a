"""Rows as they are read from a file: all that were committed, or an error, never zeros."""

import h5py
import numpy as np
import pytest
from railblocks.engine import DiagramError, Results
from railblocks.engine.model.signals import LoggedSignal
from railblocks.engine.runs.results_file import GrowingFile, results_image


def grown(path, columns=70):
    """A file of a run that goes on: 5 rows whose numbers are that of the row plus 1."""
    file = GrowingFile(str(path), results_image((LoggedSignal("v", "m", (columns,)),), {}))
    file.append(np.repeat(np.arange(1.0, 6.0)[:, None], columns + 1, 1))
    return file


def test_rows_of_a_run_that_goes_on_are_read(tmp_path):
    file = grown(tmp_path / "out.h5")
    assert list(Results.load(tmp_path / "out.h5")["v"][:, 69]) == [1.0, 2.0, 3.0, 4.0, 5.0]
    file.end({"finished": True}, None)


def test_rows_that_the_index_does_not_have_are_an_error(tmp_path):
    """Counted, but their chunks are missing from the index: HDF5 itself reads zeros."""
    path = tmp_path / "out.h5"
    grown(path)
    with h5py.File(path, "r+", locking=False) as file:
        rows = 3 * file["rows"].chunks[0]
        file["rows"].resize(rows, axis=0)
        file["committed"][()] = rows
        assert file["rows"][rows - 1, 3] == 0.0
    with pytest.raises(DiagramError, match=r"out\.h5"):
        Results.load(path)["v"]
