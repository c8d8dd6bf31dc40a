"""The block types that diagrams can name.

Loud about two blocks of one id and about files that cannot be imported. Python files are only
loaded from paths that the user named.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
import pkgutil
import sys
import traceback
from pathlib import Path
from types import ModuleType

from ..errors import DiagramError, Place
from ..text.files import LARGEST_SIZE, file_bytes
from . import Block


class Registry:
    """Block types by id."""

    def __init__(self) -> None:
        self._blocks: dict[str, type[Block]] = {}

    def add(self, block: type[Block]) -> type[Block]:
        """Adds one block type; two different ones of the same id are an error."""
        name = block.declaration.id
        known = self._blocks.get(name)
        if known is not None and known is not block:
            raise DiagramError(
                f"block '{name}' is declared twice, here and in {known.declaration.place}; "
                "rename one of them",
                block.declaration.place,
            )
        self._blocks[name] = block
        return block

    def get(self, name: str) -> type[Block] | None:
        return self._blocks.get(name)

    def ids(self) -> list[str]:
        return sorted(self._blocks)

    def __iter__(self):
        return iter(self._blocks[name] for name in self.ids())

    def __len__(self) -> int:
        return len(self._blocks)

    def copy(self) -> Registry:
        other = Registry()
        other._blocks = dict(self._blocks)
        return other

    def add_package(self, package: str) -> None:
        """All blocks of an installed package and its modules."""
        root = importlib.import_module(package)
        for module in pkgutil.walk_packages(root.__path__, f"{package}."):
            self._add_module(importlib.import_module(module.name))

    def add_path(self, path: str | Path) -> list[type[Block]]:
        """Blocks of a Python file, or of all Python files in a folder, that the user named."""
        path = Path(path)
        if not path.exists():
            raise DiagramError("no such file or folder of blocks", Place(str(path)))
        files = sorted(path.glob("*.py")) if path.is_dir() else [path]
        files = [f for f in files if not f.name.startswith(("test_", "_"))]
        found = [block for file in files for block in self._add_module(_imported(file))]
        if not found:
            raise DiagramError(
                "declares no block; expected a class derived from Block", Place(str(path))
            )
        return found

    def _add_module(self, module: ModuleType) -> list[type[Block]]:
        return [
            self.add(value)
            for value in vars(module).values()
            if isinstance(value, type)
            and issubclass(value, Block)
            and value.__module__ == module.__name__
            and value.declaration.equations + tuple(value.declaration.items) != ()
            and not value.__name__.startswith("_")
        ]


def _is_from(module: ModuleType, file: Path) -> bool:
    """Whether a module that somebody imported is this file."""
    origin = getattr(module, "__file__", None)
    return origin is not None and os.path.realpath(origin) == os.path.realpath(file)


def _imported(file: Path) -> ModuleType:
    """The file as a module of its own name; changed files are loaded anew.

    One that was imported in the usual way is taken as it is.
    """
    if file.suffix != ".py":
        raise DiagramError("is not a Python file; expected NAME.py or a folder", Place(str(file)))
    content = file_bytes(file, "a Python file", LARGEST_SIZE)
    digest = hashlib.sha256(str(file.resolve()).encode() + content).hexdigest()[:12]
    name = file.stem
    loaded = sys.modules.get(name)
    if loaded is not None and getattr(loaded, "railblocks_digest", "") == digest:
        return loaded
    if loaded is not None and not hasattr(loaded, "railblocks_digest"):
        if _is_from(loaded, file):
            return loaded
        other = getattr(loaded, "__file__", None) or "Python itself"
        raise DiagramError(
            f"a module named '{name}' is loaded already, from {other}; rename this file",
            Place(str(file)),
        )
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    module.__dict__["railblocks_digest"] = digest
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, DiagramError | KeyboardInterrupt):
            raise
        frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == str(file)]
        line = getattr(error, "lineno", None) or (frames[-1].lineno if frames else 0) or 0
        raise DiagramError(
            f"cannot be imported: {type(error).__name__}: {error}", Place(str(file), line)
        ) from None
    return module


_standard: Registry | None = None


def standard_blocks() -> Registry:
    """The registry with the blocks that ship with railblocks, loaded once."""
    global _standard
    if _standard is None:
        _standard = Registry()
        _standard.add_package("railblocks.blocks")
    return _standard
