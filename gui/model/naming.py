"""Names of blocks: unique in their level, and followed wherever they are used."""

from __future__ import annotations

import re
from collections.abc import Callable, Container
from dataclasses import replace

from railblocks.engine.diagram.diagram import Diagram
from railblocks.engine.diagram.endpoints import NAME, Endpoint
from railblocks.engine.errors import DiagramError
from railblocks.engine.text.nodes import Entry, Scalar, Sequence

from . import layouts
from .levels import Path, inside, with_inside
from .nodes import new_position, word
from .wires import EndpointPair, rewired


def free_name(wanted: str, taken: Container[str]) -> str:
    """The name itself, or with the first number that is free."""
    if wanted not in taken:
        return wanted
    stem = re.sub(r"_?\d+$", "", wanted) or wanted
    number = 2
    while f"{stem}_{number}" in taken:
        number += 1
    return f"{stem}_{number}"


def with_name(root: Diagram, path: Path, old: str, new: str) -> Diagram:
    """The diagram with a block renamed, in wires, layout, log and scopes; raises `DiagramError`."""
    level = inside(root, path)
    assert level is not None
    if not NAME.fullmatch(new):
        raise DiagramError(f"{new!r} is not a name; expected letters, digits and _")
    if new in level.blocks:
        raise DiagramError(f"there is a block {new!r} already; choose another name")

    def end(at: Endpoint) -> Endpoint:
        return replace(at, block=new) if at.block == old else at

    def change(pair: EndpointPair) -> tuple[EndpointPair]:
        return ((end(pair[0]), end(pair[1])),)

    blocks = {}
    for name, block in level.blocks.items():
        blocks[new if name == old else name] = replace(block, name=new) if name == old else block
    level = layouts.renamed(rewired(replace(level, blocks=blocks), change), old, new)
    before, after = ".".join((*path, old)), ".".join((*path, new))

    def signal(text: str) -> str:
        return after + text[len(before) :] if starts_with(text, before) else text

    return with_signals(with_inside(root, path, level), signal)


def with_port_name(root: Diagram, path: Path, key: str, new: str) -> Diagram:
    """The diagram with a port of a subsystem renamed, inside, outside and in the log."""
    level = inside(root, path)
    assert level is not None
    is_input, old = key[0] == "<", key[1:]
    ports = level.inputs if is_input else level.outputs
    if not NAME.fullmatch(new):
        raise DiagramError(f"{new!r} is not a name; expected letters, digits and _")
    if new in ports:
        raise DiagramError(f"there is a port {new!r} already; choose another name")
    renamed = {
        new if n == old else n: replace(p, name=new if n == old else n) for n, p in ports.items()
    }
    part = "inputs" if is_input else "outputs"
    level = replace(level, inputs=renamed) if is_input else replace(level, outputs=renamed)
    level = layouts.renamed(level, f"{part}.{old}", f"{part}.{new}")

    def change(pair: EndpointPair) -> tuple[EndpointPair]:
        end = pair[1] if is_input else pair[0]
        if (end.block, end.port) != (path[-1], old):
            return (pair,)
        moved = replace(end, port=new)
        return ((pair[0], moved) if is_input else (moved, pair[1]),)

    root = with_inside(root, path, level)
    outer = inside(root, path[:-1])
    assert outer is not None
    before, after = ".".join((*path, old)), ".".join((*path, new))

    def signal(text: str) -> str:
        return after + text[len(before) :] if starts_with(text, before) else text

    return with_signals(with_inside(root, path[:-1], rewired(outer, change)), signal)


def without_signals(root: Diagram, path: Path, names: Container[str]) -> Diagram:
    """The diagram that logs and scopes nothing of some blocks."""

    def signal(text: str) -> str | None:
        parts = re.split(r"[.\[]", text)
        gone = tuple(parts[: len(path)]) == path and "".join(parts[len(path) :][:1]) in names
        return None if gone else text

    return with_signals(root, signal)


def with_signals(root: Diagram, change: Callable[[str], str | None]) -> Diagram:
    """The diagram with other names of signals in log and scopes; None leaves one out."""
    entry = root.log.get("signals")
    if entry is not None and isinstance(entry.node, Sequence):
        items = []
        for item in entry.node.items:
            text = change(item.text) if isinstance(item, Scalar) else None
            if text is not None and isinstance(item, Scalar):
                items.append(item if text == item.text else word(text))
        if tuple(items) != entry.node.items:
            log = {key: value for key, value in root.log.items() if key != "signals"}
            if items:
                log = {
                    "signals": Entry(new_position(), Sequence(tuple(items), new_position())),
                    **log,
                }
            root = replace(root, log=log)
    scopes = layouts.scopes_of(root)
    changed = [_with_axes(scope, change) for scope in scopes]
    return root if changed == scopes else layouts.with_annotation(root, "scopes", changed)


def _with_axes(scope: dict, change: Callable[[str], str | None]) -> dict:
    axes = scope.get("axes")
    if not isinstance(axes, list):
        return scope
    changed = [
        [new for text in axis if (new := change(str(text))) is not None]
        for axis in axes
        if isinstance(axis, list)
    ]
    return scope | {"axes": [axis for axis in changed if axis]}


def starts_with(signal: str, path: str) -> bool:
    """Whether a signal belongs to the block at a path."""
    return signal == path or signal.startswith((f"{path}.", f"{path}["))
