"""Saving diagrams as text that people read and compare.

A diagram that was read from a file changes only the lines that say something else; comments,
order and spacing of the others stay to the byte. A diagram from Python is written in the
canonical form. What was written is read again before the file is replaced, so that
`load(path) == diagram` holds after `save(diagram, path)`.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from collections.abc import Mapping as Map

from ..errors import DiagramError, Position
from ..errors.problems import Problems
from ..files.replacing import replace_text
from ..text.files import file_text
from ..text.nodes import Mapping, Scalar
from ..text.source import read_text
from .diagram import BlockEntry, Diagram, Source
from .patching import Unpatchable, patched
from .trees import moved_tree
from .writing import written


def save(diagram: Diagram, path: str | os.PathLike[str], data: Collection[Scalar] = ()) -> None:
    """Write a diagram, in one step: the file is either the old or the new one.

    `data` are its nodes that name files of data (`checks.data_paths`).
    """
    name = os.fspath(path)
    _refuse_hidden_changes(diagram, "")
    base = diagram.source or _existing(name)
    write_text(name, text_of(diagram, os.path.dirname(name), base, data))


def text_of(
    diagram: Diagram,
    folder: str | None = None,
    base: Source | None = None,
    data: Collection[Scalar] = (),
) -> str:
    """The text of a diagram; relative paths in it start in `folder`, by default where they did."""
    base = base or diagram.source
    moved = folder is not None and os.path.abspath(folder) != os.path.abspath(diagram.folder)
    if base is diagram.source and base is not None and diagram.is_as_read and not moved:
        return base.text
    tree = moved_tree(diagram, folder if moved else None, data)
    if base is not None:
        body = base.text.removeprefix("\ufeff")
        mark = base.text[: len(base.text) - len(body)]
        text = _with_changes(body, base.root, tree)
        if text is not None:
            return mark + text
    return written(tree)


def _with_changes(text: str, root: Mapping, tree: Mapping) -> str | None:
    """The patched text, if it says what the tree says."""
    try:
        changed = patched(text, root, tree)
        if changed == text:
            return text
        again = read_text(changed, "<saved>")
        return changed if patched(changed, again, tree) == changed else None
    except (Unpatchable, DiagramError):
        return None


def _refuse_hidden_changes(diagram: Diagram, prefix: str) -> None:
    """Changes inside the file of a subsystem would be lost: saving writes one file only."""
    problems = Problems()
    for name, block in _with_variants(diagram.blocks):
        subsystem = block.subsystem
        inner = subsystem.diagram if subsystem else None
        if subsystem is None or inner is None:
            continue
        _refuse_hidden_changes(inner, f"{prefix}{name}.")
        if subsystem.path is not None and _has_changed(inner):
            problems.add(
                block.position,
                f"values inside '{prefix}{name}' were changed, but they are defined in "
                f"{subsystem.path.text!r}, which is another file; save that diagram "
                "or make the value a parameter of the subsystem",
            )
    problems.raise_any()


def _with_variants(blocks: Map[str, BlockEntry]) -> Iterator[tuple[str, BlockEntry]]:
    """All blocks, and the variants of each as `name.variant`."""
    for name, block in blocks.items():
        yield name, block
        yield from _with_variants({f"{name}.{key}": v for key, v in block.variants.items()})


def _has_changed(diagram: Diagram) -> bool:
    source = diagram.source
    return source is not None and not diagram.is_as_read and text_of(diagram) != source.text


def _existing(path: str) -> Source | None:
    """The text that stands in the file now, if it can be kept."""
    try:
        text = file_text(path)
        return Source(text, read_text(text, path))
    except DiagramError:
        return None


def write_text(path: str, text: str) -> None:
    """Writes a file in one step; raises `DiagramError`."""
    try:
        replace_text(path, text)
    except OSError as error:
        raise DiagramError(
            f"the file cannot be written: {error.strerror}", Position(path)
        ) from None
