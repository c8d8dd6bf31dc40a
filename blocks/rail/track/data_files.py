"""Data files of vehicles and lines: by the name of one that is shipped, or by a path."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from railblocks.engine.errors import DiagramError, suggestion
from railblocks.engine.text.files import not_recorded


def shipped(folder: str) -> tuple[str, ...]:
    """Names of the files in a folder of the library."""
    return tuple(sorted(name[:-5] for name in os.listdir(folder) if name.endswith(".yaml")))


def names_yaml(text: str) -> bool:
    """Whether a text names a file and not one that is shipped."""
    return text.strip().endswith((".yaml", ".yml"))


def named(text: str, folder: str, kind: str, read: Callable[[str], Any]) -> Any:
    """What `read` makes of a file; those of the library are read once, others as they now are."""
    name = text.strip()
    known = shipped(folder)
    if name in known:
        return _read_once(read, os.path.join(folder, f"{name}.yaml"))
    if not names_yaml(name):
        raise DiagramError(
            f"'{text}' is not a {kind}{suggestion(name, known)}; known are {', '.join(known)}, "
            "or the path of a YAML file"
        )
    return read(name)


@lru_cache(maxsize=64)
def _read_once(read: Callable[[str], Any], path: str) -> Any:
    with not_recorded():
        return read(path)
