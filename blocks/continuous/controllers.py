"""Controllers in continuous time."""

import math
from typing import NamedTuple

import numpy as np
from railblocks.blocks.base.checks import crossed
from railblocks.blocks.base.edges import DIRECTIONS, absent, at_trigger, optional_edge, trigger
from railblocks.blocks.base.kernels import clip
from railblocks.blocks.base.variants import variant
from railblocks.engine.declaration import (
    EACH,
    Block,
    Derived,
    In,
    Out,
    Param,
    Record,
    State,
    der,
    derive,
    guard,
    out,
    reset,
    validate,
)

WINDUP = ("back_calculation", "tracking", "clamping")


class Gains(NamedTuple):
    K_p: float
    K_d: float
    N: float
    b: float
    c: float


class Limits(NamedTuple):
    lower: float
    upper: float


def unlimited(e, r, x_i, x_d, gains):
    """(1) of PID."""
    proportional = gains.K_p * (e + (gains.b - 1.0) * r)
    return proportional + x_i + gains.N * (gains.K_d * weighted(e, r, gains.c) - x_d)


def weighted(e, r, c):
    """The error of a setpoint that counts c times."""
    return e + (c - 1.0) * r


def time_constant(N):
    return 1.0 / np.asarray(N)


def setpoint(port, b, c):
    """Members for the input r, which is there where the setpoint counts otherwise than once."""
    return {} if np.any(b != 1.0) or np.any(c != 1.0) else absent(r=port)


def back_calculation(e, r, x_i, x_d, gains, limits, K_i, K_b):
    v = unlimited(e, r, x_i, x_d, gains)
    return K_i * e + K_b * (clip(v, limits.lower, limits.upper) - v)


def clamping(e, r, x_i, x_d, gains, limits, K_i, layer):
    v, rate = unlimited(e, r, x_i, x_d, gains), K_i * e
    beyond = v - limits.upper if rate > 0.0 else limits.lower - v
    return rate * (1.0 - clip(beyond / layer, 0.0, 1.0))


def restarts(edge):
    """Members for the input `trigger`, which is there where an edge of it counts."""
    if edge in DIRECTIONS:
        return {"fire": guard("trigger", DIRECTIONS[edge])(at_trigger)}
    return dict.fromkeys(("trigger", "fire", "start_anew"))


def limits_problem(lower, upper, anti_windup, layer):
    """The message about crossed limits, or about clamping that would chatter at them, or None."""
    if anti_windup == "clamping" and layer == 0.0:
        return (
            "anti_windup = clamping without `layer`; expected the height beyond a limit over which "
            "the integral comes to rest, such as a hundredth of the range of y: layer: 0.01"
        )
    return crossed(lower, upper)


KERNELS = {"back_calculation": back_calculation, "clamping": clamping}


class PID(Block):
    """PID controller with two degrees of freedom, filtered derivative, limits and anti-windup.

    v = K_p (e + (b - 1) r) + x_i + N (K_d (e + (c - 1) r) - x_d)          (1)
    y = min(max(v, lower), upper)                                          (2)
    x_d' = N (K_d (e + (c - 1) r) - x_d)                                   (3)
    x_i' = K_i e + K_b (y - v)     anti_windup: back_calculation           (4)
    x_i' = K_i e + K_b (u_t - v)   tracking: of the signal that the plant gets           (5)
    x_i' = K_i e (1 - s)           clamping: s from 0 to 1 where v lies beyond a limit   (6)
                                   to which K_i e pushes, over the height `layer`

    With b = c = 1 and without limits this is K_p + K_i / s + K_d N s / (s + N); the setpoint r in e
    counts b times in the proportional and c times in the derivative part. (4) and (5) lead v back
    with the time constant 1 / K_b. At an edge of `trigger` x_i := y_0, x_d := 0, as at the start.
    Source: Astrom and Hagglund, Advanced PID control (2006), sections 3.4 and 3.5.
    """

    symbol = "PID"
    example = {"layer": 0.01}
    e = In("?e", "control error", shape=EACH)
    r = In("?e", "setpoint, where b or c is not 1", shape=EACH)
    u_t = In("?y", "signal to track, with anti_windup: tracking only", shape=EACH)
    trigger = trigger("lets the controller start anew")
    y = Out("?y", "controller output", shape=EACH)
    K_p = Param("?y/?e", "proportional gain", shape=EACH, default=1.0)
    K_i = Param("?y/?e/s", "integral gain", shape=EACH, default=1.0)
    K_d = Param("?y*s/?e", "derivative gain", shape=EACH, default=0.0)
    N = Param("1/s", "corner frequency of the derivative filter", shape=EACH, default=100.0, gt=0)
    b = Param("1", "weight of the setpoint in the proportional part", shape=EACH, default=1.0)
    c = Param("1", "weight of the setpoint in the derivative part", shape=EACH, default=1.0)
    anti_windup = Param("1", "which of (4) to (6)", type=str, default=WINDUP[0], choices=WINDUP)
    K_b = Param("1/s", "rate at which (4), (5) lead back", shape=EACH, default=1.0, ge=0)
    layer = Param("?y", "height beyond a limit over which (6) sets in", default=0.0, ge=0)
    edge = optional_edge()
    lower = Param("?y", "lower limit of the output", default=-math.inf)
    upper = Param("?y", "upper limit of the output", default=math.inf)
    y_0 = Param("?y", "integral part at the start", shape=EACH, default=0.0)
    x_i = State("?y", "integral part", shape=EACH, start="y_0")
    T_d = Derived("s", "time constant of the derivative filter", shape=EACH)
    x_d = State("?y*s", "state of the derivative filter", shape=EACH, size="T_d")
    gains = Record("gains of (1)", Gains)
    limits = Record("limits of (2)", Limits)

    @classmethod
    def specialise(cls, values):
        members = setpoint(cls.r, values["b"], values["c"]) | restarts(values["edge"])
        if kernel := KERNELS.get(values["anti_windup"]):
            members |= {"u_t": None, "integrate": der("x_i")(kernel)}
        return variant(cls, **members)

    is_sound = validate(limits_problem)
    invert = derive("T_d")(time_constant)

    @out("y")
    def control(e, r, x_i, x_d, gains, limits):
        return clip(unlimited(e, r, x_i, x_d, gains), limits.lower, limits.upper)  # (2)

    @der("x_i")
    def integrate(e, r, u_t, x_i, x_d, gains, K_i, K_b):
        return K_i * e + K_b * (u_t - unlimited(e, r, x_i, x_d, gains))  # (5)

    @der("x_d")
    def filter(e, r, x_d, gains):
        return gains.N * (gains.K_d * weighted(e, r, gains.c) - x_d)  # (3)

    @guard("upper", "both")
    def at_upper(e, r, x_i, x_d, gains, upper):
        return unlimited(e, r, x_i, x_d, gains) - upper

    @guard("lower", "both")
    def at_lower(e, r, x_i, x_d, gains, lower):
        return lower - unlimited(e, r, x_i, x_d, gains)

    fire = guard("trigger")(at_trigger)

    @reset("trigger", "x_i", "x_d")
    def start_anew(y_0):
        return y_0, 0.0
