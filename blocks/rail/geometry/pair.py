"""A wheel over a rail or a roller: two profiles, prepared for detection."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from railblocks.blocks.rail.profiles.pieces import END, START, piece_at, shape
from railblocks.blocks.rail.profiles.profile import Profile
from railblocks.engine import compiled

from .contacts import COLUMNS, Y_W
from .detection import STEP, rail_diff, rail_dist, roller_dist

DETECTION = {("diff", False): rail_diff, ("dist", False): rail_dist, ("dist", True): roller_dist}
ROOM = 16


def nodes_of(wheel: Profile, step: float = STEP) -> np.ndarray:
    """y, w, w' and row of nodes at the joints of a wheel and between them."""
    rows = []
    for row, found in enumerate(wheel.table):
        number = max(int(np.ceil((found[END] - found[START]) / step)), 1)
        for y in np.linspace(found[START], found[END], number + 1)[:-1]:
            rows.append((y, *shape(wheel.table, row, y)[:2], row))
    end = wheel.reach[1]
    last = piece_at(wheel.table, end)
    rows.append((end, *shape(wheel.table, last, end)[:2], last))
    return np.array(rows)


@dataclass(frozen=True)
class Pair:
    """A wheel profile over a rail's, both in the frames of `contour.py`; rollers have radii."""

    wheel: Profile
    rail: Profile
    roller: bool = False

    @cached_property
    def nodes(self) -> np.ndarray:
        return nodes_of(self.wheel)

    @cached_property
    def runs(self) -> np.ndarray:
        return self.rail.runs

    def contacts(
        self,
        G: tuple[float, float, float],
        alpha: float = 0.0,
        beta: float = 0.0,
        method: str = "dist",
        limit: float = 0.0,
    ) -> np.ndarray:
        """The contacts, a row each with the columns of `contacts.py`, from the flange outwards.

        `limit` is the largest gap: 0 for contacts, inf for all points that could become one.
        """
        found = np.zeros((ROOM, COLUMNS))
        count = compiled(DETECTION[method, self.roller])(
            *map(float, G), float(alpha), float(beta), self.wheel.table, self.nodes,
            self.rail.table, self.runs, float(limit), found,
        )  # fmt: skip
        return found[:count][np.argsort(found[:count, Y_W])]
