"""Diagrams as pictures, without a screen: `svg(diagram)`."""

from __future__ import annotations

from dataclasses import dataclass

from ..analysis.analysis import Analysis
from ..declaration.registry import Registry, standard_blocks
from ..diagram.diagram import Diagram
from ..text.source import Mapping, Scalar, Sequence
from .junctions import facing, turned, with_junctions
from .layers import Flow, flow_of
from .part_labels import with_part_labels
from .placement import GivenPosition, Placement, placed
from .reading import scene_of
from .routing import Route, rerouted
from .scene import DIRECTIONS, Scene
from .svg import drawn

__all__ = ["Drawing", "drawing_of", "layout_positions", "svg"]


@dataclass(frozen=True)
class Drawing:
    """A scene with positions of its boxes and routes of its wires."""

    scene: Scene
    spots: Placement
    routes: list[Route]


def svg(diagram: Diagram, registry: Registry | None = None) -> str:
    """The uppermost level of a diagram as SVG text; subsystems are boxes with a double border."""
    analysis = Analysis(diagram, registry or standard_blocks())
    drawing = drawing_of(scene_of(diagram, analysis), diagram)
    title = diagram.title.text if diagram.title else ""
    return drawn(drawing.scene, drawing.spots, drawing.routes, title)


def drawing_of(
    plain: Scene, diagram: Diagram, before: Drawing | None = None, flow: Flow | None = None
) -> Drawing:
    """A scene placed as the layout of its diagram says, and routed.

    Wires of an earlier drawing stay where they still fit; the flow of the scene may be known.
    """
    flow = flow or flow_of(plain)
    scene = with_junctions(plain, flow)
    spots = placed(scene, flow, layout_positions(diagram))
    scene = turned(facing(scene, spots), spots)
    routes = rerouted(scene, spots, before.routes if before else ())
    return Drawing(scene, spots, with_part_labels(routes))


def layout_positions(diagram: Diagram) -> dict[str, GivenPosition]:
    """The positions that `layout` gives to boxes: `name: [x, y]`, the upper left corner.

    A third item is the direction in which signals flow. `inputs.e` and `outputs.u` are ports of a
    subsystem.
    """
    positions = {}
    entries = diagram.layout.entries if isinstance(diagram.layout, Mapping) else {}
    for name, entry in entries.items():
        items = entry.node.items if isinstance(entry.node, Sequence) else ()
        values = [item.value for item in items if isinstance(item, Scalar)]
        numbers = [float(value) for value in values[:2] if isinstance(value, int | float)]
        word = str(values[2]) if len(values) > 2 and values[2] in DIRECTIONS else ""
        if len(numbers) == 2 and all(abs(number) < 1e6 for number in numbers):
            positions[box_key(name)] = GivenPosition(numbers[0], numbers[1], word)
    return positions


def box_key(name: str) -> str:
    """The key of a box in a scene, from its name in the layout."""
    part, dot, port = name.partition(".")
    return {"inputs": "<", "outputs": ">"}.get(part, "") + port if dot else name


def layout_name(key: str) -> str:
    """The name of a box in the layout, from its key in a scene."""
    return {"<": "inputs.", ">": "outputs."}.get(key[:1], key[:1]) + key[1:]
