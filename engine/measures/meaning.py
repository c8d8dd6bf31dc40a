"""What an expression of measures means: its unit, and its value for signals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..expressions.evaluation import Unknown, evaluate, evaluate_unit
from ..expressions.expression import CONSTANTS
from ..expressions.tree import ExpressionError, Name, Tree, UnknownName, walk
from ..units.quantity import Quantity
from ..units.unit import ONE, Unit, parse_unit
from .curve import Curve, NoValue
from .grammar import Call, Parts
from .table import WINDOW, Option

_SECOND = parse_unit("s")


def unit_of(tree: Tree, parts: Parts, units: Mapping[str, Unit]) -> Quantity:
    """A quantity with the unit of a tree; raises `ExpressionError` where units do not fit."""

    def lookup(node: Name) -> Quantity:
        if node.name in parts.calls:
            call = parts.calls[node.name]
            of_signal = unit_of(call.signal, parts, units).unit or ONE
            for name, option in _given(call):
                given = call.options[name]
                if not isinstance(given, str):
                    _refuse_other_unit(unit_of(given, parts, units), option, of_signal, node)
            return Unknown.of(call.kind.unit_for(of_signal), call.text)
        if node.name in parts.signals:
            if node.name not in units:
                raise UnknownName(node.name, node.column, units)
            return Unknown.of(units[node.name], node.name)
        return _constant(node, parts)

    return evaluate_unit(tree, lookup)


def value_of(tree: Tree, parts: Parts, curves: Mapping[str, Curve]) -> Quantity:
    """The value of a tree for signals; raises `NoValue` or `ExpressionError` if it has none."""

    def lookup(node: Name) -> Quantity:
        if node.name in parts.calls:
            return _measured(parts.calls[node.name], parts, curves)
        if node.name in parts.signals:
            return Quantity(curves[node.name].values, curves[node.name].unit)
        return _constant(node, parts)

    return evaluate(tree, lookup)


def _measured(call: Call, parts: Parts, curves: Mapping[str, Curve]) -> Quantity:
    curve = _curve(call.signal, parts, curves)
    options: dict[str, Any] = {}
    for name, option in _given(call):
        given = call.options[name]
        if isinstance(given, str):
            options[name] = given
            continue
        options[name] = float(value_of(given, parts, curves).to(option.unit_for(curve.unit)))
    start, stop = (options.pop(option.name, None) for option in WINDOW)
    try:
        if call.kind.name == "at":  # a time outside the window is outside the rows
            start = options["time"] if start is None else start
        t, y = curve.window(start, stop)
        value = call.kind.function(t, y, **options)
    except NoValue as error:
        raise NoValue(f"{call.text}: {error}") from None
    return Quantity(value, call.kind.unit_for(curve.unit))


def _curve(signal: Tree, parts: Parts, curves: Mapping[str, Curve]) -> Curve:
    """The signal of a measure: by its name, or computed at each time."""
    if isinstance(signal, Name) and signal.name in curves:
        return curves[signal.name]
    names = {node.name for node in walk(signal) if isinstance(node, Name)}
    used = [curves[name] for name in names & curves.keys()]
    quantity = value_of(signal, parts, curves)
    values = np.broadcast_to(np.asarray(quantity.value, dtype=float), used[0].time.shape)
    held = all(curve.held for curve in used)
    return Curve(used[0].time, values, quantity.unit or ONE, held)


def _constant(node: Name, parts: Parts) -> Quantity:
    if node.name in parts.quantities:
        return parts.quantities[node.name]
    return Quantity(CONSTANTS[node.name])


def _given(call: Call) -> list[tuple[str, Option]]:
    known = (*call.kind.options, *WINDOW)
    return [(option.name, option) for option in known if option.name in call.options]


def _refuse_other_unit(given: Quantity, option: Option, of_signal: Unit, node: Name) -> None:
    expected = option.unit_for(of_signal)
    if given.unit is not None and not given.unit.same_dimension(expected):
        raise ExpressionError(
            f"{option.name} of {node.name} is {given.unit.describe()}; expected "
            f"{expected.describe()}",
            node.column,
        )
