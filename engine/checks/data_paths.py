"""Paths of data files in a diagram: which of its texts name a file.

Only the blocks know. Saving a diagram in another folder rewrites these paths, so that they go on to
name the same files.
"""

from __future__ import annotations

import os
from dataclasses import replace

from ..declaration.registry import Registry, standard_blocks
from ..diagram import saving
from ..diagram.diagram import Diagram
from ..diagram.flatten import flatten
from ..text.nodes import Scalar


def data_paths(diagram: Diagram, registry: Registry | None = None) -> tuple[Scalar, ...]:
    """The texts that name files of data, those of disabled blocks too."""
    blocks = registry or standard_blocks()
    paths: dict[int, Scalar] = {}
    for block in flatten(_enabled(diagram), strict=False).blocks.values():
        kind = blocks.get(block.type)
        params = kind.declaration.params if kind is not None else {}
        for name, assignment in block.values.items():
            is_file = params[name].file if name in params else None
            node = assignment.written().node
            if is_file is not None and isinstance(node, Scalar) and is_file(node.text):
                paths[id(node)] = node
    return tuple(paths.values())


def _enabled(diagram: Diagram) -> Diagram:
    """The diagram with no block disabled and all variants, also in subsystems written in place."""
    blocks = {}
    waiting = dict(diagram.blocks)
    while waiting:
        name, block = waiting.popitem()
        for key in block.variants:
            variant = f"{name} {key}"
            waiting[variant] = replace(block.chosen(key), name=variant)
        inside = block.subsystem
        if inside is not None and inside.path is None and inside.diagram is not None:
            inside = replace(inside, diagram=_enabled(inside.diagram))
        if not block.variants:
            blocks[name] = replace(block, disabled=False, subsystem=inside)
    return replace(diagram, blocks=blocks)


def save(diagram: Diagram, path: str | os.PathLike[str], registry: Registry | None = None) -> None:
    """Write a diagram; relative paths in it go on to name the same files."""
    saving.save(diagram, path, data_paths(diagram, registry))
