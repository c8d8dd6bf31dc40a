"""The YAML parser's complaints in words that say what to do."""

from __future__ import annotations

from typing import Any

import yaml

from ..errors import Position, Problem

_WORDS = (
    ("mapping values are not allowed", "a ':' appears where no key can be; quote text that "
     "contains ': ', or check the indentation"),
    ("block sequence entries are not allowed", "a list item '- ' cannot start here; put it on a "
     "line of its own"),
    ("did not find expected ',' or '}'", "a '{' is not closed or a ',' is missing; expected "
     "',' or '}'"),
    ("did not find expected ',' or ']'", "a '[' is not closed or a ',' is missing; expected "
     "',' or ']'"),
    ("did not find expected key", "expected `key: value` here; check the indentation and quotes"),
    ("did not find expected '-' indicator", "expected a list item '- ' here; check the "
     "indentation"),
    ("could not find expected ':'", "a key without ':'; expected `key: value`"),
    ("cannot start any token", "CHARACTER cannot start a value; quote the text"),
    ("found unknown escape character", "unknown escape in a \"...\" text; write \\\\ for a "
     "backslash or use '...'"),
    ("found unexpected end of stream", "the text ends inside a quoted value; close the quotes"),
    ("found unexpected document indicator", "`---` appears inside a quoted value; close the "
     "quotes"),
    ("did not find expected node content", "a value is missing here; expected text, a number, "
     "'[' or '{'"),
    ("did not find expected comment or line break", "after '|' or '>' the text starts on the next "
     "line"),
    ("did not find expected <document start>", "expected the end of the text here; check the "
     "indentation"),
)  # fmt: skip


def syntax_problem(error: yaml.YAMLError, text: str, file: str) -> Problem:
    """What the parser found, at the line where the user can mend it."""
    if isinstance(error, yaml.reader.ReaderError):
        return _unreadable(error, text, file)
    mark = getattr(error, "problem_mark", None)
    complaint = str(getattr(error, "problem", None) or error)
    position = Position(file, mark.line + 1, mark.column + 1) if mark else Position(file, 1, 1)
    start = getattr(error, "context_mark", None)
    opened = f" (it started in line {start.line + 1})" if start and _spans(start, mark) else ""
    character = text[mark.index : mark.index + 1] if mark else ""
    if character == "[" and "did not find expected ','" in complaint:
        return Problem(
            position, "'[' follows text inside {} or []; quote it, as in \"rig.omega[0]\""
        )
    for words, message in _WORDS:
        if words in complaint:
            return Problem(position, message.replace("CHARACTER", repr(character)) + opened)
    return Problem(position, f"this is not YAML: {complaint}{opened}")


def _spans(start: Any, mark: Any) -> bool:
    return start is not None and mark is not None and start.line != mark.line


def _unreadable(error: yaml.reader.ReaderError, text: str, file: str) -> Problem:
    code = error.character if isinstance(error.character, int) else ord(error.character)
    index = max(text.find(chr(code)), 0)
    line_start = text.rfind("\n", 0, index) + 1
    position = Position(file, text.count("\n", 0, index) + 1, index - line_start + 1)
    return Problem(position, f"character U+{code:04X} is not allowed; remove it")
