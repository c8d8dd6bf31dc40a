"""Block types whose ports or equations depend on parameters: a block with some members replaced."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from railblocks.engine.declaration import Block, In, Param, out

SEPARATE = 16
SIGNAL_TYPES = {"float": float, "int": int, "bool": bool}


def signal_type() -> Param:
    """The parameter `signal_type`, which `typed` reads."""
    choices = tuple(SIGNAL_TYPES)
    return Param("1", "type of the signal", type=str, default="float", choices=choices)


def typed(block: type[Block], values: Mapping[str, Any], *names: str) -> type[Block]:
    """The block with those items of the type that its parameter `signal_type` says."""
    kind = SIGNAL_TYPES[values["signal_type"]]
    if kind is float:
        return block
    items = block.declaration.items
    return variant(block, **{name: replace(items[name], unit="1", type=kind) for name in names})


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


def port_names(number: int) -> list[str]:
    """The names of n ports: u1, u2, ..."""
    return [f"u{i}" for i in range(1, number + 1)]


def function_of(text: str, names: Sequence[str]) -> Any:
    """The expression as a kernel of these names."""
    from railblocks.engine.expressions.expression import parse_expression

    return parse_expression(text).function(tuple(names))


def separated(block: type[Block], text: str, number: int, equation: str, **members: Any) -> Any:
    """The block with scalar ports u1, u2, ... in place of `many`, and an expression of them as y.

    No vector is gathered for such a kernel, and it compiles in a fraction of the time.
    """
    names = port_names(number)
    port: In = replace(block.declaration.inputs["u"], many=None)
    ports = dict.fromkeys(names, port)
    kernel = out("y")(function_of(text, names))
    return variant(block, u=None, **ports, **{equation: kernel}, **members)
