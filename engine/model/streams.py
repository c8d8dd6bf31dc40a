"""Random streams: a number for each stream, from the kind of block, its name and the element.

Philox4x32 turns (seed, run seed) as its key and (sample, stream) as its counter into random bits.
It is a bijection of the counter, so that two streams share nothing; the seed only selects the
realisation. A name of one's own (`stream: wind`) in place of the block's path gives blocks of a
kind equal numbers on purpose.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from typing import TYPE_CHECKING

from ..declaration import STREAM_NUMBER

if TYPE_CHECKING:
    from .model import Instance

STREAM_BITS = 52  # what a float holds exactly, and two words of a counter


def stream_number(kind: str, name: str, element: int = 0) -> int:
    """The number of a stream: 52 bits of a hash."""
    digest = blake2b(f"{kind}\0{name}\0{element}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> (64 - STREAM_BITS)


def is_random(instance: Instance) -> bool:
    """Whether a block draws random numbers."""
    return any(STREAM_NUMBER in e.arguments for e in instance.declaration.equations)


def stream_name(instance: Instance) -> str:
    """The name of a block's stream: what was given, or its path."""
    return instance.values.get("stream") or instance.name


def equal_streams(blocks: Iterable[Instance]) -> list[list[str]]:
    """Paths of blocks that draw equal numbers, since they name the same stream and seed."""
    groups: dict[tuple[str, str, int], list[str]] = {}
    for block in blocks:
        if is_random(block):
            key = (block.declaration.id, stream_name(block), block.values.get("seed", 0))
            groups.setdefault(key, []).append(block.name)
    return [names for names in groups.values() if len(names) > 1]
