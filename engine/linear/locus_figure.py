"""Figure of a root locus: eigenvalues in the plane, and growth and frequency over the parameter."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ..plots.plotting import COLOURS, plain, unit_text
from ..plots.style import canvas_of
from .locus import RootLocus

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIZE, DPI = (9.6, 5.4), 130
GREY = "#8a8a8a"


def locus_figure(locus: RootLocus) -> Figure:
    """The eigenvalues of a diagram over a parameter, on and above the real axis."""
    unit = unit_text(str(locus.over.unit)) if locus.over.unit is not None else ""
    axis_name = plain(locus.over.path) + (
        f" / ({unit})" if "/" in unit else f" / {unit}" * bool(unit)
    )
    with canvas_of(SIZE, DPI) as figure:
        grid = figure.add_gridspec(2, 2, width_ratios=(1.25, 1.0))
        plane = figure.add_subplot(grid[:, 0])
        upper = figure.add_subplot(grid[0, 1])
        lower = figure.add_subplot(grid[1, 1], sharex=upper)
        _plane(figure, plane, locus, axis_name)
        _over(upper, lower, locus)
        lower.set_xlabel(axis_name)
        figure.suptitle(plain(_title(locus)), fontsize=10, x=0.02, ha="left")
    return figure


def _title(locus: RootLocus) -> str:
    if locus.critical is None:
        what = "no motion begins to grow"
        what = "motions grow at every value" if np.all(locus.grows) else what
    else:
        what = f"motions grow from {locus.over.shown(locus.critical)} on"
    return f"{locus.model.title} — {what}"


def _plane(figure: Any, axis: Any, locus: RootLocus, name: str) -> None:
    import matplotlib

    colours = matplotlib.colormaps["viridis"]
    low, high = locus.values[0], locus.values[-1]
    shades = colours((locus.values - low) / (high - low))
    for column in locus.rates.T:
        seen = column.imag >= -1e-9 * max(float(np.abs(column).max(initial=0.0)), 1e-300)
        axis.plot(*_broken(column, seen), color=GREY, lw=0.6)
        axis.scatter(column.real[seen], column.imag[seen], c=shades[seen], s=9, zorder=3)
    for critical in locus.criticals:
        axis.plot(0.0, abs(critical.rate.imag), "o", color=COLOURS[1], mfc="none", mew=1.6, ms=9)
    axis.axvline(0.0, color=GREY, lw=0.9)
    axis.set_xlabel("real part / (1/s)")
    axis.set_ylabel("imaginary part / (rad/s)")
    scale = matplotlib.cm.ScalarMappable(matplotlib.colors.Normalize(low, high), "viridis")
    figure.colorbar(scale, ax=axis, label=name, location="bottom", shrink=0.8, aspect=40)


def _broken(column: np.ndarray, seen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return np.where(seen, column.real, np.nan), np.where(seen, column.imag, np.nan)


def _over(upper: Any, lower: Any, locus: RootLocus) -> None:
    for k, column in enumerate(locus.rates.T):
        if np.all(column.imag < 0.0):
            continue
        colour = COLOURS[k % len(COLOURS)]
        upper.plot(locus.values, column.real, color=colour, lw=1.0)
        hertz = np.where(column.imag >= 0.0, column.imag, np.nan) / (2.0 * math.pi)
        lower.plot(locus.values, hertz, color=colour, lw=1.0)
    top = max(float(locus.growth.max(initial=0.0)), 0.0)
    finite = locus.rates.real[np.isfinite(locus.rates.real)]
    near = float(np.percentile(finite, 30)) if finite.size else -1.0
    least = min(near, -0.5 * top, -1e-3 * float(np.abs(finite).max(initial=1.0)))
    upper.set_ylim(1.15 * least, max(1.3 * top, -0.2 * least))
    upper.axhline(0.0, color=GREY, lw=0.9)
    for axis in (upper, lower):
        for critical in locus.criticals:
            axis.axvline(critical.value, color=COLOURS[1], lw=0.9, ls="--")
        axis.margins(x=0.0)
    upper.set_ylabel("growth / (1/s)")
    lower.set_ylabel("frequency / Hz")
