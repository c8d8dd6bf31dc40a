"""Lines from files.

```yaml
track: 1
title: S-curve
gauge: 1.435 m
rail: uic60
inclination: 0.025                        # laying angle: of the rails, towards the middle
segments:
  - {length: 50 m}
  - {length: 30 m, radius: 190 m, turn: right, gauge: 1.445 m, inclination: 0}
  - {length: 40 m, transition: bloss}     # curvature, cant, gradient: from the last to the next
  - {length: 80 m, radius: 600 m, turn: left, cant: 100 mm, gradient: 0.005}
irregularities:                           # along the line, by splines; or `between: straight`
  at: [0 m, 10 m, 20 m]
  lateral: [0, 1 mm, 0]                   # also vertical, cross_level, gauge
friction: {at: [0 m, 60 m], value: [0.4, 0.1]}
```

A transition is a clothoid (`true` or `clothoid`), `bloss`, `hermite_3` or `hermite_5`.
Cant raises the outer rail, on straights the right one. `rail`, `inclination`, `gauge` and
`gauge_depth` (14 mm below the top) of a segment hold from its start on, until another one says
otherwise. Beside `rail: measured.csv` may stand `smoothing: 10 um`, the root mean square by which
the profile may miss its points. With `irregularities: {file:
measured.csv}` they are the columns of a file, `at` and those above with their units as in
`lateral (mm)`; paths in the file start from where it lies. With `irregularities: {spectrum:
erri_low, seed: 1, to: 1000 m}` they are generated (`spectra.py`): from `from: 0 m` on, with waves
from `shortest: 3 m` to `longest: 100 m`, fading beyond both ends on `fade: 10 m`; `only: lateral,
vertical` leaves out the others.
With `endless: true` the line goes on straight beyond its last segment.
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass, field, replace

import numpy as np
from railblocks.blocks.rail.contact.profiles.naming import points_beside, profile_named
from railblocks.blocks.rail.contact.profiles.rails import GAUGE_DEPTH_M
from railblocks.blocks.rail.track.data_files import named
from railblocks.engine.text.data_record import DataRecord, read_record

from .layout import Segment, laid_out, length_of
from .tables import deviations_of, friction_of, no_deviations, no_friction
from .transitions import CLOTHOID, SHAPES

FOLDER = os.path.dirname(os.path.abspath(__file__))
MAX_INCLINATION = 0.2
"""Largest inclination of a rail."""
Values = tuple[float, float, float]


@dataclass(frozen=True)
class Rails:
    """A pair of rails, as it lies from `start` on."""

    start: float
    rail: str
    inclination: float
    gauge: float
    depth: float = GAUGE_DEPTH_M
    """How far below the top the gauge is measured."""
    smoothing: float = 0.0
    """Root mean square that a file of points may miss."""


@dataclass(frozen=True)
class Track:
    """A line, its rails, and what is not as it should be along it."""

    title: str
    line: np.ndarray
    base: float
    rails: tuple[Rails, ...]
    deviations: np.ndarray = field(default_factory=no_deviations)
    friction: np.ndarray = field(default_factory=no_friction)
    endless: bool = False

    @property
    def end(self) -> float:
        """Where vehicles must stop; an endless line goes on straight."""
        return math.inf if self.endless else length_of(self.line)

    @property
    def gauge(self) -> float:
        """The gauge at the start of the line; likewise `rail` and `inclination`."""
        return self.rails[0].gauge

    @property
    def rail(self) -> str:
        return self.rails[0].rail

    @property
    def inclination(self) -> float:
        return self.rails[0].inclination

    @property
    def rails_table(self) -> np.ndarray:
        """Rows of start, inclination and gauge, one for each pair of rails."""
        return np.array([(pair.start, pair.inclination, pair.gauge) for pair in self.rails])


def track_named(text: str) -> Track:
    """A line by the name of one that is shipped, or by the path of its file."""
    return named(text, FOLDER, "track", read_track)


def read_track(path: str | os.PathLike[str]) -> Track:
    """The line of a file; DiagramError with all problems and their positions."""
    folder, file = os.path.split(os.fspath(path))
    record = read_record(path, "track")
    title = record.text("title", os.path.splitext(file)[0])
    first = _rails(record, Rails(0.0, "uic60", 0.025, 1.435), folder)
    base = record.number("base", "m", 1.5, least=0.0)
    segments, rails = _segments(record, base, first, folder)
    deviations, friction = deviations_of(record, folder, base), friction_of(record)
    endless = record.flag("endless")
    record.close()
    record.problems.raise_any()
    line = laid_out(segments, base)
    return Track(title, line, base, rails, deviations, friction, endless)


def _rails(record: DataRecord, before: Rails, folder: str) -> Rails:
    """What a record says of the rails; the rest is as before."""
    is_new = "rail" in record
    rail = points_beside(folder, record.text("rail")) if is_new else before.rail
    inclination = record.number("inclination", "1", before.inclination)
    gauge = record.number("gauge", "m", before.gauge, least=0.0)
    depth = record.number("gauge_depth", "m", before.depth, least=0.0)
    smoothing = record.number("smoothing", "m", 0.0 if is_new else before.smoothing, least=0.0)
    if abs(inclination) > MAX_INCLINATION:
        message = (
            f"inclination = {inclination:g}; expected at most {MAX_INCLINATION:g} to either side"
        )
        record.problems.add(record.position_of("inclination"), message)
    try:
        if is_new:
            profile_named(rail, smoothing=smoothing)
    except ValueError as error:
        record.problems.add(record.position_of("rail"), f"rail: {error}")
    changes = {"inclination": inclination, "gauge": gauge, "depth": depth, "smoothing": smoothing}
    return replace(before, rail=rail, **changes)


def _segments(
    record: DataRecord, base: float, first: Rails, folder: str
) -> tuple[list[Segment], tuple[Rails, ...]]:
    """Segments with what holds all along them, and the rails; transitions join their neighbours."""
    parts: list[tuple[float, Values | None]] = []
    positions, shapes, rails, start = [], [], [first], 0.0
    for part in record.listed("segments"):
        length = part.number("length", "m", least=0.0)
        shape = part.flag_or_name("transition", tuple(SHAPES))
        parts.append((length, None if shape else _values(part, base)))
        positions.append(part.position)
        shapes.append(shape if shape in SHAPES else CLOTHOID)
        changed = _rails(part, rails[-1], folder)
        if changed != rails[-1]:
            rails = [*(pair for pair in rails if pair.start < start), replace(changed, start=start)]
        start += length
        part.close()
    segments = []
    for k, (length, values) in enumerate(parts):
        before = parts[k - 1][1] if k > 0 else None
        after = parts[k + 1][1] if k + 1 < len(parts) else None
        if values is not None:
            before = after = values
        if before is None or after is None:
            message = "a transition must lie between two segments that are not transitions"
            record.problems.add(positions[k], message)
            continue
        curvature, cant, gradient = zip(before, after, strict=True)
        segments.append(Segment(length or 1.0, curvature, cant, gradient, str(shapes[k])))
    if not parts and not len(record.problems):
        record.problems.add(record.position, "'segments' is empty; expected at least one")
    return segments, tuple(rails)


def _values(part: DataRecord, base: float) -> Values:
    """Curvature, cant and gradient."""
    radius = part.number("radius", "m", math.inf, least=0.0) or math.inf
    side = -1.0 if part.text("turn", "left", ("left", "right")) == "right" else 1.0
    cant = part.number("cant", "m", 0.0)
    if abs(cant) >= base:
        message = f"cant = {cant:g} m; expected less than {base:g} m, the base"
        part.problems.add(part.position_of("cant"), message)
        cant = 0.0
    return side / radius, side * cant, part.number("gradient", "1", 0.0)
