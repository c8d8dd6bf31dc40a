"""Blocks resolved: the values that a diagram gives, checked against what blocks declare."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..declaration import EACH, Block, Declaration, Equation, In, Item, Param
from ..declaration.registry import Registry
from ..diagram.flatten import Assignment, FlatBlock
from ..errors import DiagramError, Problem, suggestion
from ..model.dimensions import bind, dimension
from ..model.model import Instance, Port
from ..model.sizes import LARGEST_PORTS, refuse_large, refuse_negative_sizes, whole
from ..text.files import starting_at
from ..text.nodes import Scalar
from ..units.quantity import Quantity
from ..units.times import Time, nearest_times
from ..units.unit import Unit, UnitError, parse_pattern
from .block_files import BlockFiles
from .specialisation import specialised

FINITE_TIMES = ("every", "offset", "step", "start", "stop", "min_step", "dwell")
COUNTED_TIMES = ("every", "offset", "step")
SHORTEST_TIME, LONGEST_TIME = 1e-30, 1e30  # of counted times


def resolve(
    block: FlatBlock,
    registry: Registry,
    problems: list[Problem],
    files: BlockFiles | None = None,
) -> Instance | None:
    """The block with its values, or None where it is unknown; adds what is wrong to `problems`.

    With `files`, a Python file beside the diagram that declares an unknown type is named.
    """
    kind = block.kind or registry.get(block.type)
    if kind is None:
        near = files.hint(block.type, block.position.file) if files is not None else ""
        near = near or suggestion(block.type, registry.ids())
        problems.append(
            Problem(
                block.position,
                f"'{block.type}' is not a known block type{near or '; see `railblocks list`'}",
            )
        )
        return None
    before = len(problems)
    values, units = _values(kind, block, problems)
    if len(problems) > before:
        return None
    instance = Instance(block.name, kind, block.position, values, units, {})
    instance.condition, instance.trigger = block.condition, block.trigger
    try:
        _check(instance)
        for item in kind.declaration.inputs.values():
            if item.many is not None:
                _how_many(item, values)
        instance.type = _specialised(instance)
        derive(instance)
        _ports(instance)
    except DiagramError as error:
        problems.extend(Problem(p.position or block.position, p.message) for p in error.problems)
        return None
    return instance


def derive(instance: Instance) -> None:
    """Sizes and derived values from the parameters."""
    declaration, values = instance.declaration, instance.values
    for name, param in declaration.params.items():
        if param.type is int and not param.dims and param.shape != EACH:
            instance.sizes[name] = int(values[name])
    for name, param in declaration.params.items():
        if param.dims:
            values[name] = _fitted(instance, param, values[name])
    for equation in declaration.of_kind("derive"):
        for name, result in zip(equation.targets, _derived(instance, equation), strict=True):
            item = declaration.derived[name]
            value = _called(instance, lambda i=item, r=result: _as_declared(i, r), ())
            if item.dims:
                value = _fitted(instance, item, value)
            elif item.shape != EACH and isinstance(value, np.ndarray):
                value = float(value)
            if item.type is int and not item.dims:
                instance.sizes[name] = value
            values[name] = value
    refuse_negative_sizes(instance)


def _derived(instance: Instance, equation: Equation) -> tuple[Any, ...]:
    """What a `@derive` function returns, one for each of its targets."""
    results = _called(instance, equation.function, equation.arguments)
    targets = equation.targets
    if len(targets) == 1:
        return (results,)
    if not isinstance(results, tuple | list) or len(results) != len(targets):
        number = len(results) if isinstance(results, tuple | list) else 1
        raise DiagramError(
            f"{instance.name} ({instance.declaration.id}): '{equation.function.__name__}' returns "
            f"{number} values; expected {len(targets)}: {', '.join(targets)}",
            instance.position,
        )
    return tuple(results)


def _as_declared(item: Item, result: Any) -> Any:
    try:
        if item.type is float and result is not None:
            return np.array(result, dtype=float)
        return item.type(result)
    except (TypeError, ValueError, OverflowError):
        text = f"'{item.name}' is {str(result)[:60]!r}; expected {item.type.__name__}"
        raise ValueError(text) from None


def _check(instance: Instance) -> None:
    """The block's own check of its parameters together."""
    for check in instance.declaration.of_kind("validate"):
        if message := _called(instance, check.function, check.arguments):
            raise DiagramError(
                f"{instance.name} ({instance.declaration.id}): {message}", instance.position
            )


