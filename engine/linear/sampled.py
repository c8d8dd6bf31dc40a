"""One period of a sampled diagram as a linear map: hits in their order, exact motion between them.

At a moment the diagram is linear in its states x, the states z of its sampled blocks, their outputs
h that stay from hit to hit, and the inputs u. Between hits

    x' = A x + H h + B u                                                   (1)

has the exact solution by the exponential of its matrix; at a hit, outputs and then states of the
groups that are due take their new values (2), in the order of the program. One common period of all
groups, from a time at which most of them are due, is the product of all that. Inputs are held over
the period, and outputs are read at its beginning, after the hit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ..errors import DiagramError, Position
from ..operating_points.moment import Moment
from ..schedule.lowering import Rate
from ..schedule.ticks import ticks

MOST_HITS = 100_000
"""Times of hits in a common period."""


@dataclass(frozen=True)
class Period:
    """The groups that are due at times of a common period, in seconds from its beginning.

    `begin` is the first time after 0 at which it begins.
    """

    begin: Fraction
    length: Fraction
    hits: tuple[tuple[Fraction, frozenset[int]], ...]


def common_period(rates: tuple[Rate, ...], file: str) -> Period:
    """The shortest time after which all hits repeat, beginning where most groups are due."""
    tick, periods, first = ticks(rates, Fraction(0))
    length = math.lcm(*periods)
    count = sum(length // period for period in periods)
    if count > MOST_HITS:
        raise DiagramError(
            f"the sample times repeat only after {float(length * tick):g} s and {count} samples; "
            f"expected at most {MOST_HITS}: give sample times with a smaller common multiple",
            Position(file),
        )
    due: dict[int, set[int]] = {}
    for group, (period, begin) in enumerate(zip(periods, first, strict=True)):
        for at in range(begin % period, length, period):
            due.setdefault(at, set()).add(group)
    begin = max(sorted(due), key=lambda at: len(due[at]))
    order = sorted((at - begin) % length for at in due)
    hits = tuple((at * tick, frozenset(due[(at + begin) % length])) for at in order)
    return Period(begin * tick, length * tick, hits)


@dataclass(frozen=True)
class OnePeriod:
    """The map of a period: all states at its end and outputs at its beginning, from both ends of
    what goes in; `error` is the relative error of the derivatives it is made of."""

    step: np.ndarray  # states x, z, h by states and inputs
    read: np.ndarray  # outputs by states and inputs
    error: float


def one_period(moment: Moment, period: Period) -> OnePeriod:
    """The map of one common period about a moment."""
    ends = moment.ends
    n_x, n_h, n = ends.x, ends.h, ends.all
    flow = moment.derivatives()
    error = flow.relative_error
    jumps: dict[frozenset[int], np.ndarray] = {}
    for _, groups in period.hits:
        if groups not in jumps:
            at_hit = moment.derivatives(groups)
            error = max(error, at_hit.relative_error)
            jumps[groups] = at_hit.matrix
    exponentials: dict[Fraction, np.ndarray] = {}
    state = np.eye(n)
    read = np.zeros((0, n))
    times = [at for at, _ in period.hits] + [period.length]
    for k, (at, groups) in enumerate(period.hits):
        whole = np.eye(n)
        whole[n_x:n_h] = jumps[groups][n_x:n_h]
        if k == 0:
            read = jumps[groups][n_h:]
        state = whole @ state
        wait = times[k + 1] - at
        if wait not in exponentials:
            exponentials[wait] = _exponential(flow.matrix[:n_x], float(wait))
        state = exponentials[wait] @ state
    return OnePeriod(state[:n_h], read, error)


def _exponential(rates: np.ndarray, wait: float) -> np.ndarray:
    """What becomes of all variables while x moves and the others stay."""
    from scipy.linalg import expm

    n = rates.shape[1]
    whole = np.zeros((n, n))
    whole[: len(rates)] = rates * wait
    return expm(whole)


def period_note(moment: Moment, length: Fraction) -> list[str]:
    """What one step is, in words, where there are several sample times."""
    periods = sorted({float(period) for period, _ in moment.checked.schedule.rates})
    if len(periods) == 1:
        return []
    text = ", ".join(f"{p:g} s" for p in periods)
    return [
        f"sample times {text}: one step of the model is their common period {float(length):g} s"
    ]


def is_sampled(moment: Moment) -> bool:
    """Whether sampled blocks lie on a way from states or inputs back to states or outputs."""
    ends = moment.ends
    n_x, n_h, n = ends.x, ends.h, ends.all
    groups = frozenset(range(len(moment.checked.schedule.rates)))
    flow, hit = moment.dependence(), moment.dependence(groups)
    outer = (1 << n_x) - 1 | ((1 << n) - 1) & ~((1 << n_h) - 1)
    rows = [*flow[:n_x], *hit[n_x:]]
    reached = outer
    for _ in range(n + 1):
        more = reached
        for i in range(n_x, n_h):
            if rows[i] & reached:
                more |= 1 << i
        if more == reached:
            break
        reached = more
    moved = reached & ~outer
    needed = 0
    for row in (*flow[:n_x], *hit[n_h:]):
        needed |= row
    for _ in range(n + 1):
        more = needed
        for i in range(n_x, n_h):
            if needed >> i & 1:
                more |= rows[i]
        if more == needed:
            break
        needed = more
    return bool(moved & needed) or n_x == 0
