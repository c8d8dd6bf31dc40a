"""The tables of a study file, and how to tell one."""

from __future__ import annotations

from ..runs.data_sets import OpenFile

FORMAT, VERSION = "railblocks study", 1
REASON_BYTES = 400
COST = ("steps", "rejected", "evaluations", "events", "seconds")
TABLES = {
    "outcome": "u1",
    "values": "f8",
    "reason": f"S{REASON_BYTES}",
    "time": "f8",
    "cost": "f8",
    "first": "i8",
    "rows": "i8",
}
"""The tables of runs, and the type of their elements."""


def width_of(table: str, summaries: int) -> int:
    """Elements in a row of a table."""
    return {"values": summaries, "cost": len(COST)}.get(table, 1)


def is_study(path: str) -> bool:
    """Whether a regular file is a study."""
    try:
        with OpenFile(path) as file:
            kind = file.attrs.get("format")
            return isinstance(kind, str) and kind == FORMAT
    except Exception:  # h5py raises anything for damaged files
        return False