def _specialised(instance: Instance) -> type[Block]:
    """The block type for these parameters."""
    return _called(instance, lambda: specialised(instance.type, instance.values), ())


def _called(instance: Instance, function: Any, arguments: tuple[str, ...]) -> Any:
    """The function's result; what it raises becomes a problem of the block."""
    try:
        return function(*[instance.values.get(name) for name in arguments])
    except DiagramError as error:
        raise DiagramError(
            Problem(instance.position, f"{instance.name}: {p}") for p in error.problems
        ) from None
    except Exception as error:
        what = str(error) or type(error).__name__
        raise DiagramError(
            f"{instance.name} ({instance.declaration.id}): {what}", instance.position
        ) from None


def given_values(kind: type[Block], block: FlatBlock) -> dict[str, Assignment]:
    """The values of a block; without a sample time of its own, it has that of its subsystem.

    In a subsystem that is triggered the sample time stands for nothing: see `analysis.triggered`.
    """
    sampled = kind.declaration.sampled
    if sampled is not None and block.trigger and sampled not in block.values:
        once = Assignment(Scalar(1.0, "1", False, block.position), {}, block.position)
        return {sampled: once, **block.values}
    if sampled is None or sampled in block.values or "every" not in block.sampling:
        return dict(block.values)
    names = {sampled: "every", "offset": "offset"}
    inherited = {own: block.sampling[n] for own, n in names.items() if n in block.sampling}
    return inherited | dict(block.values)


def _values(
    kind: type[Block], block: FlatBlock, problems: list[Problem]
) -> tuple[dict[str, Any], dict[str, Unit | None]]:
    declaration = kind.declaration
    values: dict[str, Any] = {}
    units: dict[str, Unit | None] = {}
    for name, assignment in given_values(kind, block).items():
        param = declaration.params.get(name)
        if param is None and assignment.included:
            continue
        if param is None:
            near = suggestion(name, declaration.params)
            if not near:
                known = ", ".join(declaration.params) or "it has none"
                near = f"; its parameters: {known}"
            problems.append(
                Problem(
                    assignment.position,
                    f"'{name}' is not a parameter of {block.name} ({block.type}){near}",
                )
            )
            continue
        try:
            values[name], units[name] = read_value(block.name, param, assignment)
            if param.type is int:
                refuse_large(kind, f"{block.name}.{name}", name, values[name])
        except DiagramError as error:
            problems.extend(
                Problem(p.position or assignment.position, p.message) for p in error.problems
            )
            values[name] = None
    for name, param in declaration.params.items():
        if name in values:
            continue
        if param.required:
            unit = (
                f" ({param.unit})" if param.unit not in ("", "1") and "?" not in param.unit else ""
            )
            problems.append(
                Problem(
                    block.position,
                    f"{block.name} ({block.type}) needs a value for '{name}': {param.doc}{unit}",
                )
            )
            continue
        values[name], units[name] = _default(param), None
    return values, units


def _default(param: Param) -> Any:
    value = param.default
    if param.type is float and value is not None:
        return np.array(value, dtype=float) if np.ndim(value) else float(value)
    return value


def read_value(block: str, param: Param, assignment: Assignment) -> tuple[Any, Unit | None]:
    """The value in the parameter's unit, checked against its declaration."""
    path = f"{block}.{param.name}"
    if param.type is object:
        return assignment.data(), None
    if param.type is str:
        text = assignment.text()
        if param.choices and text not in param.choices:
            choices = ", ".join(param.choices)
            near = param.hint(text) if param.hint is not None else ""
            near = near or suggestion(text, param.choices)
            raise DiagramError(f"{path} = '{text}' is not one of {choices}{near}")
        if param.file is not None and param.file(text):
            text = starting_at(assignment.written().folder, text)
        return text, None
    quantity = assignment.quantity()
    value, unit = _converted(path, param, quantity, assignment)
    if param.unit == "s" and param.type is float:
        value = _as_time(value, quantity)
        if param.name in FINITE_TIMES and not np.all(np.isfinite(value)):
            raise DiagramError(f"{path} = {value} s; expected a finite time, such as 0.1 s")
        if param.name in COUNTED_TIMES and not param.dims:
            _refuse_odd_time(path, value)
    if param.type is bool:
        if not isinstance(quantity.value, bool | np.bool_):
            raise DiagramError(
                f"{path} = {quantity.value} is not a truth value; write true or false"
            )
        return bool(quantity.value), None
    if isinstance(quantity.value, bool | np.bool_):
        raise DiagramError(
            f"{path} = {str(quantity.value).lower()} is a truth value; expected a number"
        )
    if param.type is int:
        value = whole(path, value)
    if np.ndim(value) and not param.dims and param.shape != EACH:
        raise DiagramError(f"{path} has {np.size(value)} values; expected one number")
    for number in np.ravel(value):
        if np.isnan(number):
            raise DiagramError(f"{path} is not a number (nan)")
        if not param.bounds.holds(float(number)):
            raise DiagramError(f"{path} = {number:g} is out of range; expected {param.bounds}")
    return value, unit


