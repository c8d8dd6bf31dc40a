"""Pictures of what a block's parameters describe, drawn by its `@picture` function."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..declaration import FIGURE, Declaration
from ..model.model import Instance
from ..plots.style import canvas_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIZE = (8.4, 5.6)
DPI = 130


def has_picture(declaration: Declaration) -> bool:
    return bool(declaration.of_kind("picture"))


def picture_of(instance: Instance, declaration: Declaration) -> Figure:
    """The figure, drawn with the values of an instance.

    The declaration is that of the block type before it was specialised.
    """
    with canvas_of(SIZE, DPI) as figure:
        known = {**instance.values, FIGURE: figure}
        for equation in declaration.of_kind("picture"):
            equation.function(*[known[name] for name in equation.arguments])
    return figure
