"""Columns of CSV files whose first line names them; what is wrong is a ValueError."""

import math
from collections.abc import Sequence

import numpy as np

Lines = list[tuple[int, list[str]]]


def read_csv(path: str) -> tuple[list[str], Lines]:
    """Names of the columns, and the lines below them with their numbers; none that is empty."""
    import csv

    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            lines = [(n, row) for n, row in enumerate(csv.reader(file), 1) if row]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"{path} cannot be read: {error}") from None
    return ([name.strip() for name in lines[0][1]] if lines else []), lines[1:]


def columns(path: str, names: Sequence[str], lines: Lines, wanted: Sequence[str]) -> np.ndarray:
    """The wanted columns, side by side."""
    for name in wanted:
        if name not in names:
            raise ValueError(f"{path} has no column '{name}'; its columns are {', '.join(names)}")
    picks = [names.index(name) for name in wanted]
    table = np.empty((len(lines), len(wanted)))
    for row, (line, cells) in zip(table, lines, strict=True):
        try:
            row[:] = [float(cells[pick]) for pick in picks]
        except (ValueError, IndexError):
            row[:] = math.nan
        if not np.all(np.isfinite(row)):
            said = " or ".join(f"'{name}'" for name in wanted)
            raise ValueError(f"{path}, line {line}: no number in {said}")
    return table
