"""The order of blocks within each layer, so that few wires cross (Sugiyama's sweeps).

A wire that passes a layer takes part in its order as a lane of its own.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from dataclasses import dataclass, field
from itertools import pairwise

from .layers import Flow
from .scene import GRID, NAME_ROOM, Box, Scene

SWEEPS = 12  # over all layers, to reduce crossings
ROW_GAP = 2 * GRID  # pixels between boxes of a layer
APPROACH_PX = 4 * GRID
SINK_WEIGHT, HELPER_WEIGHT = 0.2, 0.6


@dataclass
class LayerItem:
    """A box, or a wire's lane, in a layer; `above` and `height` are the room that it takes."""

    key: str
    above: int
    height: int
    lane: bool = False
    before: list[WirePiece] = field(default_factory=list)
    after: list[WirePiece] = field(default_factory=list)


@dataclass(frozen=True)
class WirePiece:
    """A piece of wire between neighbouring layers, with its heights in both items."""

    other: str
    own_offset: int
    other_offset: int
    net: int
    weight: float  # how much it matters that it is straight


@dataclass
class Layering:
    items: dict[str, LayerItem]
    layers: list[list[str]]


def ordered(scene: Scene, flow: Flow, names: list[str]) -> Layering:
    """The layers of some boxes (one connected part of a diagram) with their order."""
    layering = _with_lanes(scene, flow, names)
    best = [list(layer) for layer in layering.layers]
    fewest = crossings(layering, best)
    current = [list(layer) for layer in best]
    for sweep in range(SWEEPS):
        if not fewest:
            break
        forward = sweep % 2 == 0
        numbers = range(1, len(current)) if forward else range(len(current) - 2, -1, -1)
        for number in numbers:
            _sort(layering, current, number, forward)
        count = crossings(layering, current)
        if count < fewest:
            fewest, best = count, [list(layer) for layer in current]
    layering.layers = best
    return layering


def _with_lanes(scene: Scene, flow: Flow, names: list[str]) -> Layering:
    inside = set(names)
    lowest = min(flow.layers[name] for name in names)
    count = max(flow.layers[name] for name in names) - lowest + 1
    items = {name: _item(scene.boxes[name]) for name in names}
    sinks = set(names) - {net.source[0] for net in scene.nets}
    layers: list[list[str]] = [[] for _ in range(count)]
    for name in names:
        layers[flow.layers[name] - lowest].append(name)
    for number, net in enumerate(scene.nets):
        source, port = net.source
        if source not in inside:
            continue
        start = flow.layers[source]
        ends = [
            (flow.layers[block], block, name)
            for block, name in net.targets
            if block in inside and flow.layers[block] > start and (source, block) not in flow.back
        ]
        if not ends:
            continue
        offset = scene.boxes[source].offset(port, "out")
        helper = not scene.boxes[source].inputs
        carrier = source
        for layer in range(start + 1, max(ends)[0] + 1):
            for _, block, name in (end for end in ends if end[0] == layer):
                level, weight = _level(scene.boxes[block], name)
                weight *= SINK_WEIGHT if block in sinks else HELPER_WEIGHT if helper else 1.0
                _link(items, carrier, offset, block, level, number, weight)
            if layer < max(ends)[0]:
                further = [end[1] for end in ends if end[0] > layer]
                weight = SINK_WEIGHT if all(block in sinks for block in further) else 1.0
                lane = f"{number} {layer}"
                items[lane] = LayerItem(lane, 0, ROW_GAP, lane=True)
                layers[layer - lowest].append(lane)
                _link(items, carrier, offset, lane, 0, number, weight)
                carrier, offset = lane, 0
    return Layering(items, layers)


def _item(box: Box) -> LayerItem:
    sides = {port.side for port in box.inputs}
    above = NAME_ROOM if box.name_above else ROW_GAP * ("above" in sides)
    below = 0 if box.name_above else NAME_ROOM
    return LayerItem(box.key, above, box.height + below + ROW_GAP * (1 + ("below" in sides)))


def _level(box: Box, port: str) -> tuple[int, float]:
    """The height from which a wire should come to an input, and how much that matters."""
    side = box.input_side(port)
    if side == "left":
        return box.offset(port, "in"), 1.0
    return (-APPROACH_PX if side == "above" else box.height + APPROACH_PX), SINK_WEIGHT


def _link(
    items: dict[str, LayerItem], left: str, out: int, right: str, into: int, net: int, weight: float
) -> None:
    items[left].after.append(WirePiece(right, out, into, net, weight))
    items[right].before.append(WirePiece(left, into, out, net, weight))


def _sort(layering: Layering, layers: list[list[str]], number: int, forward: bool) -> None:
    """Sorts a layer: each item goes to the mean position of its neighbours."""
    neighbours = layers[number - 1 if forward else number + 1]
    rank = {key: i for i, key in enumerate(neighbours)}
    wanted: dict[str, float] = {}
    for i, key in enumerate(layers[number]):
        item = layering.items[key]
        links = item.before if forward else item.after
        spots = [rank[k.other] + k.other_offset / 1000 - k.own_offset / 1000 for k in links]
        wanted[key] = (
            sum(spots) / len(spots) if spots else i * len(neighbours) / len(layers[number])
        )
    layers[number].sort(key=wanted.__getitem__)


def crossings(layering: Layering, layers: list[list[str]]) -> int:
    """How often wires between neighbouring layers cross."""
    total = 0
    for left, right in pairwise(layers):
        rank = {key: i for i, key in enumerate(right)}
        ends: list[tuple[tuple[int, int], tuple[int, int]]] = []
        for i, key in enumerate(left):
            for link in layering.items[key].after:
                ends.append(((i, link.own_offset), (rank[link.other], link.other_offset)))
        ends.sort()
        seen: list[tuple[int, int]] = []
        for _, end in ends:
            total += len(seen) - bisect_right(seen, end)
            insort(seen, end)
    return total
