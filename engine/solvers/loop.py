"""The run loop: steps, sample hits, events and log rows, in the order of time.

`advance` goes on until the run ends, the budget of steps is used up or the log buffer is full; all
it knows is in `w`, so that calling it again goes on as if nothing had happened. It also returns,
once, before the first step that the end of the run bounds. One pass of the loop is a step of the
method (`take_step`), the log rows that fall inside it (`log_inside`), and the landing at its end
(`land`): events first, then sample hits, each followed by the guards that they trip.
"""

from __future__ import annotations

from railblocks.engine.memory.externals import at, guards, interpolate, outputs, take_step, tasks
from railblocks.engine.memory.layout import (
    CANCEL,
    COLUMNS,
    DONE,
    EVENT,
    EVENTS,
    FAILED,
    FRESH,
    G0,
    H_DONE,
    HIT,
    HITS_DONE,
    INITIAL,
    LANDING,
    LOG_DEN,
    LOG_NUM,
    LOG_SINCE,
    LOG_SKIP,
    LOG_TICK,
    LOG_TIME,
    LOGGING,
    N_COLUMNS,
    N_GROUPS,
    N_GUARDS,
    NEAR_STOP,
    NEXT,
    NO_LOOP,
    NOT_FINITE,
    PERIOD,
    PHASE,
    RAISED,
    ROWS,
    ROWS_MAX,
    RUNNING,
    STALLED,
    STARTING,
    STATE_GUARDS,
    STATUS,
    STEPPING,
    STEPS,
    T_FAILED,
    T_OLD,
    T_STOP,
    TICK,
    TICK_DEN,
    TICK_NUM,
    TICK_TIME,
    ZENO_HOLD,
    T,
    X,
    Y,
)
from railblocks.engine.solvers.events import MAX_CASCADE_ROUNDS, fire, modes_change, settle


def advance(w, log, budget):
    """Advances the run by at most `budget` steps."""
    if w[PHASE] == STARTING:
        start(w)
    first = w[STEPS]
    while w[STATUS] == RUNNING:
        if w[PHASE] == LOGGING:
            if not log_inside(w, log):
                return
            w[PHASE] = LANDING
        if w[PHASE] == LANDING:
            if w[ROWS] + 3.0 > w[ROWS_MAX]:
                return
            land(w, log)
            w[PHASE] = STEPPING
            if w[STATUS] != RUNNING:
                return
            if w[T] >= w[T_STOP]:
                w[STATUS] = DONE
                return
        if w[STEPS] - first >= budget or w[CANCEL] == 1.0:
            return
        take_step(w, next_hit(w))
        if w[NEAR_STOP] == 1.0:
            w[NEAR_STOP] = 2.0
            return
        w[PHASE] = LOGGING


def start(w):
    """The first outputs, sides of guards and hits; `initial` guards count as negative before."""
    sampled = at(N_GROUPS) > 0 and w[T] >= w[TICK_TIME]
    if sampled:
        mark_due(w)
    outputs(w[T], w, at(X))
    if at(N_GUARDS) > 0:
        for _ in range(MAX_CASCADE_ROUNDS):
            if not modes_change(w):
                break
            outputs(w[T], w, at(X))
        guards(w[T], w, at(X), at(G0))
        for i in range(at(N_GUARDS)):
            if w[at(INITIAL) + i] == 1.0:
                w[at(G0) + i] = -1.0
    if sampled:
        finish_hit(w)
    w[PHASE] = LANDING


def next_hit(w):
    """Time of the next sample hit, and of the end if there is none before."""
    if at(N_GROUPS) == 0:
        return w[T_STOP]
    return min(w[TICK_TIME], w[T_STOP])


