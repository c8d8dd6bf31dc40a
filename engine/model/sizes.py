"""Limits of a diagram: sizes that values ask for are counted before anything is made.

A whole number is exact up to `LARGEST_WHOLE`. One that says how many ports or elements there are
has a smaller limit, by what it says: ports are objects, each element of a signal is a call of
its own in the program, states are only numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from ..declaration import Block, Declaration, In, Out
from ..errors import DiagramError, Problem
from .dimensions import dimension, size_name
from .model import Instance

LARGEST_WHOLE = 2**53
LARGEST_PORTS = 10_000
LARGEST_SIGNAL = 100_000
LARGEST_SIGNALS = 1_000_000
LARGEST_STATE = 10_000_000
LARGEST_STATES = 20_000_000
LARGEST_MEMORY = 2**27  # numbers of all of a run


def whole(path: str, value: Any) -> int:
    """A number as an int; raises where it is not whole."""
    number = float(value) if not getattr(value, "shape", ()) else math.nan
    if not number.is_integer():
        shown = value if getattr(value, "shape", ()) else f"{number:g}"
        raise DiagramError(f"{path} = {shown} is not a whole number; expected one, such as 3")
    if abs(number) > LARGEST_WHOLE:
        raise DiagramError(
            f"{path} = {number:g} is too large for a whole number; expected at most 2^53 = "
            f"{LARGEST_WHOLE}"
        )
    return int(number)


def refuse_large(kind: type[Block], path: str, name: str, value: int) -> None:
    """A number of ports or elements that is negative or above its limit is an error."""
    limits = _limits(kind)
    if name not in limits:
        return
    largest, counted = limits[name]
    least = int(kind.declaration.params[name].ge or 0)
    if not least <= value <= largest:
        raise DiagramError(
            f"{path} = {value:.15g} is the number of {counted}; expected {least} to {largest}"
        )


def _limits(kind: type[Block]) -> dict[str, tuple[int, str]]:
    """The largest value of each size of a block, and what it counts."""
    declaration = kind.declaration
    limits: dict[str, tuple[int, str]] = {}
    for item in declaration.items.values():
        signal = isinstance(item, In | Out)
        limit = (LARGEST_SIGNAL if signal else LARGEST_STATE, "elements")
        for dim in item.dims:
            if isinstance(dim, str):
                name = size_name(dim)
                limits[name] = min(limits.get(name, limit), limit)
    for name in _port_counts(kind, declaration):
        limits[name] = (LARGEST_PORTS, "ports")
    return limits


def _port_counts(kind: type[Block], declaration: Declaration) -> Iterable[str]:
    """Parameters that say how many ports there are, also by making another block type.

    None of these is one with an upper bound of its own, such as a seed, or the size of a state.
    """
    states = [*declaration.states.values(), *declaration.discretes.values()]
    sizes = {size_name(dim) for item in states for dim in item.dims if isinstance(dim, str)}
    specialised = kind.specialise.__func__ is not Block.specialise.__func__  # type: ignore[attr-defined]
    for name, param in declaration.params.items():
        free = param.type is int and param.lt is param.le is None and name not in sizes
        if specialised and free:
            yield name
    for item in declaration.inputs.values():
        if item.many is not None:
            yield item.many


def refuse_negative_sizes(instance: Instance) -> None:
    """Refuses negative sizes, such as `n-1` with n = 0."""
    for name, item in instance.declaration.items.items():
        for dim in item.dims:
            if (dimension(dim, instance.sizes) or 0) < 0:
                raise DiagramError(
                    f"{instance.name}.{name} would have {dimension(dim, instance.sizes)} elements "
                    f"({dim}); expected at least 0",
                    instance.position,
                )


def refuse_large_diagram(blocks: Iterable[Instance], problems: list[Problem]) -> None:
    """Refuses a diagram whose signals have too many elements together."""
    total = 0
    for instance in blocks:
        total += sum(port.size for port in (*instance.inputs.values(), *instance.outputs.values()))
        if total > LARGEST_SIGNALS:
            message = (
                f"with {instance.name} all signals together have more than {LARGEST_SIGNALS} "
                "elements, which is the most of a diagram; make vectors or the diagram smaller"
            )
            raise DiagramError([*problems, Problem(instance.position, message)])
