"""Measured data to lay over a run: CSV, MAT or HDF5 files."""

from __future__ import annotations

import csv
import os

import numpy as np
from railblocks.engine.errors import DiagramError, Place
from railblocks.engine.runs.results import Results

from .recording import Recording

TIMES = ("time", "t", "time [s]", "time_s", "t [s]")


def load_recording(path: str) -> Recording:
    """A file by its ending; raises `DiagramError`."""
    ending = os.path.splitext(path)[1].lower()
    readers = {".h5": _hdf5, ".hdf5": _hdf5, ".mat": _mat, ".csv": _csv, ".txt": _csv}
    if ending not in readers:
        known = ", ".join(sorted(readers))
        raise DiagramError(f"{ending or 'no ending'} is not known; expected {known}", Place(path))
    try:
        return readers[ending](path)
    except DiagramError:
        raise
    except (OSError, ValueError, KeyError, NotImplementedError, TypeError) as error:
        raise DiagramError(f"the data cannot be read: {error}", Place(path)) from None


def _hdf5(path: str) -> Recording:
    """A results file of ours, or any file with a data set of times and others as long."""
    import h5py

    with h5py.File(path, "r") as file:
        arrays = {name: np.asarray(item) for name, item in file.items() if hasattr(item, "shape")}
        ours = "rows" in file or "meta" in file.attrs or not _time_name(arrays)
    if ours:
        return Recording.of_results(Results.load(path), os.path.basename(path))
    return _of_arrays(path, arrays)


def _mat(path: str) -> Recording:
    from scipy.io import loadmat

    found = loadmat(path, squeeze_me=True)
    arrays = {n: np.asarray(v) for n, v in found.items() if not n.startswith("__")}
    numbers = {n: v for n, v in arrays.items() if v.dtype.kind in "fiub"}
    return _of_arrays(path, numbers)


def _csv(path: str) -> Recording:
    """A line of names, then numbers; columns by comma, semicolon or tab. `name [unit]` is read."""
    with open(path, newline="", encoding="utf-8-sig") as file:
        start = file.read(4096)
        file.seek(0)
        dialect = csv.Sniffer().sniff(start, ",;\t") if start.strip() else csv.excel
        lines = [line for line in csv.reader(file, dialect) if line and not line[0].startswith("#")]
    if len(lines) < 2:
        raise DiagramError("there are no rows; expected a line of names and rows", Place(path))
    names = [name.strip() for name in lines[0]]
    rows = [
        [float(cell or "nan") for cell in line] for line in lines[1:] if len(line) == len(names)
    ]
    table = np.array(rows, dtype=float)
    return _of_arrays(path, {name: table[:, k] for k, name in enumerate(names)})


def _of_arrays(path: str, arrays: dict[str, np.ndarray]) -> Recording:
    time_name = _time_name(arrays)
    if not time_name:
        listed = ", ".join(list(arrays)[:10]) or "nothing"
        raise DiagramError(f"there is no column 'time' or 't', only {listed}", Place(path))
    time = np.asarray(arrays[time_name], dtype=float).ravel()
    signals, units = {}, {}
    for name, values in arrays.items():
        if name == time_name or values.shape[:1] != time.shape:
            continue
        plain, _, unit = name.partition(" [")
        signals[plain] = values
        units[plain] = unit.removesuffix("]")
    results = Results.from_arrays(time, signals, units)
    return Recording.of_results(results, os.path.basename(path))


def _time_name(arrays: dict[str, np.ndarray]) -> str:
    return next((n for n in arrays if n.lower() in TIMES and np.size(arrays[n]) > 1), "")
