"""Events: guards that change sign are located on the interpolant, then fire together.

A guard is negative or not; "rising" fires when it stops being negative. Each step is looked at in
quarters, so that a guard that crosses and returns within a step is seen too. The first quarter with
a change is narrowed by the secant through the earliest crossing, with a bisection every third time,
to `TIME_PRECISION_S` seconds; the run lands on the far side, where the sign has changed.

A guard's name stands for its side in the block's functions. It changes only when the guard fires,
so that no stage of the solver sees beyond a jump.

A guard that fires `MAX_CLOSE_EVENTS` times in succession, each within `CLOSE_EVENTS_S` seconds of
the last, chatters or is a Zeno point: the run stops there, or the guard is held for a dwell time
after each event. A held guard keeps the value that it had, so that it fires when it is looked at
again if its sign has changed by then; one that fires in one direction only is taken as on the near
side.
"""

from __future__ import annotations

from railblocks.engine.memory.externals import at, guards, interpolate, outputs, resets, tasks
from railblocks.engine.memory.layout import (
    ACTION,
    ASSERTED,
    COUNT,
    CULPRIT,
    DIRECTION,
    EVENT,
    EVENTS,
    FIRED,
    FRESH,
    G0,
    G1,
    G2,
    H_DONE,
    HIT,
    HOLD,
    LAST,
    LAST_EVENT,
    MODE,
    N_GROUPS,
    N_GUARDS,
    N_X,
    PAUSED,
    RAISED,
    RESETS_X,
    RESTART,
    RUNNING,
    STATE_GUARDS,
    STATUS,
    STOPPED,
    T_OLD,
    TRIGGERED,
    ZENO,
    ZENO_HOLD,
    T,
    X,
    Y,
)

TIME_PRECISION_S = 1e-13
MAX_CLOSE_EVENTS, CLOSE_EVENTS_S = 20.0, 1e-8
MAX_CASCADE_ROUNDS = 100
"""Rounds in which guards at one time may set off others before the run stops."""
EPSILON = 2.220446049250313e-16
"""The relative spacing of floats."""


def crosses(before, after, direction):
    if direction > 0.0:
        return before < 0.0 and after >= 0.0
    if direction < 0.0:
        return before >= 0.0 and after < 0.0
    return (before < 0.0) != (after < 0.0)


def any_crossing(w, before, after):
    changed = False
    for i in range(at(N_GUARDS)):
        changed = changed or (w[before + i] < 0.0) != (w[after + i] < 0.0)
    if not changed:
        return False
    for i in range(at(N_GUARDS)):
        free = w[T_OLD] >= w[at(HOLD) + i]
        if free and crosses(w[before + i], w[after + i], w[at(DIRECTION) + i]):
            return True
    return False


def guards_at(w, theta, g):
    """Guard values within the last step, theta from 0 to 1."""
    if theta == 1.0:
        guards(w[T], w, at(X), g)
    elif at(STATE_GUARDS) == 0:
        guards(w[T_OLD] + theta * w[H_DONE], w, at(X), g)
    else:
        interpolate(theta, w, at(Y))
        guards(w[T_OLD] + theta * w[H_DONE], w, at(Y), g)


def locate(w):
    """Finds the first event of the last step and ends the step there; G0 belongs to T after."""
    n, before, after, g0 = at(N_GUARDS), at(G1), at(G2), at(G0)
    for i in range(n):
        w[before + i] = w[g0 + i]
    theta = 0.0
    for quarter in range(1, 5):
        guards_at(w, 0.25 * quarter, after)
        if w[STATUS] == RAISED:
            return
        if any_crossing(w, before, after):
            end = narrowed(w, theta, 0.25 * quarter)
            if w[STATUS] != RAISED:
                cut_at(w, end)
            return
        theta = 0.25 * quarter
        for i in range(n):
            w[before + i] = w[after + i]
    for i in range(n):
        if w[T_OLD] >= w[at(HOLD) + i]:
            w[g0 + i] = w[after + i]
        elif w[T] >= w[at(HOLD) + i] and w[at(DIRECTION) + i] != 0.0:
            w[g0 + i] = -w[at(DIRECTION) + i]


def narrowed(w, low, high):
    """The upper end of a bracket around the first crossing; G1 and G2 are its two sides."""
    n, before, after, trial = at(N_GUARDS), at(G1), at(G2), at(FIRED)
    h = w[H_DONE]
    latest = max(abs(w[T_OLD]), abs(w[T]))
    precision = max((TIME_PRECISION_S + 4.0 * EPSILON * latest) / h, 4.0 * EPSILON)
    turn = 0
    while high - low > precision:
        turn += 1
        middle = 0.5 * (low + high)
        if turn % 3 != 0:
            first = high
            for i in range(n):
                a, b = w[before + i], w[after + i]
                if crosses(a, b, w[at(DIRECTION) + i]) and w[T_OLD] >= w[at(HOLD) + i]:
                    first = min(first, low - a * (high - low) / (b - a))
            edge = 0.5 * precision
            middle = min(max(first, low + edge), high - edge)
        guards_at(w, middle, trial)
        if any_crossing(w, before, trial):
            high = middle
            for i in range(n):
                w[after + i] = w[trial + i]
        else:
            low = middle
            for i in range(n):
                w[before + i] = w[trial + i]
    return high


