"""Calls of blocks: every equation of every block over its slots in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from ..declaration import EACH, STREAM_NUMBER, Equation, filled
from ..memory.layout import RUN_SEED
from ..memory.references import Argument, Gather, Ref
from ..memory.slots import Slots, default_name, shown_name, start_name, stream_slot
from ..model.model import CONDITION_GUARD, Conditional, Instance, Model, count
from ..units.times import seconds
from .calls import Call, Copy, Kernel, Step

Rate = tuple[Fraction, Fraction]


@dataclass
class Guard:
    """One guard of one block, for tables and messages."""

    block: str
    name: str
    equation: Equation
    resets_states: bool = False
    group: int | None = None  # of the calls that run where it fires


@dataclass
class Lowered:
    """All calls of a model, by what they are for."""

    outs: list[Call] = field(default_factory=list)
    derivatives: list[Call] = field(default_factory=list)
    guard_values: list[Call] = field(default_factory=list)
    tasks: list[Step] = field(default_factory=list)
    resets: list[Step] = field(default_factory=list)
    guards: list[Guard] = field(default_factory=list)
    rates: list[Rate] = field(default_factory=list)  # (period, offset) of each sample-time group


def lower(model: Model, slots: Slots) -> Lowered:
    lowerer = Lowerer(model, slots)
    for instance in model.blocks.values():
        lowerer.block(instance)
    lowerer.lowered.resets += lowerer.reset_copies
    for name, conditional in model.conditionals.items():
        lowerer.changes_of(name, conditional)
    return lowerer.lowered


def _rate(instance: Instance) -> Rate | None:
    """Period and offset of a sampled block; none of one that is triggered."""
    sampled = instance.declaration.sampled
    if sampled is None or instance.trigger:
        return None
    return seconds(instance.values[sampled]), seconds(instance.values["offset"])


def _rates(model: Model) -> Iterator[Rate]:
    rates = map(_rate, model.blocks.values())
    return (rate for rate in rates if rate is not None)


class Lowerer:
    """Writes calls block by block; kernels are shared between blocks of a type."""

    def __init__(self, model: Model, slots: Slots):
        self.model = model
        self.slots = slots
        self.lowered = Lowered()
        self.kernels: dict[tuple[Callable[..., Any], Any, Any, Any, Any], Kernel] = {}
        self.guard_of: dict[tuple[str, str, int], int] = {}
        self.lowered.rates = list(dict.fromkeys(_rates(model)))
        self.triggers = list(dict.fromkeys(i.trigger for i in model.blocks.values() if i.trigger))
        self.reset_copies: list[Step] = []

    def block(self, instance: Instance) -> None:
        declaration = instance.declaration
        group = self._group(instance)
        elements: Sequence[int | None] = range(count(instance.shape)) if instance.shape else (None,)
        guards = () if instance.trigger else declaration.of_kind("guard")
        for guard in guards:
            for element in elements:
                key = (instance.name, guard.guard, element or 0)
                self.guard_of[key] = len(self.guard_of)
        lists: dict[str, list[Any]] = {
            "out": self.lowered.outs,
            "der": self.lowered.derivatives,
            "update": self.lowered.tasks,
        }
        for equation in declaration.of_kind("out", "der", "update"):
            calls = (self._call(instance, equation, element, group) for element in elements)
            lists[equation.kind].extend(calls)
        for equation in declaration.of_kind("update"):
            self.lowered.tasks += self._copies(instance, equation, None, group=group)
        for equation in guards:
            for element in elements:
                self._guard(instance, equation, element)

    def _group(self, instance: Instance) -> int | None:
        if instance.trigger:
            return self._trigger_group(instance.trigger)
        rate = _rate(instance)
        return None if rate is None else self.lowered.rates.index(rate)

    def _trigger_group(self, trigger: str) -> int:
        """Groups of triggers come after those of sample times."""
        return len(self.lowered.rates) + self.triggers.index(trigger)

    def _guard(self, instance: Instance, equation: Equation, element: int | None) -> None:
        index = len(self.lowered.guards)
        guard = Guard(instance.name, equation.guard, equation)
        if instance.name in self.triggers:
            guard.group = self._trigger_group(instance.name)
        self.lowered.guards.append(guard)
        call = self._call(instance, equation, element, None)
        self.lowered.guard_values.append(call._replace(results=(Ref("g", index),)))
        for reset in instance.declaration.of_kind("reset"):
            if reset.guard == equation.guard:
                self.lowered.resets.append(self._call(instance, reset, element, None, index))
                self.reset_copies += self._copies(instance, reset, element, guard=index)
                guard.resets_states |= any(t in instance.declaration.states for t in reset.targets)

    def _copies(
        self,
        instance: Instance,
        equation: Equation,
        element: int | None,
        group: int | None = None,
        guard: int | None = None,
    ) -> list[Step]:
        """Next values become current ones, after all of the block's are known."""
        copies: list[Step] = []
        for name in equation.targets:
            key = (instance.name, name)
            source, target = self.slots.next_value(key), self.slots.state(key)
            if element is not None and target.shape:
                source = self._seen(instance, name, source, element)
                target = self._seen(instance, name, target, element)
            copies.append(Copy(source, target, group, guard, self._condition(instance)))
        return copies

    # --- subsystems with a condition -----------------------------------------------------------
    def _condition(self, instance: Instance) -> int | None:
        """The guard that says whether a block runs."""
        name = instance.condition
        return self.guard_of[name, CONDITION_GUARD, 0] if name else None

    def changes_of(self, name: str, conditional: Conditional) -> None:
        """What happens where a condition changes: states start anew, outputs show their value."""
        guard = self.guard_of[name, CONDITION_GUARD, 0]
        if conditional.resets:
            for key in self.slots.states_of(conditional.blocks):
                source = self.slots.parameters[key[0], start_name(key[1])]
                self.lowered.resets.append(Copy(source, self.slots.state(key), None, guard))
                self.lowered.guards[guard].resets_states |= key in self.slots.states
        for key in conditional.outputs if conditional.shown is not None else ():
            source = self.slots.parameters[key[0], shown_name(key[1])]
            self.lowered.resets.append(Copy(source, self.slots.signals[key], None, guard))

    # --- one call ------------------------------------------------------------------------------
    def _call(
        self,
        instance: Instance,
        equation: Equation,
        element: int | None,
        group: int | None,
        guard: int | None = None,
    ) -> Call:
        items = instance.declaration.items
        vectors = {filled(equation.kind, n): n for n in equation.targets if items[n].dims}
        arguments: list[Argument] = []
        fills: dict[int, Ref] = {}
        for number, name in enumerate(equation.arguments):
            if name in vectors:
                fills[number] = self._target(instance, equation, vectors[name], element)
                arguments.append(fills[number])
            else:
                arguments.append(self._argument(instance, name, element))
        results = tuple(
            self._target(instance, equation, name, element)
            for name in equation.targets
            if not items[name].dims
        )
        return Call(
            self._kernel(equation, arguments, results, tuple(fills)),
            tuple(arguments),
            results,
            tuple(fills.values()),
            instance.name,
            equation.function.__name__,
            group,
            guard,
            self._condition(instance),
        )

    def _kernel(
        self,
        equation: Equation,
        arguments: Sequence[Argument],
        results: Sequence[Ref],
        fills: tuple[int, ...],
    ) -> Kernel:
        ranks = tuple(len(a.shape) for a in arguments)
        types = tuple(float if isinstance(a, Gather) or a.shape else a.type for a in arguments)
        kinds = (float,) if equation.kind == "guard" else tuple(r.type for r in results)
        key = (equation.function, ranks, types, kinds, fills)
        if key not in self.kernels:
            self.kernels[key] = Kernel(*key)
        return self.kernels[key]

    def _target(
        self, instance: Instance, equation: Equation, name: str, element: int | None
    ) -> Ref:
        key = (instance.name, name)
        if equation.kind == "out":
            ref = self.slots.signals[key]
        elif equation.kind == "der":
            ref = self.slots.states[key]._replace(space="dx")
        else:
            ref = self.slots.next_value(key)
        return self._seen(instance, name, ref, element)

    @staticmethod
    def _seen(instance: Instance, name: str, ref: Ref, element: int | None) -> Ref:
        """The reference as an equation sees it: a vector, that of one element, or one element."""
        item = instance.declaration.items[name]
        if not item.dims:
            return ref.element(element if element is not None and ref.shape else 0, ref.type)
        if not item.is_each:
            return ref
        shape = ref.shape[len(instance.shape or ()) :]
        return ref._replace(offset=ref.offset + (element or 0) * count(shape), shape=shape)

    def _argument(self, instance: Instance, name: str, element: int | None) -> Argument:
        if name == "t":
            return Ref("t", 0)
        if name == "run_seed":
            return Ref("w", RUN_SEED, (), int)
        if name == STREAM_NUMBER:
            numbers = self.slots.parameters[instance.name, stream_slot()]
            return numbers.element(element if element is not None and numbers.shape else 0, int)
        if name in instance.declaration.inputs:
            return self._input(instance, name, element)
        if name not in instance.declaration.items:
            return Ref("mode", self.guard_of[instance.name, name, element or 0], (), bool)
        key = (instance.name, name)
        known = self.slots.signals.get(key) or self.slots.parameters.get(key)
        ref = known or self.slots.state(key)
        return self._seen(instance, name, ref, element)

    def _input(self, instance: Instance, name: str, element: int | None) -> Argument:
        item = instance.declaration.inputs[name]
        if item.many is None:
            return self._port(instance, name, element)
        parts: list[Ref] = []
        for port in instance.inputs.values():
            if port.group == name:
                argument = self._port(instance, port.name, element)
                parts += argument.parts if isinstance(argument, Gather) else [argument]
        return Gather(tuple(parts), (sum(ref.size for ref in parts),))

    def _port(self, instance: Instance, name: str, element: int | None) -> Argument:
        """What drives a port: one slot, or a vector put together from several.

        A vector of the block's own is put together too: a function must not fill what it reads.
        """
        port = instance.inputs[name]
        parts = self.model.drivers.get((instance.name, name))
        if parts is None:
            return self.slots.parameters[instance.name, default_name(name)]
        if port.item.shape == EACH or not port.item.dims:
            wanted = element if element is not None and port.size > 1 else 0
            part = next(p for p in parts if p.start <= wanted < p.start + p.count)
            source = self.slots.signals[part.source.block, part.source.name]
            return source.element(part.first + wanted - part.start, source.type)
        refs = []
        for part in parts:
            source = self.slots.signals[part.source.block, part.source.name]
            shape = (part.count,) if part.count > 1 else ()
            refs.append(Ref("w", source.offset + part.first, shape, source.type))
        own = any(part.source.block == instance.name for part in parts)
        if len(refs) == 1 and not own:
            return refs[0]._replace(shape=port.shape or (1,))
        return Gather(tuple(refs), port.shape or ())
