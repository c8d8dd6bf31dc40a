"""Step control: the size of steps, their acceptance, and where they must end.

Variable steps follow the PI controller of Hairer, Norsett & Wanner (Solving Ordinary Differential
Equations I, II.4 and its code DOPRI5):

    h_new = h / clamp(err^a err_old^-b / 0.9, 1/10 .. 5),  a = 1/q - 0.75 b,  b = 0.2/q         (1)

with q the order of the error estimate plus one. The first step is theirs too. Where stability and
not accuracy limits the step, (1) swings about the limit, and every fifth step is rejected. So a
step that was rejected is not come near again for some steps, twice as many each time that this was
too soon: there some steps in a hundred are rejected, and elsewhere little changes.
"""

from __future__ import annotations

import math

from railblocks.engine.memory.externals import at, rhs, step
from railblocks.engine.memory.layout import (
    ATOL,
    CALM,
    CEILING,
    ERROR_OLD,
    EVALUATIONS,
    FAILED,
    FRESH,
    H_DONE,
    H_FIXED,
    H_MAX,
    H_MIN,
    HOLD,
    LAST_EVENT,
    N_GUARDS,
    N_X,
    NEAR_STOP,
    NO_LOOP,
    NOT_FINITE,
    ORDER,
    PATIENCE,
    PEAK,
    RAISED,
    REJECTED,
    RESTART,
    RTOL,
    RUNNING,
    STALLED,
    STATUS,
    STEP_DEN,
    STEP_NUM,
    STEPS,
    STICKY,
    T_OLD,
    T_START,
    T_STOP,
    TINY_STEP,
    X0,
    H,
    K,
    T,
    X,
    Y,
)
from railblocks.engine.solvers.events import locate
from railblocks.engine.solvers.stiffness import probe_stiffness

MAX_GROWTH, MIN_GROWTH, SAFETY_FACTOR = 10.0, 0.2, 0.9
"""Limits of a step over the last one, and the part of the optimal step that is tried."""
CEILING_FRACTION, MAX_PATIENCE_STEPS = 0.9, 50.0
"""Part of a rejected step that is allowed, and for how many steps at most."""
SOON_STEPS = 5.0
"""A rejection within so many steps after the ceiling was lifted came too soon."""
EPSILON = 2.220446049250313e-16
"""The relative spacing of floats."""
LEAST_ULPS = 16.0
"""The least step, in units of the relative spacing of floats at the time."""


def take_step(w, limit):
    """One accepted step from T, no further than `limit`; cut at the first event inside."""
    n = at(N_X)
    t = w[T]
    limit = min(limit, held_until(w))
    for i in range(n):
        w[at(X0) + i] = w[at(X) + i]
        w[at(PEAK) + i] = max(w[at(PEAK) + i], abs(w[at(X) + i]))
    w[T_OLD] = t
    if w[H_FIXED] > 0.0:
        fixed_step(w, limit)
    elif n == 0:
        end = min(limit, t + w[H_MAX]) if at(N_GUARDS) > 0 else limit
        if not waits_for_stop(w, end) and advances(w, end):
            w[T] = end
            w[H_DONE] = end - t
    else:
        variable_step(w, limit)
    if w[STATUS] == RAISED or w[STATUS] == STALLED or w[NEAR_STOP] == 1.0:
        return
    w[STEPS] += 1.0
    if at(N_GUARDS) > 0 and w[STATUS] == RUNNING:
        locate(w)


def advances(w, end):
    """Whether `end` is later than T; if not, the run ends there."""
    if end > w[T]:
        return True
    w[STATUS] = STALLED
    return False


def waits_for_stop(w, limit):
    """Whether the end of the run bounds a step for the first time; it is then put off once.

    What the memory holds at that moment does not depend on when the run ends.
    """
    if limit < w[T_STOP] or w[NEAR_STOP] != 0.0:
        return False
    w[NEAR_STOP] = 1.0
    return True


def held_until(w):
    """The next time at which a held guard is looked at again."""
    soonest = math.inf
    for i in range(at(N_GUARDS)):
        until = w[at(HOLD) + i]
        if w[T] < until < soonest:
            soonest = until
    return soonest


