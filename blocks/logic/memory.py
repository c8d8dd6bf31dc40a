"""Truth values that remember: edges, latches, counters and timers."""

from railblocks.blocks.base.edges import EDGES
from railblocks.blocks.base.variants import variant
from railblocks.engine.declaration import (
    Block,
    Discrete,
    In,
    Out,
    Param,
    Sample,
    guard,
    out,
    reset,
    update,
)

ROUNDING = 4.0 * 2.220446049250313e-16
"""Rounding error of a sum of two times, over their size: it may be late by a bit or two."""


def falls(u, last):
    return last and not u


def changes(u, last):
    return u != last


class EdgeDetector(Block):
    """True for one sample when the input has changed since the last sample.

    rising: y_k = u_k and not u_{k-1}                                      (1)
    falling: y_k = not u_k and u_{k-1};  either: y_k = (u_k != u_{k-1})    (2)
    """

    symbol = "↑"
    example = {"every": 0.1}
    u = In("1", "input", type=bool)
    y = Out("1", "whether an edge lies between this sample and the last", type=bool)
    edge = Param(
        "1",
        "which edges count",
        type=str,
        default="rising",
        choices=EDGES,
    )
    u_0 = Param("1", "input before the first sample", type=bool, default=False)
    last = Discrete("1", "input at the last sample", type=bool, start="u_0")
    every = Sample()

    @classmethod
    def specialise(cls, values):
        kernels = {"falling": falls, "either": changes}
        kernel = kernels.get(values["edge"])
        return variant(cls, detect=out("y")(kernel)) if kernel else cls

    @out("y")
    def detect(u, last):
        return u and not last

    @update("last")
    def remember(u):
        return u


class Latch(Block):
    """Set-reset latch: remembers which of its inputs was last true; off wins.

    y = false if off,  true if on and not off,  else q                     (1)
    q := y when `on` or `off` falls                                        (2)

    Works on events, without a sample time.
    """

    symbol = "S R"
    on = In("1", "sets the output", type=bool)
    off = In("1", "resets the output, also against `on`", type=bool)
    y = Out("1", "state of the latch", type=bool)
    q_0 = Param("1", "state before any input was true", type=bool, default=False)
    q = Discrete("1", "state while both inputs are false", type=bool, start="q_0")

    @out("y")
    def read(on, off, q):
        return not off and (on or q)  # (1)

    @guard("on_falls", "falling")
    def at_on(on):
        return 0.5 if on else -0.5

    @reset("on_falls", "q")
    def keep_on(off):
        return not off  # (2)

    @guard("off_falls", "falling")
    def at_off(off):
        return 0.5 if off else -0.5

    @reset("off_falls", "q")
    def keep_off():
        return False  # (2)


class Counter(Block):
    """Counts rising edges.

    y := y + 1 when u rises,  y := y_0 when `clear` rises                  (1)

    Works on events, without a sample time. When both rise together, the count is cleared.
    """

    symbol = "123"
    u = In("1", "its rising edges are counted", type=bool)
    clear = In("1", "sets the count back when it rises", type=bool, default=False)
    y = Out("1", "count", type=int)
    y_0 = Param("1", "count at the start and after `clear`", type=int, default=0)
    count = Discrete("1", "count", type=int, start="y_0")

    @out("y")
    def read(count):
        return count

    @guard("edge")
    def at_edge(u):
        return 0.5 if u else -0.5

    @reset("edge", "count")
    def add(count):
        return count + 1  # (1)

    @guard("clear")
    def at_clear(clear):
        return 0.5 if clear else -0.5

    @reset("clear", "count")
    def back(y_0):
        return y_0  # (1)


class OnDelay(Block):
    """True once the input has been true for some time; false at once with the input.

    y = u(t') for all t' in [t - delay, t]                                 (1)

    Works on events, without a sample time. An input that is true at the start counts from there.
    """

    symbol = "⏱"
    example = {"delay": 0.5}
    u = In("1", "input", type=bool)
    y = Out("1", "delayed input", type=bool)
    delay = Param("s", "how long the input must be true", gt=0)
    since = Discrete("s", "time at which the input last changed")
    phase = Discrete("1", "0 input false, 1 waiting, 2 delay over", type=int, ge=0, le=2)

    @out("y")
    def read(u, phase):
        return u and phase == 2

    @guard("elapsed")
    def at_end(t, since, phase, delay):
        return t - since - delay + ROUNDING * (abs(since) + delay) if phase == 1 else -1.0

    @reset("elapsed", "phase")
    def finish():
        return 2

    @guard("edge", "both", initial=True)
    def at_edge(u):
        return 0.5 if u else -0.5

    @reset("edge", "since", "phase")
    def begin(t, u):
        return t, 1 if u else 0


class OffDelay(OnDelay):
    """True at once with the input; false once the input has been false for some time.

    y = u(t') for some t' in [t - delay, t]                                (1)

    Works on events, without a sample time. Before the start the input counts as false.
    """

    u = In("1", "input", type=bool)
    y = Out("1", "input, held on", type=bool)
    delay = Param("s", "how long the input must be false", gt=0)
    phase = Discrete("1", "0 delay over, 1 waiting, 2 input true", type=int, ge=0, le=2)

    @out("y")
    def read(u, phase):
        return u or phase == 1

    @reset("elapsed", "phase")
    def finish():
        return 0

    @reset("edge", "since", "phase")
    def begin(t, u):
        return t, 2 if u else 1


class OneShot(Block):
    """A pulse of fixed length after each rising edge.

    y = true  for t_n <= t < t_n + length,  t_n the last rising edge that counts           (1)

    Without `again` edges within a pulse do not count, with it they begin the pulse anew. Works on
    events, without a sample time. An input that is true at the start is no edge.
    """

    symbol = "⎍1"
    example = {"length": 0.5}
    u = In("1", "its rising edges begin pulses", type=bool)
    y = Out("1", "whether there is a pulse", type=bool)
    length = Param("s", "length of a pulse", gt=0)
    again = Param("1", "whether edges within a pulse begin it anew", type=bool, default=False)
    since = Discrete("s", "time at which the pulse began")
    on = Discrete("1", "whether there is a pulse", type=bool)

    @out("y")
    def read(on):
        return on

    @guard("elapsed")
    def at_end(t, since, on, length):
        return t - since - length + ROUNDING * (abs(since) + length) if on else -1.0

    @reset("elapsed", "on")
    def finish():
        return False

    @guard("edge")
    def at_edge(u):
        return 0.5 if u else -0.5

    @reset("edge", "since", "on")
    def begin(t, since, on, again):
        return t if again or not on else since, True
