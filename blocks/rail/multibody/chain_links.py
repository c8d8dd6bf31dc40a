"""Links of a chain or tree as a diagram lists them: what may be wrong, and their tables."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from railblocks.blocks.base.checks import not_a_number

from .chain import (
    AT,
    AXIS,
    BACK,
    CENTRE,
    COLUMNS,
    DAMPING,
    INERTIA,
    KIND,
    MASS,
    MOTION,
    SLIDES,
    STIFFNESS,
    TURNS,
)
from .chain_branches import branch_problems, links_back
from .chain_dynamics import chain_terms

JOINTS = {"turns": TURNS, "slides": SLIDES}
REQUIRED = {"joint", "axis"}
DEFAULTS = {
    "at": [0, 0, 0], "centre": [0, 0, 0], "m": 0.0, "J": [0, 0, 0], "k": 0.0, "c": 0.0,
    "theta": 0, "rate": 0,
}  # fmt: skip
NAMES = {"name", "parent"}
NOT_NEGATIVE = {"m": "a mass", "k": "a stiffness", "c": "a damping"}
LENGTHS = {"axis": (3,), "at": (3,), "centre": (3,), "J": (3, 6)}
MIN_PIVOT = 1e-12
"""Smallest pivot of the inertia, over its largest entry."""


def link_problems(chain: Any) -> Iterator[str]:
    """What is wrong with a list of links."""
    if not isinstance(chain, list) or not chain:
        yield f"chain = {chain}; expected links such as {{joint: turns, axis: [0, 0, 1]}}"
        return
    flaws = [
        f"link {number}: {flaw}"
        for number, link in enumerate(chain, 1)
        for flaw in _flaws(link)
    ]  # fmt: skip
    flaws = flaws or list(branch_problems(chain))
    yield from flaws
    if not flaws and (joint := _massless(chain)) is not None:
        yield (
            f"link {joint + 1}: nothing that has mass or inertia moves with this joint alone; "
            "give it, or a link behind it, a mass m or an inertia J"
        )


def _flaws(link: Any) -> Iterator[str]:
    if not isinstance(link, dict) or not link.keys() >= REQUIRED:
        yield f"{link}; expected a mapping with joint and axis"
        return
    if unknown := link.keys() - REQUIRED - NAMES - DEFAULTS.keys():
        known = ", ".join(["joint", "axis", *DEFAULTS, *sorted(NAMES)])
        yield f"'{min(map(str, unknown))}' is not known; expected some of {known}"
        return
    if link["joint"] not in JOINTS:
        yield f"joint = {link['joint']}; expected one of {', '.join(JOINTS)}"
    for name, value in link.items():
        if name in LENGTHS:
            yield from _list_flaws(name, value)
        elif name in DEFAULTS:
            if message := _not_finite(name, value):
                yield message
            elif name in NOT_NEGATIVE and value < 0.0:
                yield f"{name} = {value:g}; expected {NOT_NEGATIVE[name]} of 0 or more"


def _list_flaws(name: str, value: Any) -> Iterator[str]:
    sizes = LENGTHS[name]
    if not isinstance(value, list) or len(value) not in sizes:
        yield f"{name} = {value}; expected a list of {' or '.join(map(str, sizes))} numbers"
        return
    messages = [_not_finite(f"entry {i} of {name}", x) for i, x in enumerate(value, 1)]
    if any(messages):
        yield next(message for message in messages if message)
    elif name == "axis" and not math.hypot(*value) > 0.0:
        yield f"axis = {value} has no direction; expected a vector other than 0"
    elif name == "J" and not _is_inertia(value):
        expected = "xx, yy, zz (, xy, yz, xz) of a body, in kg m^2"
        yield f"J = {value} is not an inertia; expected {expected}"


def _not_finite(name: str, value: Any) -> str | None:
    if message := not_a_number(name, value):
        return message
    return None if math.isfinite(value) else f"{name} is {value}; expected a finite number"


def _is_inertia(value: list[float]) -> bool:
    """Whether no mass would have to be negative: no moment is above the sum of the others."""
    xx, yy, zz, xy, yz, xz = (*value, 0.0, 0.0, 0.0)[:6]
    moments = np.linalg.eigvalsh([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return bool(moments[0] + moments[1] >= moments[2] * (1.0 - 1e-9) and moments[0] >= -1e-12)


def _massless(chain: list[dict[str, Any]]) -> int | None:
    """The first joint that can be moved without moving a mass, wherever the chain starts."""
    links, theta, rate = chain_tables(chain)
    n = len(links)
    GIM, h, none = np.zeros((n, n)), np.zeros(n), np.zeros(n)
    chain_terms(links, (0.0, 0.0, 0.0), theta, rate, none, np.zeros((n, MOTION)), GIM, h)
    scale = np.sqrt(np.diag(GIM))
    if not scale.all():
        return int(np.argmin(scale))
    values, vectors = np.linalg.eigh(GIM / np.outer(scale, scale))
    return int(np.argmax(np.abs(vectors[:, 0]))) if values[0] < MIN_PIVOT else None


def chain_tables(chain: list[dict[str, Any]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The table of links, and positions and rates of their joints at the start."""
    links = np.zeros((len(chain), COLUMNS))
    entries: list[dict[str, Any]] = [{**DEFAULTS, **link} for link in chain]
    for row, link in zip(links, entries, strict=True):
        axis = np.array(link["axis"], dtype=float)
        row[KIND] = JOINTS[link["joint"]]
        row[AXIS : AXIS + 3] = axis / np.linalg.norm(axis)
        row[AT : AT + 3], row[CENTRE : CENTRE + 3] = link["at"], link["centre"]
        row[MASS] = link["m"]
        row[INERTIA : INERTIA + len(link["J"])] = link["J"]
        row[STIFFNESS], row[DAMPING] = link["k"], link["c"]
    links[:, BACK] = links_back(chain)
    start, rate = (np.array([float(link[k]) for link in entries]) for k in ("theta", "rate"))
    return links, start, rate
