"""Bode plots: amplitude in dB above, phase in degrees below, both over frequency."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..plots.plotting import COLOURS, plain
from ..plots.style import canvas_of
from .response import Responses

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DEPTH_DB = 80.0
"""dB below the largest amplitude at which the picture ends; phases end 20 dB before."""
PHASE_JUMP_DEG = 170.0
"""Degrees from one frequency to the next at which the line of a phase is broken."""


def bode(responses: Responses, title: str = "") -> Figure:
    """A figure of all responses; a family has one entry in the legend."""
    with canvas_of((8.4, 5.6), 130) as figure:
        upper, lower = figure.subplots(2, 1, sharex=True)
        top = max(float(np.nanmax(_decibels(values))) for values in responses.values.values())
        for number, (name, values) in enumerate(responses.values.items()):
            colour = COLOURS[number % len(COLOURS)]
            _draw(upper, lower, responses.frequencies, name, values, colour, top)
        _frequency_axis(upper, responses.frequencies)
        upper.set_ylim(max(_lowest(responses), top - DEPTH_DB) - 3.0, top + 5.0)
        upper.set_ylabel("amplitude / dB")
        lower.set_ylabel("phase / °")
        lower.set_yticks(range(-180, 181, 90))
        lower.set_ylim(-190.0, 190.0)
        lower.set_xlabel("frequency / Hz")
        figure.legend(*upper.get_legend_handles_labels(), loc="outside right upper")
        if title:
            upper.set_title(plain(title))
    return figure


def _frequency_axis(axis: Any, f: np.ndarray) -> None:
    """Frequencies as plain numbers, at 1, 2 and 5 where there are few decades."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axis.set_xscale("log")
    axis.set_xlim(f[0], f[-1])
    steps = (1.0, 2.0, 5.0) if f[-1] < 200.0 * f[0] else (1.0,)
    axis.xaxis.set_major_locator(LogLocator(subs=steps))
    axis.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.xaxis.set_minor_formatter(NullFormatter())


def _lowest(responses: Responses) -> float:
    return min(float(np.nanmin(_decibels(values))) for values in responses.values.values())


def _draw(
    upper: Any, lower: Any, f: np.ndarray, name: str, values: np.ndarray, colour: str, top: float
) -> None:
    rows = np.atleast_2d(values)
    shades, label, width = [colour], name, 1.4
    if values.ndim == 2:
        shades = _shades(len(rows))
        label, width = f"{name} 1 to {len(rows)}", 0.7
    for number, (row, shade) in enumerate(zip(rows, shades, strict=True)):
        amplitude = _decibels(row)
        entry = label if number == len(rows) // 2 else None
        upper.plot(f, amplitude, color=shade, lw=width, label=entry)
        seen = np.where(amplitude > top - DEPTH_DB + 20.0, np.degrees(np.angle(row)), np.nan)
        seen[1:][np.abs(np.diff(seen)) > PHASE_JUMP_DEG] = np.nan
        lower.plot(f, seen, color=shade, lw=width)


def _shades(number: int) -> list[Any]:
    import matplotlib

    colours = matplotlib.colormaps["viridis"]
    return [colours(0.05 + 0.85 * i / max(number - 1, 1)) for i in range(number)]


def _decibels(values: np.ndarray) -> np.ndarray:
    with np.errstate(divide="ignore"):
        decibels = 20.0 * np.log10(np.abs(values))
    return np.where(np.isfinite(decibels), decibels, np.nan)
