"""Files of operating points: strict YAML with units, and the identity of the diagram."""

from __future__ import annotations

import os
from collections.abc import Mapping as Map
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..analysis.checking import Checked, check
from ..declaration.registry import Registry
from ..diagram.diagram import Diagram
from ..errors.problems import Problems
from ..files.output_files import output_text
from ..memory.references import Ref
from ..memory.slots import Key
from ..text.files import file_text
from ..text.nodes import Mapping, Node, Scalar, Sequence, describe
from ..text.source import read_named
from ..units.quantity import parse_quantity
from ..units.unit import UnitError, parse_unit
from .point import (
    OperatingPoint,
    guards_by_name,
    refuse_misfit,
    sampled_outputs,
    units_of,
)
from .ports import find_elements
from .states import unit_of

VERSION = 1
GROUPS = ("states", "discretes", "held", "modes", "parameters", "ports")
KEYS = ("point", "diagram", "identity", "time", *GROUPS)


def save_point(point: OperatingPoint, path: str | os.PathLike[str]) -> None:
    """Writes an operating point as YAML."""
    lines = [
        "# Operating point, for `railblocks run --from` and `railblocks linearise --point`.",
        f"point: {VERSION}",
        f"diagram: {_quoted(os.path.basename(point.file))}",
        f'identity: "{point.identity}"',
        f"time: {point.time!r} s",
    ]
    numbers = {
        "states": point.states, "discretes": point.discretes, "held": point.held,
        "modes": point.modes,
    }  # fmt: skip
    for group, values in numbers.items():
        lines += _lines(group, {".".join(k): _written(point, k, v) for k, v in values.items()})
    lines += _lines("parameters", {name: _quoted(v) for name, v in point.parameters.items()})
    ports = {n: _number(v, point.units.get(n, "")) for n, v in point.ports.items()}
    lines += _lines("ports", {_quoted(name): text for name, text in ports.items()})
    output_text(path, "\n".join(lines) + "\n", "the operating point")


def load_point(
    path: str | os.PathLike[str], diagram: Diagram, registry: Registry | None = None
) -> OperatingPoint:
    """Reads an operating point of a diagram; raises `DiagramError` where it does not fit."""
    stored = read_point_file(os.fspath(path))
    return stored.of(check(diagram.with_values(stored.parameters), registry))


def read_point_file(path: str) -> StoredPoint:
    """What a file says, before the diagram is known."""
    root = read_named(file_text(path), path, ("point",), "an operating point")
    problems = Problems()
    entries = root.entries
    for key, entry in entries.items():
        if key not in KEYS:
            near = problems.near(key, KEYS)
            problems.add(entry.key_position, f"'{key}' is not a key of operating points{near}")
    for key in ("point", "identity", "time", "states"):
        if key not in entries:
            problems.add(root.position, f"the key '{key}' is missing")
    problems.raise_any()
    version = entries["point"].node
    if not isinstance(version, Scalar) or version.value != VERSION:
        problems.add(version.position, f"point: {describe(version)}; expected {VERSION}")
    identity = entries["identity"].node
    if not isinstance(identity, Scalar) or not isinstance(identity.value, str):
        problems.add(identity.position, f"identity: {describe(identity)}; expected text")
    groups: dict[str, dict[str, Node]] = {}
    for group in GROUPS:
        node = entries[group].node if group in entries else None
        if node is None:
            groups[group] = {}
        elif isinstance(node, Mapping):
            groups[group] = {key: entry.node for key, entry in node.entries.items()}
        else:
            problems.add(node.position, f"{group}: {describe(node)}; expected a mapping of names")
    problems.raise_any()
    assert isinstance(identity, Scalar)
    parameters = {}
    for name, node in groups["parameters"].items():
        if not isinstance(node, Scalar):
            problems.add(node.position, f"{name}: {describe(node)}; expected a number with unit")
        else:
            parameters[name] = node.text
    problems.raise_any()
    return StoredPoint(path, identity.text, entries["time"].node, groups, parameters)


