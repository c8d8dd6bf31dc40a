"""Parts of a diagram as YAML text: what copy puts on the clipboard and paste reads."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from railblocks.engine.diagram.diagram import Diagram
from railblocks.engine.diagram.endpoints import Endpoint
from railblocks.engine.diagram.reader import loads
from railblocks.engine.diagram.trees import tree_of
from railblocks.engine.diagram.writing import written
from railblocks.engine.drawing import Drawing
from railblocks.engine.errors import DiagramError

from . import layouts
from .layouts import Note
from .naming import free_name
from .wires import EndpointPair, connected

MARK = "# railblocks blocks of "


def copied(
    diagram: Diagram, drawing: Drawing, keys: Iterable[str], notes: Iterable[Note] = ()
) -> str:
    """Some blocks, the wires between them and some notes, as text."""
    chosen = [key for key in keys if key in diagram.blocks]
    part = Diagram(diagram.file, folder=diagram.folder)
    part = replace(part, blocks={name: diagram.blocks[name] for name in chosen})
    part = connected(part, _between(diagram, set(chosen)))
    spots = {key: drawing.spots[key] for key in chosen}
    part = layouts.with_spots(part, replace(drawing, spots=spots), spots)
    part = layouts.with_notes(part, list(notes))
    return f"{MARK}{diagram.folder}\n" + written(tree_of(part))


def pasted(
    diagram: Diagram, drawing: Drawing, text: str, at: tuple[int, int] | None = None
) -> tuple[Diagram, list[str], list[Note]]:
    """The diagram with a fragment, whose names are made free; raises `DiagramError`.

    Also the new blocks and notes. Their upper left corner comes to `at`.
    """
    first, _, _ = text.partition("\n")
    if not first.startswith(MARK):
        raise DiagramError("the clipboard holds no blocks; copy some first")
    part = loads(text, "<clipboard>", first[len(MARK) :])
    if diagram.folder != part.folder:
        moved = written(tree_of(part, diagram.folder))
        part = loads(moved, "<clipboard>", diagram.folder)
    names: dict[str, str] = {}
    blocks = dict(diagram.blocks)
    for name, block in part.blocks.items():
        names[name] = free_name(name, blocks)
        blocks[names[name]] = replace(block, name=names[name])
    pairs = [
        (_renamed(source, names), _renamed(target, names))
        for line in part.wires
        for source, target in line.wires
    ]
    notes = layouts.notes_of(part)
    given = layouts.spots_of(part)
    spots = {names[name]: spot for name, spot in given.items() if name in names}
    dx, dy = _shift([*spots.values(), *notes], at)
    spots = {n: replace(s, x=s.x + dx, y=s.y + dy) for n, s in spots.items()}
    notes = [replace(note, x=note.x + dx, y=note.y + dy) for note in notes]
    diagram = connected(replace(diagram, blocks=blocks), pairs)
    diagram = layouts.with_spots(diagram, drawing, spots)
    diagram = layouts.with_notes(diagram, [*layouts.notes_of(diagram), *notes])
    return diagram, list(names.values()), notes


def _between(diagram: Diagram, blocks: set[str]) -> list[EndpointPair]:
    return [
        pair
        for line in diagram.wires
        for pair in line.wires
        if pair[0].block in blocks and pair[1].block in blocks
    ]


def _renamed(end: Endpoint, names: dict[str, str]) -> Endpoint:
    return replace(end, block=names.get(end.block, end.block))


def _shift(things: list, at: tuple[int, int] | None) -> tuple[int, int]:
    if at is None or not things:
        return 20, 20
    return at[0] - min(t.x for t in things), at[1] - min(t.y for t in things)
