"""Figures of a report as PNG and SVG files, drawn without a screen in one style."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import DiagramError
from ..runs.plotting import COLOURS, FAINT, INK
from ..text.replacing import replacing
from .result import Figure

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


@dataclass(frozen=True)
class Drawn:
    """A figure that was written, with the paths of its files."""

    figure: Figure
    png: Path
    svg: Path


def write_figures(figures: Sequence[Figure], folder: Path) -> list[Drawn]:
    """Draws every figure into the folder."""
    names = [_file_name(figure.name) for figure in figures]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise DiagramError(f"two figures are called '{min(twice)}'; rename one of them")
    return [_written(figure, folder, name) for figure, name in zip(figures, names, strict=True)]


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


def _written(figure: Figure, folder: Path, name: str) -> Drawn:
    drawn = Drawn(figure, folder / f"{name}.png", folder / f"{name}.svg")
    with canvas_of(figure.size) as canvas:
        figure.draw(canvas)
        with replacing(drawn.png) as temporary:
            canvas.savefig(temporary, format="png")
        with replacing(drawn.svg) as temporary:
            canvas.savefig(temporary, format="svg", metadata={"Date": None})
    return drawn


def _file_name(name: str) -> str:
    return re.sub(r"[^\w.-]+", "_", name).strip("._") or "figure"
