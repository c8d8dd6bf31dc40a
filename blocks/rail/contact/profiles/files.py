"""Profiles from files of points, as measuring devices and tables of standards give them.

A file has a point on each line, y and z, between blanks, tabs, commas or semicolons (with
semicolons, commas may be decimal). Empty lines and what follows `#`, `!` or `%` are left out. A
first line with names chooses the columns `y` or `s`, and `z`, `F` or `r`; otherwise the first two
are taken. z points out of the body: the height of a rail, the radius of a wheel or its part above
r_0.
"""

from __future__ import annotations

import math
import os
import re
from functools import lru_cache

from railblocks.engine.errors import DiagramError
from railblocks.engine.text.files import file_text

from .points import MAX_SPACING_M, from_points
from .profile import Profile

__all__ = ["from_points", "read_profile"]

UNITS = {"mm": 1e-3, "m": 1.0, "um": 1e-6, "in": 0.0254}
COLUMNS_Y, COLUMNS_Z = ("y", "s"), ("z", "f", "r")
MAX_BYTES = 10_000_000
"""Bytes; a larger file is not one of points."""
KEPT = 32
"""Profiles that are kept while a program runs; a file that has changed is another one."""


def read_profile(
    path: str | os.PathLike[str],
    unit: str = "mm",
    smoothing: float = 0.0,
    coarsest: float = MAX_SPACING_M,
    name: str | None = None,
) -> Profile:
    """The profile through the points of a file; see `from_points`. ValueError with file and line.

    `unit` is that of the file (mm, m, um or in); smoothing and coarsest are in metres.
    """
    path = os.fspath(path)
    if unit not in UNITS:
        raise ValueError(f"{path}: unit '{unit}' is unknown; expected one of {', '.join(UNITS)}")
    profile = _profile_of(path, _text(path), unit, smoothing, coarsest)
    return profile.named(name) if name else profile


@lru_cache(KEPT)
def _profile_of(path: str, text: str, unit: str, smoothing: float, coarsest: float) -> Profile:
    y, z, positions = _points(path, text.splitlines(), unit)
    if not y:
        raise ValueError(f"{path}: there are no points; expected a line `y z` for each")
    name = os.path.splitext(os.path.basename(path))[0]
    return from_points(y, z, path, smoothing, coarsest, positions).named(name)


def _text(path: str) -> str:
    try:
        return file_text(path, "lines `y z`", MAX_BYTES).removeprefix("\ufeff")
    except DiagramError as error:
        raise ValueError(str(error)) from None


def _points(path: str, lines: list[str], unit: str) -> tuple[list[float], list[float], list[str]]:
    """y, z in metres, and the positions of their lines."""
    columns: tuple[int, int] | None = None
    y: list[float] = []
    z: list[float] = []
    positions: list[str] = []
    for number, line in enumerate(lines, 1):
        position = f"{path}:{number}"
        fields = _fields(line)
        if not fields:
            continue
        if columns is None:
            columns = (0, 1)
            if _number(fields[0]) is None and not y:
                columns = _named_columns(fields, unit, position)
                continue
        if len(fields) <= max(columns):
            raise ValueError(f"{position}: {len(fields)} columns; expected y and z on each line")
        for column, values in zip(columns, (y, z), strict=True):
            value = _number(fields[column])
            if value is None or not math.isfinite(value):
                which = f"column {column + 1}"
                raise ValueError(f"{position}: {which} is not a number; expected y and z")
            values.append(value * UNITS[unit])
        positions.append(position)
    return y, z, positions


def _fields(line: str) -> list[str]:
    text = re.split(r"[#!%]", line, maxsplit=1)[0].strip()
    text = re.sub(r"\s*[\[(]\s*(\w+)\s*[\])]", r"_\1", text)  # `y [mm]` is y_mm
    if not text:
        return []
    if ";" in text:
        return [field.strip().replace(",", ".") for field in text.rstrip(";").split(";")]
    if "," in text:
        return [field.strip() for field in text.rstrip(",").split(",")]
    return text.split()


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _named_columns(fields: list[str], unit: str, position: str) -> tuple[int, int]:
    """Columns of y and z from the names above them; a unit in a name must be the file's."""
    names = [field.strip('"').lower().split("_") for field in fields]
    columns = []
    for known, otherwise in ((COLUMNS_Y, 0), (COLUMNS_Z, 1)):
        at = next((i for i, parts in enumerate(names) if parts[0] in known), otherwise)
        written_unit = names[at][-1] if at < len(names) else unit
        if written_unit in UNITS and written_unit != unit:
            raise ValueError(
                f"{position}: column '{fields[at]}' is in {written_unit}; expected {unit}, "
                f"give unit='{written_unit}'"
            )
        columns.append(at)
    if columns[0] == columns[1]:
        raise ValueError(f"{position}: the names have no column y and no column z beside it")
    return columns[0], columns[1]
