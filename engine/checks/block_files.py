"""Hints to Python files beside a diagram that declare a block type which is not registered.

They are read, never run: a class with a base, with declarations and with an `id`, or with the id
that its file and its name give. Few and small files are looked at.
"""

from __future__ import annotations

import ast
import os
import shlex
import warnings

from ..declaration import snake
from ..errors import DiagramError
from ..text.files import file_text

MOST_FILES = 100
LARGEST_FILE = 256 * 2**10
PASSED_OVER = ("test_", "_")  # as `--blocks FOLDER` does


class BlockFiles:
    """The files beside the diagrams of one check; each folder is read at most once."""

    def __init__(self, diagram: str):
        self._diagram = diagram
        self._declared: dict[str, dict[str, str]] = {}

    def hint(self, kind: str, named_in: str) -> str:
        """`; my.py declares it: ...` with the command to try, or nothing."""
        for file in dict.fromkeys((named_in, self._diagram)):
            path = self._beside(file).get(kind)
            if path is not None:
                command = (
                    f"railblocks run {shlex.quote(self._diagram)} --blocks {shlex.quote(path)}"
                )
                name = os.path.basename(path)
                return f"; {name} beside the diagram declares it, try `{command}`"
        return ""

    def _beside(self, file: str) -> dict[str, str]:
        """Paths of files by the block types that they declare."""
        if file.startswith("<") or not os.path.isfile(file):
            return {}
        folder = os.path.dirname(file)
        if folder not in self._declared:
            self._declared[folder] = _declared_in(folder)
        return self._declared[folder]


def _declared_in(folder: str) -> dict[str, str]:
    try:
        names = sorted(n for n in os.listdir(folder or ".") if n.endswith(".py"))
    except OSError:
        return {}
    declared: dict[str, str] = {}
    for name in [n for n in names if not n.startswith(PASSED_OVER)][:MOST_FILES]:
        path = os.path.join(folder, name)
        for kind in _block_types(path):
            declared.setdefault(kind, path)
    return declared


def _block_types(path: str) -> list[str]:
    """The ids of classes that may be blocks."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(file_text(path, "a Python file", LARGEST_FILE))
    except (DiagramError, SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    family = os.path.splitext(os.path.basename(path))[0]
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and _declares(node)]
    return [_id(node) or f"{family}.{snake(node.name)}" for node in classes]


def _declares(node: ast.ClassDef) -> bool:
    """Whether a class has a base and declares something, as a block does."""
    return bool(node.bases) and any(
        isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call)
        for statement in node.body
    )


def _id(node: ast.ClassDef) -> str | None:
    """The text that the class gives as its id."""
    for statement in node.body:
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        target = statement.target if isinstance(statement, ast.AnnAssign) else target
        value = getattr(statement, "value", None)
        if isinstance(target, ast.Name) and target.id == "id" and isinstance(value, ast.Constant):
            return value.value if isinstance(value.value, str) else None
    return None
