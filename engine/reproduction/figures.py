"""Figures of a report as PNG and SVG files, drawn without a screen in one style."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import DiagramError
from ..files.replacing import replacing
from ..plots.style import canvas_of
from .result import Figure


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
