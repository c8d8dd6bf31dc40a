"""Papers that can be reproduced: folders of the shipped diagrams with a module `paper`.

That module has a `TITLE` of one line, a `SOURCE` to cite, `arguments(parser)`, which adds options
of its own, and `reproduce(options, tell)`, which returns a `Reproduction` and calls `tell(text)`
with what it is doing. It is imported only when its paper is asked for.
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
    """The module `paper` of a folder of diagrams."""

    TITLE: str
    SOURCE: str

    def arguments(self, parser: argparse.ArgumentParser) -> None: ...

    def reproduce(self, options: argparse.Namespace, tell: Tell) -> Reproduction: ...


def paper_modules() -> dict[str, str]:
    """Full names of the modules of all papers, by the names of their folders; imports none."""
    root = importlib.import_module(DIAGRAMS)
    folders = [entry.name for entry in pkgutil.iter_modules(root.__path__) if entry.ispkg]
    modules = {folder: f"{DIAGRAMS}.{folder}.paper" for folder in folders}
    return {folder: name for folder, name in modules.items() if importlib.util.find_spec(name)}


def paper(name: str) -> Paper:
    """The module of a paper; the error for an unknown name suggests the nearest one."""
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
    return {name: paper(name).TITLE for name in paper_modules()}
