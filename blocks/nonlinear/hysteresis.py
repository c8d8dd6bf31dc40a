"""Blocks whose output depends on where the input came from, and friction."""

import math

from railblocks.blocks.base.kernels import clip
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
    validate,
)


class Relay(Block):
    """Two-point switch with hysteresis.

    y = high if u >= switch_on,  low if u <= switch_off,  else as before   (1)

    Works on events: reaching a level switches the relay, and no stage of a step sees both outputs.
    """

    symbol = "⎍⎍"
    u = In("?u", "input", shape=EACH)
    y = Out("?y", "output", shape=EACH)
    switch_on = Param("?u", "level at and above which the relay is on", default=0.5)
    switch_off = Param("?u", "level at and below which the relay is off", default=-0.5)
    high = Param("?y", "output while on", default=1.0)
    low = Param("?y", "output while off", default=0.0)
    on_0 = Param("1", "whether it is on if it starts in between", type=bool, default=False)
    on = Discrete("1", "whether the relay is on", shape=EACH, type=bool, start="on_0")

    @validate
    def levels_are_ordered(switch_on, switch_off):
        if switch_on <= switch_off:
            return f"switch_on = {switch_on:g}; expected more than switch_off = {switch_off:g}"

    @out("y")
    def switch(on, high, low):
        return high if on else low  # (1)

    @guard("on", initial=True)
    def at_switch_on(u, switch_on):
        return u - switch_on

    @reset("on", "on")
    def turn_on():
        return True

    @guard("off", initial=True)
    def at_switch_off(u, switch_off):
        return switch_off - u

    @reset("off", "on")
    def turn_off():
        return False


class Backlash(Block):
    """Play between input and output.

    y_k = min(max(y_{k-1}, u_k - width / 2), u_k + width / 2)              (1)

    Sampled; between samples y is held, an error of up to every max|u'|.
    """

    symbol = "▱"
    example = {"every": 1e-3}
    u = In("?u", "input", shape=EACH)
    y = Out("?u", "output, within half the width of the input", shape=EACH, before="y_0")
    width = Param("?u", "play from end to end", default=1.0, ge=0)
    y_0 = Param("?u", "output before the first sample", shape=EACH, default=0.0)
    last = Discrete("?u", "output at the last sample", shape=EACH, start="y_0")
    every = Sample()

    @out("y")
    def drag(u, last, width):
        return clip(last, u - 0.5 * width, u + 0.5 * width)  # (1)

    @update("last")
    def remember(u, last, width):
        return clip(last, u - 0.5 * width, u + 0.5 * width)  # (1)


def engaged(u, y_h, width):
    return clip(y_h, u - 0.5 * width, u + 0.5 * width)  # (1) of ContinuousBacklash


class ContinuousBacklash(Block):
    """Play between input and output, in continuous time.

    y = min(max(y_h, u - width / 2), u + width / 2)                        (1)
    y_h := y where du changes its sign                                     (2)

    Between two turns of u (1) is exact, so that y is, without a sample time; the solver lands on
    turns, and where the play is used up. du must be the rate of u, from the block that integrates
    it or from `continuous.filtered_derivative`: turns that it does not show are missed. A cycle of
    u with the amplitude a > width / 2 loses the area 2 width (a - width / 2) of its loop.
    """

    symbol = "▱ t"
    u = In("?u", "input, without jumps", shape=EACH)
    du = In("?u/s", "rate of the input", shape=EACH)
    y = Out("?u", "output, within half the width of the input", shape=EACH)
    width = Param("?u", "play from end to end", shape=EACH, default=1.0, ge=0)
    y_0 = Param("?u", "output at the start, moved to where u allows it", shape=EACH, default=0.0)
    y_h = Discrete("?u", "output at the last turn", shape=EACH, start="y_0")

    @out("y")
    def drag(u, y_h, width):
        return engaged(u, y_h, width)  # (1)

    @guard("turn", "both")
    def at_turn(du):
        return du

    @reset("turn", "y_h")
    def hold(u, y_h, width):
        return engaged(u, y_h, width)  # (2)

    @guard("up", "both")
    def at_upper_end(u, y_h, width):
        return u - 0.5 * width - y_h

    @guard("down", "both")
    def at_lower_end(u, y_h, width):
        return y_h - u - 0.5 * width


class CoulombFriction(Block):
    """Coulomb and viscous friction, regularised near zero speed.

    F = F_c tanh(v / v_0) + d v                                            (1)

    Below v_0 the sign is smoothed, so that nothing ever sticks: under a load of less than F_c a
    body creeps with up to v_0 atanh(load / F_c). `mechanics.friction_mass` sticks.
    """

    symbol = "F(v)"
    example = {"F_c": 5.0}
    v = In("m/s", "sliding speed", shape=EACH)
    F = Out("N", "force against the motion", shape=EACH)
    F_c = Param("N", "Coulomb friction force", ge=0)
    d = Param("N*s/m", "viscous friction coefficient", default=0.0, ge=0)
    v_0 = Param("m/s", "speed below which the sign is smoothed", default=1e-3, gt=0)

    @out("F")
    def rub(v, F_c, d, v_0):
        return F_c * math.tanh(v / v_0) + d * v  # (1)
