"""Positions of the boxes and notes of a level: the `layout` and `annotations` of its file."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping as Map
from dataclasses import dataclass, replace

from railblocks.engine.diagram.diagram import Diagram
from railblocks.engine.diagram.values import node_of, plain_data
from railblocks.engine.drawing import Drawing, box_key, layout_name, layout_positions
from railblocks.engine.drawing.placement import Spot, leads_back, neighbours
from railblocks.engine.drawing.scene import DIRECTIONS
from railblocks.engine.text.nodes import Entry, Mapping, Node, Sequence

from .nodes import mapping_of, new_position, word

FAR = 1e6  # pixels: notes beyond are not shown


@dataclass(frozen=True)
class Note:
    """Text on the canvas."""

    x: int
    y: int
    text: str


def with_spots(diagram: Diagram, drawing: Drawing, spots: Map[str, Spot]) -> Diagram:
    """The diagram with boxes at other positions; all others stay where they are drawn now."""
    everything = {**drawing.spots, **spots}
    entries = dict(_layout(diagram))
    known = {box_key(name): name for name in entries}
    sources, targets = neighbours(drawing.scene)
    for key, spot in everything.items():
        if key in known and key not in spots:
            continue
        flips = leads_back(key, sources.get(key, []), targets.get(key, []), everything)
        node = _spot_node(spot, flips)
        name = known.get(key, layout_name(key))
        if name not in entries or entries[name].node != node:
            entries[name] = Entry(new_position(), node)
    if entries == _layout(diagram):
        return diagram
    return replace(diagram, layout=mapping_of(entries))


def spots_of(diagram: Diagram) -> dict[str, Spot]:
    """The spots that the layout gives."""
    spots = {}
    for key, at in layout_positions(diagram).items():
        way = DIRECTIONS.index(at.direction or "right")
        spots[key] = Spot(round(at.x), round(at.y), way > 1, way % 2 == 1)
    return spots


def without_boxes(diagram: Diagram, keys: Iterable[str]) -> Diagram:
    gone = set(keys)
    entries = _layout(diagram)
    kept = {name: entry for name, entry in entries.items() if box_key(name) not in gone}
    if len(kept) == len(entries):
        return diagram
    return replace(diagram, layout=mapping_of(kept) if kept else None)


def without_layout(diagram: Diagram) -> Diagram:
    """The diagram as it is laid out by itself."""
    return replace(diagram, layout=None)


def renamed(diagram: Diagram, old: str, new: str) -> Diagram:
    entries = _layout(diagram)
    if old not in entries:
        return diagram
    moved = {new if name == old else name: entry for name, entry in entries.items()}
    return replace(diagram, layout=mapping_of(moved))


def notes_of(diagram: Diagram) -> list[Note]:
    """The notes that can be shown."""
    notes = []
    for item in _annotation(diagram, "notes"):
        at = item.get("at") if isinstance(item, dict) else None
        if isinstance(at, list) and isinstance(item.get("text"), str) and _is_position(at):
            notes.append(Note(int(at[0]), int(at[1]), item["text"]))
    return notes


def _is_position(at: list) -> bool:
    return len(at) == 2 and all(isinstance(v, float) and abs(v) < FAR for v in at)


def with_notes(diagram: Diagram, notes: list[Note]) -> Diagram:
    items = [{"at": [note.x, note.y], "text": word(note.text)} for note in notes]
    return with_annotation(diagram, "notes", items)


def scopes_of(diagram: Diagram) -> list[dict]:
    """The scopes of a diagram, as saved."""
    return [item for item in _annotation(diagram, "scopes") if isinstance(item, dict)]


def with_annotation(diagram: Diagram, key: str, items: list) -> Diagram:
    """The diagram with a list under `annotations`, whose other entries stay."""
    old = diagram.annotations
    entries = dict(old.entries) if isinstance(old, Mapping) else {}
    if old is not None and not isinstance(old, Mapping):
        entries["other"] = Entry(new_position(), old)
    if items:
        node = node_of(items, new_position())
        if key in entries and entries[key].node == node:
            return diagram
        entries[key] = Entry(new_position(), node)
    else:
        entries.pop(key, None)
    return replace(diagram, annotations=mapping_of(entries) if entries else None)


def _annotation(diagram: Diagram, key: str) -> list:
    if not isinstance(diagram.annotations, Mapping) or key not in diagram.annotations.entries:
        return []
    items = plain_data(diagram.annotations.entries[key].node)
    return items if isinstance(items, list) else []


def _layout(diagram: Diagram) -> dict[str, Entry]:
    return diagram.layout.entries if isinstance(diagram.layout, Mapping) else {}


def _spot_node(spot: Spot, flips: bool) -> Node:
    numbers = node_of([spot.x, spot.y], new_position())
    if spot.way == 2 * flips:
        return numbers
    assert isinstance(numbers, Sequence)
    return replace(numbers, items=(*numbers.items, word(DIRECTIONS[spot.way])))
