"""Sizes in declared shapes: `3`, `n`, `n-1`, with the numbers that names stand for."""

from __future__ import annotations

import re
from collections.abc import Mapping

_NAMED = re.compile(r"(\w+)\s*([+-]\s*\d+)?")


def size_name(dim: str) -> str:
    """The name in a size: n of `n-1`."""
    return _parts(dim)[0]


def dimension(dim: str | int, sizes: Mapping[str, int]) -> int | None:
    """A size: a number, a name, or a name plus or minus a number; None while the name is open."""
    if isinstance(dim, int):
        return dim
    name, added = _parts(dim)
    return sizes[name] + added if name in sizes else None


def bind(dims: tuple[str | int, ...], shape: tuple[int, ...], sizes: dict[str, int]) -> bool:
    """Takes open sizes from a shape; False if they do not fit."""
    if len(dims) != len(shape):
        return False
    for dim, n in zip(dims, shape, strict=True):
        known = dimension(dim, sizes)
        if known is None:
            name, added = _parts(str(dim))
            sizes[name] = n - added
        elif known != n:
            return False
    return True


def _parts(dim: str) -> tuple[str, int]:
    match = _NAMED.fullmatch(dim)
    assert match, dim
    return match[1], int((match[2] or "0").replace(" ", ""))
