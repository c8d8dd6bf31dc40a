"""A scene: boxes with ports, and nets between them, without positions."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from .text import text_width

GRID = 10  # pixels; boxes and ports lie on multiples of it
PITCH = 2 * GRID  # between ports
NAME_SIZE, PORT_SIZE = 11, 9  # font sizes in pixels
NAME_ROOM = 2 * GRID  # height of a name below its box
ARROW = 8  # length at the end of a wire

Way: TypeAlias = Literal["in", "out"]
Kind: TypeAlias = Literal["block", "subsystem", "input", "output"]
Side: TypeAlias = Literal["left", "above", "below"]
Terminal: TypeAlias = tuple[str, str]  # box and port
DIRECTIONS = ("right", "down", "left", "up")  # in which a block's signals may flow


@dataclass(frozen=True)
class BoxPort:
    """An input or output; `side` is where an input lies on a box that is not flipped."""

    name: str
    label: str = ""
    title: str = ""
    side: Side = "left"


@dataclass(frozen=True)
class Box:
    """A rectangle with a symbol, a name below, inputs on one side and outputs on the other."""

    key: str
    name: str
    symbol: str
    kind: Kind = "block"
    title: str = ""
    inputs: tuple[BoxPort, ...] = ()
    outputs: tuple[BoxPort, ...] = ()
    width: int = 5 * GRID
    height: int = 4 * GRID
    disabled: bool = False
    round: bool = False
    turned: bool = False  # inputs above and outputs below, or the other way round
    pitch: int = PITCH

    @property
    def footprint(self) -> int:
        """The width with the name."""
        if self.turned:
            return self.width
        wide = math.ceil(text_width(self.name, NAME_SIZE) / PITCH) * PITCH
        return max(self.width, wide)

    @property
    def name_above(self) -> bool:
        """Whether the name is written above the box: a wire comes from below."""
        sides = {port.side for port in self.inputs}
        return "below" in sides and "above" not in sides

    def input_side(self, port: str) -> Side:
        return next((p.side for p in self.inputs if p.name == port), "left")

    def offset(self, port: str, way: Way) -> int:
        """The height of a port below the upper edge; from the left edge of a turned box."""
        ports = self.inputs if way == "in" else self.outputs
        if way == "in" and self.round:
            heights = {"left": self.height // 2, "above": 0, "below": self.height}
            return heights[self.input_side(port)]
        index = next((i for i, p in enumerate(ports) if p.name == port), 0)
        middle = (self.width if self.turned else self.height) // 2
        return middle + (2 * index - len(ports) + 1) * self.pitch // 2

    def upright(self) -> Box:
        """The box with its ports above and below; its name is written beside it."""
        ports = (*self.inputs, *self.outputs)
        labels = max((text_width(port.label, PORT_SIZE) for port in ports), default=0.0)
        pitch = max(math.ceil((labels + GRID / 2) / PITCH), 1) * PITCH
        many = max(len(self.inputs), len(self.outputs), 1)
        width = max(self.width if not labels else 0, many * pitch, 4 * GRID)
        height = 6 * GRID if labels else 4 * GRID
        inputs = tuple(replace(port, side="left") for port in self.inputs)
        return replace(
            self, inputs=inputs, width=width, height=height, pitch=pitch, turned=True, round=False
        )


@dataclass(frozen=True)
class Net:
    """One output and all inputs that it drives."""

    source: Terminal
    targets: tuple[Terminal, ...]
    title: str = ""
    wide: bool = False
    disabled: bool = False
    parts: dict[Terminal, str] = field(default_factory=dict)  # `[0]` where a part is taken


@dataclass(frozen=True)
class Scene:
    boxes: dict[str, Box]
    nets: tuple[Net, ...]
    shown: frozenset[Terminal] = frozenset()  # outputs that are logged
