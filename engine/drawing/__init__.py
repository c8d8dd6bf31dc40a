"""Diagrams as pictures, without a screen: `svg(diagram)`."""

from __future__ import annotations

from ..diagram.diagram import Diagram
from ..registry import Registry, standard_blocks
from ..text.source import Mapping, Scalar, Sequence
from .junctions import facing, with_junctions
from .layers import flow_of
from .placement import placed
from .reading import scene_of
from .routing import routed
from .svg import drawn

__all__ = ["svg"]


def svg(diagram: Diagram, registry: Registry | None = None) -> str:
    """The uppermost level of a diagram as SVG text; subsystems are boxes with a double border."""
    plain = scene_of(diagram, registry or standard_blocks())
    flow = flow_of(plain)
    scene = with_junctions(plain, flow)
    spots = placed(scene, flow, layout_positions(diagram))
    scene = facing(scene, spots)
    routes = routed(scene, spots)
    return drawn(scene, spots, routes, diagram.title.text if diagram.title else "")


def layout_positions(diagram: Diagram) -> dict[str, tuple[float, float]]:
    """The positions that `layout` gives to blocks: `name: [x, y]`, the upper left corner."""
    positions = {}
    entries = diagram.layout.entries if isinstance(diagram.layout, Mapping) else {}
    for name, entry in entries.items():
        items = entry.node.items if isinstance(entry.node, Sequence) else ()
        numbers = [
            float(item.value)
            for item in items[:2]
            if isinstance(item, Scalar) and isinstance(item.value, int | float)
        ]
        if len(numbers) == 2 and all(abs(number) < 1e6 for number in numbers):
            positions[name] = (numbers[0], numbers[1])
    return positions