def fixed_step(w, limit):
    """One step of fixed size, from T to the next point of the grid or to `limit`."""
    t = w[T]
    done = (t - w[T_START]) / w[H_FIXED]
    rounding = 1e-6 + 1e-15 * (abs(t) + abs(w[T_START])) / w[H_FIXED]
    nearest = math.floor(done + 0.5)
    done = nearest if abs(done - nearest) <= rounding else math.floor(done)
    grid = w[T_START] + (done + 1.0) * w[STEP_NUM] / w[STEP_DEN]
    if not grid > t:
        grid = t + w[H_FIXED]
    end = grid if limit - grid > 1e-9 * w[H_FIXED] else limit
    if (end == limit and waits_for_stop(w, limit)) or not advances(w, end):
        return
    w[H_DONE] = end - t
    w[T] = end
    if at(N_X) > 0:
        error = step(t, end - t, w)
        w[FRESH] = 2.0
        if w[STATUS] == RAISED:
            return
        if w[FAILED] == 1.0:
            w[STATUS] = NO_LOOP
        elif not error < math.inf:
            w[STATUS] = NOT_FINITE


def variable_step(w, limit):
    t = w[T]
    if w[RESTART] == 1.0:
        first_step(w)
    h = max(min(w[H], w[H_MAX]), LEAST_ULPS * EPSILON * abs(t))
    if not advances(w, min(limit, t + w[H_MAX])):
        return
    rejected = False
    while True:
        cut = False
        if t + 2.0 * h > limit and waits_for_stop(w, limit):
            return
        if t + 1.01 * h >= limit:
            h = limit - t
            cut = True
        elif t + 2.0 * h > limit:
            h = 0.5 * (limit - t)
        error = step(t, h, w)
        if w[STATUS] == RAISED:
            return
        if w[FAILED] == 1.0:
            error = math.inf
        power = 1.0 / w[ORDER]
        beta = 0.2 * power
        raw = error ** (power - 0.75 * beta)
        if error <= 1.0:
            factor = raw / w[ERROR_OLD] ** beta / SAFETY_FACTOR
            wanted = h / max(1.0 / MAX_GROWTH, min(1.0 / MIN_GROWTH, factor))
            if rejected:
                wanted = min(wanted, h)
            elif w[STICKY] == 1.0 and h <= wanted <= 1.2 * h:
                wanted = h
            w[CALM] += 1.0
            if w[CALM] <= w[PATIENCE]:
                wanted = min(wanted, CEILING_FRACTION * w[CEILING])
            w[H] = max(wanted, w[H]) if cut and not rejected else wanted
            w[ERROR_OLD] = max(error, 1e-4)
            w[H_DONE] = h
            w[T] = limit if cut else t + h
            w[FRESH] = 2.0
            if not cut and h < w[H_MAX]:
                probe_stiffness(w, h)
            return
        if not rejected:
            again = w[CALM] <= w[PATIENCE] + SOON_STEPS
            w[PATIENCE] = max(2.0, min(2.0 * w[PATIENCE], MAX_PATIENCE_STEPS)) if again else 2.0
            w[CEILING], w[CALM] = h, 0.0
        rejected = True
        w[REJECTED] += 1.0
        h = h * max(0.1, SAFETY_FACTOR / raw) if error < math.inf else 0.1 * h
        least = max(w[H_MIN], 1e-30 * (w[T_STOP] - w[T_START]))
        if not h > max(least, LEAST_ULPS * EPSILON * abs(t)):
            w[STATUS] = NO_LOOP if w[FAILED] == 1.0 else TINY_STEP
            w[H_DONE] = h
            return
        w[FAILED] = 0.0


def first_step(w):
    """A first step from the sizes of x, x' and x'' (Hairer, Norsett & Wanner, II.4)."""
    n, x, k, y, atol = at(N_X), at(X), at(K), at(Y), at(ATOL)
    rhs(w[T], w, x, k)
    size_x, size_k = 0.0, 0.0
    for i in range(n):
        weight = w[atol + i] + w[RTOL] * abs(w[x + i])
        size_x = max(size_x, abs(w[x + i]) / weight)
        size_k = max(size_k, abs(w[k + i]) / weight)
    h = 1e-6 if size_x < 1e-5 or size_k < 1e-5 else 0.01 * size_x / size_k
    h = min(h, w[H_MAX])
    for i in range(n):
        w[y + i] = w[x + i] + h * w[k + i]
    rhs(w[T] + h, w, y, k + n)
    w[EVALUATIONS] += 2.0
    size_second = 0.0
    for i in range(n):
        weight = w[atol + i] + w[RTOL] * abs(w[x + i])
        size_second = max(size_second, abs(w[k + n + i] - w[k + i]) / weight / h)
    largest = max(size_k, size_second)
    second = max(1e-6, 1e-3 * h) if largest <= 1e-15 else (0.01 / largest) ** (1.0 / w[ORDER])
    h = min(100.0 * h, second)
    if w[LAST_EVENT] > 0.0:
        h = min(h, 0.1 * w[LAST_EVENT])
    if not h > 0.0:
        h = 1e-6
    w[H] = min(h, w[H_MAX])
    w[ERROR_OLD] = 1e-4
    w[FRESH] = 3.0
    w[RESTART] = 0.0
