"""Block types for some values: made once for all values that a block looks at when it makes them.

Most blocks look at words and at whether a limit is given; what other numbers they have is the
same to them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ..declaration import Block

_made: dict[type[Block], dict[tuple[str, ...], dict[Any, type[Block]]]] = {}
"""Types by the block, the names of the values that it looked at, and these values."""


def specialised(kind: type[Block], values: Mapping[str, Any]) -> type[Block]:
    """The type of a block for these values; what the block raises goes through."""
    if kind.specialise.__func__ is Block.specialise.__func__:  # type: ignore[attr-defined]
        return kind
    if any(param.type is object for param in kind.declaration.params.values()):
        return kind.specialise(values)
    known = _made.setdefault(kind, {})
    for names, types in list(known.items()):
        made = types.get(_key(names, values))
        if made is not None:
            return made
    looked_at = LookedAt(values)
    made = kind.specialise(looked_at)
    names = tuple(sorted(looked_at.names))
    known.setdefault(names, {})[_key(names, values)] = made
    return made


def _key(names: tuple[str, ...], values: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(_frozen(values.get(name)) for name in names)


def _frozen(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.shape, value.tobytes()
    return type(value), value


class LookedAt(Mapping[str, Any]):
    """Values that remember the names of those that somebody has looked at."""

    def __init__(self, values: Mapping[str, Any]):
        self.names: set[str] = set()
        self._values = values

    def __getitem__(self, name: str) -> Any:
        self.names.add(name)
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        self.names.update(self._values)
        return iter(self._values)

    def __len__(self) -> int:
        self.names.update(self._values)
        return len(self._values)

    def __or__(self, other: Mapping[str, Any]) -> dict[str, Any]:
        return {**self, **other}
