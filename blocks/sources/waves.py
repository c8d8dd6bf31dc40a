"""Periodic signals with jumps or kinks, on every one of which the solver lands.

Edges are counted, so that none is stepped over, times do not drift, and a step never sees what
comes after its next edge. Before the first event, at the start of the run, the count follows from
the time alone.
"""

from railblocks.engine.declaration import Block, Discrete, Out, Param, guard, out, reset


def edges_per_period(width):
    return 1 if width == 1.0 else 2


def edge(k, period, width, delay):
    """Time of edge k: a period begins, or its first part ends."""
    n = edges_per_period(width)
    return delay + (k // n) * period + (k % n) * width * period


def edges_passed(t, period, width, delay):
    """How many edges lie at or before t."""
    if t < delay:
        return 0
    n = edges_per_period(width)
    k = n * int((t - delay) / period)
    while k > 0 and edge(k, period, width, delay) > t:
        k -= n
    while edge(k + n, period, width, delay) <= t:
        k += n
    return k + 2 if n == 2 and edge(k + 1, period, width, delay) <= t else k + 1


def edge_count(k, t, period, width, delay):
    """The count k of the events, or what the time says before the first of them."""
    return k if k >= 0 else edges_passed(t, period, width, delay)


def in_first_part(count, width):
    return count > 0 and (count - 1) % edges_per_period(width) == 0


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
    k = Discrete("1", "number of edges passed; -1 before the first event", type=int, start=-1)

    @out("y")
    def pulse(t, k, amplitude, period, width, delay):
        count = edge_count(k, t, period, width, delay)
        return amplitude if in_first_part(count, width) else 0.0

    @guard("edge", initial=True)
    def at_edge(t, k, period, width, delay):
        return t - edge(k, period, width, delay) if k >= 0 else 0.0

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
    def pulse(t, k, amplitude, period, width, delay):
        count = edge_count(k, t, period, width, delay)
        return amplitude if in_first_part(count, width) else -amplitude


class Triangle(Pulse):
    """A triangle wave: up during the first part of each period, down during the rest.

    y = amplitude (2 r - 1)                                                (1)
    r = (t - t_n) / (width period), then 1 - (t - t_n - width period) / ((1 - width) period)   (2)
    t_n = delay + n period,  n = 0, 1, 2, ...;  r = 0 before the first     (3)
    """

    symbol = "/\\"

    @out("y")
    def pulse(t, k, amplitude, period, width, delay):
        count = edge_count(k, t, period, width, delay)
        if count == 0:
            return -amplitude
        since = t - edge(count - 1, period, width, delay)
        up = in_first_part(count, width)
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
