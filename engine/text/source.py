"""Strict YAML: text to a tree of nodes, each of which knows its position.

The tree is built from the parser's event stream without recursion, so that neither depth nor
size of a file can bring the interpreter down. Anchors, aliases, tags, several documents,
duplicate keys and keys that are not text are errors; numbers follow YAML 1.2 (`scalars`).
All problems of a text are reported at once, except behind a syntax error.
"""

from __future__ import annotations

import itertools
import re
from typing import Any

import yaml

from ..errors import DiagramError, Position
from ..errors.problems import MAX_PROBLEMS, Problems
from .files import LARGEST_SIZE, too_large
from .messages import syntax_problem
from .nodes import Entry, Mapping, Node, Scalar, Sequence, describe, position_of, short
from .scalars import PLAIN_STARTS, NumberTooLarge, ScalarValue, plain_value

__all__ = ["Entry", "Mapping", "Node", "Scalar", "Sequence", "describe", "read_named", "read_text"]

LARGEST_DEPTH = 64
LARGEST_COUNT = 500_000


_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NOT_ALLOWED = re.compile(r"[\x85\ufeff\u2028\u2029\ud800-\udfff]|\r(?!\n)")
# The first tab of a line, unless a comment starts before it.
_TAB = re.compile(r"^(?:[^\t\n#]|(?<=\S)#)*+\t", re.MULTILINE)


def read_named(text: str, file: str, keys: tuple[str, ...], expected: str) -> Mapping:
    """The tree of a file that another file names.

    Where no line begins with one of `keys`, the file is something else: its problems tell where
    they stand and nothing of its text.
    """
    is_other = (
        re.search(rf"^\ufeff?['\"]?(?:{'|'.join(keys)})['\"]?\s*:", text, re.MULTILINE) is None
    )
    try:
        root = read_text(text, file)
    except DiagramError as error:
        if not is_other:
            raise
        position = error.problems[0].position
        raise DiagramError(f"the text is something else; expected {expected}", position) from None
    if is_other:
        raise DiagramError(f"the text is something else; expected {expected}", root.position)
    return root


def read_text(text: str, file: str) -> Mapping:
    """The tree of a YAML text whose root is a mapping."""
    text = text.removeprefix("\ufeff")
    _refuse_unreadable(text, file)
    composer = _Composer(file)
    try:
        loader = _Loader(text)
        while composer.take(loader.get_event()):
            pass
    except yaml.YAMLError as error:
        composer.problems.extend((syntax_problem(error, text, file),))
    except _Stop:
        pass
    composer.problems.raise_any()
    root = composer.root
    if not isinstance(root, Mapping):
        content = "empty" if root is None or _is_empty(root) else describe(root)
        position = root.position if root else Position(file, 1, 1)
        raise DiagramError(f"the text is {content}; expected `key: value` lines", position)
    return root


class _Stop(Exception):
    """Raised where reading further makes no sense."""


class _Collection:
    """A list or mapping that is still open."""

    __slots__ = ("end", "entries", "items", "key", "key_position", "position")

    def __init__(self, position: Position, mapping: bool):
        self.position = position
        self.items: list[Node] = []
        self.entries: dict[str, Entry] | None = {} if mapping else None
        self.key: str | None = None
        self.key_position: Position | None = None
        self.end = 0


