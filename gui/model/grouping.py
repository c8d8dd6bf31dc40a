"""Blocks into a subsystem, and a subsystem back into blocks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from railblocks.engine.diagram.diagram import BlockEntry, Diagram, PortEntry, Subsystem
from railblocks.engine.diagram.endpoints import Endpoint, index_text
from railblocks.engine.diagram.indices import composed
from railblocks.engine.drawing import Drawing
from railblocks.engine.drawing.placement import Spot
from railblocks.engine.drawing.reading import wires_of
from railblocks.engine.drawing.scene import GRID, Scene, Way
from railblocks.engine.errors import DiagramError
from railblocks.engine.text.nodes import Sequence

from . import layouts
from .blocks import without_blocks
from .levels import Path, inside, with_inside
from .naming import free_name, starts_with, with_signals
from .nodes import new_position, word
from .parameters import lifted
from .wires import EndpointPair, connected, terminals

PORT_DISTANCE = 12 * GRID  # between the ports of a new subsystem and its blocks
HALF_SIZE = (4 * GRID, 3 * GRID)  # of a subsystem's box with few ports


def grouped(
    root: Diagram, path: Path, drawing: Drawing, keys: Iterable[str], name: str = "group"
) -> tuple[Diagram, str]:
    """The diagram with some blocks in a subsystem of their own, and its name."""
    level = inside(root, path)
    assert level is not None
    chosen = [key for key in keys if key in level.blocks]
    if not chosen:
        raise DiagramError("there is no block to group; select some first")
    scene = drawing.scene
    name = free_name(name, level.blocks)
    inner, outer = _cut(level, scene, set(chosen), name)
    inner = replace(inner, blocks={key: level.blocks[key] for key in chosen})
    spots = {key: drawing.spots[key] for key in chosen}
    left, top = min(s.x for s in spots.values()), min(s.y for s in spots.values())
    moved = {key: replace(s, x=s.x - left + PORT_DISTANCE, y=s.y - top) for key, s in spots.items()}
    moved |= _port_spots(inner, scene, moved)
    inner = layouts.with_spots(inner, replace(drawing, spots=moved), moved)
    rest = replace(without_blocks(root, path, chosen), log=root.log, annotations=root.annotations)
    level = inside(rest, path)
    assert level is not None
    entry = BlockEntry(name, new_position(), subsystem=Subsystem(inner))
    level = connected(replace(level, blocks=level.blocks | {name: entry}), outer)
    level = layouts.with_spots(level, _without(drawing, chosen), {name: _middle(scene, spots)})
    prefix = ".".join(path) + "." if path else ""

    def signal(text: str) -> str:
        inside_group = any(starts_with(text, prefix + key) for key in chosen)
        return f"{prefix}{name}.{text[len(prefix) :]}" if inside_group else text

    return with_signals(with_inside(rest, path, level), signal), name


def expanded(root: Diagram, path: Path, drawing: Drawing, name: str) -> tuple[Diagram, list[str]]:
    """The diagram with the blocks of a subsystem instead of it, and their names."""
    level = inside(root, path)
    assert level is not None
    block = level.blocks[name]
    inner = block.subsystem.diagram if block.subsystem else None
    if inner is None:
        raise DiagramError(f"{name!r} is not a subsystem; there is nothing to expand")
    if inner.includes:
        raise DiagramError(
            f"{name!r} includes sets of parameters, which its blocks could not see outside; "
            "write their values into the blocks first"
        )
    level, inner = lifted(level, inner, block)
    root = with_inside(root, path, level)
    names: dict[str, str] = {}
    taken = set(level.blocks) - {name}
    for key in inner.blocks:
        names[key] = free_name(key, taken)
        taken.add(names[key])
    pairs = list(_joined(level, inner, drawing.scene, name, names))
    rest = replace(without_blocks(root, path, [name]), log=root.log, annotations=root.annotations)
    level = inside(rest, path)
    assert level is not None
    blocks = {new: replace(inner.blocks[old], name=new) for old, new in names.items()}
    level = connected(replace(level, blocks=level.blocks | blocks), pairs)
    at = drawing.spots[name]
    spots = {names[key]: spot for key, spot in layouts.spots_of(inner).items() if key in names}
    if spots:
        left, top = min(s.x for s in spots.values()), min(s.y for s in spots.values())
        spots = {n: replace(s, x=s.x - left + at.x, y=s.y - top + at.y) for n, s in spots.items()}
    level = layouts.with_spots(level, _without(drawing, [name]), spots)
    prefix = ".".join((*path, name))
    outside = ".".join(path) + "." if path else ""

    def signal(text: str) -> str:
        if not starts_with(text, prefix):
            return text
        first, _, rest_of = text[len(prefix) + 1 :].partition(".")
        if first in names:
            return f"{outside}{names[first]}" + (f".{rest_of}" if rest_of else "")
        port = inner.outputs.get(first)
        if port is not None and port.ends:
            end = port.ends[0]
            return outside + str(replace(end, block=names.get(end.block, end.block)))
        return text

    return with_signals(with_inside(rest, path, level), signal), list(blocks)


def _cut(
    level: Diagram, scene: Scene, chosen: set[str], name: str
) -> tuple[Diagram, list[EndpointPair]]:
    """The inner diagram with its ports and wires, and the wires outside that lead to it."""
    inputs: dict[str, list[Endpoint]] = {}
    outputs: dict[str, Endpoint] = {}
    ports: dict[tuple[str, ...], str] = {}
    inner: list[EndpointPair] = []
    outer: list[EndpointPair] = []
    for source, target in wires_of(level):
        (_, out), (_, into) = terminals(scene, (source, target))
        if source.block in chosen and target.block in chosen:
            inner.append((source, target))
        elif target.block in chosen:
            key: tuple[str, ...] = (source.block, out, index_text(source.index))
            if key not in ports:
                ports[key] = free_name(into or target.block, inputs)
                inputs[ports[key]] = []
                outer.append((source, Endpoint(name, ports[key])))
            inputs[ports[key]].append(target)
        elif source.block in chosen:
            key = (source.block, out)
            if key not in ports:
                ports[key] = free_name(out or source.block, outputs)
                outputs[ports[key]] = replace(source, index=None)
            outer.append((Endpoint(name, ports[key], source.index), target))
    here = new_position()
    diagram = Diagram(
        level.file,
        inputs={n: PortEntry(n, _list(ends), new_position()) for n, ends in inputs.items()},
        outputs={n: PortEntry(n, word(str(end)), new_position()) for n, end in outputs.items()},
        position=here,
        folder=level.folder,
    )
    return connected(diagram, inner), outer


def _middle(scene: Scene, spots: dict[str, Spot]) -> Spot:
    """The position of a subsystem's box in the middle of the blocks that it replaces."""
    xs = [spot.x + scene.boxes[key].width / 2 for key, spot in spots.items()]
    ys = [spot.y + scene.boxes[key].height / 2 for key, spot in spots.items()]
    x, y = sum(xs) / len(xs) - HALF_SIZE[0], sum(ys) / len(ys) - HALF_SIZE[1]
    return Spot(round(x / GRID) * GRID, round(y / GRID) * GRID)


