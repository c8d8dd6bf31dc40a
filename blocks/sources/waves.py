"""Periodic signals with jumps or kinks, on every one of which the solver lands.

Edges are counted, so the solver cannot step over one and times do not drift. A run is taken to
start at t = 0: one that starts later than the first period finds its edges by error control only.
"""

from railblocks.engine.declaration import Block, Discrete, Out, Param, guard, out, reset


def edge(k, period, width, delay):
    """Time of edge k: even edges begin a period, odd ones end its first part."""
    return delay + (k // 2) * period + (width * period if k % 2 == 1 else 0.0)


def edges_passed(t, period, width, delay):
    """How many edges lie at or before t."""
    if t < delay:
        return 0
    k = 2 * int((t - delay) / period)
    while k > 0 and edge(k, period, width, delay) > t:
        k -= 2
    while edge(k + 2, period, width, delay) <= t:
        k += 2
    return k + 2 if edge(k + 1, period, width, delay) <= t else k + 1


class Pulse(Block):
    """Rectangular pulses.

    y = amplitude  for t_n <= t < t_n + width period,  else 0              (1)
    t_n = delay + n period,  n = 0, 1, 2, ...                              (2)
    """

    symbol = "⎍"
    example = {"period": 2.0}
    y = Out("?y", "output")
    amplitude = Param("?y", "height of the pulses", default=1.0)
    period = Param("s", "time from pulse to pulse", gt=0)
    width = Param("1", "part of the period that a pulse lasts", default=0.5, gt=0, le=1)
    delay = Param("s", "time of the first pulse", default=0.0, ge=0)
    k = Discrete("1", "number of the next edge; edge 0 has its own guard", type=int, start=1)

    @out("y")
    def pulse(t, amplitude, period, width, delay):
        return amplitude if edges_passed(t, period, width, delay) % 2 == 1 else 0.0

    @guard("begin")
    def at_begin(t, delay):
        return t - delay

    @guard("edge")
    def at_edge(t, k, period, width, delay):
        return t - edge(k, period, width, delay)

    @reset("edge", "k")
    def next_edge(t, period, width, delay):
        return edges_passed(t, period, width, delay)


class Square(Pulse):
    """A square wave.

    y = amplitude  for t_n <= t < t_n + width period,  else -amplitude     (1)
    t_n = delay + n period,  n = 0, 1, 2, ...                              (2)
    """

    symbol = "⊓⊔"

    @out("y")
    def pulse(t, amplitude, period, width, delay):
        return amplitude if edges_passed(t, period, width, delay) % 2 == 1 else -amplitude


class Triangle(Pulse):
    """A triangle wave: up during the first part of each period, down during the rest.

    y = amplitude (2 r - 1)                                                (1)
    r = (t - t_n) / (width period), then 1 - (t - t_n - width period) / ((1 - width) period)   (2)
    t_n = delay + n period,  n = 0, 1, 2, ...;  r = 0 before the first     (3)
    """

    symbol = "/\\"

    @out("y")
    def pulse(t, amplitude, period, width, delay):
        passed = edges_passed(t, period, width, delay)
        if passed == 0:
            return -amplitude
        since = t - edge(passed - 1, period, width, delay)
        up = passed % 2 == 1
        r = since / (width * period) if up else 1.0 - since / ((1.0 - width) * period)  # (2)
        return amplitude * (2.0 * r - 1.0)


class Sawtooth(Triangle):
    """A sawtooth wave: up from -amplitude to amplitude, then a jump back.

    y = amplitude (2 (t - t_n) / period - 1)                               (1)
    t_n = delay + n period,  n = 0, 1, 2, ...;  y = -amplitude before the first          (2)

    A `width` below 1 makes the way back as long as 1 - width of the period.
    """

    symbol = "/|"
    width = Param("1", "part of the period that the rise lasts", default=1.0, gt=0, le=1)
