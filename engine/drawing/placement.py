"""Positions of boxes: layers become columns, and heights make many wires straight.

All coordinates are multiples of the grid, so that ports meet wires. Positions from the file's
`layout` win; blocks without one are placed below those that have.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

import networkx as nx

from .layers import Flow, flow_of
from .ordering import Layering, LayerItem, WirePiece, ordered
from .scene import DIRECTIONS, GRID, NAME_ROOM, Box, Scene

SWEEPS = 6  # over all layers, to straighten wires
MARGIN = 3 * GRID  # pixels between parts of a drawing
COLUMN_GAP = 4 * GRID  # pixels between layers, without their wires
CHAIN_GAP = 3 * GRID  # pixels above a chain that leads back


@dataclass(frozen=True)
class Spot:
    """The upper left corner of a box, and which way it faces.

    A flipped box has its inputs on the right; a turned one above, or below if it is flipped too.
    """

    x: int
    y: int
    flipped: bool = False
    turned: bool = False

    @property
    def way(self) -> int:
        """The direction of its signals, an index of DIRECTIONS."""
        return 2 * self.flipped + self.turned


@dataclass(frozen=True)
class GivenPosition:
    """A position from a file; the direction is empty if the file gives none."""

    x: float
    y: float
    direction: str = ""


Placement: TypeAlias = dict[str, Spot]


def placed(scene: Scene, flow: Flow, given: Mapping[str, GivenPosition] | None = None) -> Placement:
    """A spot for every box."""
    known = {name: at for name, at in (given or {}).items() if name in scene.boxes}
    if not known:
        return arranged(scene, flow)
    spots = {n: Spot(_snapped(at.x), _snapped(at.y)) for n, at in known.items()}
    sources, targets = neighbours(scene)
    for name, at in known.items():
        if at.direction:
            way = DIRECTIONS.index(at.direction)
            spots[name] = replace(spots[name], flipped=way > 1, turned=way % 2 == 1)
        elif leads_back(name, sources.get(name, []), targets.get(name, []), spots):
            spots[name] = replace(spots[name], flipped=True)
    rest = Scene(
        {name: box for name, box in scene.boxes.items() if name not in known},
        tuple(n for n in scene.nets if not {n.source[0], *(t[0] for t in n.targets)} & set(known)),
    )
    bottom = max(spots[n].y + scene.boxes[n].height for n in spots) + NAME_ROOM + MARGIN
    left = min(spot.x for spot in spots.values())
    for name, spot in arranged(rest, flow_of(rest)).items():
        spots[name] = Spot(spot.x + left, spot.y + bottom, spot.flipped)
    return spots


def arranged(scene: Scene, flow: Flow) -> Placement:
    """Spots without a layout: connected parts one below another, single boxes at the end."""
    graph = nx.Graph()
    graph.add_nodes_from(scene.boxes)
    graph.add_edges_from((n.source[0], t[0]) for n in scene.nets for t in n.targets)
    spots: Placement = {}
    bottom = 0
    singles = []
    for part in nx.connected_components(graph):
        names = [name for name in scene.boxes if name in part]
        if len(names) == 1:
            singles.append(names[0])
            continue
        inner = _part(scene, flow, names)
        top = min(spot.y for spot in inner.values())
        for name, spot in inner.items():
            spots[name] = Spot(spot.x, spot.y - top + bottom, spot.flipped)
        bottom = max(spots[n].y + scene.boxes[n].height for n in names) + NAME_ROOM + MARGIN
    _rows(scene, singles, spots, bottom)
    return spots


def _rows(scene: Scene, names: list[str], spots: Placement, top: int) -> None:
    width = max((s.x + scene.boxes[n].width for n, s in spots.items()), default=80 * GRID)
    x, y, height = 0, top, 0
    for name in names:
        box = scene.boxes[name]
        if x and x + box.footprint > width:
            x, y, height = 0, y + height, 0
        spots[name] = Spot(x + _snapped((box.footprint - box.width) / 2), y)
        x += box.footprint + MARGIN
        height = max(height, box.height + NAME_ROOM + MARGIN)


def _part(scene: Scene, flow: Flow, names: list[str]) -> Placement:
    forward = [name for name in names if name in flow.layers]
    layering = ordered(scene, flow, forward)
    heights = _heights(layering)
    spots = _columns(scene, flow, layering, heights)
    chains = [chain for chain in flow.chains if chain[0] in names]
    _below(scene, chains, layering, heights, spots)
    return spots


# --- heights ---------------------------------------------------------------------------------
def _heights(layering: Layering) -> dict[str, int]:
    """Heights of all items: sweeps that pull each to where its wires are straight."""
    heights: dict[str, int] = {}
    for layer in layering.layers:
        top = 0
        for key in layer:
            heights[key] = top + layering.items[key].above
            top = heights[key] + layering.items[key].height
    count = len(layering.layers)
    for number in range(SWEEPS):
        both = number >= SWEEPS - 2
        order = range(count) if number % 2 == 0 else range(count - 1, -1, -1)
        for at in order:
            items = [layering.items[key] for key in layering.layers[at]]
            wishes = []
            for item in items:
                links = (
                    [] if number % 2 and not both else _wishes(layering, item, item.before, heights)
                )
                if number % 2 or both:
                    links = links + _wishes(layering, item, item.after, heights)
                wishes.append(links or [(heights[item.key], 0.1)])
            heights.update(_fitted(items, wishes))
    return heights


def _wishes(
    layering: Layering, item: LayerItem, links: list[WirePiece], heights: dict[str, int]
) -> list[tuple[int, float]]:
    """Heights at which each wire would be straight, and how much that matters."""
    wishes = []
    for link in links:
        other = layering.items[link.other]
        weight = 8.0 if item.lane and other.lane else 3.0 if item.lane or other.lane else 2.0
        if len(other.after if link in item.before else other.before) == 1:
            weight += 1.0
        weight *= link.weight
        wishes.append((heights[link.other] + link.other_offset - link.own_offset, weight))
    return wishes


def _fitted(items: list[LayerItem], wishes: list[list[tuple[int, float]]]) -> dict[str, int]:
    """Heights nearest to the wishes that keep the order and the room of each item.

    Minimises sum w |y - wish| with y_(i+1) >= y_i + height_i: isotonic regression with medians,
    by pooling neighbours that are out of order.
    """
    shift, pools = 0, []
    for item, wish in zip(items, wishes, strict=True):
        shift += item.above
        pool = ([(y - shift, weight) for y, weight in wish], [item.key])
        pools.append((_median(pool[0]), *pool))
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            _, later, keys = pools.pop()
            _, earlier, first = pools.pop()
            merged = earlier + later
            pools.append((_median(merged), merged, first + keys))
        shift += item.height
    heights, shift = {}, 0
    rooms = {item.key: item for item in items}
    for value, _, keys in pools:
        for key in keys:
            shift += rooms[key].above
            heights[key] = value + shift
            shift += rooms[key].height
    return heights


def _median(wishes: list[tuple[int, float]]) -> int:
    half = sum(weight for _, weight in wishes) / 2
    total = 0.0
    for value, weight in sorted(wishes):
        total += weight
        if total >= half:
            return value
    return wishes[-1][0]


# --- columns ---------------------------------------------------------------------------------
def _columns(scene: Scene, flow: Flow, layering: Layering, heights: dict[str, int]) -> Placement:
    """Layers as columns, with room between them for every wire that bends there."""
    spots: Placement = {}
    x = 0
    for number, layer in enumerate(layering.layers):
        boxes = [scene.boxes[key] for key in layer if not layering.items[key].lane]
        width = max((box.footprint for box in boxes), default=0)
        for box in boxes:
            spots[box.key] = Spot(x + _snapped((width - box.width) / 2), heights[box.key])
        x += width + COLUMN_GAP + GRID * _tracks(scene, flow, layering, number, heights)
    return spots


def _tracks(
    scene: Scene, flow: Flow, layering: Layering, number: int, heights: dict[str, int]
) -> int:
    """How many wires run up or down side by side behind a layer."""
    spans: dict[int, list[int]] = {}
    for key in layering.layers[number]:
        for link in layering.items[key].after:
            start = heights[key] + link.own_offset
            end = heights[link.other] + link.other_offset
            if start != end:
                spans.setdefault(link.net, []).extend((start, end))
    ends = sorted(edge for ys in spans.values() for edge in ((min(ys), -1), (max(ys), 1)))
    most = depth = 0
    for _, change in ends:
        depth -= change
        most = max(most, depth)
    here = set(layering.layers[number])
    following = set(layering.layers[number + 1]) if number + 1 < len(layering.layers) else set()
    turns = sum((source in here) + (target in following) for source, target in flow.back)
    turns += sum(
        any(t[0] == chain[0] for n in scene.nets if n.source[0] in here for t in n.targets)
        for chain in flow.chains
    )
    return most + turns


# --- chains that lead back -------------------------------------------------------------------
def _below(
    scene: Scene,
    chains: list[tuple[str, ...]],
    layering: Layering,
    heights: dict[str, int],
    spots: Placement,
) -> None:
    """Puts chains that lead back below all that they pass, the shortest way first."""
    roofs = [_roof(scene.boxes[name], spot) for name, spot in spots.items()]
    ways = []
    for chain in chains:
        source = next(n.source[0] for n in scene.nets if any(t[0] == chain[0] for t in n.targets))
        targets = [t[0] for n in scene.nets if n.source[0] == chain[-1] for t in n.targets]
        left = min(spots[t].x for t in targets if t in spots)
        right = spots[source].x + scene.boxes[source].width
        ways.append((right - left, left, right, chain))
    for _, left, right, chain in sorted(ways):
        room = max(scene.boxes[name].footprint for name in chain) + 2 * MARGIN
        middle = (left + right) / 2
        half = max((right - left) / 2, room * len(chain) / 2)
        left, right = _snapped(middle - half), _snapped(middle + half)
        top = max((b for a, z, b in roofs if a < right + MARGIN and z > left - MARGIN), default=0)
        step = (right - left) / len(chain)
        height = max(scene.boxes[name].height for name in chain)
        for index, name in enumerate(chain):
            box = scene.boxes[name]
            x = right - (index + 0.5) * step - box.width / 2
            y = top + CHAIN_GAP + (height - box.height) // 2
            spots[name] = Spot(_snapped(x), _snapped(y), flipped=True)
        roofs.append((left, right, top + CHAIN_GAP + height + NAME_ROOM))


def _roof(box: Box, spot: Spot) -> tuple[int, int, int]:
    extra = (box.footprint - box.width) // 2
    return spot.x - extra, spot.x + box.width + extra, spot.y + box.height + NAME_ROOM


def neighbours(scene: Scene) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """What drives each box, and what it drives."""
    sources: dict[str, list[str]] = {}
    targets: dict[str, list[str]] = {}
    for net in scene.nets:
        for target, _ in net.targets:
            sources.setdefault(target, []).append(net.source[0])
            targets.setdefault(net.source[0], []).append(target)
    return sources, targets


def leads_back(name: str, sources: list[str], targets: list[str], spots: Placement) -> bool:
    """Whether all that a box takes comes from its right and all that it gives goes left."""
    x = spots[name].x
    return (
        bool(sources and targets)
        and all(s in spots and spots[s].x > x for s in sources)
        and all(t in spots and spots[t].x < x for t in targets)
    )


def _snapped(value: float) -> int:
    return round(value / GRID) * GRID
