"""Tables in CSV files: a line of names, then cells; numbers are read by column.

Columns are separated by commas, semicolons or tabs, whichever the line of names has most of;
between the other two, a comma may be the decimal point. Lines that start with # and empty lines are
left out. A column is named `name`, `name [unit]` or `name (unit)`.
"""

from __future__ import annotations

import csv
import io
import os
import re
from dataclasses import dataclass

import numpy as np

from ..errors import DiagramError, Position, suggestion
from ..text.files import file_text
from ..units.quantity import Quantity
from ..units.unit import UnitError, parse_unit

DELIMITERS = (",", ";", "\t")
MAX_BYTES = 2**28
"""Bytes; as cells, a table takes many times as much."""
MAX_SHOWN, MAX_SHOWN_LENGTH = 20, 40
_HEADER = re.compile(r"(?P<name>.*?)\s+(?:\[(?P<a>[^\]]*)\]|\((?P<b>[^)]*)\))")


def name_and_unit(header: str) -> tuple[str, str]:
    """The two parts of a column's header; no unit is an empty text."""
    match = _HEADER.fullmatch(header.strip())
    if match is None:
        return header.strip(), ""
    return match["name"], (match["a"] or match["b"] or "").strip()


@dataclass(frozen=True)
class CsvTable:
    """The cells of a file as written; `lines` are the numbers of their lines."""

    path: str
    names: tuple[str, ...]
    rows: list[list[str]]
    lines: list[int]
    delimiter: str

    @property
    def columns(self) -> str:
        """The names of the columns in a message; a file of one column may not be a table at all."""
        if len(self.names) < 2:
            return "expected names between commas, semicolons or tabs in the first line"
        listed = ", ".join(name[:MAX_SHOWN_LENGTH] for name in self.names[:MAX_SHOWN])
        return f"its columns are {listed}{', ...' if len(self.names) > MAX_SHOWN else ''}"

    def numbers(self, name: str) -> np.ndarray:
        """A column; an empty cell is nan, any other text a `DiagramError` with its line."""
        if name not in self.names:
            raise DiagramError(
                f"there is no column '{name}'{suggestion(name, self.names)}; {self.columns}",
                Position(self.path),
            )
        position = self.names.index(name)
        cells = [row[position].strip() for row in self.rows]
        if self.delimiter != ",":
            cells = [cell.replace(",", ".") for cell in cells]
        try:
            return np.array([cell or "nan" for cell in cells]).astype(float)
        except ValueError:
            wrong = next(k for k, cell in enumerate(cells) if not _is_number(cell))
            raise DiagramError(
                f"'{name}' has {cells[wrong][:40]!r}; expected a number",
                Position(self.path, self.lines[wrong]),
            ) from None

    def finite(self, name: str) -> np.ndarray:
        """The numbers of a column that has one in every line."""
        values = self.numbers(name)
        if not np.all(np.isfinite(values)):
            line = self.lines[int(np.argmin(np.isfinite(values)))]
            raise DiagramError(f"no number in '{name}'", Position(self.path, line))
        return values

    def quantity(self, name: str, unit: str) -> np.ndarray:
        """The numbers of a full column in a unit; its header may name another unit."""
        heads = {name_and_unit(head)[0]: head for head in self.names}
        head = heads.get(name, name)
        values, own = self.finite(head), name_and_unit(head)[1]
        try:
            given, wanted = parse_unit(own or unit), parse_unit(unit)
            Quantity(1.0, given).to(wanted)
            return np.asarray(Quantity(values, given).to(wanted))
        except UnitError as error:
            raise DiagramError(f"column '{head}': {error}", Position(self.path)) from None


def read_csv(file: str | os.PathLike[str]) -> CsvTable:
    """The table in a file; raises `DiagramError`."""
    path = os.fspath(file)
    text = file_text(path, "a CSV file", MAX_BYTES).removeprefix("\ufeff")
    first = next((line for line in io.StringIO(text) if _counts(line)), "")
    delimiter = max(DELIMITERS, key=first.count)
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        numbered = [(reader.line_num, row) for row in reader if row and _counts(",".join(row))]
    except csv.Error as error:
        raise DiagramError(f"the file cannot be read: {error}", Position(path)) from None
    names = tuple(name.strip() for name in numbered[0][1]) if numbered else ()
    while names and not names[-1]:
        names = names[:-1]
    for line, row in numbered[1:]:
        if len(row) < len(names) or any(row[len(names) :]):
            raise DiagramError(
                f"the line has {len(row)} cells; expected {len(names)}, as many as names",
                Position(path, line),
            )
    rows, lines = [row for _, row in numbered[1:]], [line for line, _ in numbered[1:]]
    return CsvTable(path, names, rows, lines, delimiter)


def _counts(line: str) -> bool:
    return bool(line.strip(" \t\r\n,;")) and not line.lstrip().startswith("#")


def _is_number(cell: str) -> bool:
    try:
        float(cell or "nan")
    except ValueError:
        return False
    return True
