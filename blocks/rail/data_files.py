"""Data files of vehicles and lines: by the name of one that is shipped, or by a path."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from railblocks.engine.errors import DiagramError, suggestion


def shipped(folder: str) -> tuple[str, ...]:
    """Names of the files in a folder of the library."""
    return tuple(sorted(name[:-5] for name in os.listdir(folder) if name.endswith(".yaml")))


def named(text: str, folder: str, kind: str, read: Callable[[str], Any]) -> Any:
    """What `read` makes of a file; it is read again only when it has changed."""
    name = text.strip()
    if name in shipped(folder):
        return _read(read, os.path.join(folder, f"{name}.yaml"), 0)
    if not name.endswith((".yaml", ".yml")):
        known = shipped(folder)
        raise DiagramError(
            f"'{text}' is no {kind}{suggestion(name, known)}; known are {', '.join(known)}, "
            "or the path of a YAML file"
        )
    if not os.path.isfile(name):
        raise DiagramError(f"{name}: there is no such file; check the path")
    return _read(read, name, os.stat(name).st_mtime_ns)


@lru_cache(maxsize=64)
def _read(read: Callable[[str], Any], path: str, _changed: int) -> Any:
    return read(path)
