"""All gestures of the canvas, in the order in which a press of the mouse is offered to them."""

from __future__ import annotations

from ..canvas.pointer import BeginGesture
from .library_drop import LibraryDrop
from .move import Move
from .pan import Pan
from .rubber_band import RubberBand
from .wiring import Branch, WireFromPort

GESTURES: tuple[BeginGesture, ...] = (
    Pan.begin,
    WireFromPort.begin,
    Move.begin,
    Branch.begin,
    RubberBand.begin,
)
begin_drop = LibraryDrop.begin_drop
