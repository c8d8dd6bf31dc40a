"""Data files of any origin as results: CSV, MATLAB and HDF5.

A column is named `name`, `name [unit]` or `name (unit)`. Times are in a column `time` or `t`, in
seconds or in the unit that it names. What cannot be used (text, arrays of other lengths) is left
out; `meta["left_out"]` holds the reasons.
"""

from __future__ import annotations

import io
import math
import os
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..errors import DiagramError, Position
from ..runs.data_sets import OpenFile, data_sets
from ..runs.results import Results
from ..runs.results_rows import is_results
from ..text.files import LARGEST_DATA, file_bytes, regular_file, too_large
from ..units.quantity import Quantity
from ..units.unit import UnitError, parse_unit
from .csv_table import name_and_unit, read_csv
from .mat_cells import cells_are_text

TIMES = ("time", "t", "time_s")
LABELS = ("names", "variables", "units")
"""Variables of a MAT file that we exported, which name the others and their units."""
NUMBERS = (
    "double", "single", "logical", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64",
    "uint64",
)  # fmt: skip
SECOND = parse_unit("s")


def load_data(path: str | os.PathLike[str]) -> Results:
    """The signals of a file, by its ending; raises `DiagramError`."""
    name = os.fspath(path)
    ending = os.path.splitext(name)[1].lower()
    if ending not in READERS:
        known = ", ".join(sorted(READERS))
        raise DiagramError(
            f"{ending or 'no ending'} is not known; expected {known}", Position(name)
        )
    with regular_file(name):
        pass
    try:
        return READERS[ending](name)
    except DiagramError:
        raise
    except Exception as error:  # readers raise anything for damaged files
        raise DiagramError(f"the data cannot be read: {error}", Position(name)) from None


def _csv(path: str) -> Results:
    table = read_csv(path)
    if not table.rows:
        raise DiagramError("there are no rows; expected a line of names and rows", Position(path))
    arrays, left_out = {}, {}
    for name in table.names:
        try:
            arrays[name] = table.numbers(name)
        except DiagramError as error:
            if name_and_unit(name)[0].lower() in TIMES:
                raise
            left_out[name] = str(error)
    return _of_arrays(path, arrays, {}, left_out)


def _hdf5(path: str) -> Results:
    """A results file of ours, or any file with a data set of times and others as long."""
    if is_results(path):
        return Results.load(path)
    with OpenFile(path) as file:
        data, left_out = data_sets(file, LARGEST_DATA)
    arrays = {name: np.squeeze(values) for name, values in data.items()}
    return _of_arrays(path, arrays, left_out=left_out)


def _mat(path: str) -> Results:
    """Variables of a MATLAB file; one that we exported lists names and units of its variables."""
    from scipy.io import loadmat, whosmat

    content = file_bytes(path, "a MAT file")
    try:
        held = whosmat(io.BytesIO(content))
        labels = LABELS if cells_are_text(content, LARGEST_DATA) else ()
        numbers = [name for name, _, kind in held if kind in NUMBERS or name in labels]
        size = sum(8 * math.prod(shape) for name, shape, _ in held if name in numbers)
        if size > LARGEST_DATA:
            raise DiagramError(too_large(size, LARGEST_DATA), Position(path))
        variables = loadmat(io.BytesIO(content), squeeze_me=True, variable_names=numbers)
    except NotImplementedError:  # version 7.3 is HDF5
        return _hdf5(path)
    arrays = {n: np.asarray(v) for n, v in variables.items() if not n.startswith("__")}
    units: dict[str, str] = {}
    if set(LABELS) <= arrays.keys():
        texts = [np.atleast_1d(arrays.pop(key)) for key in LABELS]
        for name, variable, unit in zip(*texts, strict=True):
            if variable in arrays:
                arrays[str(name)] = arrays.pop(variable)
                units[str(name)] = "".join(np.atleast_1d(unit)) if np.size(unit) else ""
    return _of_arrays(path, arrays, units)


READERS: dict[str, Callable[[str], Results]] = {
    ".h5": _hdf5,
    ".hdf5": _hdf5,
    ".mat": _mat,
    ".csv": _csv,
    ".txt": _csv,
}


def _of_arrays(
    path: str,
    arrays: Mapping[str, np.ndarray],
    units: Mapping[str, str] | None = None,
    left_out: Mapping[str, str] | None = None,
) -> Results:
    header = next(
        (n for n in arrays if name_and_unit(n)[0].lower() in TIMES and arrays[n].size > 1), None
    )
    if header is None:
        listed = ", ".join(list(arrays)[:10]) or "nothing"
        raise DiagramError(
            f"there is no column 'time' or 't' with two times, only {listed}", Position(path)
        )
    time = _seconds(path, header, np.asarray(arrays[header], dtype=float).ravel())
    signals: dict[str, np.ndarray] = {}
    found_units: dict[str, str] = dict(units or {})
    reasons = dict(left_out or {})
    for name, values in arrays.items():
        if name == header:
            continue
        plain, unit = (name, found_units[name]) if name in found_units else name_and_unit(name)
        if values.dtype.kind not in "fiub" or values.shape[:1] != time.shape:
            reasons[plain] = f"it has no number for each of the {len(time)} times"
        elif plain in signals:
            raise DiagramError(f"two columns are named '{plain}'; rename one", Position(path))
        else:
            signals[plain], found_units[plain] = values, unit
    meta: dict[str, Any] = {"left_out": reasons}
    results = Results.from_arrays(time, signals, found_units, meta)
    results.file = path
    return results


def _seconds(path: str, header: str, time: np.ndarray) -> np.ndarray:
    unit = name_and_unit(header)[1]
    try:
        return np.asarray(Quantity(time, parse_unit(unit)).to(SECOND) if unit else time)
    except UnitError as error:
        raise DiagramError(f"column '{header}': {error}", Position(path)) from None
