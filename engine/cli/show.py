"""Show a block: its equations, ports, parameters and states."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ..errors import DiagramError, suggestion
from .inputs import blocks_argument, registry_of
from .tables import print_table

if TYPE_CHECKING:
    from ..declaration import Declaration, Item, Param

NAME = "show"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("block", metavar="BLOCK", help="block type, as in math.gain")
    blocks_argument(parser)


def main(options: argparse.Namespace) -> int:
    registry = registry_of(options)
    block = registry.get(options.block)
    if block is None:
        ids = registry.ids()
        ends = [name for name in ids if name.partition(".")[2] == options.block]
        near = f"; did you mean '{ends[0]}'?" if ends else suggestion(options.block, ids)
        raise DiagramError(
            f"'{options.block}' is not a known block type{near}; see `railblocks list`"
        )
    declaration = block.declaration
    print(declaration.id)
    print()
    print(declaration.doc)
    _ports(declaration)
    _parameters(declaration.params.values())
    _states(declaration)
    return 0


def _ports(declaration: Declaration) -> None:
    rows = [
        (kind, item.name, _unit(item), _shape(item), _type(item), item.doc + _default(item))
        for kind, items in (("in", declaration.inputs), ("out", declaration.outputs))
        for item in items.values()
    ]
    if rows:
        print()
        print_table(("", "port", "unit", "shape", "type", ""), rows, "Ports")


def _default(item: Item) -> str:
    many = getattr(item, "many", None)
    default = getattr(item, "default", None)
    text = f"; as many as `{many}` says" if many else ""
    return text + ("" if default is None else f"; {default:g} if not connected")


def _parameters(params: Iterable[Param]) -> None:
    rows = [
        (
            param.name,
            _unit(param),
            "required" if param.required else _value(param.default),
            str(param.bounds) or ", ".join(param.choices),
            param.doc,
        )
        for param in params
    ]
    if rows:
        print()
        print_table(("parameter", "unit", "default", "range", ""), rows, "Parameters")


def _states(declaration: Declaration) -> None:
    groups = (("continuous", declaration.states), ("discrete", declaration.discretes))
    rows = [
        (item.name, _unit(item), _shape(item), kind, _value(item.start), item.doc)
        for kind, items in groups
        for item in items.values()
    ]
    if rows:
        print()
        print_table(("state", "unit", "shape", "", "start", ""), rows, "States")


def _unit(item: Item) -> str:
    return "" if item.unit == "1" else item.unit


def _shape(item: Item) -> str:
    from ..declaration import EACH

    if item.shape == EACH:
        return "any"
    return " x ".join(map(str, item.dims)) or "scalar"


def _type(item: Item) -> str:
    return "any" if item.type is object else item.type.__name__


def _value(value: Any) -> str:
    if value is None:
        return "none"
    return f"{value:g}" if isinstance(value, float) else str(value)