def _port_spots(inner: Diagram, scene: Scene, spots: dict[str, Spot]) -> dict[str, Spot]:
    """Inputs in a column on the left, outputs on the right, each as high as the port it serves."""
    right = max(spot.x + scene.boxes[key].width for key, spot in spots.items()) + PORT_DISTANCE // 2
    port_spots: dict[str, Spot] = {}
    sides: tuple[tuple[str, dict, Way, int], ...] = (
        ("<", inner.inputs, "in", 0),
        (">", inner.outputs, "out", right),
    )
    for mark, ports, way, x in sides:
        wanted = []
        for name, port in ports.items():
            end = port.ends[0]
            offset = scene.boxes[end.block].offset(end.port or "", way)
            wanted.append((spots[end.block].y + offset - GRID, name))
        lowest = -(10**6)
        for y, name in sorted(wanted):
            lowest = max(y, lowest + 3 * GRID)
            port_spots[mark + name] = Spot(x, lowest)
    return port_spots


def _list(ends: list[Endpoint]):
    if len(ends) == 1:
        return word(str(ends[0]))
    return Sequence(tuple(word(str(end)) for end in ends), new_position())


def _joined(level: Diagram, inner: Diagram, scene: Scene, name: str, names: dict[str, str]):
    """Wires of the level and of the subsystem, joined where its ports were."""

    def inside_end(end: Endpoint, outer: Endpoint) -> Endpoint:
        index = composed(end.index, outer.index)
        return Endpoint(names.get(end.block, end.block), end.port, index)

    def moved(end: Endpoint) -> Endpoint:
        return replace(end, block=names[end.block])

    for line in inner.wires:
        for source, target in line.wires:
            yield moved(source), moved(target)
    for pair in wires_of(level):
        source, target = pair
        if name not in (source.block, target.block):
            continue
        (_, out), (_, into) = terminals(scene, pair)
        starts, ends = [source], [target]
        if source.block == name:
            starts = [inside_end(end, source) for end in inner.outputs[out].ends]
        if target.block == name:
            ends = [inside_end(end, target) for end in inner.inputs[into].ends]
        for start in starts:
            for end in ends:
                yield start, end


def _without(drawing: Drawing, keys: Iterable[str]) -> Drawing:
    gone = set(keys)
    spots = {key: spot for key, spot in drawing.spots.items() if key not in gone}
    return replace(drawing, spots=spots)
