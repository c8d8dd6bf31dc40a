"""Edges of a truth value, at events and at samples."""

from railblocks.engine.declaration import Derived, Discrete, In, Param, derive

EDGES = ("rising", "falling", "either")
DIRECTIONS = {"rising": "rising", "falling": "falling", "either": "both"}
"""Directions in which a guard on a truth value fires at an edge."""
SAMPLED_EDGES = (*EDGES, "level")
RISING, FALLING, EITHER, LEVEL = range(4)
NONE = "none"


def trigger(doc):
    return In("1", f"{doc}; with `edge`", type=bool)


def edge(choices=EDGES):
    """When a trigger sets back, of a block that always has one."""
    return Param("1", "edges of `trigger` that count", type=str, default=EDGES[0], choices=choices)


def optional_edge(choices=EDGES):
    """When a trigger sets back, of a block that has one only if this is asked for."""
    doc, choices = "edges of `trigger`, which is there with one of these", (NONE, *choices)
    return Param("1", doc, type=str, default=NONE, choices=choices)


def absent(**ports):
    """Members of a block without these inputs: zeros in their place."""
    zeros = {name: Derived(port.unit, port.doc, type=port.type) for name, port in ports.items()}
    return zeros | {f"no_{name}": derive(name)(zero) for name in ports}


def zero():
    return 0


def last_trigger():
    """The trigger at the last sample, in which `has_edge` looks for an edge."""
    doc = "`trigger` at the last sample; -1 before the first"
    return Discrete("1", doc, type=int, start=-1, ge=-1, le=1)


def edge_number(edge):
    return (*SAMPLED_EDGES, NONE).index(edge)


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
