"""A wheel over a rail or a roller: two profiles, prepared for detection."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from railblocks.blocks.rail.profiles.pieces import (
    END,
    SLOPE_END,
    SLOPE_START,
    START,
    piece_at,
    shape,
)
from railblocks.blocks.rail.profiles.profile import Profile
from railblocks.engine import compiled

from .contacts import COLUMNS, Y_W
from .detection import STEP, rail_diff, rail_dist, roller_dist

DETECTION = {("diff", False): rail_diff, ("dist", False): rail_dist, ("dist", True): roller_dist}
TURN = 0.03
"""Largest turn of the profile from node to node, in radians: roots are close where it bends."""
ROOM = 16


def nodes_of(wheel: Profile, step: float = STEP, turn: float = TURN) -> np.ndarray:
    """y, w, w' and row of nodes at the joints of a wheel and between them.

    From node to node the profile goes on by at most `step` and turns by at most `turn`.
    """
    rows = []
    for row, found in enumerate(wheel.table):
        angle = abs(math.atan(found[SLOPE_END]) - math.atan(found[SLOPE_START]))
        number = max(math.ceil((found[END] - found[START]) / step), math.ceil(angle / turn), 1)
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
            self.rail.table, float(limit), found,
        )  # fmt: skip
        return found[:count][np.argsort(found[:count, Y_W])]
