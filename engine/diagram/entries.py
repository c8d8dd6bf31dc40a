"""Entries of a file: keys, names, texts and flags, with what is wrong about them."""

from __future__ import annotations

from collections.abc import Iterable

from ..errors.problems import Problems
from ..text.nodes import Entry, Mapping, Node, Scalar, describe, short
from .diagram import Entries
from .endpoints import NAME


class EntryReader:
    """Reads single entries; problems are collected."""

    def __init__(self, problems: Problems):
        self.problems = problems
        self.problem = problems.add

    def check_keys(self, node: Mapping, keys: Iterable[str], owner: str) -> None:
        for key, entry in node.entries.items():
            if key not in keys:
                near = self.problems.near(key, keys)
                message = f"{short(key)} is not a key {owner}{near}{_list_of(keys)}"
                self.problem(entry.key_position, message)

    def check_names(self, entries: Entries, what: str) -> None:
        for name, entry in entries.items():
            if NAME.fullmatch(name) is None:
                self.problem(
                    entry.key_position,
                    f"{short(name)} is not a name for a {what}; expected letters, digits and _",
                )
            elif is_null(entry.node):
                self.problem(
                    entry.key_position, f"{name!r} has no value; write one or remove the key"
                )

    def named(self, entry: Entry | None, what: str, example: str) -> Entries:
        """A mapping of names, or nothing."""
        if entry is None or is_null(entry.node):
            return {}
        if not isinstance(entry.node, Mapping):
            self.problem(
                entry.node.position, f"{what} is {describe(entry.node)}; expected `{example}`"
            )
            return {}
        self.check_names(entry.node.entries, what.removesuffix("s"))
        return entry.node.entries

    def text_of(self, entry: Entry | None, what: str) -> Scalar | None:
        if entry is None or is_null(entry.node):
            return None
        if not isinstance(entry.node, Scalar):
            self.problem(entry.node.position, f"{what} is {describe(entry.node)}; expected text")
            return None
        return entry.node

    def flag(self, entry: Entry | None, what: str) -> bool:
        if entry is None:
            return False
        if not isinstance(entry.node, Scalar) or not isinstance(entry.node.value, bool):
            self.problem(
                entry.node.position, f"{what} is {describe(entry.node)}; expected true or false"
            )
            return False
        return entry.node.value

    def kept(self, entry: Entry | None) -> Node | None:
        return None if entry is None else entry.node


def is_null(node: Node) -> bool:
    return isinstance(node, Scalar) and node.value is None


def is_text(node: Scalar) -> bool:
    return isinstance(node.value, str) and "\0" not in node.text and bool(node.text.strip())


def _list_of(names: Iterable[str]) -> str:
    listed = ", ".join(list(dict.fromkeys(names))[:20])
    return f"; known are {listed}" if listed else "; it has none"
