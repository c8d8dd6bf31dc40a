"""Profiles by a name or by the file of their points, as diagrams give them."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Callable
from functools import lru_cache

from .files import KEPT, read_profile
from .profile import Profile
from .rails import uic60
from .wheels import conical, cylindrical, s1002

KNOWN: dict[str, Callable[[float], Profile]] = {
    "s1002": s1002,
    "uic60": lambda r_0: uic60().moved(dz=r_0),
    "uic60_60e1": lambda r_0: uic60("60E1").moved(dz=r_0),
    "cylinder": cylindrical,
}
CONE = re.compile(r"cone\s+(\d+(?:\.\d*)?)(?:\s*[/:]\s*(\d+(?:\.\d*)?))?")


def profile_named(text: str, r_0: float = 0.0, unit: str = "mm", smoothing: float = 0.0) -> Profile:
    """A profile by its name, or through the points of a file; r_0 is added to its heights.

    Names are `s1002`, `uic60` (the joints of the Manchester benchmark), `uic60_60e1` (those of the
    drawing), `cylinder` and `cone 1/20`; anything else with a dot or a slash is a file. r_0 is the
    radius of a wheel, or of a roller with the profile of a rail; 0 for a rail.
    """
    name = text.strip()
    drawn = _drawn(name, r_0)
    if drawn is not None:
        return drawn
    if names_points(name):
        return read_profile(name, unit, smoothing).moved(dz=r_0)
    near = difflib.get_close_matches(name.lower(), KNOWN, n=1, cutoff=0.6)
    hint = f"; did you mean '{near[0]}'?" if near else ""
    raise ValueError(
        f"'{text}' is not a profile{hint}; known are {', '.join(KNOWN)}, 'cone 1/20', "
        "or the path of a file of points"
    )


@lru_cache(KEPT)
def _drawn(name: str, r_0: float) -> Profile | None:
    if name.lower() in KNOWN:
        return KNOWN[name.lower()](r_0)
    cone = CONE.fullmatch(name.lower())
    return None if cone is None else conical(r_0, _quotient(cone)).named(name)


def names_points(text: str) -> bool:
    """Whether a text names a file of points and not a profile."""
    name = text.strip().lower()
    return name not in KNOWN and not CONE.fullmatch(name) and any(mark in name for mark in "./\\")


def points_beside(folder: str, text: str) -> str:
    """A profile that a file in a folder names: paths start there."""
    return os.path.join(folder, text.strip()) if names_points(text) else text


def _quotient(cone: re.Match[str]) -> float:
    over, under = float(cone[1]), float(cone[2] or 1.0)
    if under == 0.0 or over / under >= 1.0:
        raise ValueError(f"'{cone[0]}' is not a cone; expected a slope below 1, as in 'cone 1/20'")
    return over / under