@dataclass(frozen=True)
class StoredPoint:
    """What a file of an operating point says; numbers wait for the units of the diagram."""

    path: str
    identity: str
    time: Node
    groups: Map[str, Map[str, Node]]
    parameters: dict[str, str]

    def of(self, checked: Checked) -> OperatingPoint:
        """The point in a diagram; raises `DiagramError` where it does not fit."""
        problems = Problems()
        slots, blocks = checked.schedule.slots, checked.model.blocks
        point = OperatingPoint(
            self.identity,
            self.path,
            float(_value(self.time, "s", problems)),
            self._numbers("states", lambda k: unit_of(blocks[k[0]], k[1]), slots.states, problems),
            self._numbers(
                "discretes", lambda k: unit_of(blocks[k[0]], k[1]), slots.discretes, problems
            ),
            self._numbers(
                "held",
                lambda k: _port_unit(blocks[k[0]].outputs[k[1]]),
                {key: slots.signals[key] for key in sampled_outputs(checked)},
                problems,
            ),
            self._numbers("modes", lambda k: "", guards_by_name(checked), problems),
            self.parameters,
            units=dict(units_of(checked)),
        )
        problems.raise_any()
        refuse_misfit(checked, point)
        names = self.groups["ports"]
        ends = {name: find_elements(checked.model, name, self.path) for name in names}
        ports = {
            name: _value(node, ends[name].unit, problems)
            for name, node in self.groups["ports"].items()
        }
        problems.raise_any()
        units = {**point.units, **{name: end.unit for name, end in ends.items()}}
        return replace(point, ports=ports, units=units)

    def _numbers(
        self, group: str, unit: Any, refs: Map[Key, Ref | list[int]], problems: Problems
    ) -> dict[Key, np.ndarray]:
        found: dict[Key, np.ndarray] = {}
        for name, node in self.groups[group].items():
            block, _, own = name.rpartition(".")
            key = (block, own)
            own_unit = unit(key) if key in refs else ""
            found[key] = np.array(_list(node, own_unit, problems), dtype=float)
        return found


def _list(node: Node, unit: str, problems: Problems) -> list[float]:
    if isinstance(node, Sequence):
        return [_value(item, unit, problems) for item in node.items]
    return [_value(node, unit, problems)]


def _value(node: Node, unit: str, problems: Problems) -> float:
    """A finite number in a unit; 0 with a problem where it is none."""
    if isinstance(node, Scalar):
        if isinstance(node.value, bool | int | float):
            number = float(node.value)
            if np.isfinite(number):
                return number
        elif isinstance(node.value, str):
            try:
                quantity = parse_quantity(node.text)
                if quantity is not None and not unit:
                    return float(quantity.value)
                if quantity is not None:
                    return float(quantity.to(parse_unit(unit)))
            except UnitError as error:
                problems.add(node.position, str(error))
                return 0.0
    expected = f"a number in {unit}" if unit else "a number"
    problems.add(node.position, f"{describe(node)} is not a finite number; expected {expected}")
    return 0.0


def _port_unit(port: Any) -> str:
    return str(port.unit) if port.unit is not None else ""


def _lines(group: str, texts: Map[str, str]) -> list[str]:
    return [f"{group}:", *(f"  {name}: {text}" for name, text in texts.items())] if texts else []


def _written(point: OperatingPoint, key: Key, numbers: np.ndarray) -> str:
    unit = point.units.get(".".join(key), "")
    if numbers.size == 1:
        return _number(float(numbers[0]), unit)
    return f"[{', '.join(_number(float(x), unit) for x in numbers)}]"


def _number(value: float, unit: str) -> str:
    text = f"{value:.0f}" if value.is_integer() and abs(value) < 1e15 else repr(value)
    return text if unit in ("", "1") else f"{text} {unit}"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
