"""The block types that diagrams can name.

Loud about two blocks of one id and about files that cannot be imported. Python files are only
loaded from paths that the user named. Families that ship with railblocks are imported when one of
their blocks is asked for, so that a diagram pays only for what it uses.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
import pkgutil
import sys
import traceback
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import NoReturn

from ..errors import DiagramError, Position
from ..plugins import BLOCKS
from ..text.files import LARGEST_SIZE, file_bytes
from . import Block


class Registry:
    """Block types by id.

    `_families` has the families that are not imported yet, or not as a whole, with their modules.
    """

    def __init__(self) -> None:
        self._blocks: dict[str, type[Block]] = {}
        self._families: dict[str, str] = {}

    def add(self, block: type[Block]) -> type[Block]:
        """Adds one block type; two different ones of the same id are an error."""
        name = block.declaration.id
        known = self.get(name)
        if known is not None and known is not block:
            _refuse_second(block, known)
        self._blocks[name] = block
        return block

    def get(self, name: str) -> type[Block] | None:
        """The block type of an id; imports what declares it."""
        if name not in self._blocks:
            self._import_block(name)
        return self._blocks.get(name)

    def ids(self) -> list[str]:
        """All ids, sorted; imports every family."""
        for family in list(self._families):
            self._import_family(family)
        return sorted(self._blocks)

    def __iter__(self):
        return iter(self._blocks[name] for name in self.ids())

    def __len__(self) -> int:
        return len(self.ids())

    def __bool__(self) -> bool:
        """Whether there are blocks; imports nothing."""
        return bool(self._blocks or self._families)

    def copy(self) -> Registry:
        other = Registry()
        other._blocks = dict(self._blocks)
        other._families = dict(self._families)
        return other

    def add_families(self, package: str) -> None:
        """Adds the modules of a package as families; they are imported when they are used.

        The id of a block begins with the name of its family. A family may name the module of each
        of its blocks in `BLOCK_MODULES`, so that only that module is imported.
        """
        root = importlib.import_module(package)
        for module in pkgutil.iter_modules(root.__path__):
            self._families[module.name] = f"{package}.{module.name}"

    def _import_block(self, name: str) -> None:
        """Imports the module of a block where its family names it, else the whole family."""
        family, _, own_name = name.partition(".")
        package = self._families.get(family)
        if package is None:
            return
        modules = getattr(importlib.import_module(package), "BLOCK_MODULES", None)
        if modules is None:
            self._import_family(family)
        elif own_name in modules:
            self._add_own(importlib.import_module(f"{package}.{modules[own_name]}"))

    def _import_family(self, family: str) -> None:
        package = importlib.import_module(self._families[family])
        self._add_own(package)
        path = getattr(package, "__path__", ())  # a family may be a single module
        for module in pkgutil.walk_packages(path, f"{package.__name__}."):
            self._add_own(importlib.import_module(module.name))
        self._families.pop(family, None)

    def _add_own(self, module: ModuleType) -> None:
        """Adds the blocks that a module of a family declares."""
        for block in declared_blocks(module):
            known = self._blocks.setdefault(block.declaration.id, block)
            if known is not block:
                _refuse_second(block, known)

    def add_path(self, path: str | Path) -> list[type[Block]]:
        """Adds the blocks of a Python file, or of all in a folder, that the user named."""
        path = Path(path)
        if not path.exists():
            raise DiagramError("no such file or folder of blocks", Position(str(path)))
        files = sorted(path.glob("*.py")) if path.is_dir() else [path]
        files = [f for f in files if not f.name.startswith(("test_", "_"))]
        blocks = [self.add(block) for file in files for block in declared_blocks(_imported(file))]
        if not blocks:
            raise DiagramError(
                "declares no block; expected a class derived from Block", Position(str(path))
            )
        return blocks


def declared_blocks(module: ModuleType) -> list[type[Block]]:
    """The block types that a module declares itself; those whose name begins with _ are bases."""
    return [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, Block)
        and value.__module__ == module.__name__
        and value.declaration.equations + tuple(value.declaration.items) != ()
        and not value.__name__.startswith("_")
    ]


def _refuse_second(block: type[Block], known: type[Block]) -> NoReturn:
    raise DiagramError(
        f"block '{block.declaration.id}' is declared twice, here and in "
        f"{known.declaration.position}; rename one of them",
        block.declaration.position,
    )


def _is_from(module: ModuleType, file: Path) -> bool:
    """Whether a module that somebody imported is this file."""
    origin = getattr(module, "__file__", None)
    return origin is not None and os.path.realpath(origin) == os.path.realpath(file)


class _ContentLoader(SourceFileLoader):
    """Loads a module from the content that was read, never from bytecode.

    Python takes bytecode for up to date if the file kept its length and changed within a second.
    """

    def __init__(self, name: str, path: str, content: bytes):
        super().__init__(name, path)
        self._content = content

    def get_code(self, fullname: str) -> CodeType:
        return self.source_to_code(self._content, self.path)


def _imported(file: Path) -> ModuleType:
    """The file as a module of its own name; changed files are loaded anew.

    One that was imported in the usual way is taken as it is.
    """
    if file.suffix != ".py":
        raise DiagramError(
            "is not a Python file; expected NAME.py or a folder", Position(str(file))
        )
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
            Position(str(file)),
        )
    loader = _ContentLoader(name, str(file), content)
    spec = importlib.util.spec_from_file_location(name, file, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    module.__dict__["railblocks_digest"] = digest
    sys.modules[name] = module
    try:
        loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, DiagramError | KeyboardInterrupt):
            raise
        frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == str(file)]
        line = getattr(error, "lineno", None) or (frames[-1].lineno if frames else 0) or 0
        raise DiagramError(
            f"cannot be imported: {type(error).__name__}: {error}", Position(str(file), line)
        ) from None
    return module


_standard: Registry | None = None


def standard_blocks() -> Registry:
    """The registry with the blocks that ship with railblocks, each imported when it is used."""
    global _standard
    if _standard is None:
        _standard = Registry()
        _standard.add_families(BLOCKS)
    return _standard
