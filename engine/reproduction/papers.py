"""The papers that can be reproduced, found by name and imported only when asked for.

A paper is a folder of the shipped diagrams with a module `paper`. That has a `TITLE` of one line, a
`SOURCE` to cite, `arguments(parser)` that adds options of its own, and `reproduce(options, tell)`
that gives a `Reproduction`; `tell(text)` says what it is doing.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import pkgutil
from collections.abc import Callable
from typing import Protocol, cast

from ..errors import DiagramError, suggestion
from ..plugins import DIAGRAMS
from .result import Reproduction

CONTRACT = ("TITLE", "SOURCE", "arguments", "reproduce")

Tell = Callable[[str], None]


class Paper(Protocol):
    """What a module of a paper offers."""

    TITLE: str
    SOURCE: str

    def arguments(self, parser: argparse.ArgumentParser) -> None: ...

    def reproduce(self, options: argparse.Namespace, tell: Tell) -> Reproduction: ...


def paper_modules() -> dict[str, str]:
    """Full names of the modules of all papers, by the names of their folders; imports none."""
    root = importlib.import_module(DIAGRAMS)
    folders = [f for f in pkgutil.iter_modules(root.__path__) if f.ispkg]
    homes = {folder.name: f"{DIAGRAMS}.{folder.name}.paper" for folder in folders}
    return {name: home for name, home in homes.items() if importlib.util.find_spec(home)}


def paper(name: str) -> Paper:
    """The module of a paper; an unknown name is told with the nearest one."""
    modules = paper_modules()
    if name not in modules:
        listed = f"known are {', '.join(modules)}" if modules else "there are none"
        raise DiagramError(
            f"'{name}' is not a paper that can be reproduced{suggestion(name, modules)}; {listed}"
        )
    module = importlib.import_module(modules[name])
    missing = [part for part in CONTRACT if not hasattr(module, part)]
    if missing:
        raise DiagramError(
            f"{modules[name]}: a paper needs {', '.join(CONTRACT)}; {', '.join(missing)} missing"
        )
    return cast(Paper, module)


def titles() -> dict[str, str]:
    """The title of every paper by its name."""
    return {name: importlib.import_module(full).TITLE for name, full in paper_modules().items()}
