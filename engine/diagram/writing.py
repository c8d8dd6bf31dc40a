"""The canonical text of a diagram: one block, one wire, one parameter a line.

blocks:
  torque:   {type: sources.ramp, delay: 0.5 s}
  to_scale: {type: rail.scale_down, factor: phi_C}
"""

from __future__ import annotations

from collections.abc import Iterator

from ..text.nodes import Entry, Mapping, Node, Scalar, Sequence
from ..text.scalars import scalar_text

SPACED = ("include", "parameters", "inputs", "blocks", "wires", "solver", "annotations", "layout")
_LINE_EACH = ("parameters", "inputs", "outputs", "blocks", "wires", "annotations", "layout")


def written(root: Mapping) -> str:
    """The text of a whole file."""
    lines: list[str] = []
    for key, entry in root.entries.items():
        if lines and key in SPACED:
            lines.append("")
        lines.extend(section(key, entry.node, ""))
    return "\n".join(lines) + "\n"


def section(key: str, node: Node, indent: str) -> Iterator[str]:
    """The lines of one part of a diagram."""
    if key not in _LINE_EACH or isinstance(node, Scalar) or not _size(node):
        yield f"{indent}{key}: {value_text(node, flow=False)}"
        return
    yield f"{indent}{key}:"
    inner = indent + "  "
    if isinstance(node, Sequence):
        for item in node.items:
            yield f"{inner}- {value_text(item, flow=False)}"
        return
    width = max((len(key_text(name)) for name in node.entries), default=0) if key == "blocks" else 0
    for name, entry in node.entries.items():
        yield from entry_lines(key, name, entry, inner, width)


def entry_lines(part: str, name: str, entry: Entry, indent: str, width: int = 0) -> Iterator[str]:
    """One entry of a part; a block with an inline subsystem takes several lines."""
    node = entry.node
    inner = node.entries.get("subsystem") if isinstance(node, Mapping) else None
    if part == "blocks" and inner is not None and isinstance(inner.node, Mapping):
        assert isinstance(node, Mapping)
        yield f"{indent}{key_text(name)}:"
        for key, value in node.entries.items():
            if key == "subsystem":
                yield f"{indent}  subsystem:" + ("" if inner.node.entries else " {}")
                for part_key, part_value in inner.node.entries.items():
                    yield from section(part_key, part_value.node, indent + "    ")
            else:
                yield f"{indent}  {key_text(key)}: {value_text(value.node, flow=False)}"
        return
    space = " " * max(width - len(key_text(name)) + 1, 1)
    yield f"{indent}{key_text(name)}:{space}{value_text(node, flow=False)}"


def value_text(node: Node, flow: bool = True) -> str:
    """A node on one line; with `flow` it lies inside `{}` or `[]`."""
    if isinstance(node, Scalar):
        return scalar_text(node.value, node.text, flow, node.quoted)
    if isinstance(node, Sequence):
        return f"[{', '.join(value_text(item) for item in node.items)}]"
    inside = ", ".join(
        f"{key_text(key)}: {value_text(entry.node)}" for key, entry in node.entries.items()
    )
    return f"{{{inside}}}"


def key_text(key: str) -> str:
    return scalar_text(key, key)


def _size(node: Mapping | Sequence) -> int:
    return len(node.entries) if isinstance(node, Mapping) else len(node.items)
