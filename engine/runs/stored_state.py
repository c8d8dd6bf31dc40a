"""Where a run can go on, in its results file; it survives that the process is killed.

    /state           attribute: identity, what the diagram computes (`identity`)
    /state/memory    float64, one row for each of two places: the whole memory of the run
    /state/about     float64, a row for each: number of the state, log rows, wall time, check sum

States are written in turns to the first and the second place, both of which lie in the file from
then on, so that nothing but these numbers is written. One that was cut short has a wrong check
sum, and the other place then holds the state before it.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..memory import layout as sections
from .checkpoint import Checkpoint
from .data_sets import stored

PLACES = 2
LARGEST_IDENTITY = 2**24


@dataclass(frozen=True, eq=False)
class StoredState:
    """The memory of a run after so many log rows, and what its diagram computed."""

    memory: np.ndarray
    rows: int
    wall: float
    identity: dict[str, str]

    @property
    def time(self) -> float:
        return float(self.memory[sections.T])


def room_for(checkpoint: Checkpoint) -> int:
    """The bytes that all places take."""
    return PLACES * (checkpoint.memory.nbytes + 64)


def write_state(file: Any, checkpoint: Checkpoint, identity: Mapping[str, str]) -> None:
    """Writes a state beside the last one; all rows that belong to it must have been written."""
    memory = checkpoint.memory.copy()
    memory[sections.CALLBACK] = memory[sections.ROWS] = 0.0
    if "state" not in file:
        _make_places(file, memory.size, identity)
        file.flush()
    group = file["state"]
    numbers = group["about"][:, 0]
    last = float(numbers.max())
    place = int(numbers.argmin())
    about = np.array([last + 1.0, checkpoint.rows, checkpoint.wall, 0.0])
    about[3] = _check_sum(memory, about)
    group["memory"][place] = memory
    group["about"][place] = about
    file.flush()


def _make_places(file: Any, size: int, identity: Mapping[str, str]) -> None:
    import h5py

    group = file.create_group("state")
    properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    properties.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
    for name, width in (("memory", size), ("about", 4)):
        space = h5py.h5s.create_simple((PLACES, width))
        h5py.h5d.create(group.id, name.encode(), h5py.h5t.IEEE_F64LE, space, properties)
    group.create_dataset("identity", data=json.dumps(dict(identity)), dtype=h5py.string_dtype())


def read_state(file: Any, rows: int) -> StoredState | None:
    """The latest whole state that belongs to at most so many rows; None if there is none.

    Raises ValueError for what no run wrote.
    """
    if "state" not in file or "identity" not in file["state"]:
        return None
    identity = json.loads(stored(file, "state/identity", "O", 0).asstr()[()])
    if not isinstance(identity, dict):
        raise ValueError("the identity of the state is not a table")
    memory = stored(file, "state/memory", "f", 2)
    about = stored(file, "state/about", "f", 2)[()]
    if about.shape != (memory.shape[0], 4) or memory.shape[1] < sections.HEADER:
        raise ValueError("the state has another shape")
    for place in np.argsort(-about[:, 0], kind="stable"):
        numbers = np.ascontiguousarray(memory[place], dtype=float)
        of = np.array(about[place], dtype=float)
        whole = of[0] >= 1.0 and of[3] == _check_sum(numbers, of)
        if whole and 0 <= of[1] <= rows:
            return StoredState(numbers, int(of[1]), float(of[2]), identity)
    return None


def _check_sum(memory: np.ndarray, about: np.ndarray) -> float:
    return float(zlib.crc32(about[:3].tobytes(), zlib.crc32(memory.tobytes())))
