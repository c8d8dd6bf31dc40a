"""Columns of CSV files, for blocks of several families."""

import csv
import re

import numpy as np

HEAD = re.compile(r"(?P<name>.*?)\s*\[(?P<unit>[^]]*)\]")
"""A name with its unit, such as `x [km]`, as exports write it."""


def read_columns(path, *names):
    """Arrays of the named columns of a file with a header line; raises ValueError."""
    lines = _lines(path)
    heads = [head.strip() for head in lines[0][1]] if lines else []
    for name in names:
        if name not in heads:
            raise ValueError(f"{path} has no column '{name}'; its columns are {', '.join(heads)}")
    picks = [heads.index(name) for name in names]
    table = np.empty((len(lines) - 1, len(picks)))
    for i, (line, row) in enumerate(lines[1:]):
        try:
            table[i] = [float(row[pick]) for pick in picks]
        except (ValueError, IndexError):
            table[i] = np.nan
        if not np.all(np.isfinite(table[i])):
            listed = " or ".join(f"'{name}'" for name in names)
            raise ValueError(f"{path}, line {line}: no number in {listed}")
    return tuple(table.T.copy())


def read_quantities(path, **units):
    """As `read_columns`, by name and in the given units: `x` is also the column `x [km]`."""
    from railblocks.engine.units.quantity import Quantity
    from railblocks.engine.units.unit import UnitError, parse_unit

    heads = [head.strip() for _, row in _lines(path)[:1] for head in row]
    known = {m["name"]: (m[0], m["unit"]) for m in map(HEAD.fullmatch, heads) if m}
    picks = {name: known.get(name, (name, unit)) for name, unit in units.items()}
    values = read_columns(path, *(head for head, _ in picks.values()))
    try:
        given = (parse_unit(unit) for _, unit in picks.values())
        found = map(Quantity, values, given)
        return tuple(q.to(parse_unit(u)) for q, u in zip(found, units.values(), strict=True))
    except UnitError as error:
        raise ValueError(f"{path}, line 1: {error}") from None


def _lines(path):
    """Rows with their numbers, without empty ones and those that begin with #."""
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            rows = enumerate(csv.reader(file), 1)
            return [(n, row) for n, row in rows if row and not row[0].startswith("#")]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"path = {path} cannot be read: {error}") from None
