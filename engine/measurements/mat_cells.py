"""Cells of MAT files (version 5): whether they hold nothing but text.

scipy reads cells inside cells by recursion without end, which can bring the interpreter down, so
that they are looked at before it reads any.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

HEADER = 128  # bytes of the header of a MAT file
MATRIX, COMPRESSED = 14, 15
CELL, TEXT, DOUBLE = 1, 4, 6


def cells_are_text(content: bytes, largest: int) -> bool:
    """Whether every cell of every variable is text, or empty; False for a damaged file."""
    order = ">" if content[126:128] == b"MI" else "<"
    try:
        return all(_is_plain(element, order) for element in _variables(content, order, largest))
    except (struct.error, zlib.error, ValueError, IndexError):
        return False


def _variables(content: bytes, order: str, largest: int) -> Iterator[memoryview]:
    for kind, element in _elements(memoryview(content)[HEADER:], order, padded=False):
        if kind == COMPRESSED:
            whole = memoryview(zlib.decompressobj().decompress(element, largest))
            kind, element = next(_elements(whole, order))
        if kind == MATRIX:
            yield element


def _is_plain(matrix: memoryview, order: str) -> bool:
    """Whether a variable is not a cell, or one whose parts are text or empty numbers."""
    if not matrix or _class(matrix, order) != CELL:
        return True
    parts = list(_elements(matrix, order))[3:]  # behind flags, sizes and name
    return all(not part or _class(part, order) in (TEXT, DOUBLE) for _, part in parts)


def _class(matrix: memoryview, order: str) -> int:
    return int(struct.unpack_from(f"{order}I", matrix, 8)[0]) & 0xFF


def _elements(
    content: memoryview, order: str, padded: bool = True
) -> Iterator[tuple[int, memoryview]]:
    """Kind and content of each element, one after another."""
    at = 0
    while at + 8 <= len(content):
        kind, size = struct.unpack_from(f"{order}II", content, at)
        if kind >> 16:  # up to four bytes in the tag itself
            yield kind & 0xFFFF, content[at + 4 : at + 4 + (kind >> 16)]
            at += 8
            continue
        if at + 8 + size > len(content):
            raise ValueError("an element is longer than the file")
        yield kind, content[at + 8 : at + 8 + size]
        at += 8 + size + (-size % 8 if padded else 0)