def cut_at(w, theta):
    """Ends the step at theta and marks the guards that fire there."""
    n, before, after = at(N_GUARDS), at(G1), at(G2)
    if theta < 1.0:
        interpolate(theta, w, at(Y))
        for i in range(at(N_X)):
            w[at(X) + i] = w[at(Y) + i]
        w[T] = w[T_OLD] + theta * w[H_DONE]
        w[FRESH] = 0.0
    for i in range(n):
        crossed = crosses(w[before + i], w[after + i], w[at(DIRECTION) + i])
        free = w[T_OLD] >= w[at(HOLD) + i]
        w[at(FIRED) + i] = 1.0 if crossed and free else 0.0
        if free:
            w[at(G0) + i] = w[after + i]
    w[EVENT] = 1.0


def modes_change(w):
    """Looks at all guards at T; True if one has changed sides."""
    n, g1, changed = at(N_GUARDS), at(G1), False
    if n == 0:
        return False
    guards(w[T], w, at(X), g1)
    for i in range(n):
        side = 1.0 if w[g1 + i] >= 0.0 else 0.0
        if w[at(MODE) + i] != side and w[T] >= w[at(HOLD) + i]:
            w[at(MODE) + i] = side
            changed = True
    return changed


def settle(w):
    """Fires guards that jumped at T, and those that these set off, until none is left."""
    n, g0, g1 = at(N_GUARDS), at(G0), at(G1)
    if n == 0:
        return
    for _ in range(MAX_CASCADE_ROUNDS):
        guards(w[T], w, at(X), g1)
        any_crossed = False
        for i in range(n):
            free = w[T] >= w[at(HOLD) + i]
            crossed = free and crosses(w[g0 + i], w[g1 + i], w[at(DIRECTION) + i])
            w[at(FIRED) + i] = 1.0 if crossed else 0.0
            any_crossed = any_crossed or crossed
            if free:
                w[g0 + i] = w[g1 + i]
            if crossed:
                w[CULPRIT] = i
        if not any_crossed or w[STATUS] != RUNNING:
            return
        outputs(w[T], w, at(X))
        fire(w)
    w[STATUS] = ZENO


def fire(w):
    """Counts, acts and resets for all marked guards together."""
    if w[STATUS] == RAISED:
        return
    t = w[T]
    for i in range(at(N_GUARDS)):
        if w[at(FIRED) + i] == 0.0:
            continue
        w[EVENTS] += 1.0
        w[at(MODE) + i] = 1.0 if w[at(G0) + i] >= 0.0 else 0.0
        since = t - w[at(LAST) + i]
        w[at(LAST) + i] = t
        soon = since < CLOSE_EVENTS_S + 1e-13 * abs(t) or t - w[at(HOLD) + i] < w[ZENO_HOLD]
        w[at(COUNT) + i] = w[at(COUNT) + i] + 1.0 if soon else 0.0
        if w[at(RESETS_X) + i] == 1.0:
            w[RESTART] = 1.0
            w[LAST_EVENT] = since
        action = w[at(ACTION) + i]
        if action > 0.0 and w[STATUS] == RUNNING:
            w[STATUS] = STOPPED if action == 1.0 else ASSERTED
            w[CULPRIT] = i
        if w[at(COUNT) + i] >= MAX_CLOSE_EVENTS:
            if w[ZENO_HOLD] == 0.0:
                w[STATUS] = ZENO
                w[CULPRIT] = i
            else:
                w[at(HOLD) + i] = t + w[ZENO_HOLD]
    resets(t, w, at(X))
    w[FRESH] = 0.0
    for i in range(at(N_GUARDS)):
        if w[at(FIRED) + i] == 1.0 and w[at(TRIGGERED) + i] > 0.0:
            run_triggered(w)
            return


def run_triggered(w):
    """Runs the groups of calls whose triggers have fired once: outputs, then updates."""
    for i in range(at(N_GROUPS)):
        w[at(PAUSED) + i] = w[at(HIT) + i]
        w[at(HIT) + i] = 0.0
    for i in range(at(N_GUARDS)):
        group = int(w[at(TRIGGERED) + i])
        if w[at(FIRED) + i] == 1.0 and group > 0:
            w[at(HIT) + group - 1] = 1.0
    outputs(w[T], w, at(X))
    tasks(w[T], w, at(X))
    for i in range(at(N_GROUPS)):
        w[at(HIT) + i] = w[at(PAUSED) + i]
