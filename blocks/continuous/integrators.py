"""Integrators, free, limited and resettable."""

import math

import numpy as np
from railblocks.blocks.base.edges import DIRECTIONS, at_trigger, edge
from railblocks.blocks.base.kernels import clip
from railblocks.blocks.base.variants import variant
from railblocks.engine.declaration import (
    EACH,
    Block,
    Discrete,
    In,
    Out,
    Param,
    State,
    der,
    guard,
    out,
    reset,
    validate,
)


class Integrator(Block):
    """Integral over time.

    x' = u,  y = x                                                         (1)
    """

    symbol = "1/s"
    u = In("?u", "input", shape=EACH)
    y = Out("?u*s", "integral", shape=EACH)
    x_0 = Param("?u*s", "value at the start", shape=EACH, default=0.0)
    x = State("?u*s", "integral", shape=EACH, start="x_0")

    @der("x")
    def integrate(u):
        return u

    @out("y")
    def read(x):
        return x


class LimitedIntegrator(Block):
    """Integral that stops at two limits and leaves them as soon as the input points inwards.

    x' = 0 if (x >= upper and u > 0) or (x <= lower and u < 0) else u      (1)
    y = x                                                                  (2)

    The solver lands on a limit when it is reached, sets x to it and lands when it is left; no stage
    of a step sees both cases of (1).
    """

    symbol = "1/s ‾"
    example = {"lower": -1.0, "upper": 1.0}
    u = In("?u", "input", shape=EACH)
    y = Out("?u*s", "integral, within the limits", shape=EACH)
    x_0 = Param("?u*s", "value at the start", shape=EACH, default=0.0)
    lower = Param("?u*s", "lower limit", shape=EACH, default=-math.inf)
    upper = Param("?u*s", "upper limit", shape=EACH, default=math.inf)
    x = State("?u*s", "integral", shape=EACH, start="x_0")
    held = Discrete(
        "1", "1 at the upper limit, -1 at the lower, else 0", shape=EACH, type=int, ge=-1, le=1
    )

    @validate
    def start_lies_inside(x_0, lower, upper):
        if np.any(np.asarray(x_0) < lower) or np.any(np.asarray(x_0) > upper):
            return (
                f"x_0 = {x_0} lies outside of lower = {lower} and upper = {upper}; "
                "expected lower <= x_0 <= upper"
            )

    @der("x")
    def integrate(u, held):
        return u if held == 0 else 0.0  # (1)

    @out("y")
    def read(x):
        return x

    @guard("leave", "falling")
    def at_leave(u, held):
        return u * held if held != 0 else 1.0

    @reset("leave", "held")
    def let_go():
        return 0

    @guard("upper", initial=True)
    def at_upper(u, x, upper):
        return u if x >= upper and u < 0.0 else x - upper

    @reset("upper", "x", "held")
    def hold_upper(upper):
        return upper, 1

    @guard("lower", initial=True)
    def at_lower(u, x, lower):
        return -u if x <= lower and u > 0.0 else lower - x

    @reset("lower", "x", "held")
    def hold_lower(lower):
        return lower, -1


def unlimited(u):
    return u


def restarted(x_r):
    return x_r


class ResettableIntegrator(LimitedIntegrator):
    """Integral that starts again from a given value at an edge of its trigger, and may have limits.

    x' = 0 if (x >= upper and u > 0) or (x <= lower and u < 0) else u      (1)
    x := min(max(x_r, lower), upper) at an edge of `trigger`,  y = x       (2)

    Limits work as those of `limited_integrator`, also where x is set back to one; without limits
    there are no events for them. x_r is taken from just before the edge.
    """

    symbol = "1/s ↑"
    example = {}
    trigger = In("1", "sets x to x_r at its edges", type=bool)
    x_r = In("?u*s", "value to start again from", shape=EACH, default=0.0)
    y = Out("?u*s", "integral since the last reset", shape=EACH)
    edge = edge()

    @classmethod
    def specialise(cls, values):
        members = {"fire": guard("trigger", DIRECTIONS[values["edge"]])(at_trigger)}
        if np.all(np.isneginf(values["lower"])) and np.all(np.isposinf(values["upper"])):
            limits = ("at_leave", "let_go", "at_upper", "hold_upper", "at_lower", "hold_lower")
            members |= dict.fromkeys((*limits, "held"))
            members["integrate"] = der("x")(unlimited)
            members["restart"] = reset("trigger", "x")(restarted)
        return variant(cls, **members)

    fire = guard("trigger")(at_trigger)

    @reset("trigger", "x", "held")
    def restart(u, x_r, lower, upper):
        x = clip(x_r, lower, upper)  # (2)
        if x >= upper and u >= 0.0:
            return x, 1
        return x, -1 if x <= lower and u <= 0.0 else 0


class SecondOrderIntegrator(Block):
    """Integral of the integral.

    x' = v,  v' = u,  y = x,  dy = v                                       (1)
    """

    symbol = "1/s²"
    u = In("?u", "input", shape=EACH)
    y = Out("?u*s^2", "second integral", shape=EACH)
    dy = Out("?u*s", "first integral", shape=EACH)
    x_0 = Param("?u*s^2", "second integral at the start", shape=EACH, default=0.0)
    v_0 = Param("?u*s", "first integral at the start", shape=EACH, default=0.0)
    x = State("?u*s^2", "second integral", shape=EACH, start="x_0")
    v = State("?u*s", "first integral", shape=EACH, start="v_0")

    @der("x", "v")
    def integrate(u, v):
        return v, u

    @out("y", "dy")
    def read(x, v):
        return x, v
