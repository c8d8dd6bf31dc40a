"""Which states each derivative depends on, and a colouring of the Jacobian's columns.

Columns of one colour share no row, so that one evaluation differentiates by all of them.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..memory.references import parts_of
from .calls import Call, Copy, Loop, Step


def dependencies(steps: Iterable[Step], n: int, known: dict[int, int] | None = None) -> list[int]:
    """What each derivative depends on, as the bits of a number: of states, and of what is `known`.

    `known` has the bits of slots in memory; those of all slots that are written are added to it.
    """
    rows = [0] * n
    known = {} if known is None else known
    for step in steps:
        if isinstance(step, Copy):
            for k in range(step.target.size):
                known[step.target.offset + k] = known.get(step.source.offset + k, 0)
            continue
        calls = step.calls if isinstance(step, Loop) else (step,) if isinstance(step, Call) else ()
        bits = 0
        for call in calls:
            bits |= _reads(call, known)
            if not isinstance(step, Loop):
                _write(call, bits, known, rows)
        if isinstance(step, Loop):
            for call in calls:
                _write(call, bits, known, rows)
    return rows


def reads_states(steps: Iterable[Step]) -> bool:
    """Whether continuous states go into any step, directly; loops are taken to read some."""
    return any(
        isinstance(step, Loop)
        or (
            isinstance(step, Call)
            and any(r.space == "x" for a in step.arguments for r in parts_of(a))
        )
        for step in steps
    )


def _reads(call: Call, known: dict[int, int]) -> int:
    bits = 0
    for argument in call.arguments:
        for ref in parts_of(argument):
            for k in range(ref.offset, ref.offset + ref.size):
                if ref.space == "x":
                    bits |= 1 << k
                elif ref.space == "w":
                    bits |= known.get(k, 0)
    return bits


def _write(call: Call, bits: int, known: dict[int, int], rows: list[int]) -> None:
    for ref in call.writes:
        for k in range(ref.offset, ref.offset + ref.size):
            if ref.space == "dx":
                rows[k] |= bits
            else:
                known[k] = bits


def colours(rows: list[int], n: int) -> tuple[int, ...]:
    """A colour for each column: greedily the first whose rows are all free."""
    columns = [0] * n
    for i, bits in enumerate(rows):
        while bits:
            low = bits & -bits
            columns[low.bit_length() - 1] |= 1 << i
            bits ^= low
    taken: list[int] = []
    chosen = []
    for column in columns:
        free = (colour for colour, used in enumerate(taken) if not used & column)
        colour = next(free, len(taken))
        if colour == len(taken):
            taken.append(0)
        taken[colour] |= column
        chosen.append(colour)
    return tuple(chosen)


def pattern(rows: list[int], chosen: tuple[int, ...]) -> list[list[int]]:
    """The column that each row depends on, by colour, or -1."""
    width = max(chosen, default=-1) + 1
    table = [[-1] * width for _ in rows]
    for i, bits in enumerate(rows):
        for j, colour in enumerate(chosen):
            if bits >> j & 1:
                table[i][colour] = j
    return table