class _Composer:
    """Takes events one by one; `root` is there after the last."""

    def __init__(self, file: str):
        self.file = file
        self.root: Node | None = None
        self.problems = Problems()
        self._open: list[_Collection] = []
        self._count = 0
        self._documents = 0

    def take(self, event: Any) -> bool:
        """Takes one event; whether more follow."""
        kind = type(event)
        if kind is yaml.ScalarEvent:
            self._scalar(event)
        elif kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
            self._start(event, kind is yaml.MappingStartEvent)
        elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
            self._finish(event)
        else:
            self._other(event)
        return kind is not yaml.StreamEndEvent

    def _other(self, event: Any) -> None:
        position = self._position(event)
        if isinstance(event, yaml.AliasEvent):
            name = f"'*{event.anchor}'"
            self._problem(
                position, f"{name} is an alias; aliases are not used, write the value out"
            )
            self._add(Scalar(None, "", False, position))
        elif isinstance(event, yaml.DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                message = "a second document starts here; one file holds one document, remove `---`"
                self._problem(position, message)
                raise _Stop
            if event.version or event.tags:
                self._problem(
                    Position(self.file, 1, 1), "directives (%...) are not used; remove them"
                )

    def _scalar(self, event: Any) -> None:
        mark = event.start_mark
        position = Position(self.file, mark.line + 1, mark.column + 1)
        if event.anchor or event.tag:
            self._refuse_properties(event, position)
        text: str = event.value
        value: ScalarValue = text
        plain: bool = event.implicit[0]
        if plain and (not text or text[0] in PLAIN_STARTS):
            try:
                value = plain_value(text)
            except NumberTooLarge:
                self._problem(
                    position, f"{short(text)} is too large for a number; the largest is 1.8e308"
                )
        shown = "" if value is None else text
        self._add(Scalar(value, shown, not plain, position, event.end_mark.index))

    def _start(self, event: Any, mapping: bool) -> None:
        position = self._position(event)
        if event.anchor or event.tag:
            self._refuse_properties(event, position)
        if len(self._open) >= LARGEST_DEPTH:
            self._problem(position, f"lists and mappings are nested deeper than {LARGEST_DEPTH}")
            raise _Stop
        self._open.append(_Collection(position, mapping))

    def _finish(self, event: Any) -> None:
        done = self._open.pop()
        flow = event.end_mark.index > event.start_mark.index
        end = event.end_mark.index if flow else done.end
        if done.entries is None:
            self._add(Sequence(tuple(done.items), done.position, end))
        else:
            self._add(Mapping(done.entries, done.position, end))

    def _add(self, node: Node) -> None:
        self._count += 1
        if self._count > LARGEST_COUNT:
            self._problem(node.position, f"more than {LARGEST_COUNT} values; split the file")
            raise _Stop
        if not self._open:
            self.root = node
            return
        top = self._open[-1]
        top.end = node.end
        entries = top.entries
        if entries is None:
            top.items.append(node)
        elif top.key_position is None:
            top.key_position = node.position
            top.key = self._key(node, entries)
        else:
            if top.key is not None:
                entries[top.key] = Entry(top.key_position, node)
            top.key_position = None

    def _key(self, node: Node, entries: dict[str, Entry]) -> str | None:
        if not isinstance(node, Scalar) or not isinstance(node.value, str):
            self._problem(node.position, f"the key is {describe(node)}; expected text, or quote it")
            return None
        key = node.text
        if key in entries:
            first = entries[key].key_position
            self._problem(
                node.position,
                f"key {short(key)} appears twice (first in line {first.line}); keep one",
            )
            return None
        return key

    def _refuse_properties(self, event: Any, position: Position) -> None:
        if event.anchor:
            self._problem(
                position, f"'&{event.anchor}' is an anchor; anchors are not used, remove it"
            )
        if event.tag:
            tag = str(event.tag).replace("tag:yaml.org,2002:", "!!")
            self._problem(position, f"{short(tag)} is a tag; tags are not used, remove it")

    def _position(self, event: Any) -> Position:
        mark = event.start_mark
        return Position(self.file, mark.line + 1, mark.column + 1)

    def _problem(self, position: Position, message: str) -> None:
        self.problems.add(position, message)
        if self.problems.is_full:
            raise _Stop


def _refuse_unreadable(text: str, file: str) -> None:
    """Size, tabs outside comments, surrogates and line breaks that editors do not count."""
    size = len(text)
    if size > LARGEST_SIZE // 4 and len(text.encode("utf-8", "replace")) > LARGEST_SIZE:
        raise DiagramError(too_large(size), Position(file))
    problems = Problems()
    for match in itertools.islice(_NOT_ALLOWED.finditer(text), MAX_PROBLEMS):
        message = f"character U+{ord(match.group()):04X} is not allowed; remove it"
        problems.add(position_of(text, match.start(), file), message)
    for match in itertools.islice(_TAB.finditer(text), MAX_PROBLEMS):
        problems.add(position_of(text, match.end() - 1, file), "there is a tab here; use spaces")
    problems.raise_any()


def _is_empty(node: Node) -> bool:
    return isinstance(node, Scalar) and node.value is None
