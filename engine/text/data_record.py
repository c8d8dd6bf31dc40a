"""Data files beside diagrams: mappings whose fields have units, read with all problems at once."""

from __future__ import annotations

import os
from collections.abc import Sequence as Items
from typing import Any

from ..errors import DiagramError, Position
from ..errors.problems import Problems
from ..units.quantity import Quantity, parse_quantity
from ..units.unit import UnitError, parse_unit
from .files import file_text
from .nodes import Mapping, Node, Scalar, Sequence, describe
from .source import read_named

REQUIRED: Any = object()


class DataRecord:
    """A mapping of a data file; fields are taken by name, and `close` refuses what is left.

    Mistakes go into the problems, and a default or zero is given in their place.
    """

    def __init__(self, mapping: Mapping, problems: Problems):
        self.position: Position = mapping.position
        self.problems = problems
        self._entries = dict(mapping.entries)
        self._places = {key: entry.node.position for key, entry in mapping.entries.items()}
        self._known: list[str] = []

    def __contains__(self, key: str) -> bool:
        return key in self._entries

    def position_of(self, key: str) -> Position:
        """Where a field's value stands, also of one that was taken; the record's own without it."""
        return self._places.get(key, self.position)

    def number(
        self, key: str, unit: str, default: Any = REQUIRED, least: float | None = None
    ) -> Any:
        """A number in SI units; `least` is what it may not be below, or equal to if it is 0."""
        node = self._take(key, default, f"a value in {unit}")
        if node is None:
            return 0.0 if default is REQUIRED else default
        before = len(self.problems)
        value = self._value(node, unit)
        if len(self.problems) > before:
            return value
        if least is not None and (value < least or (least == 0.0 and value == 0.0)):
            bound = "above 0" if least == 0.0 else f"at least {least:g}"
            self.problems.add(node.position, f"{key} = {value:g}; expected a value {bound}")
        return value

    def numbers(
        self, key: str, unit: str, count: int | None = None, default: Any = REQUIRED
    ) -> tuple[float, ...]:
        """A list of numbers, in SI units."""
        expected = f"{count} values" if count else "values"
        node = self._take(key, default, f"a list of {expected} in {unit}")
        if node is None:
            return (0.0,) * (count or 0) if default is REQUIRED else default
        if not isinstance(node, Sequence) or (count and len(node.items) != count):
            content = f"{len(node.items)} values" if isinstance(node, Sequence) else describe(node)
            self.problems.add(node.position, f"{key} is {content}; expected a list of {expected}")
            return (0.0,) * (count or 0)
        return tuple(self._value(item, unit) for item in node.items)

    def triple(self, key: str, unit: str, default: Any = REQUIRED) -> tuple[float, float, float]:
        """Three numbers, in SI units."""
        x, y, z = self.numbers(key, unit, 3, default)
        return x, y, z

    def text(self, key: str, default: Any = REQUIRED, choices: Items[str] = ()) -> str:
        node = self._take(key, default, "text")
        if node is None:
            return "" if default is REQUIRED else default
        if not isinstance(node, Scalar) or not node.text:
            self.problems.add(node.position, f"{key} is {describe(node)}; expected text")
            return ""
        if choices and node.text not in choices:
            near = self.problems.near(node.text, choices)
            message = f"{key} is '{node.text}'{near}; expected one of {', '.join(choices)}"
            self.problems.add(node.position, message)
        return node.text

    def flag(self, key: str, default: bool = False) -> bool:
        """A truth value."""
        node = self._take(key, None, "true or false")
        if node is None:
            return default
        if isinstance(node, Scalar) and isinstance(node.value, bool):
            return node.value
        self.problems.add(node.position, f"{key} is {describe(node)}; expected true or false")
        return default

    def flag_or_name(self, key: str, names: Items[str]) -> bool | str:
        """A truth value, false without the field; or one of some names."""
        node = self._entries[key].node if key in self._entries else None
        if isinstance(node, Scalar) and isinstance(node.value, str) and node.text:
            return self.text(key, choices=names)
        return self.flag(key)

    def record(self, key: str, default: Any = REQUIRED) -> DataRecord | None:
        """A record inside this one; with a default of None it may be missing."""
        node = self._take(key, default, "a mapping")
        if node is None or isinstance(node, Mapping):
            return None if node is None else DataRecord(node, self.problems)
        self.problems.add(node.position, f"{key} is {describe(node)}; expected a mapping")
        return None

    def named(self, key: str, default: Any = REQUIRED) -> dict[str, DataRecord]:
        """A mapping of names to records."""
        node = self._take(key, default, "a mapping of names")
        if node is None:
            return {}
        if not isinstance(node, Mapping):
            self.problems.add(
                node.position, f"{key} is {describe(node)}; expected a mapping of names"
            )
            return {}
        records = {}
        for name, entry in node.entries.items():
            if isinstance(entry.node, Mapping):
                records[name] = DataRecord(entry.node, self.problems)
            else:
                message = f"{name} is {describe(entry.node)}; expected its fields"
                self.problems.add(entry.key_position, message)
        return records

    def pairs(self, key: str) -> dict[str, tuple[Position, str]]:
        """A mapping of names to names, with the positions of the latter."""
        node = self._take(key, REQUIRED, "a mapping of names to names")
        if not isinstance(node, Mapping):
            if node is not None:
                self.problems.add(node.position, f"{key} is {describe(node)}; expected names")
            return {}
        return {
            name: (entry.node.position, entry.node.text if isinstance(entry.node, Scalar) else "")
            for name, entry in node.entries.items()
        }

    def listed(self, key: str, default: Any = REQUIRED) -> list[DataRecord]:
        """A list of records."""
        node = self._take(key, default, "a list")
        if node is None:
            return []
        if not isinstance(node, Sequence):
            self.problems.add(node.position, f"{key} is {describe(node)}; expected a list")
            return []
        records = []
        for item in node.items:
            if isinstance(item, Mapping):
                records.append(DataRecord(item, self.problems))
            else:
                self.problems.add(item.position, f"{describe(item)}; expected fields, as {{a: 1}}")
        return records

    def close(self) -> None:
        """Adds a problem for each field that was not taken."""
        for key, entry in self._entries.items():
            near = self.problems.near(key, self._known)
            known = ", ".join(sorted(self._known))
            message = f"'{key}' is not a field here{near}; expected {known}"
            self.problems.add(entry.key_position, message)

    def _take(self, key: str, default: Any, expected: str) -> Node | None:
        self._known.append(key)
        entry = self._entries.pop(key, None)
        if entry is None:
            if default is REQUIRED:
                self.problems.add(self.position, f"'{key}' is missing; expected {expected}")
            return None
        return entry.node

    def _value(self, node: Node, unit: str) -> float:
        try:
            if not isinstance(node, Scalar) or node.value is None or isinstance(node.value, bool):
                raise UnitError(f"{describe(node)}; expected a number with unit {unit}")
            if isinstance(node.value, str):
                quantity = parse_quantity(node.text)
                if quantity is None:
                    raise UnitError(f"{describe(node)}; expected a number with unit {unit}")
            else:
                quantity = Quantity(float(node.value))
            return float(quantity.to(parse_unit(unit)))
        except UnitError as error:
            self.problems.add(node.position, str(error))
            return 0.0


def read_record(path: str | os.PathLike[str], kind: str) -> DataRecord:
    """The record of a whole file that begins with `kind: 1`, its version."""
    name = os.fspath(path)
    record = DataRecord(
        read_named(file_text(name), name, (kind,), f"a line `{kind}: 1`"), Problems()
    )
    if record.number(kind, "1") != 1.0 and not len(record.problems):
        raise DiagramError(f"expected '{kind}: 1', the only version there is", record.position)
    return record
