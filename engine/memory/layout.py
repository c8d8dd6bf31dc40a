"""Where everything of a running simulation lies: one array of doubles.

The array `w` holds clock and counters (the header), parameters, signals, discrete and continuous
states and the workspace of the solver, so that a run can be stopped, copied and resumed at any
major step. The header's slots are fixed; sections follow it, and the compiled program asks for
their offsets with `at(SECTION)`, a constant by the time it is optimised.
"""

from __future__ import annotations

from dataclasses import dataclass

# --- header: one double each -------------------------------------------------------------------
(
    T,  # time of the state in section X
    T_OLD,  # time at which the last step began
    H,  # step the controller wants next
    H_DONE,  # step over which the interpolant holds
    T_START,
    T_STOP,
    H_MAX,
    H_MIN,
    H_FIXED,  # step of fixed-step methods, 0 for variable ones
    STEP_NUM,  # the fixed step as a rational
    STEP_DEN,
    RTOL,
    ERROR_OLD,  # scaled error of the last accepted step, for the PI controller
    FRESH,  # where the derivative at T is: 0 nowhere, 1 first in K, 2 last in K, 3 as 1 at a start
    STATUS,
    PHASE,
    STEPS,
    REJECTED,
    EVALUATIONS,
    EVENTS,
    HITS_DONE,
    TICK,  # ticks are TICK_NUM / TICK_DEN seconds
    TICK_NUM,
    TICK_DEN,
    LOG_NUM,  # log period as a rational, or 0: a row at every step
    LOG_DEN,
    LOG_TICK,
    LOG_SKIP,  # a row every so many steps
    LOG_SINCE,
    ROWS,  # rows in the log buffer now
    ROWS_MAX,
    EVENT,  # 1 if the last step ended at a located event
    CULPRIT,  # guard, loop or call at which the run stopped
    ZENO_HOLD,  # 0: policy stop; otherwise the dwell time in seconds
    RESIDUAL,  # of an algebraic loop that failed
    RUN_SEED,
    CALLBACK,  # address of the callback for blocks that are not compiled
    FAILED,  # 1 if an algebraic loop failed during an evaluation
    JACOBIANS,
    LU_COUNT,
    RESTART,  # 1 if the next step has to be guessed anew
    LAST_EVENT,  # time between the last two events that changed continuous states, or 0
    ORDER,  # order of the method's error estimate plus one
    DENSE,  # 1 once the method has prepared its interpolant
    STICKY,  # 1 if the method prefers to keep its step (matrices are factorised for it)
    H_FACTORS,  # step for which the matrices are factorised, or 0
    OLD_JACOBIAN,  # 1 if the Jacobian belongs to an earlier time
    NEW_JACOBIAN,  # 1 if the next step has to make a new one
    T_FAILED,  # time of the log row that is not finite, or of the call that raised an exception
    CEILING,  # step that was rejected last
    PATIENCE,  # accepted steps for which it limits the step, doubled when it was rejected again
    CALM,  # accepted steps since then
    UNIT_ATOL,  # absolute tolerance of states of size 1; section ATOL has that of each state
    CURRENT,  # number, from 1, of the call at work that might never end, or 0
    CANCEL,  # 1 if the run is asked to end after the step at work
    SINGULAR,  # 1 if the matrix of the algebraic loop that failed is singular
    EDGE,  # of the method's stability: step times largest eigenvalue, or 0 if it has none
    EDGE_ROW,  # of the method's last stage but one in section K
    PROBES,  # steps that were looked at for signs of stiffness
    STIFF_PROBES,  # those of them beyond the edge
    NEAR_STOP,  # 0 until T_STOP bounds a step, 1 while that step waits, 2 from then on
    TICK_TIME,  # time of the next sample hit
    LOG_TIME,  # time of the next row, where rows have a period
) = range(63)
HEADER = 64

# --- sections ----------------------------------------------------------------------------------
SECTIONS = (
    "P",  # parameters
    "S",  # signals
    "Z",  # discrete states
    "NEW",  # values that states are about to take
    "X",  # continuous states at T
    "X0",  # continuous states at T_OLD
    "Y",  # stage values, interpolated states
    "ATOL",
    "PEAK",  # largest size that each continuous state had at the begin of a step
    "K",  # workspace of the method
    "PERIOD",  # per sample-time group, in ticks
    "NEXT",  # tick of the next hit
    "HIT",  # 1 where the group is hit now
    "PAUSED",  # what HIT is again after a trigger
    "G0",  # guard values before
    "G1",  # guard values after
    "G2",  # guard values while locating
    "MODE",  # 1 where the guard was not negative when it was last looked at
    "FIRED",
    "DIRECTION",  # 1 rising, -1 falling, 0 both
    "ACTION",  # 0 reset, 1 stop, 2 fail
    "INITIAL",  # 1 where the guard fires if it is not negative at the start
    "TRIGGERED",  # number, from 1, of the group of calls that run where the guard fires, or 0
    "RESETS_X",  # 1 where the guard's reset changes continuous states
    "LAST",  # time of the guard's last event
    "COUNT",  # events in close succession
    "HOLD",  # time until which the guard is held
    "COLUMNS",  # offsets of logged signals
    "LOOPS",  # workspace of algebraic loops
    "PATTERN",  # for each derivative and colour: the state of that colour it depends on, or -1
    "CARRIED",  # what the call that raised an exception was given, unless it lies elsewhere in w
    "END",
)
(
    P,
    S,
    Z,
    NEW,
    X,
    X0,
    Y,
    ATOL,
    PEAK,
    K,
    PERIOD,
    NEXT,
    HIT,
    PAUSED,
    G0,
    G1,
    G2,
    MODE,
    FIRED,
    DIRECTION,
    ACTION,
    INITIAL,
    TRIGGERED,
    RESETS_X,
    LAST,
    COUNT,
    HOLD,
    COLUMNS,
    LOOPS,
    PATTERN,
    CARRIED,
    END,
) = range(len(SECTIONS))
(
    N_X,
    N_GUARDS,
    N_GROUPS,
    N_COLUMNS,
    N_COLOURS,
    STATE_GUARDS,  # 1 if a guard depends on continuous states
) = range(len(SECTIONS), len(SECTIONS) + 6)

# --- status ------------------------------------------------------------------------------------
RUNNING, DONE, STOPPED, TINY_STEP, NOT_FINITE, ZENO, ASSERTED, NO_LOOP, RAISED, STALLED = range(10)
# --- phase -------------------------------------------------------------------------------------
STARTING, STEPPING, LOGGING, LANDING = range(4)


@dataclass(frozen=True)
class Layout:
    """Offsets of the sections and the sizes that the program needs."""

    offsets: tuple[int, ...]

    @classmethod
    def of(cls, sizes: dict[str, int], counts: tuple[int, ...]) -> Layout:
        """Section lengths by name (missing means empty); counts from N_X on."""
        offsets, offset = [], HEADER
        for name in SECTIONS:
            offsets.append(offset)
            offset += sizes.get(name, 0)
        return cls((*offsets, *counts))

    def __getitem__(self, section: int) -> int:
        return self.offsets[section]

    @property
    def size(self) -> int:
        return self.offsets[END]
