"""Changing a text only where the tree changed, so that comments and all other lines stay.

The old tree knows where each node stands in the text; the differences to the new tree become
replacements of stretches of text. A node whose layout is unusual (a quoted key, a list in a list
without its own line) is rewritten as a whole.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator
from collections.abc import Sequence as Seq
from dataclasses import dataclass

from ..text.nodes import Entry, Mapping, Node, Scalar, Sequence
from .writing import SPACED, entry_lines, key_text, section, value_text

Path = tuple[str, ...]


class Unpatchable(Exception):
    """The stretch cannot be changed piece by piece."""


@dataclass(frozen=True, order=True)
class Edit:
    """Put `text` in place of the characters from start to end."""

    start: int
    end: int
    text: str


def patched(text: str, old: Mapping, new: Mapping) -> str:
    """The text with the differences between the trees put in; raises `Unpatchable`."""
    patch = _Patch(text)
    patch.mapping(old, new, ())
    pieces, position = [], 0
    for edit in sorted(patch.edits, key=lambda edit: (edit.start, edit.end)):
        if edit.start < position:
            raise Unpatchable
        pieces += [text[position : edit.start], edit.text]
        position = edit.end
    return "".join([*pieces, text[position:]])


class _Patch:
    """Collects edits; indices count characters of the old text."""

    def __init__(self, text: str):
        self.text = text
        self.newline = "\r\n" if "\r\n" in text else "\n"
        self.edits: list[Edit] = []
        self.line_starts = [0]
        position = text.find("\n")
        while position >= 0:
            self.line_starts.append(position + 1)
            position = text.find("\n", position + 1)

    def edit(self, start: int, end: int, text: str) -> None:
        self.edits.append(Edit(start, end, text))

    # -- where things stand ------------------------------------------------------------------

    def start(self, written: Node | Entry) -> int:
        position = written.key_position if isinstance(written, Entry) else written.position
        return self.line_starts[position.line - 1] + position.column - 1

    def line_start(self, index: int) -> int:
        return self.text.rfind("\n", 0, index) + 1

    def line_end(self, index: int) -> int:
        """The index behind the line break of the line in which a node ends."""
        if index and self.text[index - 1] == "\n":
            return index
        end = self.text.find("\n", index)
        return len(self.text) if end < 0 else end + 1

    def is_flow(self, node: Mapping | Sequence) -> bool:
        return self.text[self.start(node)] in "{["

    def indent(self, index: int) -> str:
        """The blanks before an index in its line; there must be nothing else."""
        before = self.text[self.line_start(index) : index]
        if before.strip(" "):
            raise Unpatchable
        return before

    def colon_end(self, key: str, entry: Entry) -> int:
        """The index behind the `:` of a plain key."""
        start = self.start(entry)
        end = start + len(key)
        if self.text[start:end] != key or self.text[end : end + 1] != ":":
            raise Unpatchable
        return end + 1

    def dash(self, item: Node) -> int:
        """Where the `-` of a list item stands; it must be the first of its line."""
        start = self.start(item)
        at = self.text.rfind("-", 0, start)
        if at < 0 or self.text[at + 1 : start].strip(" "):
            raise Unpatchable
        self.indent(at)
        return at

    # -- differences -------------------------------------------------------------------------

    def node(self, old: Node, new: Node, path: Path, before: int) -> None:
        """Changes a node; `before` is the index behind the `:` or `- ` that leads to it."""
        if isinstance(old, Sequence) and isinstance(new, Scalar) and path[-1] == "include":
            new = Sequence((new,), new.position)
        if old == new:
            return
        if isinstance(old, Mapping) and isinstance(new, Mapping) and old.entries and new.entries:
            self.attempt(lambda: self.mapping(old, new, path), old, new, before)
        elif isinstance(old, Sequence) and isinstance(new, Sequence) and old.items and new.items:
            self.attempt(lambda: self.sequence(old, new, path), old, new, before)
        else:
            self.replace(old, new, before)

    def attempt(self, change: Callable[[], None], old: Node, new: Node, before: int) -> None:
        """Change piece by piece, or the whole node where that cannot be done."""
        done = len(self.edits)
        try:
            change()
        except Unpatchable:
            del self.edits[done:]
            self.replace(old, new, before)

    def replace(self, old: Node, new: Node, before: int) -> None:
        start = self.start(old)
        text = value_text(new)
        if isinstance(old, Scalar):
            if old.value is None and old.end <= before:
                self.edit(before, before, " " + text)
            elif self.text[start : start + 1] in ("|", ">"):
                self.edit(start, old.end, text + self.newline)
            else:
                self.edit(start, old.end, text)
        elif self.is_flow(old) or self.line_start(start) == self.line_start(before):
            self.edit(start, old.end, text)
        else:
            self.edit(before, old.end, " " + text)

    # -- mappings ----------------------------------------------------------------------------

    def mapping(self, old: Mapping, new: Mapping, path: Path) -> None:
        flow = self.is_flow(old)
        names = _names(old, new)
        removed = []
        for position, (key, entry) in enumerate(old.entries.items()):
            if key not in names:
                if not _says_nothing(entry.node, key, path):
                    removed.append(position)
                continue
            if names[key] != key:
                self.rename(key, names[key], entry, old)
            if entry.node != (node := new.entries[names[key]].node):
                self.node(entry.node, node, (*path, key), self.colon_end(key, entry))
        entries = list(old.entries.values())
        if flow:
            self.remove_flow([(self.start(e), e.node.end) for e in entries], removed)
        else:
            for position in removed:
                self.remove_lines(self.start(entries[position]), entries[position].node.end)
        origins = {name: old.entries[key] for key, name in names.items()}
        previous: Entry | None = None
        for key, entry in new.entries.items():
            if key in origins:
                previous = origins[key]
            elif flow:
                after = previous.node.end if previous else None
                text = f"{key_text(key)}: {value_text(entry.node)}"
                self.insert_flow(self.start(entries[0]), after, [text])
            else:
                self.insert_entry(entries[0], previous, key, entry, path)

    def rename(self, key: str, name: str, entry: Entry, among: Mapping) -> None:
        """Changes a key; values that stand in one column stay there if there is room."""
        end, text = self.colon_end(key, entry), f"{key_text(name)}:"
        self.edit(self.start(entry), end, text)
        beside = [
            e.node for e in among.entries.values() if e.key_position.line == e.node.position.line
        ]
        column = {node.position.column for node in beside}
        is_beside = any(node is entry.node for node in beside)
        blanks = self.start(entry.node) - end
        if is_beside and len(column) == 1 < len(beside) and blanks > 0:
            kept = max(blanks + len(key) + 1 - len(text), 1)
            self.edit(end, end + blanks, " " * kept)

    def insert_entry(
        self, first: Entry, previous: Entry | None, key: str, entry: Entry, path: Path
    ) -> None:
        indent = self.indent(self.start(previous or first))
        if _level(path) == "diagram":
            lines = list(section(key, entry.node, indent))
            if not path and key in SPACED:
                lines.insert(0, "")
        else:
            width = 0
            if previous is not None and previous.key_position.line == previous.node.position.line:
                width = previous.node.position.column - previous.key_position.column - 2
            part = path[-1] if _level(path[:-1]) == "diagram" else ""
            lines = list(entry_lines(part, key, entry, indent, width))
        at = self.line_start(self.start(first))
        self.insert_lines(at if previous is None else self.line_end(previous.node.end), lines)

    # -- lists -------------------------------------------------------------------------------

    def sequence(self, old: Sequence, new: Sequence, path: Path) -> None:
        flow = self.is_flow(old)
        removed: list[int] = []
        for a, b, c, d in _changes(old.items, new.items):
            paired = min(b - a, d - c)
            for before, after in zip(old.items[a:b], new.items[c:d], strict=False):
                self.node(before, after, (*path, ""), self.start(before))
            removed.extend(range(a + paired, b))
            added = new.items[c + paired : d]
            if added and flow:
                after_item = old.items[a + paired - 1].end if a + paired else None
                self.insert_flow(self.start(old.items[0]), after_item, [*map(value_text, added)])
            elif added:
                self.insert_items(old, a + paired, added)
        if flow:
            self.remove_flow([(self.start(item), item.end) for item in old.items], removed)
        else:
            for position in removed:
                self.remove_lines(self.dash(old.items[position]), old.items[position].end)

    def insert_items(self, old: Sequence, position: int, added: tuple[Node, ...]) -> None:
        dash = self.dash(old.items[max(position - 1, 0)])
        indent = self.indent(dash)
        lines = [f"{indent}- {value_text(item, flow=False)}" for item in added]
        at = self.line_end(old.items[position - 1].end) if position else self.line_start(dash)
        self.insert_lines(at, lines)

    # -- stretches of text -------------------------------------------------------------------

    def remove_lines(self, start: int, end: int) -> None:
        self.indent(start)
        self.edit(self.line_start(start), self.line_end(end), "")

    def insert_lines(self, at: int, lines: list[str]) -> None:
        text = "".join(line + self.newline for line in lines)
        if at and self.text[at - 1] != "\n":
            text = self.newline + text.removesuffix(self.newline)
        self.edit(at, at, text)

    def remove_flow(self, extents: Seq[tuple[int, int]], removed: list[int]) -> None:
        """Take items out of `{a, b}`, with the comma before, or behind the leading ones."""
        if removed and len(removed) == len(extents):
            raise Unpatchable
        leading = True
        for position in range(len(extents)):
            if position not in removed:
                leading = False
            elif leading:
                self.edit(extents[position][0], extents[position + 1][0], "")
            else:
                self.edit(extents[position - 1][1], extents[position][1], "")

    def insert_flow(self, first: int, after: int | None, texts: list[str]) -> None:
        if after is None:
            self.edit(first, first, "".join(text + ", " for text in texts))
        else:
            self.edit(after, after, "".join(", " + text for text in texts))


def _names(old: Mapping, new: Mapping) -> dict[str, str]:
    """The new keys of the entries that are still there: a renamed one has kept its position."""
    positions = {
        new.entries[key].key_position: key for key in new.entries.keys() - old.entries.keys()
    }
    names = {}
    for key, entry in old.entries.items():
        name = key if key in new.entries else positions.pop(entry.key_position, None)
        if name is not None:
            names[key] = name
    return names


def _changes(old: Seq[Node], new: Seq[Node]) -> Iterator[tuple[int, int, int, int]]:
    """Stretches a:b of the old list that became c:d of the new one."""
    left, right = [value_text(node) for node in old], [value_text(node) for node in new]
    shorter = min(len(left), len(right))
    start = next((i for i in range(shorter) if left[i] != right[i]), shorter)
    rest = shorter - start
    stop = next((i for i in range(rest) if left[-1 - i] != right[-1 - i]), rest)
    left, right = left[start : len(left) - stop], right[start : len(right) - stop]
    matcher = difflib.SequenceMatcher(None, left, right, autojunk=False)
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind != "equal":
            yield a + start, b + start, c + start, d + start


_OPTIONAL = {
    "diagram": frozenset(
        (*("title", "description", "include", "parameters", "inputs", "outputs", "blocks"),
         *("wires", "solver", "log", "annotations", "layout"))
    ),
    "block": frozenset(("comment", "disabled", "include")),
    "": frozenset[str](),
}  # fmt: skip


def _level(path: Path) -> str:
    """What a path through the tree leads to: a diagram, a block, or a value."""
    while len(path) >= 3 and path[0] == "blocks" and path[2] == "subsystem":
        path = path[3:]
    if not path:
        return "diagram"
    return "block" if len(path) == 2 and path[0] == "blocks" else ""


def _says_nothing(node: Node, key: str, path: Path) -> bool:
    """`wires: []`, `disabled: false`: it may stay though the diagram does not mention it."""
    if key not in _OPTIONAL[_level(path)]:
        return False
    if isinstance(node, Scalar):
        return node.value is None or (key == "disabled" and node.value is False)
    return not (node.entries if isinstance(node, Mapping) else node.items)
