"""Where a model's parameters, signals and states lie in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from ..declaration import STREAM_NUMBER, Item
from ..errors import DiagramError
from ..model.dimensions import dimension
from ..model.model import Instance, Model, Shape, count
from ..model.sizes import LARGEST_STATE, LARGEST_STATES
from ..model.streams import is_random, stream_name, stream_number
from .layout import HEADER
from .references import Ref

Key = tuple[str, str]  # block and name


@dataclass
class Slots:
    """References by block and name, and the numbers that stand there at the start."""

    parameters: dict[Key, Ref] = field(default_factory=dict)
    signals: dict[Key, Ref] = field(default_factory=dict)
    discretes: dict[Key, Ref] = field(default_factory=dict)
    states: dict[Key, Ref] = field(default_factory=dict)
    parameter_values: np.ndarray = field(default_factory=lambda: np.zeros(0))
    signal_start: np.ndarray = field(default_factory=lambda: np.zeros(0))
    discrete_start: np.ndarray = field(default_factory=lambda: np.zeros(0))
    start: np.ndarray = field(default_factory=lambda: np.zeros(0))
    sizes: np.ndarray = field(default_factory=lambda: np.zeros(0))
    end: int = HEADER

    def state(self, key: Key) -> Ref:
        return self.discretes[key] if key in self.discretes else self.states[key]

    def states_of(self, blocks: Iterable[str]) -> list[Key]:
        """All states of some blocks, discrete ones too."""
        wanted = set(blocks)
        return [key for key in (*self.discretes, *self.states) if key[0] in wanted]

    def next_value(self, key: Key) -> Ref:
        """Where a state's next value waits until all are known."""
        if key in self.discretes:
            ref = self.discretes[key]
            return Ref("w", ref.offset + len(self.discrete_start), ref.shape, ref.type)
        ref = self.states[key]
        return Ref("w", self.end + len(self.discrete_start) + ref.offset, ref.shape)

    @property
    def sections(self) -> dict[str, int]:
        n, discrete = len(self.start), len(self.discrete_start)
        parameters = len(self.parameter_values)
        signals = self.end - HEADER - parameters - discrete
        return {
            "P": parameters,
            "S": signals,
            "Z": discrete,
            "NEW": discrete + n,
            **dict.fromkeys(("X", "X0", "Y", "ATOL", "PEAK"), n),
        }


def start_name(state: str) -> str:
    """The name under which a state's start value stands among the parameters."""
    return f"{state}=start"


def shown_name(output: str) -> str:
    """The name under which stands what an output shows while its subsystem does not run."""
    return f"{output}=shown"


def default_name(port: str) -> str:
    """The name under which the value of an unconnected input stands among the parameters."""
    return f"{port}="


def stream_slot() -> str:
    """The name under which the numbers of a block's random streams stand among the parameters."""
    return f"{STREAM_NUMBER}="


@dataclass(frozen=True)
class Placed:
    """A parameter, signal or state of a block: its shape and type, and its numbers at the start."""

    name: str
    shape: Shape
    type: type
    numbers: np.ndarray


@dataclass(frozen=True)
class BlockNumbers:
    """What one block has in memory before the first step, section by section."""

    parameters: tuple[Placed, ...]
    signals: tuple[Placed, ...]
    discretes: tuple[Placed, ...]
    states: tuple[Placed, ...]
    sizes: np.ndarray


def numbers_of(instance: Instance) -> BlockNumbers:
    """The numbers of a block whose ports have shapes; raises DiagramError."""
    declaration = instance.declaration
    discretes, states, sizes = [], [], []
    for name, item in declaration.discretes.items():
        shape = _shape(instance, item)
        start = _spread(instance, name, "start values", item.start, shape)
        discretes.append(Placed(name, shape, item.type, start))
    for name, state in declaration.states.items():
        shape = _shape(instance, state)
        start = _spread(instance, name, "start values", state.start, shape)
        states.append(Placed(name, shape, float, start))
        sizes.append(_sizes(instance, name, state.size, shape))
    starts = [replace(s, name=start_name(s.name)) for s in (*discretes, *states)]
    return BlockNumbers(
        (*_parameters(instance), *(starts if instance.resets else ())),
        tuple(_signals(instance)),
        tuple(discretes),
        tuple(states),
        _joined(sizes),
    )


def _parameters(instance: Instance) -> Iterator[Placed]:
    """Parameters and derived values, values of inputs without a wire, and random streams."""
    for name, item in _numbers(instance):
        value = np.asarray(instance.values[name], dtype=float)
        yield Placed(name, value.shape, item.type, value.ravel())
    for port in instance.inputs.values():
        if port.default is not None:
            shape = port.shape if port.item.dims and port.shape else ()
            value = np.full(shape, float(port.default))
            yield Placed(default_name(port.name), shape, port.item.type, value.ravel())
    if is_random(instance):
        kind, name = instance.declaration.id, stream_name(instance)
        numbers = [stream_number(kind, name, i) for i in range(count(instance.shape or ()))]
        yield Placed(stream_slot(), instance.shape or (), int, np.array(numbers, dtype=float))
    for output, shown in instance.shown.items():
        port = instance.outputs[output]
        held = np.full(port.size, shown)
        yield Placed(shown_name(output), port.shape or (), port.item.type, held)


