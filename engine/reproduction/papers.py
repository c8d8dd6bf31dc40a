"""The papers that can be reproduced, found by name and imported only when asked for.

A paper is a module of a package called `papers` anywhere in the library. It has a `TITLE` of one
line, a `SOURCE` to cite, `arguments(parser)` that adds options of its own, and
`reproduce(options, tell)` that gives a `Reproduction`; `tell(text)` says what it is doing. Modules
beside them without a `TITLE` are parts that papers share.
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
from collections.abc import Callable
from typing import Protocol, cast

from ..errors import DiagramError, suggestion
from .result import Reproduction

LIBRARY = "railblocks.blocks"
FOLDER = "papers"
CONTRACT = ("TITLE", "SOURCE", "arguments", "reproduce")

Tell = Callable[[str], None]


class Paper(Protocol):
    """What a module of a paper offers."""

    TITLE: str
    SOURCE: str

    def arguments(self, parser: argparse.ArgumentParser) -> None: ...

    def reproduce(self, options: argparse.Namespace, tell: Tell) -> Reproduction: ...


def paper_modules() -> dict[str, str]:
    """Full names of all modules in packages of papers, by their last names; imports none."""
    root = importlib.import_module(LIBRARY)
    found: dict[str, str] = {}
    for module in pkgutil.walk_packages(root.__path__, f"{LIBRARY}."):
        package, _, name = module.name.rpartition(".")
        if package.rpartition(".")[2] != FOLDER or module.ispkg or name.startswith("_"):
            continue
        if name in found:
            raise DiagramError(
                f"paper '{name}' is there twice, {found[name]} and {module.name}; rename one"
            )
        found[name] = module.name
    return dict(sorted(found.items()))


def paper(name: str) -> Paper:
    """The module of a paper; an unknown name is told with the nearest one."""
    modules = paper_modules()
    module = importlib.import_module(modules[name]) if name in modules else None
    if not hasattr(module, "TITLE"):
        known = titles()
        listed = f"known are {', '.join(known)}" if known else "there are none"
        raise DiagramError(
            f"'{name}' is no paper that can be reproduced{suggestion(name, known)}; {listed}"
        )
    missing = [part for part in CONTRACT if not hasattr(module, part)]
    if missing:
        raise DiagramError(
            f"{modules[name]}: a paper needs {', '.join(CONTRACT)}; {', '.join(missing)} missing"
        )
    return cast(Paper, module)


def titles() -> dict[str, str]:
    """The title of every paper by its name."""
    modules = {name: importlib.import_module(full) for name, full in paper_modules().items()}
    return {name: module.TITLE for name, module in modules.items() if hasattr(module, "TITLE")}