def _converted(
    path: str, param: Param, quantity: Quantity, assignment: Assignment
) -> tuple[Any, Unit | None]:
    pattern = parse_pattern(param.unit)
    if quantity.unit is None:
        return quantity.value, None
    if pattern.powers:
        return quantity.to(quantity.unit.si()), quantity.unit.si()
    try:
        return quantity.to(pattern.base), None
    except UnitError:
        raise DiagramError(
            f"{path} = {_shown(quantity)} has unit {quantity.unit}; "
            f"expected {pattern.base.describe()}{assignment.origins()}"
        ) from None


def _as_time(value: Any, quantity: Quantity) -> Any:
    """A number of seconds as the float nearest to the fraction that was meant."""
    if isinstance(value, np.ndarray):
        return nearest_times(value)
    if isinstance(value, bool) or not np.isfinite(value):
        return value
    exact = quantity.exact_si()
    return Time(value if exact is None else exact)


def _refuse_odd_time(path: str, value: Any) -> None:
    size = abs(float(value)) if not np.ndim(value) else 0.0
    if size and not SHORTEST_TIME <= size <= LONGEST_TIME:
        raise DiagramError(
            f"{path} = {float(value):g} s; expected a time between {SHORTEST_TIME:g} s and "
            f"{LONGEST_TIME:g} s"
        )


def _shown(quantity: Quantity) -> str:
    return f"{quantity.value} {quantity.unit}"


# --- shapes of values --------------------------------------------------------------------------
def _fitted(instance: Instance, item: Item, value: Any) -> np.ndarray:
    """The array in its declared shape; a number is one element, a list a row or column."""
    array = np.asarray(value, dtype=float)
    dims = item.dims
    if array.ndim < len(dims):
        known = [dimension(dim, instance.sizes) for dim in dims]
        if len(dims) == 1:
            array = array.reshape(1)
        elif len(dims) == 2:
            column = known[0] == array.size or (known[0] is None and known[1] == 1)
            array = array.reshape((-1, 1) if column else (1, -1))
    if not bind(dims, array.shape, instance.sizes):
        expected = " x ".join(str(d) for d in dims)
        known_sizes = ", ".join(f"{n} = {v}" for n, v in instance.sizes.items())
        raise DiagramError(
            f"{instance.name}.{item.name} has shape {_by(array.shape)}; "
            f"expected {expected}" + (f" with {known_sizes}" if known_sizes else "")
        )
    return np.ascontiguousarray(array)


def _by(shape: tuple[int, ...]) -> str:
    return " x ".join(map(str, shape)) or "scalar"


# --- ports -------------------------------------------------------------------------------------
def _ports(instance: Instance) -> None:
    for name, item in instance.declaration.inputs.items():
        for port in input_names(instance.declaration, item, instance.values):
            instance.inputs[port] = Port(instance.name, port, item, name)
    for name, out in instance.declaration.outputs.items():
        instance.outputs[name] = Port(instance.name, name, out, name)


def _how_many(item: In, values: Mapping[str, Any]) -> int:
    value = values[item.many or ""]
    number = int(value) if isinstance(value, int | float) else len(value)
    if number > LARGEST_PORTS:
        raise DiagramError(f"{item.many} asks for {number} ports; expected at most {LARGEST_PORTS}")
    return number


def input_names(declaration: Declaration, item: In, values: Mapping[str, Any]) -> list[str]:
    """The ports of one declared input: itself, or u1, u2, ... where it has many."""
    if item.many is None:
        return [item.name]
    number = _how_many(item, values)
    return [f"{item.name}{i + 1}" for i in range(number)]
