"""Values of one diagram in another: blocks, wires and appearance stay."""

from __future__ import annotations

from dataclasses import replace

from railblocks.engine.diagram.diagram import BlockEntry, Diagram


def with_values_of(diagram: Diagram, other: Diagram) -> Diagram:
    """The diagram with the parameters of another, as far as both have the same blocks."""
    blocks = {
        name: _with_values(block, other.blocks[name])
        if name in other.blocks and _kind(block) == _kind(other.blocks[name])
        else block
        for name, block in diagram.blocks.items()
    }
    return replace(diagram, parameters=other.parameters, blocks=blocks)


def _kind(block: BlockEntry) -> tuple[str, bool]:
    return (block.type.text if block.type else "", block.subsystem is not None)


def _with_values(block: BlockEntry, other: BlockEntry) -> BlockEntry:
    subsystem, theirs = block.subsystem, other.subsystem
    if subsystem and theirs and subsystem.diagram and theirs.diagram:
        subsystem = replace(subsystem, diagram=with_values_of(subsystem.diagram, theirs.diagram))
    return replace(block, values=other.values, includes=other.includes, subsystem=subsystem)
