"""What of a diagram has no derivative at a point: jumps, kinks, switches, and what does not move.

Each call of a block's function is looked at alone. Its arguments are moved along the direction in
which a change of all states and inputs moves them, by s = 1 and 1/8 of a small step, and

    d(s) = r(s) - r(-s),  b(s) = r(s) - 2 r(0) + r(-s)                     (1)

tell what its results r do. Smooth: d falls by 8 and b by 64; a kink: b falls by 8; a jump: d or b
stay. Results that are the same to the last bit also far from the point do not move. Guards that
change sign are at their threshold; others are on one side, on which the block is kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..memory import layout as sections
from ..operating_points.moment import Moment
from ..program.failures import BlockFailure
from ..program.interpreter import Interpreter
from ..schedule.calls import Call, Copy, Loop, Step

STEP = 1e-7
"""The change of states and inputs, over their size."""
PART, FAR = 0.125, 1e3
"""The other steps that arguments are moved by, over the first."""
JUMP, KINK = 1e-8, 1e-11
"""Changes of results, over their size, below which they are rounding."""
OWN = 1e-6
"""The same, over what the largest result of the call does: it has the rounding of the others."""
BENT = 1e-3
"""Change of a slope, over the slope, from which it is a kink."""


@dataclass(frozen=True)
class Discontinuities:
    """What a linear model about a point leaves out: what is wrong at it, and what to know."""

    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def discontinuities(moment: Moment) -> Discontinuities:
    """Blocks that jump, bend, switch or do not move at a moment."""
    return _Looking(moment).findings()


class _Looking:
    """The calls of a diagram at a moment, with their arguments and how a change moves them."""

    def __init__(self, moment: Moment):
        self.moment, self.checked = moment, moment.checked
        program = self.checked.schedule.program
        self.interpreter = Interpreter(program, moment.layout)
        self.steps = (*program.outputs, *program.rhs, *program.tasks)
        self.around = (*self.checked.schedule.lowered.guard_values, *program.resets)
        values = moment.values
        sizes = np.maximum(np.abs(values), [v.size for v in moment.variables])
        turn = np.modf(np.arange(1, len(values) + 1) * 0.6180339887498949)[0]
        direction = sizes * (0.5 + turn) * np.where(turn > 0.5, 1.0, -1.0)
        self.at = self._arguments(values)
        self.moved = self._arguments(values + STEP * direction)

    def _arguments(self, values: np.ndarray) -> dict[int, list]:
        """The arguments of every call by its number, once all outputs are computed."""
        moment, interpreter = self.moment, self.interpreter
        at = moment.layout
        w = moment.memory_at(values)
        t, x, k = float(w[sections.T]), at[sections.X], at[sections.K]
        for group in range(len(self.checked.schedule.rates)):
            w[at[sections.HIT] + group] = 1.0
        for step in (*self.steps, *self.checked.schedule.program.guards):
            if isinstance(step, Copy):
                continue
            try:
                interpreter.run([step], t, w, x, dx=k, g=at[sections.G2])
            except BlockFailure:
                continue
        return {
            id(call): interpreter.arguments_of(call, t, w, x)
            for call in _calls((*self.steps, *self.around))
        }

    def findings(self) -> Discontinuities:
        warnings: dict[str, None] = {}
        notes: dict[str, None] = {}
        for call in _calls(self.steps):
            what = self._what_happens(call)
            if what in ("jumps", "bends"):
                slope = "a mean slope is taken" if what == "bends" else "it has no slope there"
                warnings.setdefault(f"{self._words(call)} {what} at the point; {slope}")
            elif what:
                notes.setdefault(f"{self._words(call)} does not move with what it is given here")
        self._look_at_guards(warnings, notes)
        return Discontinuities(tuple(warnings), tuple(notes))

    def _what_happens(self, call: Call) -> str:
        if not self._is_moved(call):
            return ""
        r_0, ahead, behind = (self._results(call, s) for s in (0.0, 1.0, -1.0))
        near, close = (self._results(call, s) for s in (PART, -PART))
        if not all(np.all(np.isfinite(r)) for r in (r_0, ahead, behind, near, close)):
            return ""
        size = np.maximum(np.abs(r_0), np.maximum(np.abs(ahead), np.abs(behind)))
        d, d_near = np.abs(ahead - behind), np.abs(near - close)
        b, b_near = np.abs(ahead - 2.0 * r_0 + behind), np.abs(near - 2.0 * r_0 + close)
        jump = np.maximum(d, b)
        left = np.maximum(d_near, b_near)
        if np.any((jump > JUMP * size) & (jump > OWN * size.max()) & (left > jump / 2.8)):
            return "jumps"
        counts = (b > KINK * size) & (b > OWN * d.max()) & (b > BENT * d)
        if np.any(counts & (b_near > b / 22.6)):
            return "bends"
        same = all(np.array_equal(r_0, r) for r in (ahead, behind))
        if same and all(np.array_equal(r_0, self._results(call, s)) for s in (FAR, -FAR)):
            return "stays"
        return ""

    def _look_at_guards(self, warnings: dict[str, None], notes: dict[str, None]) -> None:
        schedule = self.checked.schedule
        working = {call.block for call in _calls(self.steps)}
        moved = {call.block for call in _calls(schedule.program.resets) if self._is_moved(call)}
        close: dict[str, list[str]] = {}
        far: dict[str, list[str]] = {}
        for guard, call in zip(schedule.guards, schedule.lowered.guard_values, strict=True):
            if guard.equation.action != "reset" or guard.block not in working:
                continue
            sides = {bool(self._results(call, s)[0] >= 0.0) for s in (0.0, 1.0, -1.0)}
            if self._is_moved(call) and len(sides) == 2:
                close.setdefault(self._words(call), []).append(f"'{guard.name}'")
            elif self._is_moved(call) or guard.block in moved:
                far.setdefault(self._words(call), []).append(f"'{guard.name}'")
        for words, names in close.items():
            warnings.setdefault(
                f"{words} switches at the point (guard {', '.join(dict.fromkeys(names))}); it is "
                "kept on the side where it is"
            )
        for words, names in far.items():
            notes.setdefault(
                f"{words} changes at events (guard {', '.join(dict.fromkeys(names))}); the model "
                "keeps it as it is at the point"
            )

    def _words(self, call: Call) -> str:
        instance = self.checked.model.blocks[call.block]
        return f"{call.block} ({instance.declaration.id})"

    def _is_moved(self, call: Call) -> bool:
        """Whether a real argument changes with the states and inputs."""
        pairs = zip(self.at[id(call)], self.moved[id(call)], strict=True)
        return any(_is_real(a) and not np.array_equal(a, b) for a, b in pairs)

    def _results(self, call: Call, part: float) -> np.ndarray:
        """The results where real arguments have moved by a part of the step."""
        arguments = []
        for a, b in zip(self.at[id(call)], self.moved[id(call)], strict=True):
            arguments.append(a + part * (b - a) if _is_real(a) else a)
        return self.interpreter.numbers_of(call, arguments)


def _is_real(value: object) -> bool:
    return isinstance(value, float | np.ndarray)


def _calls(steps: tuple[Step, ...]) -> Iterator[Call]:
    for step in steps:
        if isinstance(step, Loop):
            yield from step.calls
        elif isinstance(step, Call):
            yield step
