"""Sums as engineers draw them: a circle, the main signal from the left, feedback from below.

What flows forward beside the main signal enters from above. A sum that has no side left for an
input stays a rectangle.
"""

from __future__ import annotations

from dataclasses import replace

from .layers import Flow
from .placement import Placement
from .scene import GRID, Box, BoxPort, Scene, Side

SIZE = 4 * GRID
SIGNS = frozenset("+\u2212")


def with_junctions(scene: Scene, flow: Flow) -> Scene:
    """The scene with round sums."""
    turned = {name for chain in flow.chains for name in chain}
    sources: dict[tuple[str, str], str] = {}
    for net in scene.nets:
        for target in net.targets:
            sources[target] = net.source[0]

    def leads_back(box: Box, port: BoxPort) -> bool:
        source = sources.get((box.key, port.name), "")
        return source in turned or source == box.key or (source, box.key) in flow.back

    boxes = {}
    for key, box in scene.boxes.items():
        boxes[key] = box
        if len(box.inputs) in (2, 3) and all(port.label in SIGNS for port in box.inputs):
            sides = _sides([leads_back(box, port) for port in box.inputs])
            if len(set(sides)) == len(sides):
                ports = zip(box.inputs, sides, strict=True)
                inputs = tuple(replace(port, side=side) for port, side in ports)
                boxes[key] = replace(box, inputs=inputs, round=True, width=SIZE, height=SIZE)
    return replace(scene, boxes=boxes)


def facing(scene: Scene, spots: Placement) -> Scene:
    """The scene with sums that take from below what comes from below, where that side is free."""
    boxes = dict(scene.boxes)
    for net in scene.nets:
        start = spots[net.source[0]].y + scene.boxes[net.source[0]].offset(net.source[1], "out")
        for key, name in net.targets:
            box = boxes[key]
            free = "below" not in {port.side for port in box.inputs}
            if box.input_side(name) == "above" and free and start > spots[key].y + box.height:
                inputs = tuple(
                    replace(port, side="below") if port.name == name else port
                    for port in box.inputs
                )
                boxes[key] = replace(box, inputs=inputs)
    return replace(scene, boxes=boxes)


def turned(scene: Scene, spots: Placement) -> Scene:
    """The scene with boxes as their spots turn them."""
    boxes = {key: box.upright() if spots[key].turned else box for key, box in scene.boxes.items()}
    return replace(scene, boxes=boxes)


def _sides(back: list[bool]) -> list[Side]:
    main = back.index(False) if False in back else 0
    return ["left" if i == main else "below" if b else "above" for i, b in enumerate(back)]
