"""Irregularities and friction along a line, from the record of its file or from a CSV file."""

from __future__ import annotations

import os
import re

import numpy as np
from railblocks.blocks.csv_columns import columns, read_csv
from railblocks.engine.text.record import Record
from railblocks.engine.units.quantity import Quantity
from railblocks.engine.units.unit import UnitError, parse_unit

AT = "at"
DEVIATIONS = ("lateral", "vertical", "cross_level", "gauge")
HEAD = re.compile(r"(\w+)\s*(?:[(\[](.+)[)\]])?")
"""Name of a column, and its unit in brackets."""


def no_deviations() -> np.ndarray:
    return np.zeros((0, 1 + len(DEVIATIONS)))


def no_friction() -> np.ndarray:
    return np.zeros((0, 2))


def deviations_of(record: Record, folder: str) -> np.ndarray:
    """Rows of place and deviations: middle of the track to the left and up, right over left rail,
    wider gauge; none where the line is as it should be."""
    part = record.record("irregularities") if "irregularities" in record else None
    if part is None:
        return no_deviations()
    table = _from_file(part, folder) if "file" in part else _from_lists(part)
    part.close()
    return table if _rising(part, table[:, 0]) else no_deviations()


def friction_of(record: Record) -> np.ndarray:
    """Rows of place and friction, none where the vehicle's own holds."""
    part = record.record("friction") if "friction" in record else None
    if part is None:
        return no_friction()
    at = part.numbers(AT, "m")
    values = part.numbers("value", "1", len(at))
    part.close()
    for value in values:
        if value < 0.0:
            part.problems.add(
                part.place_of("value"), f"friction = {value:g}; expected a value of at least 0"
            )
    return np.column_stack([at, values]) if _rising(part, at) else no_friction()


def _from_lists(part: Record) -> np.ndarray:
    at = part.numbers(AT, "m")
    found = [part.numbers(name, "m", len(at), (0.0,) * len(at)) for name in DEVIATIONS]
    return np.column_stack([at, *found])


def _from_file(part: Record, folder: str) -> np.ndarray:
    """A CSV file with a column `at` and some of the deviations, each in m or in its own unit."""
    path = os.path.join(folder, part.text("file"))
    try:
        names, lines = read_csv(path)
        heads = dict(_head(path, name) for name in names)
        if len(heads) < len(names):
            raise ValueError(
                f"{path}: a column stands there twice; its columns are {', '.join(names)}"
            )
        for name in heads.keys() - {AT, *DEVIATIONS}:
            near = part.problems.near(name, DEVIATIONS)
            known = ", ".join((AT, *DEVIATIONS))
            raise ValueError(f"{path}: '{name}' is no column here{near}; expected {known}")
        if AT not in heads:
            raise ValueError(f"{path} has no column '{AT}' with the places along the line")
        values = columns(path, list(heads), lines, list(heads))
    except ValueError as error:
        part.problems.add(part.place_of("file"), str(error))
        return np.zeros((1, 1 + len(DEVIATIONS)))
    table = np.zeros((len(lines), 1 + len(DEVIATIONS)))
    for column, (name, factor) in zip(values.T, heads.items(), strict=True):
        table[:, (AT, *DEVIATIONS).index(name)] = factor * column
    return table


def _head(path: str, text: str) -> tuple[str, float]:
    """Name of a column, and the factor from its unit to metres."""
    found = HEAD.fullmatch(text)
    if found is None:
        return text, 1.0
    try:
        return found[1], float(Quantity(1.0, parse_unit(found[2] or "m")).to(parse_unit("m")))
    except UnitError as error:
        raise ValueError(f"{path}: unit of column '{text}': {error}") from None


def _rising(part: Record, at: np.ndarray | tuple[float, ...]) -> bool:
    """Whether places rise; a problem if not."""
    is_rising = len(at) > 0 and bool(np.all(np.diff(at) > 0.0))
    if not is_rising:
        message = f"'{AT}' has no places, or they do not rise; expected rising ones"
        part.problems.add(part.place_of(AT), message)
    return is_rising
