"""Edits of the blocks of a level: add, remove, change values and comments."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from railblocks.engine.diagram.diagram import BlockEntry, Diagram, PortEntry, Subsystem
from railblocks.engine.text.nodes import Entry, Node, Sequence

from . import layouts
from .levels import Path, inside, with_inside
from .naming import free_name, without_signals
from .nodes import new_position, word
from .wires import rewired

SUBSYSTEM = "subsystem"
INPUT, OUTPUT = "subsystem input", "subsystem output"
NOT_TYPES = (SUBSYSTEM, INPUT, OUTPUT)


def with_block(diagram: Diagram, kind: str, wanted: str = "") -> tuple[Diagram, str]:
    """The diagram with a new block of a type, a subsystem or a port; and the key of its box."""
    if kind in (INPUT, OUTPUT):
        return _with_port(diagram, kind, wanted)
    name = free_name(wanted or kind.rpartition(".")[2], diagram.blocks)
    entry = BlockEntry(name, new_position(), type=word(kind))
    if kind == SUBSYSTEM:
        inner = Diagram(diagram.file, position=new_position(), folder=diagram.folder)
        entry = BlockEntry(name, new_position(), subsystem=Subsystem(inner))
    return replace(diagram, blocks=diagram.blocks | {name: entry}), name


def _with_port(diagram: Diagram, kind: str, wanted: str) -> tuple[Diagram, str]:
    ports = diagram.inputs if kind == INPUT else diagram.outputs
    name = free_name(wanted or ("u" if kind == INPUT else "y"), ports)
    port = PortEntry(name, Sequence((), new_position()), new_position())
    if kind == INPUT:
        return replace(diagram, inputs=ports | {name: port}), f"<{name}"
    return replace(diagram, outputs=ports | {name: port}), f">{name}"


def without_blocks(root: Diagram, path: Path, keys: Iterable[str]) -> Diagram:
    """The diagram without some boxes, their wires and what is logged of them."""
    gone = set(keys)
    level = inside(root, path)
    assert level is not None
    level = rewired(level, lambda pair: () if {pair[0].block, pair[1].block} & gone else (pair,))
    level = replace(
        level,
        blocks={name: block for name, block in level.blocks.items() if name not in gone},
        inputs={name: port for name, port in level.inputs.items() if f"<{name}" not in gone},
        outputs={name: port for name, port in level.outputs.items() if f">{name}" not in gone},
    )
    level = layouts.without_boxes(level, gone)
    return without_signals(with_inside(root, path, level), path, gone)


def with_value(diagram: Diagram, block: str, name: str, node: Node | None) -> Diagram:
    """The diagram with another value of a block's parameter; None leaves it to its default."""
    entry = diagram.blocks[block]
    values = {key: value for key, value in entry.values.items() if key != name or node is not None}
    if node is not None:
        values[name] = Entry(new_position(), node)
    return _with(diagram, replace(entry, values=values))


def with_parameter(diagram: Diagram, name: str, node: Node | None) -> Diagram:
    """The diagram with a parameter more, another value of it, or without it."""
    parameters = {key: value for key, value in diagram.parameters.items() if key != name or node}
    if node is not None:
        parameters[name] = Entry(new_position(), node)
    return replace(diagram, parameters=parameters)


def with_setting(diagram: Diagram, part: str, name: str, node: Node | None) -> Diagram:
    """The diagram with another setting of `solver` or `log`."""
    given = diagram.solver if part == "solver" else diagram.log
    entries = {k: v for k, v in given.items() if k != name or node is not None}
    if node is not None:
        entries[name] = Entry(new_position(), node)
    return replace(diagram, solver=entries) if part == "solver" else replace(diagram, log=entries)


def with_comment(diagram: Diagram, block: str, text: str) -> Diagram:
    comment = word(text) if text.strip() else None
    return _with(diagram, replace(diagram.blocks[block], comment=comment))


def with_disabled(diagram: Diagram, blocks: Iterable[str], disabled: bool) -> Diagram:
    """The diagram with blocks commented out, or in again."""
    for name in blocks:
        if name in diagram.blocks:
            diagram = _with(diagram, replace(diagram.blocks[name], disabled=disabled))
    return diagram


def _with(diagram: Diagram, block: BlockEntry) -> Diagram:
    return replace(diagram, blocks=diagram.blocks | {block.name: block})
