"""The memory of a run with other values, without checking the whole diagram again.

Of a diagram that was checked only the blocks are resolved anew whose values depend on what varies,
by the same functions as in a whole check. Where these have the types, sizes and units that they
had, wires, schedule and program stay as they are, and only numbers in memory change. Anything else
(another size, a word, a sample time, a mistake) is left to the whole check.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from ..analysis.checking import Checked
from ..analysis.counted_times import refuse_odd_rates, refuse_uncountable
from ..analysis.settings import Settings, read_settings
from ..checks.resolve import resolve
from ..diagram.assignments import Assignment, ParameterScope, used_names
from ..diagram.flatten import FlatDiagram, flatten
from ..diagram.values import text_node
from ..errors import Position, Problem
from ..memory import layout as sections
from ..memory.layout import Layout
from ..memory.slots import BlockNumbers, joined_numbers, numbers_of
from ..model.model import Instance
from ..runs.memory import fill, put_settings
from ..text.nodes import Mapping as MappingNode
from ..text.nodes import Node, Sequence

GUESS = "guess"


def marked(values: Mapping[str, str]) -> dict[str, Any]:
    """Values for `with_values`, as `--set` reads them; their positions tell them apart."""
    return {path: text_node(text, _mark(path)) for path, text in values.items()}


def _mark(path: str) -> Position:
    return Position(f"<values>: {path}")


class QuickCheck:
    """A checked diagram, its memory before the first step, and the blocks that may change."""

    def __init__(self, checked: Checked, layout: Layout, paths: Iterable[str]):
        """`checked` has values for all `paths`, given through `marked`."""
        self.checked, self.layout = checked, layout
        self.base = np.zeros(layout.size)
        fill(self.base, checked, layout)
        marks = frozenset(_mark(path) for path in paths)
        flat = flatten(checked.diagram, strict=False, wired=False)
        dependent = _Dependence(marks)
        self.blocks = [
            name
            for name, block in flat.blocks.items()
            if any(map(dependent.holds, (*block.values.values(), *block.sampling.values())))
        ]
        shown = [c.shown for c in flat.conditions.values() if c.shown is not None]
        given = (*flat.solver.items(), *flat.log.items())
        varying = {name for name, assignment in given if dependent.holds(assignment)}
        self.settings_vary = bool(varying)
        self.possible = GUESS not in varying and not any(map(dependent.holds, shown))
        self._parts = _parts_of(flat)
        self._starts = {name: _starts_of(checked, layout, name) for name in self.blocks}

    def memory(self, values: Mapping[str, str]) -> np.ndarray | None:
        """The memory before the first step; None where the whole check has to look."""
        if not self.possible:
            return None
        checked = self.checked
        flat = flatten(checked.diagram.with_values(marked(values)), strict=False, wired=False)
        if flat.problems or self._parts != _parts_of(flat):
            return None
        w = self.base.copy()
        sizes = checked.schedule.slots.sizes
        for name in self.blocks:
            numbers = self._numbers(flat, name)
            if numbers is None:
                return None
            for section, first, some in self._placed(name, numbers):
                w[self.layout[section] + first : self.layout[section] + first + len(some)] = some
            if len(numbers.sizes):
                first = self._starts[name][sections.X]
                sizes = sizes.copy()
                sizes[first : first + len(numbers.sizes)] = numbers.sizes
        settings = self._settings(flat) if self.settings_vary else checked.settings
        if settings is None:
            return None
        if self.settings_vary:
            put_settings(w, settings, checked.schedule.rates, self.layout)
        if self.settings_vary or sizes is not checked.schedule.slots.sizes:
            atol = self.layout[sections.ATOL]
            w[atol : atol + len(sizes)] = settings.atol * sizes
        return w

    def _placed(self, name: str, numbers: BlockNumbers) -> Iterator[tuple[int, int, np.ndarray]]:
        """Section, first element there and numbers of all that a block has in memory."""
        parts = (numbers.parameters, numbers.signals, numbers.discretes, numbers.states)
        names = (sections.P, sections.S, sections.Z, sections.X)
        for section, part in zip(names, parts, strict=True):
            if part:
                yield section, self._starts[name][section], joined_numbers(part)

    def _numbers(self, flat: FlatDiagram, name: str) -> BlockNumbers | None:
        """What the block has in memory, if that is all that its new values change."""
        block, old = flat.blocks[name], self.checked.model.blocks[name]
        problems: list[Problem] = []
        new = resolve(block, self.checked.registry, problems)
        kept = self.checked.analysis.sizes_from_values(name)
        if new is None or problems or new.sizes != kept or not _alike(old, new):
            return None
        new.sizes, new.shape = old.sizes, old.shape
        new.inputs, new.outputs = old.inputs, old.outputs
        new.resets, new.shown = old.resets, old.shown
        return numbers_of(new)

    def _settings(self, flat: FlatDiagram) -> Settings | None:
        """The settings, if the same program and layout serve them; raises DiagramError."""
        position = Position(flat.file)
        settings, now = read_settings(flat.solver, flat.log, position), self.checked.settings
        if settings.method != now.method:
            return None
        problems: list[Problem] = []
        refuse_uncountable(flat, self.checked.model.blocks, settings, problems)
        if problems:
            return None
        refuse_odd_rates(self.checked.schedule.rates, settings, position)
        return settings


def _parts_of(flat: FlatDiagram) -> tuple[Any, ...]:
    """The blocks that there are, and the variants that were chosen."""
    return tuple(flat.blocks), flat.variants


def _alike(old: Instance, new: Instance) -> bool:
    """Whether two blocks differ in numbers only, and not in those that the schedule is made of."""
    if new.type is not old.type or new.units != old.units or new.values.keys() != old.values.keys():
        return False
    if new.inputs.keys() != old.inputs.keys():
        return False
    sampled = old.declaration.sampled
    fixed = {sampled, "offset"} if sampled is not None else set()
    items = {**old.declaration.params, **old.declaration.derived}
    for name, value in new.values.items():
        before = old.values[name]
        number = name in items and items[name].type in (float, int, bool)
        if not number or name in fixed or before is None or value is None:
            if not _same(before, value):
                return False
        elif np.shape(before) != np.shape(value):
            return False
    return True


def _same(before: Any, value: Any) -> bool:
    if isinstance(before, np.ndarray) or isinstance(value, np.ndarray):
        return np.array_equal(before, value)
    return type(before) is type(value) and before == value


def _starts_of(checked: Checked, layout: Layout, block: str) -> dict[int, int]:
    """Where what a block has in memory begins in each section."""
    slots = checked.schedule.slots
    starts = {}
    for section, refs in (
        (sections.P, slots.parameters),
        (sections.S, slots.signals),
        (sections.Z, slots.discretes),
        (sections.X, slots.states),
    ):
        offsets = [ref.offset for (owner, _), ref in refs.items() if owner == block]
        if offsets:
            starts[section] = min(offsets) - (0 if section == sections.X else layout[section])
    return starts


class _Dependence:
    """Which values use what was given at marked positions, directly or through names."""

    def __init__(self, marks: frozenset[Position]):
        self._files = {mark.file for mark in marks}
        self._known: dict[int, bool] = {}
        self._kept: list[Assignment] = []

    def holds(self, assignment: Assignment) -> bool:
        key = id(assignment)
        if key not in self._known:
            self._known[key] = False  # circles are mistakes, which a whole check reports
            self._kept.append(assignment)
            self._known[key] = self._look(assignment)
        return self._known[key]

    def _look(self, assignment: Assignment) -> bool:
        for node in _leaves(assignment.node):
            if node.position.file in self._files:
                return True
            for name in used_names(node):
                definition = _definition(name, assignment.scope)
                if definition is not None and self.holds(definition):
                    return True
        return False


def _leaves(node: Node) -> Iterator[Node]:
    yield node
    if isinstance(node, Sequence):
        for item in node.items:
            yield from _leaves(item)
    elif isinstance(node, MappingNode):
        for entry in node.entries.values():
            yield from _leaves(entry.node)


def _definition(name: str, scope: Any) -> Assignment | None:
    while isinstance(scope, ParameterScope):
        if name in scope.own:
            return scope.own[name]
        scope = scope.outer
    return None
