"""What the papers' figures share: colours, legends, labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from railblocks.engine.plots.plotting import COLOURS

BLUE, RED, GREEN, PURPLE, ORANGE, _, GREY, _ = COLOURS


def legend_above(ax: Any, columns: int = 4) -> None:
    """A legend above the axes, where it hides nothing."""
    ax.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=columns, borderaxespad=0.2)


def label_axes(ax: Any, x: str, y: str) -> None:
    """Labels and a faint grid; lines begin and end at the edges."""
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    ax.grid(True, alpha=0.3)
    ax.margins(x=0.0)


def named_rows(ax: Any, names: Sequence[str]) -> np.ndarray:
    """Heights at which rows lie, the first on top, with their names beside the axis."""
    heights = np.arange(len(names))[::-1]
    ax.set_ylim(-0.7, len(names) - 0.3)
    ax.set_yticks(heights, names, fontsize=8)
    ax.grid(visible=False, axis="y")
    return heights
