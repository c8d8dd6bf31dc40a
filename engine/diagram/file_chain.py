"""Files that name files: each is read once, circles are named, problems stand in their own file."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TypeVar

from ..errors import DiagramError
from ..errors.problems import Problems
from ..text.files import file_text
from ..text.nodes import Scalar
from ..text.source import read_named
from .diagram import Source

LARGEST_NESTING = 32

T = TypeVar("T")


class FileChain:
    """What one `load` shares: its problems and the chain of files that are being read."""

    def __init__(self, file: str):
        self.problems = Problems()
        self._chain = [_identity(file)]

    def read(
        self,
        path: Scalar,
        folder: str,
        known: dict[str, T | None],
        read: Callable[[Source, str], T],
        keys: tuple[str, ...],
        expected: str,
    ) -> T | None:
        """What `read` makes of a file, kept in `known`; None if there are problems.

        `keys` and `expected` are those of `read_named`.
        """
        name = os.path.join(folder, path.text)
        identity = _identity(name)
        if identity in self._chain:
            circle = [*self._chain[self._chain.index(identity) :], identity]
            shown = " -> ".join(os.path.basename(file) for file in circle)
            message = f"{path.text!r} includes itself: {shown}; break the circle"
            self.problems.add(path.position, message)
            return None
        if identity not in known:
            known[identity] = None
            if len(self._chain) > LARGEST_NESTING:
                message = f"files name each other deeper than {LARGEST_NESTING}"
                self.problems.add(path.position, message)
                return None
            try:
                text = file_text(name)
            except DiagramError as error:
                self.problems.add(path.position, f"{path.text!r}: {error.problems[0].message}")
                return None
            self._chain.append(identity)
            with self.problems.collected():
                tree = read_named(text, name, keys, expected)
                known[identity] = read(Source(text, tree), name)
            self._chain.pop()
        return known[identity]


def _identity(file: str) -> str:
    return file if file.startswith("<") else os.path.realpath(file)
