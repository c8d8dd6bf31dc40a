"""Blocks with events whose times and values are known, and a short way to run them."""

import numpy as np
from railblocks.engine import (
    EACH,
    Block,
    Discrete,
    In,
    Out,
    Param,
    Simulation,
    State,
    check,
    der,
    guard,
    loads,
    out,
    reset,
    standard_blocks,
)


class Ticker(Block):
    """Counts zero crossings of sin(omega t); n rises at t = k pi / omega, k = 1, 2, ..."""

    id = "events.ticker"
    n = Out("1", "crossings so far", type=int)
    omega = Param("rad/s", "angular frequency", default=1.0)
    x = State("1", "sine", start=0.0)
    v = State("1", "cosine", start=1.0)
    count = Discrete("1", "crossings", type=int, start=0)

    @der("x")
    def sine(v, omega):
        return omega * v

    @der("v")
    def cosine(x, omega):
        return -omega * x

    @guard("crossing", direction="both")
    def crossing(x):
        return x

    @reset("crossing", "count")
    def tick(count):
        return count + 1

    @out("n")
    def read(count):
        return count


class Swap(Block):
    """Two states that exchange their values when the clock passes `at`: resets are simultaneous."""

    id = "events.swap"
    y1 = Out("1", "first")
    y2 = Out("1", "second")
    at = Param("s", "time of the exchange", default=1.0)
    a = State("1", "first", start=1.0)
    b = State("1", "second", start=2.0)

    @der("a", "b")
    def still():
        return 0.0, 0.0

    @guard("now")
    def now(t, at):
        return t - at

    @reset("now", "a")
    def first(b):
        return b

    @reset("now", "b")
    def second(a):
        return a

    @out("y1", "y2")
    def read(a, b):
        return a, b


class Chatter(Block):
    """x' = -sign(x): slides on x = 0, and switches without end."""

    id = "events.chatter"
    y = Out("1", "x")
    x = State("1", "x", start=0.5)
    sign = Discrete("1", "sign of x", start=1.0)

    @der("x")
    def slide(sign):
        return -sign

    @guard("switch", direction="both")
    def switch(x):
        return x

    @reset("switch", "sign")
    def turn(x):
        return 1.0 if x >= 0.0 else -1.0

    @out("y")
    def read(x):
        return x


class Follower(Block):
    """Counts rising edges of a truth value."""

    id = "events.follower"
    u = In("1", "edge", type=bool)
    n = Out("1", "edges so far", type=int)
    count = Discrete("1", "edges", type=int, start=0)

    @guard("rise")
    def rise(u):
        return 0.5 if u else -0.5

    @reset("rise", "count")
    def more(count):
        return count + 1

    @out("n")
    def read(count):
        return count


class Switching(Block):
    """y = 1 for u >= 0, else -1, held between events: its guard's name is its side."""

    id = "events.switching"
    u = In("1", "input", shape=EACH)
    y = Out("1", "side", shape=EACH)

    @guard("side", direction="both")
    def at_zero(u):
        return u

    @out("y")
    def give(side):
        return 1.0 if side else -1.0


class Crossed(Block):
    """Two guards that fire together and exchange two states."""

    id = "events.crossed"
    y = Out("1", "both states", shape=(2,))
    p = Discrete("1", "first", start=1.0)
    q = Discrete("1", "second", start=10.0)

    @guard("g1")
    def first(t):
        return t - 1.0

    @guard("g2")
    def second(t):
        return t - 1.0

    @reset("g1", "p")
    def take_q(q):
        return q

    @reset("g2", "q")
    def take_p(p):
        return p

    @out("y")
    def read(p, q, y):
        y[0] = p
        y[1] = q


REGISTRY = standard_blocks().copy()
for block in (Ticker, Swap, Chatter, Follower, Switching, Crossed):
    REGISTRY.add(block)


def run(blocks, solver, wires="[]", compiled=True, log="signals: all"):
    text = f"diagram: 1\nblocks: {{{blocks}}}\nwires: {wires}\nsolver: {{{solver}}}\nlog: {{{log}}}"
    simulation = Simulation(check(loads(text), REGISTRY), compiled)
    parts = list(simulation.chunks())
    return np.concatenate(parts), simulation


def event_times(rows):
    """Times that stand twice in the log: before and after an event."""
    t = rows[:, 0]
    return t[1:][np.diff(t) == 0]
