"""Edges of a truth value, at events and at samples."""

from railblocks.engine.declaration import Discrete, In, Param

EDGES = ("rising", "falling", "either")
DIRECTIONS = {"rising": "rising", "falling": "falling", "either": "both"}
"""Directions in which a guard on a truth value fires at an edge."""
SAMPLED_EDGES = (*EDGES, "level")
RISING, FALLING, EITHER, LEVEL = range(4)


def trigger(doc):
    """The input that sets a block back; it never does where nothing is connected."""
    return In("1", doc, type=bool, default=False)


def edge(choices=EDGES):
    return Param(
        "1", "when `trigger` sets back", type=str, default="rising", choices=choices
    )  # fmt: skip


def last_trigger():
    """The trigger at the last sample, in which `has_edge` looks for an edge."""
    doc = "`trigger` at the last sample; -1 before the first"
    return Discrete("1", doc, type=int, start=-1, ge=-1, le=1)


def edge_number(edge):
    return SAMPLED_EDGES.index(edge)


def at_trigger(trigger):
    """The guard of a truth value."""
    return 0.5 if trigger else -0.5


def has_edge(kind, now, last):
    """Whether a sample is an edge of that kind after the last one; the first one is none."""
    if kind == LEVEL:
        return now
    if last < 0 or now == (last == 1):
        return False
    return kind == EITHER or now == (kind == RISING)
