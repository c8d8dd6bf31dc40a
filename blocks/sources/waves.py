"""Periodic signals with jumps or kinks, on every one of which the solver lands.

Edges are counted, so that none is stepped over, times do not drift, and a step never sees what
comes after its next edge. Before the first event, at the start of the run, the count follows from
the time alone.
"""

from railblocks.engine.declaration import (
    Block,
    Derived,
    Discrete,
    Out,
    Param,
    derive,
    guard,
    out,
    reset,
)
from railblocks.engine.units.times import LARGEST_WHOLE, seconds

from .instants import over_one_denominator

DELAY, PERIOD, FIRST, DENOMINATOR = range(4)
ROUNDED = 4  # periods by which rounding may put a count wrong, at most


def clock_of(period, width, delay):
    """What `edge` needs: delay, period and first part of a period, over one denominator."""
    first = seconds(period) * seconds(width)
    numerators, denominator = over_one_denominator([delay, period, first])
    return [*numerators, denominator]


def edges_per_period(clock):
    return 1 if clock[FIRST] == clock[PERIOD] else 2


def edge(k, clock):
    """Time of edge k: a period begins, or its first part ends."""
    n = edges_per_period(clock)
    first = clock[FIRST] if k % n == 1 else 0.0
    return (clock[DELAY] + (k // n) * clock[PERIOD] + first) / clock[DENOMINATOR]


def edges_passed(t, clock):
    """How many edges lie at or before t."""
    if t < edge(0, clock):
        return 0
    n = edges_per_period(clock)
    k = n * int(min((t * clock[DENOMINATOR] - clock[DELAY]) / clock[PERIOD], LARGEST_WHOLE))
    for _ in range(ROUNDED):
        if k > 0 and edge(k, clock) > t:
            k -= n
    for _ in range(ROUNDED):
        if edge(k + n, clock) <= t:
            k += n
    return k + 2 if n == 2 and edge(k + 1, clock) <= t else k + 1


def edge_count(k, t, clock):
    """The count k of edges passed; before the first event, from the time."""
    return k if k >= 0 else edges_passed(t, clock)


def in_first_part(count, clock):
    return count > 0 and (count - 1) % edges_per_period(clock) == 0


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
    delay = Param("s", "time of the first pulse", default=0.0)
    clock = Derived("s", "delay, period, width period and their denominator", shape=(4,))
    k = Discrete(
        "1", "number of edges passed; -1 before the first event", type=int, start=-1, ge=-1
    )

    @derive("clock")
    def instants(period, width, delay):
        return clock_of(period, width, delay)

    @out("y")
    def pulse(t, k, amplitude, clock):
        return amplitude if in_first_part(edge_count(k, t, clock), clock) else 0.0  # (1)

    @guard("edge", initial=True)
    def at_edge(t, k, clock):
        return t - edge(k, clock) if k >= 0 else 0.0

    @reset("edge", "k")
    def next_edge(t, clock):
        k = edges_passed(t, clock)
        if edge(k, clock) <= t:
            raise ValueError("the period is shorter than floats can distinguish; take a longer one")
        return k


class Square(Pulse):
    """A square wave.

    y = amplitude  for t_n <= t < t_n + width period,  else -amplitude     (1)
    t_n = delay + n period,  n = 0, 1, 2, ...                              (2)
    """

    symbol = "⊓⊔"
    amplitude = Param("?y", "amplitude", default=1.0)
    width = Param("1", "part of the period with the upper value", default=0.5, gt=0, le=1)
    delay = Param("s", "time of the first rise", default=0.0)

    @out("y")
    def pulse(t, k, amplitude, clock):
        return amplitude if in_first_part(edge_count(k, t, clock), clock) else -amplitude  # (1)


class Triangle(Pulse):
    """A triangle wave: up during the first part of each period, down during the rest.

    y = amplitude (2 r - 1)                                                (1)
    r = (t - t_n) / (width period), then 1 - (t - t_n - width period) / ((1 - width) period)   (2)
    t_n = delay + n period,  n = 0, 1, 2, ...;  r = 0 before the first     (3)
    """

    symbol = "/\\"
    amplitude = Param("?y", "amplitude", default=1.0)
    width = Param("1", "part of the period that the rise lasts", default=0.5, gt=0, le=1)
    delay = Param("s", "time at which the first rise begins", default=0.0)

    @out("y")
    def pulse(t, k, amplitude, clock):
        count = edge_count(k, t, clock)
        if count == 0:
            return -amplitude
        since = (t - edge(count - 1, clock)) * clock[DENOMINATOR]
        up = in_first_part(count, clock)
        r = since / clock[FIRST] if up else 1.0 - since / (clock[PERIOD] - clock[FIRST])  # (2)
        return amplitude * (2.0 * r - 1.0)  # (1)


class Sawtooth(Triangle):
    """A sawtooth wave: up from -amplitude to amplitude, then a jump back.

    y = amplitude (2 (t - t_n) / period - 1)                               (1)
    t_n = delay + n period,  n = 0, 1, 2, ...;  y = -amplitude before the first          (2)

    A `width` below 1 makes the way back as long as 1 - width of the period.
    """

    symbol = "/|"
    width = Param("1", "part of the period that the rise lasts", default=1.0, gt=0, le=1)