def _signals(instance: Instance) -> Iterator[Placed]:
    for name, port in instance.outputs.items():
        shape = port.shape or ()
        start = instance.shown.get(name, instance.declaration.outputs[name].before)
        before = _spread(instance, name, "values before the first sample", start, shape)
        yield Placed(name, shape, port.item.type, before)


def slots_of(model: Model) -> Slots:
    """Parameters, then signals, discrete states and continuous states, in the order of blocks."""
    slots = Slots()
    numbers: dict[str, BlockNumbers] = {}
    held = 0
    for name, instance in model.blocks.items():
        of = numbers[name] = numbers_of(instance)
        held += sum(len(placed.numbers) for placed in (*of.discretes, *of.states))
        _refuse_many(instance, held)
    for block, of in numbers.items():
        _place(slots, slots.parameters, block, of.parameters)
    for block, of in numbers.items():
        _place(slots, slots.signals, block, of.signals)
    n = 0
    for block, of in numbers.items():
        _place(slots, slots.discretes, block, of.discretes)
        for state in of.states:
            slots.states[block, state.name] = Ref("x", n, state.shape)
            n += len(state.numbers)
    every = numbers.values()
    slots.parameter_values = joined_numbers(placed for of in every for placed in of.parameters)
    slots.signal_start = joined_numbers(placed for of in every for placed in of.signals)
    slots.discrete_start = joined_numbers(placed for of in every for placed in of.discretes)
    slots.start = joined_numbers(placed for of in every for placed in of.states)
    slots.sizes = _joined([of.sizes for of in every])
    return slots


def _place(slots: Slots, refs: dict[Key, Ref], block: str, placed: Iterable[Placed]) -> None:
    for one in placed:
        refs[block, one.name] = Ref("w", slots.end, one.shape, one.type)
        slots.end += len(one.numbers)


def joined_numbers(placed: Iterable[Placed]) -> np.ndarray:
    """The numbers of some items one after another."""
    return _joined([one.numbers for one in placed])


def _joined(parts: list[np.ndarray]) -> np.ndarray:
    return np.concatenate(parts) if parts else np.zeros(0)


def _numbers(instance: Instance) -> list[tuple[str, Item]]:
    """Parameters and derived values that kernels can read."""
    declaration = instance.declaration
    items: list[tuple[str, Item]] = [*declaration.params.items(), *declaration.derived.items()]
    return [
        (name, item)
        for name, item in items
        if item.type in (float, int, bool) and instance.values.get(name) is not None
    ]


def _shape(instance: Instance, item: Item) -> Shape:
    shape = list(instance.shape or ()) if item.is_each else []
    for dim in item.dims:
        size = dimension(dim, instance.sizes)
        if size is None:
            raise DiagramError(
                f"{instance.name}: the size of '{item.name}' is not known; connect its inputs",
                instance.position,
            )
        shape.append(size)
    if count(tuple(shape)) > LARGEST_STATE:
        raise DiagramError(
            f"{instance.name}: '{item.name}' would have {count(tuple(shape))} elements; "
            f"expected at most {LARGEST_STATE}",
            instance.position,
        )
    return tuple(shape)


def _refuse_many(instance: Instance, total: int) -> None:
    if total > LARGEST_STATES:
        raise DiagramError(
            f"with {instance.name} the states of all blocks have more than {LARGEST_STATES} "
            "elements, which is the most of a diagram; make delays and tables shorter",
            instance.position,
        )


def _sizes(instance: Instance, name: str, size: float | str, shape: Shape) -> np.ndarray:
    sizes = _spread(instance, name, "sizes", size, shape)
    if not np.all((sizes > 0.0) & (sizes < np.inf)):
        raise DiagramError(
            f"{instance.name}: the size of '{name}' is {sizes.tolist()}; expected positive numbers",
            instance.position,
        )
    return sizes


def _spread(
    instance: Instance, name: str, what: str, given: float | str, shape: Shape
) -> np.ndarray:
    """One number for each element, from a number or the name of a parameter."""
    value = instance.values[given] if isinstance(given, str) else given
    array = np.asarray(value, dtype=float)
    if array.shape and array.shape == instance.shape != shape:
        array = np.repeat(array, count(shape) // array.size)
    if array.size not in (1, count(shape)):
        raise DiagramError(
            f"{instance.name}: {array.size} {what} for the {count(shape)} elements of "
            f"'{name}'; give one, or as many as there are elements",
            instance.position,
        )
    return np.broadcast_to(array.reshape(-1), (count(shape),)).copy()
