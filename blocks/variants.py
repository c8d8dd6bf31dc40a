"""Block types whose ports or equations depend on parameters: a block with some members replaced."""

from typing import Any

from railblocks.engine.declaration import Block


def variant(block: type[Block], **members: Any) -> type[Block]:
    """The same block type, id and documentation, with other members; None takes one away."""
    same = {
        "id": block.declaration.id,
        "__module__": block.__module__,
        "__qualname__": block.__qualname__,
        "__doc__": block.__doc__,
    }
    return type(block.__name__, (block,), same | members)


def letter(index: int) -> str:
    """A unit variable's name for the port of that index: a, b, ... z, aa, ab, ..."""
    high, low = divmod(index, 26)
    return (letter(high - 1) if high else "") + chr(ord("a") + low)
