"""Functions of time in closed form.

Jumps and kinks are events that are counted: the solver lands on each, and no stage of a step sees
what comes after it. Before the first event, at the start of the run, the count follows from the
time alone.
"""

import math

import numpy as np
from railblocks.engine.declaration import (
    EACH,
    Block,
    Derived,
    Discrete,
    Out,
    Param,
    derive,
    guard,
    out,
    reset,
    validate,
)
from railblocks.engine.units.times import nearest_times


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
    k = Discrete(
        "1", "number of jumps passed; -1 before the first event", type=int, start=-1, ge=-1, le=1
    )

    @out("y")
    def jump(t, k, time, before, after):
        return after if k == 1 or (k < 0 and t >= time) else before  # (1)

    @guard("jump", initial=True)
    def at_jump(t, k, time):
        return t - time if k >= 0 else 0.0

    @reset("jump", "k")
    def pass_jump(t, time):
        return 1 if t >= time else 0


def kinks_passed(t, delay, end):
    """How many of the two kinks of a ramp lie at or before t."""
    return 0 if t < delay else (1 if t < end else 2)


class Ramp(Block):
    """A straight line that begins after a delay and may end at a limit.

    y = y_0 + slope min(max(t - delay, 0), T),  T = |limit - y_0| / |slope|              (1)

    The solver lands on both kinks.
    """

    symbol = "_/"
    example = {"delay": 0.5, "slope": 2.0, "limit": 10.0}
    y = Out("?y", "output", shape=EACH)
    delay = Param("s", "time at which the ramp begins", default=0.0)
    slope = Param("?y/s", "rise per second", shape=EACH, default=1.0)
    y_0 = Param("?y", "value before the ramp", shape=EACH, default=0.0)
    limit = Param("?y", "value at which the ramp ends", shape=EACH, default=math.inf)
    end = Derived("s", "time at which the limit is reached, delay + T", shape=EACH)
    k = Discrete(
        "1",
        "number of kinks passed; -1 before the first event",
        shape=EACH,
        type=int,
        start=-1,
        ge=-1,
        le=2,
    )

    @validate
    def limit_lies_ahead(slope, y_0, limit):
        ahead = np.where(np.isfinite(limit), limit, y_0) - np.asarray(y_0)
        against = ahead * slope < 0
        if np.any(against):
            return (
                f"limit = {limit} is never reached from y_0 = {y_0} with slope = {slope}; "
                "expected a limit in the direction of the slope"
            )

    @derive("end")
    def time_of_limit(delay, slope, y_0, limit):
        rate, distance = np.abs(slope), np.abs(np.subtract(limit, y_0))
        end = np.where(rate > 0, delay + distance / np.where(rate > 0, rate, 1.0), np.inf)
        return nearest_times(end)

    @out("y")
    def rise(t, k, delay, slope, y_0, limit, end):
        passed = k if k >= 0 else kinks_passed(t, delay, end)
        if passed == 1:
            return y_0 + slope * (t - delay)  # (1)
        return y_0 if passed == 0 else limit

    @guard("kink", initial=True)
    def at_kink(t, k, delay, end):
        return 0.0 if k < 0 else t - (delay if k == 0 else end)

    @reset("kink", "k")
    def pass_kink(t, delay, end):
        return kinks_passed(t, delay, end)


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
