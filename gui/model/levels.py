"""Levels of a diagram: the diagram inside a subsystem, by the names that lead to it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

from railblocks.engine.diagram.diagram import BlockEntry, Diagram

Path: TypeAlias = tuple[str, ...]


def inside(root: Diagram, path: Path) -> Diagram | None:
    """The diagram at a path, or None if there is none any more."""
    diagram: Diagram | None = root
    for name in path:
        block = diagram.blocks.get(name) if diagram else None
        diagram = block.subsystem.diagram if block and block.subsystem else None
    return diagram


def with_inside(root: Diagram, path: Path, changed: Diagram) -> Diagram:
    """The root with another diagram at a path; one from a file changes wherever it is used."""
    levels = [root]
    for name in path:
        levels.append(_inner(levels[-1].blocks[name]))
    files = []
    for outer, name in zip(reversed(levels[:-1]), reversed(path), strict=True):
        block = outer.blocks[name]
        assert block.subsystem is not None
        if block.subsystem.path is not None:
            files.append(changed)
        changed = replace(outer, blocks=outer.blocks | {name: _holding(block, changed)})
    for diagram in files:
        changed = with_file_level(changed, diagram)
    return changed


def file_levels(root: Diagram) -> Iterator[Diagram]:
    """Every diagram that a subsystem takes from a file, once."""
    seen: set[str] = set()
    waiting = [root]
    while waiting:
        for block in waiting.pop().blocks.values():
            inner = block.subsystem.diagram if block.subsystem else None
            if inner is None or block.subsystem is None:
                continue
            if block.subsystem.path is not None:
                if inner.file in seen:
                    continue
                seen.add(inner.file)
                yield inner
            waiting.append(inner)


def _inner(block: BlockEntry) -> Diagram:
    assert block.subsystem is not None
    assert block.subsystem.diagram is not None
    return block.subsystem.diagram


def _holding(block: BlockEntry, diagram: Diagram) -> BlockEntry:
    assert block.subsystem is not None
    return replace(block, subsystem=replace(block.subsystem, diagram=diagram))


def with_file_level(diagram: Diagram, changed: Diagram) -> Diagram:
    """The diagram with `changed` in all blocks that take it from its file."""
    file = os.path.realpath(changed.file)
    blocks = {}
    for name, block in diagram.blocks.items():
        inner = block.subsystem.diagram if block.subsystem else None
        if inner is None or block.subsystem is None or inner is changed:
            continue
        same = block.subsystem.path is not None and os.path.realpath(inner.file) == file
        other = changed if same else with_file_level(inner, changed)
        if other is not inner:
            blocks[name] = _holding(block, other)
    return replace(diagram, blocks=diagram.blocks | blocks) if blocks else diagram
