"""Delays and holds."""

from dataclasses import replace

from railblocks.blocks.base.kernels import push
from railblocks.blocks.base.variants import signal_type, typed, variant
from railblocks.engine.declaration import (
    EACH,
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


class ZeroOrderHold(Block):
    """Input at the last sample.

    y(t) = u(t_k),  t_k <= t < t_{k+1};  0 before the first sample         (1)
    """

    symbol = "ZOH"
    example = {"every": 0.1}
    u = In("?u", "input", shape=EACH)
    y = Out("?u", "sampled input", shape=EACH)
    signal_type = signal_type()
    every = Sample()

    @classmethod
    def specialise(cls, values):
        return typed(cls, values, "u", "y")

    @out("y")
    def sample(u):
        return u


class UnitDelay(Block):
    """Input one sample ago.

    y_k = u_{k-1},  y_0 at the first sample                                (1)
    """

    symbol = "1/z"
    example = {"every": 0.1}
    u = In("?u", "input", shape=EACH)
    y = Out("?u", "delayed input", shape=EACH, before="y_0")
    y_0 = Param("?u", "output up to the first sample; 1 for true", shape=EACH, default=0.0)
    signal_type = signal_type()
    last = Discrete("?u", "input at the last sample", shape=EACH, start="y_0")
    every = Sample()

    @classmethod
    def specialise(cls, values):
        return typed(cls, values, "u", "y", "last")

    @out("y")
    def read(last):
        return last

    @update("last")
    def remember(u):
        return u


def passed(u):
    return u


class Delay(Block):
    """Input n samples ago.

    y_k = u_{k-n},  y_0 at the first n samples                             (1)

    With n = 0 the input goes through at once.
    """

    symbol = "z⁻ⁿ"
    example = {"n": 3, "every": 0.1}
    u = In("?u", "input", shape=EACH)
    y = Out("?u", "delayed input", shape=EACH, before="y_0")
    n = Param("1", "number of samples", type=int, ge=0)
    y_0 = Param("?u", "output at the first samples", shape=EACH, default=0.0)
    past = Discrete(
        "?u", "inputs at the last samples, newest first", shape=(EACH, "n"), start="y_0"
    )
    every = Sample()

    @classmethod
    def specialise(cls, values):
        if values["n"] == 0:
            return variant(cls, past=None, shift=None, read=out("y")(passed))
        return cls

    @out("y")
    def read(past):
        return past[len(past) - 1]

    @update("past")
    def shift(u, past, next_past):
        push(u, past, next_past)


class RateTransition(Block):
    """Signal between blocks of two sample times, of which the slower is a multiple of the faster.

    y(t) = u(t_k)      to: slower,  t_k <= t < t_{k+1},  y_0 before t_0    (1)
    y(t) = u(t_{k-1})  to: faster,  y_0 before t_1                         (2)

    t_k = offset + k every are the hits of the slower side, all of which the faster side must have
    too: any other sample time on either side is refused. (2) hands over what the slower side wrote
    one of its periods ago, so that it may take all of that to compute; a wire alone hands over at
    once. What is not sampled may drive it and read it.
    """

    symbol = "⇅"
    example = {"to": "faster", "every": 0.1}
    u = In("?u", "input", shape=EACH, paced="own")
    y = Out("?u", "the same signal for the other side", shape=EACH, before="y_0", paced="faster")
    to = Param("1", "pace of what reads it", type=str, choices=("slower", "faster"))
    y_0 = Param("?u", "output at first; 1 for true", shape=EACH, default=0.0)
    signal_type = signal_type()
    last = Discrete("?u", "input one period of the slower side ago", shape=EACH, start="y_0")
    every = Sample("sample time of the slower side")

    @classmethod
    def specialise(cls, values):
        if values["to"] == "faster":
            return typed(cls, values, "u", "y", "last")
        u, y = replace(cls.u, paced="faster"), replace(cls.y, paced="own")
        block = variant(cls, u=u, y=y, last=None, remember=None, read=out("y")(passed))
        return typed(block, values, "u", "y")

    @out("y")
    def read(last):
        return last

    @update("last")
    def remember(u):
        return u


class Memory(Block):
    """Input when the trigger last rose.

    y := u when `trigger` rises,  y_0 before                               (1)

    Works on events, without a sample time. Not Simulink's Memory, which gives its input at the last
    step of the solver: that would make results depend on steps, take `discrete.unit_delay`. What
    is here is Simulink's Sample and Hold.
    """

    symbol = "M"
    u = In("?u", "input", shape=EACH)
    trigger = In("1", "takes the input over when it rises", type=bool)
    y = Out("?u", "remembered input", shape=EACH)
    y_0 = Param("?u", "output before the first trigger; 1 for true", shape=EACH, default=0.0)
    signal_type = signal_type()
    kept = Discrete("?u", "remembered input", shape=EACH, start="y_0")

    @classmethod
    def specialise(cls, values):
        return typed(cls, values, "u", "y", "kept")

    @out("y")
    def read(kept):
        return kept

    @guard("trigger")
    def at_trigger(trigger):
        return 0.5 if trigger else -0.5

    @reset("trigger", "kept")
    def take(u):
        return u
