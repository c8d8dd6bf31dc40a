"""The style of all figures that are drawn without a screen."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .plotting import COLOURS, FAINT, INK

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

DPI = 150
STYLE: dict[str, Any] = {
    "font.size": 9.5,
    "axes.edgecolor": "#8a8a8a",
    "axes.labelcolor": INK,
    "axes.titlesize": 10,
    "axes.titlecolor": INK,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": FAINT,
    "grid.linewidth": 0.6,
    "text.color": INK,
    "xtick.color": "#8a8a8a",
    "ytick.color": "#8a8a8a",
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "legend.frameon": False,
    "lines.linewidth": 1.3,
    "image.cmap": "viridis",
    "svg.hashsalt": "railblocks",
}


@contextlib.contextmanager
def canvas_of(size: tuple[float, float], dpi: float = DPI) -> Iterator[Canvas]:
    """An empty figure without a screen; the style holds while it is open."""
    import matplotlib
    from cycler import cycler
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas

    style: Any = {**STYLE, "axes.prop_cycle": cycler(color=COLOURS)}
    with matplotlib.rc_context(style):
        canvas = Canvas(figsize=size, dpi=dpi, layout="constrained")
        FigureCanvasAgg(canvas)
        yield canvas
