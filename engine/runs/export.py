"""Results for other programs: CSV, MATLAB and Parquet files.

Every number survives the way out: CSV holds the shortest text that reads back to the same
double. Files are replaced in one step, so that no half file is left behind.
"""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Callable
from typing import Any

from ..errors import DiagramError, Position, suggestion
from ..files.output_files import output_file
from ..model.signals import SignalTable
from .results_rows import blocks_of

LONGEST_NAME = 63
LARGEST_VARIABLE = 2**31 - 1
_ENDINGS = {".csv": "csv", ".mat": "mat", ".parquet": "parquet", ".pq": "parquet"}


def export(results: SignalTable, path: str | os.PathLike[str], to: str | None = None) -> None:
    """Writes results as `to`, by default what the ending of the path says."""
    name = os.fspath(path)
    kind = to or _ENDINGS.get(os.path.splitext(name)[1].lower(), "")
    if kind not in WRITERS:
        known = ", ".join(WRITERS)
        near = suggestion(kind, WRITERS)
        reason = f"'{kind}' is not an export format{near}" if kind else "no format"
        raise DiagramError(f"{reason}; expected one of {known}", Position(name))
    endings = tuple(ending for ending, of in _ENDINGS.items() if of == kind)
    with output_file(name, "the file", endings) as temporary:
        WRITERS[kind](results, temporary)


def write_csv(results: SignalTable, path: str) -> None:
    """One line a time; the header names every element with its unit: `motor.omega [rad/s]`."""
    elements = list(results.elements())
    header = ["time [s]"]
    header += [f"{name} [{signal.unit}]" if signal.unit else name for name, signal, _ in elements]
    whole = [column for _, signal, column in elements if signal.type is not float]
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerow(header)
        for block in blocks_of(results.rows):
            lines = []
            for row in block.tolist():
                texts = [repr(value) for value in row]
                for column in whole:
                    texts[column] = str(int(row[column]))
                lines.append(",".join(texts) + "\n")
            file.writelines(lines)


def write_mat(results: SignalTable, path: str) -> None:
    """Variables `time` and `motor_omega`; `names`, `variables` and `units` list what is what."""
    import numpy as np
    from scipy.io import savemat

    variables = valid_names(results.names)
    data: dict[str, Any] = {"time": results.time[:, None]}
    for name, variable in variables.items():
        values = results[name]
        if values.nbytes > LARGEST_VARIABLE:
            raise DiagramError(
                f"'{name}' takes {values.nbytes / 2**30:.1f} GiB; a MAT file holds 2 GiB a "
                "variable; export to parquet or log less often"
            )
        data[variable] = values[:, None] if values.ndim == 1 else values
    texts = {
        "names": results.names,
        "variables": tuple(variables.values()),
        "units": tuple(results.unit(name) for name in results.names),
    }
    for key, column in texts.items():
        data[key] = np.array(column, dtype=object)[:, None]
    with open(path, "wb") as file:
        savemat(file, data, do_compression=True)


def valid_names(names: tuple[str, ...]) -> dict[str, str]:
    """MATLAB variables for signal names, all different: letters, digits and _, at most 63."""
    taken = {"time", "names", "variables", "units"}
    valid = {}
    for name in names:
        base = re.sub(r"\W", "_", name, flags=re.ASCII)[:LONGEST_NAME]
        base = base if base[:1].isalpha() else f"x{base}"[:LONGEST_NAME]
        variable, number = base, 1
        while variable in taken:
            number += 1
            ending = f"_{number}"
            variable = base[: LONGEST_NAME - len(ending)] + ending
        taken.add(variable)
        valid[name] = variable
    return valid


def write_parquet(results: SignalTable, path: str) -> None:
    """A column for every element; the unit is in the metadata of its field."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise DiagramError(
            "Parquet needs the package pyarrow, which is not installed; "
            "run `pip install 'railblocks[parquet]'`"
        ) from None
    kinds = {float: pa.float64(), int: pa.int64(), bool: pa.bool_()}
    elements = list(results.elements())
    fields = [pa.field("time", pa.float64(), metadata={"unit": "s"})]
    fields += [
        pa.field(name, kinds[signal.type], metadata={"unit": signal.unit})
        for name, signal, _ in elements
    ]
    about = {"title": str(results.meta.get("title", "")), "file": str(results.meta.get("file", ""))}
    schema = pa.schema(fields, metadata=about)
    types = [float, *(signal.type for _, signal, _ in elements)]
    with pq.ParquetWriter(path, schema) as writer:
        for block in blocks_of(results.rows):
            columns = [
                pa.array(block[:, i].astype(kind), type=kinds[kind]) for i, kind in enumerate(types)
            ]
            writer.write_table(pa.Table.from_arrays(columns, schema=schema))


WRITERS: dict[str, Callable[[SignalTable, str], None]] = {
    "csv": write_csv,
    "mat": write_mat,
    "parquet": write_parquet,
}
