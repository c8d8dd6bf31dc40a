"""Controllers in continuous time."""

import math

import numpy as np
from railblocks.blocks.base.checks import crossed
from railblocks.blocks.base.kernels import clip
from railblocks.engine.declaration import (
    EACH,
    Block,
    Derived,
    In,
    Out,
    Param,
    State,
    der,
    derive,
    guard,
    out,
    validate,
)


class PID(Block):
    """PID controller with filtered derivative, limits and anti-windup by back-calculation.

    v = K_p e + x_i + N (K_d e - x_d)                                      (1)
    y = min(max(v, lower), upper)                                          (2)
    x_i' = K_i e + K_b (y - v)                                             (3)
    x_d' = N (K_d e - x_d)                                                 (4)

    Without limits (2) this is K_p + K_i / s + K_d N s / (s + N). While v lies beyond a limit, (3)
    leads it back with the time constant 1 / K_b. Source: Astrom and Hagglund, Advanced PID control
    (2006), section 3.5.
    """

    symbol = "PID"
    e = In("?e", "control error", shape=EACH)
    y = Out("?y", "controller output", shape=EACH)
    K_p = Param("?y/?e", "proportional gain", shape=EACH, default=1.0)
    K_i = Param("?y/?e/s", "integral gain", shape=EACH, default=1.0)
    K_d = Param("?y*s/?e", "derivative gain", shape=EACH, default=0.0)
    N = Param("1/s", "corner frequency of the derivative filter", shape=EACH, default=100.0, gt=0)
    K_b = Param("1/s", "rate of back-calculation", shape=EACH, default=1.0, ge=0)
    lower = Param("?y", "lower limit of the output", default=-math.inf)
    upper = Param("?y", "upper limit of the output", default=math.inf)
    y_0 = Param("?y", "integral part at the start", shape=EACH, default=0.0)
    x_i = State("?y", "integral part", shape=EACH, start="y_0")
    T_d = Derived("s", "time constant of the derivative filter", shape=EACH)
    x_d = State("?y*s", "state of the derivative filter", shape=EACH, size="T_d")

    @validate
    def limits_are_ordered(lower, upper):
        return crossed(lower, upper)

    @derive("T_d")
    def invert(N):
        return 1.0 / np.asarray(N)

    @out("y")
    def control(e, x_i, x_d, K_p, K_d, N, lower, upper):
        return clip(unlimited(e, x_i, x_d, K_p, K_d, N), lower, upper)  # (2)

    @der("x_i", "x_d")
    def move(e, x_i, x_d, K_p, K_i, K_d, N, K_b, lower, upper):
        v = unlimited(e, x_i, x_d, K_p, K_d, N)
        return K_i * e + K_b * (clip(v, lower, upper) - v), N * (K_d * e - x_d)  # (3), (4)

    @guard("upper", "both")
    def at_upper(e, x_i, x_d, K_p, K_d, N, upper):
        return unlimited(e, x_i, x_d, K_p, K_d, N) - upper

    @guard("lower", "both")
    def at_lower(e, x_i, x_d, K_p, K_d, N, lower):
        return lower - unlimited(e, x_i, x_d, K_p, K_d, N)


def unlimited(e, x_i, x_d, K_p, K_d, N):
    return K_p * e + x_i + N * (K_d * e - x_d)  # (1) of PID
