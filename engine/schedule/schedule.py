"""The schedule of a model: the program that the solver calls, and the map of its memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from ..memory.references import size_of
from ..memory.slots import Key, Slots, slots_of
from ..model.model import Model
from .calls import Call, Kernel, Program, Step
from .lowering import Guard, Lowered, Rate, lower
from .ordering import Order
from .sparsity import colours, dependencies, pattern


@dataclass(frozen=True)
class Schedule:
    """The program that the solver runs, and the map of its memory."""

    program: Program
    slots: Slots
    guards: tuple[Guard, ...]
    rates: tuple[Rate, ...]
    sections: dict[str, int]
    order: Order = field(repr=False, compare=False)
    lowered: Lowered = field(repr=False, compare=False)

    @property
    def groups(self) -> int:
        """How many groups of calls there are: one for each sample time, then one a trigger."""
        return len(self.rates) + len({g.group for g in self.guards if g.group is not None})

    def everything(self) -> list[Step]:
        """All outputs and derivatives, for looking at a run that failed."""
        return self.order.steps_for([*self.lowered.outs, *self.lowered.derivatives], sampled=True)

    def jacobian_pattern(self) -> list[list[int]]:
        """The state that each derivative depends on, by colour, or -1."""
        n = len(self.slots.start)
        rows = dependencies(self.program.rhs, n)
        return pattern(rows, colours(rows, n))


def schedule(
    model: Model, logged: Iterable[Key], guesses: Mapping[Key, np.ndarray] | None = None
) -> Schedule:
    """Orders all calls and cuts them into the functions of a program.

    Derivatives and guards compute only what they need; outputs, at major steps, all that is logged
    or read by sampled blocks, tasks and resets, and what subsystems with a condition show, so that
    it holds where they stop. Algebraic loops start at `guesses`.
    """
    slots = slots_of(model)
    lowered = lower(model, slots)
    order = Order(model, slots, lowered, guesses or {})
    sampled = sorted((c for c in lowered.outs if c.group is not None), key=lambda c: c.group or 0)
    readers = [c for c in (*lowered.tasks, *lowered.resets) if isinstance(c, Call)]
    shown = [key for conditional in model.conditionals.values() for key in conditional.outputs]
    looked_at = dict.fromkeys((*logged, *shown))
    watchers = [Call(_LOOK, (slots.signals[key],), (), (), "", "") for key in looked_at]
    passive = {id(call) for call in (*readers, *watchers)}
    outputs = order.steps_for([*sampled, *readers, *watchers], sampled=True)
    program = Program(
        rhs=tuple(order.steps_for(lowered.derivatives, sampled=False)),
        outputs=tuple(step for step in outputs if id(step) not in passive),
        guards=tuple(order.steps_for(lowered.guard_values, sampled=False)),
        tasks=tuple(lowered.tasks),
        resets=tuple(lowered.resets),
        loops=tuple(order.loops),
    )
    calls = [*lowered.outs, *lowered.derivatives, *lowered.guard_values, *readers]
    sections = {
        **slots.sections,
        "LOOPS": sum(loop.workspace for loop in order.loops),
        "CARRIED": max((sum(map(size_of, call.carried)) for call in calls), default=0),
    }
    guards, rates = tuple(lowered.guards), tuple(lowered.rates)
    return Schedule(program, slots, guards, rates, sections, order, lowered)


_LOOK = Kernel(lambda u: None, (0,), (float,), ())
