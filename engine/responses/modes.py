"""Modes of a block: what its `@modes` function gives, as rows of a table and as a figure."""

from __future__ import annotations

import cmath
import math
from typing import TYPE_CHECKING

from ..declaration import VALUES, Declaration, Modes
from ..errors import DiagramError, Position
from ..model.model import Instance
from ..plots.style import canvas_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIZE = (8.4, 5.6)
DPI = 130
IN_PHASE_RAD = math.radians(20.0)
"""Parts whose phase is no farther from 0 or 180 degrees are told by their sign alone."""
MOST_PARTICIPANTS = 6
HEADS = ("mode", "frequency / Hz", "damping ratio", "largest participants")


def has_modes(declaration: Declaration) -> bool:
    return bool(declaration.of_kind("modes"))


def modes_of(
    instance: Instance, declaration: Declaration, band: tuple[float, float] | None = None
) -> Modes:
    """The modes of an instance, those within a band of frequencies in Hz if there is one.

    The declaration is that of the block type before it was specialised.
    """
    if band is not None and not 0.0 <= band[0] < band[1]:
        raise DiagramError(
            f"frequencies from {band[0]:g} to {band[1]:g} Hz; expected a rising pair from 0 on",
            Position("--range"),
        )
    (equation,) = declaration.of_kind("modes")
    values = {name: instance.values[name] for name in declaration.params}
    known = {**instance.values, VALUES: values}
    modes = equation.function(*[known[name] for name in equation.arguments])
    return modes if band is None else modes.between(*band)


def mode_rows(modes: Modes) -> list[tuple[str, str, str, str]]:
    """A row for each mode that oscillates, below the `HEADS`."""
    modes = modes.oscillating()
    return [
        (str(k + 1), f"{f:.4g}", f"{zeta:.4f}", participants_text(modes, k))
        for k, (f, zeta) in enumerate(zip(modes.frequencies, modes.damping, strict=True))
    ]


def participants_text(modes: Modes, mode: int) -> str:
    """The largest parts of a mode in words, with their signs or phases."""
    parts = list(modes.participants(mode).items())[:MOST_PARTICIPANTS]
    return ", ".join(f"{body} {way} {_part_text(part)}" for (body, way), part in parts)


def _part_text(part: complex) -> str:
    size, phase = abs(part), cmath.phase(part)
    if abs(phase) <= IN_PHASE_RAD:
        return f"{size:.2f}"
    if math.pi - abs(phase) <= IN_PHASE_RAD:
        return f"-{size:.2f}"
    return f"{size:.2f} at {math.degrees(phase):.0f}°"


def still_text(modes: Modes) -> str:
    """A sentence on the motions that do not oscillate; empty where all do."""
    still = modes.still().eigenvalues.real
    if not len(still):
        return ""
    slowest = still.max()
    what = f"grows by {slowest:.4g} 1/s" if slowest > 0.0 else f"decays by {-slowest:.4g} 1/s"
    return f"{len(still)} more motions do not oscillate; the slowest {what}"


def mode_figure(modes: Modes) -> Figure:
    """The modes that oscillate, as their block draws them."""
    modes = modes.oscillating()
    if modes.draw is None or not len(modes):
        why = "its block does not draw them" if len(modes) else "there are none; see --range"
        raise DiagramError(f"{modes.title}: no modes to draw: {why}")
    with canvas_of(SIZE, DPI) as figure:
        modes.draw(figure, modes)
    return figure
