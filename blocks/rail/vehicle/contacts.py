"""Kernels of a vehicle's wheels on the rails under them.

A wheel touches its rail as that lies (`rails.py`): contacts are looked for, and forces given, in
the rail's own axes. Friction along the line takes the place of the vehicle's own, where the line
has some; profiles are those of the pair of rails that the wheel has come to.
"""

from typing import Any, NamedTuple

from railblocks.blocks.base.search import row_of
from railblocks.blocks.rail.contact.records import Material, Profiles
from railblocks.blocks.rail.contact.touching import touch_wheel
from railblocks.blocks.rail.track.along import value_along
from railblocks.engine.functions.functions import merged

FRICTION = 1
PAIR = 9
"""Numbers of a pair of rails: where it starts, then the first row and the one behind the last of
the left nodes, the left head, the right nodes and the right head in their tables."""


class AlongLine(NamedTuple):
    """What changes along a line: friction, and pairs of rails with the rows of their profiles."""

    friction: Any
    pairs: Any


@merged
def wheel_on_rail(
    detect, normal, law, motion, s, along, wheel, stacked, h, material, contacts, load
):
    """Contacts of one wheel at s, from its motion on the rail; force and moment in `load`.

    The nodes and heads of `stacked` are those of all pairs of rails, below each other.
    """
    touch_wheel(
        detect, normal, law, motion,
        profiles_at(along.pairs, s, wheel, stacked), False, h,
        material_at(along.friction, s, material), contacts, load[0:3], load[3:6],
    )  # fmt: skip


def profiles_at(pairs, s, wheel, stacked):
    """Profiles of a wheel and of the rail that it has come to."""
    pair, k = row_of(pairs, s), 1 if wheel % 2 == 0 else 5
    return Profiles(
        stacked.tread,
        stacked.nodes[int(pairs[pair, k]) : int(pairs[pair, k + 1])],
        stacked.head[int(pairs[pair, k + 2]) : int(pairs[pair, k + 3])],
    )


def material_at(friction, s, material):
    """The material with the friction of the line at s."""
    E_star, c, t_c, V_min, mu, constants, table = material
    mu = value_along(friction, FRICTION, s, mu)
    return Material(E_star, c, t_c, V_min, mu, constants, table)