def land(w, log):
    """Does what is due at time T: a located event, sample hits, and what they set off.

    Guards that depend on time and held values alone were looked at when the step ended.
    """
    x = at(X)
    looked_at = at(STATE_GUARDS) == 0 and w[EVENT] == 0.0 and w[ZENO_HOLD] == 0.0
    if w[EVENT] == 1.0:
        outputs(w[T], w, x)
        if w[LOG_NUM] == 0.0:
            write_row(w, log)
        fire(w)
        settle(w)
        w[EVENT] = 0.0
    if at(N_GROUPS) > 0 and w[T] >= w[TICK_TIME]:
        hit(w)
        looked_at = False
    if not looked_at or w[STEPS] == 0.0:
        settle(w)
    if w[LOG_NUM] == 0.0:
        w[LOG_SINCE] += 1.0
        if w[LOG_SINCE] >= w[LOG_SKIP] or w[T] >= w[T_STOP]:
            w[LOG_SINCE] = 0.0
            outputs(w[T], w, x)
            write_row(w, log)
    elif w[LOG_TIME] <= w[T]:
        outputs(w[T], w, x)
        row_at(w, log, w[LOG_TIME])
        next_log_time(w)
    if w[FAILED] == 1.0 and w[STATUS] == RUNNING:
        w[STATUS] = NO_LOOP


def hit(w):
    """One sample hit: all outputs in order, the events that they set off, then the updates."""
    mark_due(w)
    outputs(w[T], w, at(X))
    finish_hit(w)


def mark_due(w):
    for i in range(at(N_GROUPS)):
        w[at(HIT) + i] = 1.0 if w[at(NEXT) + i] <= w[TICK] else 0.0


def finish_hit(w):
    """Ends a sample hit: guards that it tripped act on it, then the groups that are due move on."""
    for _ in range(MAX_CASCADE_ROUNDS):
        events = w[EVENTS]
        settle(w)
        if w[EVENTS] == events:
            break
        outputs(w[T], w, at(X))
    tasks(w[T], w, at(X))
    if w[STATUS] == RAISED:
        return
    nearest = 0.0
    for i in range(at(N_GROUPS)):
        if w[at(HIT) + i] == 1.0:
            w[at(NEXT) + i] += w[at(PERIOD) + i]
            w[at(HIT) + i] = 0.0
            w[HITS_DONE] += 1.0
        if i == 0 or w[at(NEXT) + i] < nearest:
            nearest = w[at(NEXT) + i]
    w[TICK] = nearest
    w[TICK_TIME] = nearest * w[TICK_NUM] / w[TICK_DEN]
    w[FRESH] = 0.0


def next_log_time(w):
    """Rows are counted, so that their times do not drift."""
    w[LOG_TICK] += 1.0
    w[LOG_TIME] = w[LOG_TICK] * w[LOG_NUM] / w[LOG_DEN]


def log_inside(w, log):
    """Writes rows at log times before T, on the interpolant; False if the buffer is full.

    A row due within rounding of a located event belongs to the time after it.
    """
    if w[LOG_NUM] == 0.0:
        return True
    near = 1e-12 * max(1.0, abs(w[T])) if w[EVENT] == 1.0 else 0.0
    while w[LOG_TIME] < w[T] - near:
        if w[ROWS] >= w[ROWS_MAX]:
            return False
        time = w[LOG_TIME]
        interpolate((time - w[T_OLD]) / w[H_DONE], w, at(Y))
        outputs(time, w, at(Y))
        row_at(w, log, time)
        next_log_time(w)
        if not w[LOG_TIME] > time and w[STATUS] == RUNNING:
            w[STATUS] = STALLED
        if w[STATUS] != RUNNING:
            return False
    return True


def write_row(w, log):
    row_at(w, log, w[T])


def row_at(w, log, time):
    """Writes one row: time and logged signals; a value that is not finite ends the run."""
    if w[STATUS] == RAISED:
        return
    columns = at(N_COLUMNS)
    offset = int(w[ROWS]) * (columns + 1)
    log[offset] = time
    for j in range(columns):
        value = w[int(w[at(COLUMNS) + j])]
        log[offset + 1 + j] = value
        if value - value != 0.0 and w[STATUS] == RUNNING:
            w[STATUS] = NO_LOOP if w[FAILED] == 1.0 else NOT_FINITE
            w[T_FAILED] = time
    w[ROWS] += 1.0
