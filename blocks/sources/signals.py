"""Functions of time in closed form."""

import math

import numpy as np
from railblocks.engine.declaration import EACH, Block, Out, Param, check, guard, out


class Constant(Block):
    """A constant, scalar or array.

    y = value                                                              (1)
    """

    symbol = "c"
    y = Out("?y", "the constant", shape=EACH)
    value = Param("?y", "the constant", shape=EACH, default=1.0)

    @out("y")
    def give(value):
        return value


class IntegerConstant(Block):
    """A whole number, for counts and port numbers.

    y = value                                                              (1)
    """

    symbol = "n"
    y = Out("1", "the number", type=int)
    value = Param("1", "the number", type=int, default=1)

    @out("y")
    def give(value):
        return value


class BooleanConstant(Block):
    """True or false.

    y = value                                                              (1)
    """

    symbol = "true"
    y = Out("1", "the truth value", type=bool)
    value = Param("1", "the truth value", type=bool, default=True)

    @out("y")
    def give(value):
        return value


class Clock(Block):
    """The time.

    y = t                                                                  (1)
    """

    symbol = "t"
    y = Out("s", "time of the simulation")

    @out("y")
    def give(t):
        return t


class Step(Block):
    """A jump; the solver lands on it.

    y = before  for t < time,  after  for t >= time                        (1)
    """

    symbol = "_|‾"
    y = Out("?y", "output", shape=EACH)
    time = Param("s", "time of the jump", default=1.0)
    before = Param("?y", "value until the jump", shape=EACH, default=0.0)
    after = Param("?y", "value from the jump on", shape=EACH, default=1.0)

    @out("y")
    def jump(t, time, before, after):
        return after if t >= time else before

    @guard("jump")
    def at_jump(t, time):
        return t - time


class Ramp(Block):
    """A straight line that begins after a delay and may end at a limit.

    y = start + slope min(max(t - delay, 0), T),  T = |limit - start| / |slope|      (1)

    The solver lands on both kinks.
    """

    symbol = "_/"
    y = Out("?y", "output", shape=EACH)
    delay = Param("s", "time at which the ramp begins", default=0.0)
    slope = Param("?y/s", "rise per second", shape=EACH, default=1.0)
    start = Param("?y", "value before the ramp", shape=EACH, default=0.0)
    limit = Param("?y", "value at which the ramp ends", shape=EACH, default=math.inf)

    @check
    def limit_lies_ahead(slope, start, limit):
        against = np.isfinite(limit) & ((np.asarray(limit) - start) * slope < 0)
        if np.any(against):
            return (
                f"limit = {limit} is never reached from start = {start} with slope = {slope}; "
                "expected a limit in the direction of the slope"
            )

    @out("y")
    def rise(t, delay, slope, start, limit):
        if t <= delay:
            return start
        change = slope * (t - delay)  # (1)
        return limit if abs(change) >= abs(limit - start) else start + change

    @guard("begin")
    def at_begin(t, delay):
        return t - delay

    @guard("end")
    def at_end(t, delay, slope, start, limit):
        return abs(slope) * (t - delay) - abs(limit - start)


class Sine(Block):
    """A sine wave.

    y = bias + amplitude sin(omega t + phase)                              (1)

    A frequency f in hertz is omega = 2 pi f; as rad = 1, "50 Hz" here would mean 50 rad/s.
    """

    symbol = "∿"
    y = Out("?y", "output", shape=EACH)
    amplitude = Param("?y", "amplitude", shape=EACH, default=1.0)
    omega = Param("rad/s", "angular frequency", shape=EACH, default=1.0)
    phase = Param("rad", "phase at t = 0", shape=EACH, default=0.0)
    bias = Param("?y", "mean value", shape=EACH, default=0.0)

    @out("y")
    def wave(t, amplitude, omega, phase, bias):
        return bias + amplitude * math.sin(omega * t + phase)


class Chirp(Block):
    """A sine wave whose frequency changes at a constant rate.

    y = amplitude sin(2 pi (f_0 t + (f_1 - f_0) t^2 / (2 T)))              (1)

    The frequency passes f_1 at t = T and goes on from there.
    """

    symbol = "∿∿"
    y = Out("?y", "output")
    amplitude = Param("?y", "amplitude", default=1.0)
    f_0 = Param("Hz", "frequency at t = 0", default=0.1, ge=0)
    f_1 = Param("Hz", "frequency at t = T", default=1.0, ge=0)
    T = Param("s", "time at which f_1 is reached", default=100.0, gt=0)

    @out("y")
    def wave(t, amplitude, f_0, f_1, T):
        return amplitude * math.sin(2.0 * math.pi * t * (f_0 + (f_1 - f_0) * t / (2.0 * T)))
