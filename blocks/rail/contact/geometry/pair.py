"""A wheel over a rail or a roller: two profiles, prepared for detection."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from railblocks.blocks.rail.contact.profiles.profile import Profile
from railblocks.engine import compiled

from .contacts import COLUMNS, MAX_ROWS, Y_W
from .detection import rail_diff, rail_dist, roller_dist
from .nodes import nodes_of

DETECTION = {("diff", False): rail_diff, ("dist", False): rail_dist, ("dist", True): roller_dist}


@dataclass(frozen=True)
class Pair:
    """A wheel profile and that of a rail or roller under it, in the frames of `contour.py`."""

    wheel: Profile
    rail: Profile
    roller: bool = False

    @cached_property
    def nodes(self) -> np.ndarray:
        return nodes_of(self.wheel, self.rail)

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
        contacts = np.zeros((MAX_ROWS, COLUMNS))
        count = compiled(DETECTION[method, self.roller])(
            *map(float, G), float(alpha), float(beta), self.wheel.table, self.nodes,
            self.rail.table, float(limit), contacts,
        )  # fmt: skip
        return contacts[:count][np.argsort(contacts[:count, Y_W])]
