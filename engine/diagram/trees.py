"""A diagram back to the tree of its file: what the builder embeds and saving writes."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import replace
from typing import Any

from ..text.nodes import Entry, Mapping, Node, Scalar, Sequence
from .diagram import BlockEntry, Diagram, Entries, Include
from .triggering import TRIGGER

FORMAT = 1


def moved_tree(diagram: Diagram, folder: str | None, data: Collection[Scalar]) -> Mapping:
    """The tree of a diagram; relative paths start in `folder` if one is given, those of `data` too.

    `data` are nodes of the diagram that name files of data.
    """
    moved = {id(node): _moved(node, diagram.folder, folder) for node in data}
    return _exchanged(tree_of(diagram, folder), moved)


def _exchanged(node: Any, nodes: dict[int, Scalar]) -> Any:
    """A tree in which some nodes, known by their identity, are replaced by others."""
    if not nodes or isinstance(node, Scalar):
        return nodes.get(id(node), node)
    if isinstance(node, Sequence):
        return replace(node, items=tuple(_exchanged(item, nodes) for item in node.items))
    entries = {
        key: replace(entry, node=_exchanged(entry.node, nodes))
        for key, entry in node.entries.items()
    }
    return replace(node, entries=entries)


def tree_of(diagram: Diagram, folder: str | None = None, inline: bool = False) -> Mapping:
    """The tree of a diagram; paths of diagrams and sets start in `folder` if one is given."""
    here = diagram.position
    parts: dict[str, Node | None] = {
        "diagram": None if inline else Scalar(FORMAT, str(FORMAT), False, here),
        "title": diagram.title,
        "description": diagram.description,
        "include": _includes(diagram.includes, diagram.folder, folder),
        "parameters": Mapping(diagram.parameters, here),
        "inputs": Mapping({n: Entry(p.position, p.node) for n, p in diagram.inputs.items()}, here),
        "outputs": Mapping(
            {n: Entry(p.position, p.node) for n, p in diagram.outputs.items()}, here
        ),
        "blocks": Mapping(
            {
                name: Entry(block.position, _block(block, diagram, folder))
                for name, block in diagram.blocks.items()
            },
            here,
        ),
        "wires": Sequence(tuple(line.node for line in diagram.wires), here),
        "solver": None if inline else Mapping(diagram.solver, here),
        "log": None if inline else Mapping(diagram.log, here),
        "annotations": diagram.annotations,
        "layout": diagram.layout,
    }
    entries = {
        key: Entry(node.position, node) for key, node in parts.items() if _says(node) and node
    }
    return Mapping(entries, here)


def _block(block: BlockEntry, diagram: Diagram, folder: str | None) -> Mapping:
    here = block.position
    entries: Entries = {}
    if block.type is not None:
        entries["type"] = Entry(here, block.type)
    if block.subsystem is not None:
        path, inner = block.subsystem.path, block.subsystem.diagram
        if path is not None:
            entries["subsystem"] = Entry(here, _moved(path, diagram.folder, folder))
        elif inner is not None:
            entries["subsystem"] = Entry(here, tree_of(inner, folder, inline=True))
    if block.variant is not None:
        entries["variant"] = Entry(here, block.variant)
    if block.variants:
        variants = {
            n: Entry(b.position, _block(b, diagram, folder)) for n, b in block.variants.items()
        }
        entries["variants"] = Entry(here, Mapping(variants, here))
    if block.each is not None:
        entries["each"] = Entry(here, block.each.node)
    if block.triggering is not None:
        entries[TRIGGER] = Entry(here, block.triggering.node)
    for key, node in block.enabling.nodes if block.enabling is not None else ():
        entries[key] = Entry(here, node)
    include = _includes(block.includes, diagram.folder, folder)
    if include is not None:
        entries["include"] = Entry(here, include)
    entries.update(block.values)
    if block.comment is not None:
        entries["comment"] = Entry(here, block.comment)
    if block.disabled:
        entries["disabled"] = Entry(here, Scalar(True, "true", False, here))
    return Mapping(entries, here)


def _includes(includes: tuple[Include, ...], old: str, new: str | None) -> Node | None:
    paths = [_moved(include.path, old, new) for include in includes]
    if len(paths) == 1:
        return paths[0]
    return Sequence(tuple(paths), paths[0].position) if paths else None


def _moved(path: Scalar, old: str, new: str | None) -> Scalar:
    if new is None or os.path.isabs(path.text) or os.path.abspath(old) == os.path.abspath(new):
        return path
    moved = os.path.relpath(os.path.join(old, path.text), new)
    return Scalar(moved, moved, path.quoted, path.position)


def _says(node: Node | None) -> bool:
    """Whether a part says anything: empty lists and mappings are left out."""
    if isinstance(node, Mapping):
        return bool(node.entries)
    return bool(node.items) if isinstance(node, Sequence) else node is not None
