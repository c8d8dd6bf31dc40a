"""Lines from files.

```yaml
track: 1
title: S-curve
gauge: 1.435 m
rail: uic60
inclination: 0.025                        # of the rails, towards the middle
segments:
  - {length: 50 m}
  - {length: 30 m, radius: 190 m, turn: right}
  - {length: 40 m, transition: true}      # curvature, cant, gradient: from the last to the next
  - {length: 80 m, radius: 600 m, turn: left, cant: 100 mm, gradient: 0.005}
irregularities:                           # along the line, straight from row to row
  at: [0 m, 10 m, 20 m]
  lateral: [0, 1 mm, 0]                   # also vertical, cross_level, gauge
friction: {at: [0 m, 60 m], value: [0.4, 0.1]}
```

Cant raises the outer rail, on straights the right one. With `endless: true` the line goes on
straight beyond its last segment.
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass, field

import numpy as np
from railblocks.blocks.rail.data_files import named
from railblocks.engine.text.record import Record, read_record

from .layout import Segment, laid_out, length_of

FOLDER = os.path.dirname(os.path.abspath(__file__))
Values = tuple[float, float, float]
DEVIATIONS = ("lateral", "vertical", "cross_level", "gauge")


@dataclass(frozen=True)
class Track:
    """A line, its rails, and what is not as it should be along it."""

    title: str
    line: np.ndarray
    gauge: float
    rail: str
    inclination: float
    deviations: np.ndarray = field(default_factory=lambda: np.zeros((1, 5)))
    friction: np.ndarray = field(default_factory=lambda: np.zeros((0, 2)))
    endless: bool = False

    @property
    def end(self) -> float:
        """Where vehicles must stop; an endless line goes on straight."""
        return math.inf if self.endless else length_of(self.line)


def track_named(text: str) -> Track:
    """A line by the name of one that is shipped, or by the path of its file."""
    return named(text, FOLDER, "track", read_track)


def read_track(path: str | os.PathLike[str]) -> Track:
    """The line of a file; DiagramError with all problems and their places."""
    record = read_record(path, "track")
    title = record.text("title", os.path.splitext(os.path.basename(os.fspath(path)))[0])
    gauge = record.number("gauge", "m", 1.435, least=0.0)
    rail = record.text("rail", "uic60")
    inclination = record.number("inclination", "1", 0.025)
    base = record.number("base", "m", 1.5, least=0.0)
    segments = _segments(record, base)
    deviations = _deviations(record)
    friction = _friction(record)
    endless = record.flag("endless")
    record.close()
    record.problems.raise_any()
    line = laid_out(segments, base)
    return Track(title, line, gauge, rail, inclination, deviations, friction, endless)


def _segments(record: Record, base: float) -> list[Segment]:
    """Segments with what holds all along them; transitions join their neighbours."""
    parts: list[tuple[float, Values | None]] = []
    places = []
    for part in record.listed("segments"):
        length = part.number("length", "m", least=0.0)
        if part.flag("transition"):
            parts.append((length, None))
        else:
            parts.append((length, _values(part, base)))
        places.append(part.place)
        part.close()
    found = []
    for k, (length, values) in enumerate(parts):
        before = parts[k - 1][1] if k > 0 else None
        after = parts[k + 1][1] if k + 1 < len(parts) else None
        if values is not None:
            before = after = values
        if before is None or after is None:
            message = "a transition needs a segment before and behind it that is none"
            record.problems.add(places[k], message)
            continue
        curvature, cant, gradient = zip(before, after, strict=True)
        found.append(Segment(length or 1.0, curvature, cant, gradient))
    return found


def _values(part: Record, base: float) -> Values:
    """Curvature, cant and gradient."""
    radius = part.number("radius", "m", math.inf, least=0.0) or math.inf
    side = -1.0 if part.text("turn", "left", ("left", "right")) == "right" else 1.0
    cant = part.number("cant", "m", 0.0)
    if abs(cant) >= base:
        part.problems.add(part.place, f"cant = {cant:g} m; expected less than {base:g} m, the base")
        cant = 0.0
    return side / radius, side * cant, part.number("gradient", "1", 0.0)


def _deviations(record: Record) -> np.ndarray:
    """Rows of place and deviations: middle of the track to the left and up, right over left rail,
    wider gauge."""
    if "irregularities" not in record:
        return np.zeros((1, 1 + len(DEVIATIONS)))
    part = record.record("irregularities")
    if part is None:
        return np.zeros((1, 1 + len(DEVIATIONS)))
    at = _places(part)
    table = np.zeros((len(at), 1 + len(DEVIATIONS)))
    table[:, 0] = at
    for column, name in enumerate(DEVIATIONS, start=1):
        table[:, column] = part.numbers(name, "m", len(at), (0.0,) * len(at))
    part.close()
    return table


def _friction(record: Record) -> np.ndarray:
    """Rows of place and friction, none where the vehicle's own holds."""
    if "friction" not in record:
        return np.zeros((0, 2))
    part = record.record("friction")
    if part is None:
        return np.zeros((0, 2))
    at = _places(part)
    values = part.numbers("value", "1", len(at))
    part.close()
    return np.column_stack([at, values])


def _places(part: Record) -> tuple[float, ...]:
    at = part.numbers("at", "m")
    if not at or at != tuple(sorted(set(at))):
        part.problems.add(
            part.place, "'at' has no places, or they do not rise; expected rising ones"
        )
        return (0.0,)
    return at
