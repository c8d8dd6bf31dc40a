"""Supports from files.

```yaml
support: 1
title: Rails on sleepers
spread: 1.5 m                             # from seat to seat of the rails
height: 0.172 m                           # from the seats to the top of the rails
rails:                                    # each of the two
  mass: 79 kg
  stiffness: [30 MN/m, 188 MN/m]          # to the side, upright
  damping: [150 kN*s/m, 163 kN*s/m]
sleepers:                                 # all that travels under both rails
  mass: 544 kg
  inertia: 306 kg*m^2                     # in roll
  stiffness: [70 MN/m, 287 MN/m]
  damping: [350 kN*s/m, 88 kN*s/m]
```

The upright springs under the sleepers act at the seats, half at each: in roll they make
spread^2/4 of their stiffness, to which `turning` may add. A rail with `inertia` rolls on its seat,
on the spring `turning`; one without rolls as the sleepers do. Both may have `turning_damping`.
Without `sleepers` the rails lie on the ground, without `rails` they do not give.
"""

from __future__ import annotations

import os

from railblocks.blocks.rail.track.data_files import named
from railblocks.engine.text.data_record import DataRecord, read_record

from .description import NONE, Layer, Pair, Support

FOLDER = os.path.dirname(os.path.abspath(__file__))
RIGID = "rigid"
FIELDS = ("rails", "sleepers", "spread", "height")
"""Fields of a file beside its version and title."""
WAYS = ("to the side", "upright")


def support_named(text: str) -> Support:
    """A support by the name of one that is shipped, or by the path of its file."""
    return named(text, FOLDER, "support", read_support)


def read_support(path: str | os.PathLike[str]) -> Support:
    """The support of a file; DiagramError with all problems and their positions."""
    record = read_record(path, "support")
    title = record.text("title", os.path.splitext(os.path.basename(os.fspath(path)))[0])
    support = support_in(record, title)
    record.close()
    record.problems.raise_any()
    return support


def support_in(record: DataRecord, title: str) -> Support:
    """The support whose layers a record has; problems are added to it."""
    spread = record.number("spread", "m", 1.5, least=0.0)
    height = record.number("height", "m", 0.172, least=0.0)
    rails, sleepers = (_layer(record, name) for name in ("rails", "sleepers"))
    if sleepers is not None and rails is None:
        where = record.position_of("sleepers")
        record.problems.add(where, "there are sleepers but no rails; expected both, or rails alone")
    return Support(title, rails, sleepers, spread, height)


def _layer(record: DataRecord, name: str) -> Layer | None:
    part = record.record(name, None)
    if part is None:
        return None
    mass = part.number("mass", "kg", least=0.0)
    inertia = part.number("inertia", "kg*m^2", *(() if name == "sleepers" else (0.0,)))
    stiffness = _pair(part.numbers("stiffness", "N/m", 2))
    damping = _pair(part.numbers("damping", "N*s/m", 2, NONE))
    turning = part.number("turning", "N*m/rad", 0.0)
    turning_damping = part.number("turning_damping", "N*m*s/rad", 0.0)
    part.close()
    for value, way in zip(stiffness, WAYS, strict=True):
        if value <= 0.0:
            message = f"{name} have a stiffness of {value:g} N/m {way}; expected one above 0"
            part.problems.add(part.position_of("stiffness"), message)
    for key, value in (
        ("damping", min(damping)), ("inertia", inertia),
        ("turning", turning), ("turning_damping", turning_damping),
    ):  # fmt: skip
        if value < 0.0:
            message = f"{key} = {value:g}; expected no value below 0"
            part.problems.add(part.position_of(key), message)
    _check_roll(part, name, inertia, turning, turning_damping)
    return Layer(mass, inertia, stiffness, damping, turning, turning_damping)


def _pair(numbers: tuple[float, ...]) -> Pair:
    side, upright = numbers
    return side, upright


def _check_roll(
    part: DataRecord, name: str, inertia: float, turning: float, turning_damping: float
) -> None:
    """Adds a problem where roll has a spring without an inertia, or a rail's has no spring."""
    if inertia == 0.0 and (name == "sleepers" or turning or turning_damping):
        message = f"{name} have no inertia in roll; expected one above 0"
        part.problems.add(part.position_of("inertia"), message)
    elif name == "rails" and inertia > 0.0 and turning == 0.0:
        message = "rails have an inertia in roll but no spring; give `turning`, or leave it out"
        part.problems.add(part.position_of("inertia"), message)
