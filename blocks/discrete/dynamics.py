"""Integration, differentiation and rate limits in sampled time."""

import math

import numpy as np
from railblocks.blocks.base.checks import crossed
from railblocks.blocks.base.kernels import clip
from railblocks.blocks.base.variants import variant
from railblocks.engine.declaration import (
    EACH,
    Block,
    Derived,
    Discrete,
    In,
    Out,
    Param,
    Sample,
    derive,
    out,
    response,
    update,
    validate,
)


def backward(x, u, every):
    return x + every * u


def trapezoidal(x, u, every):
    return x + 0.5 * every * u


class Integrator(Block):
    """Sum of samples times the sample time.

    x_{k+1} = x_k + T u_k                                                  (1)
    y_k = x_k (forward),  x_k + T u_k (backward),  x_k + T/2 u_k (trapezoidal)           (2)

    T is `every`. The forward method has no direct feedthrough.
    """

    symbol = "T/(z-1)"
    example = {"every": 0.1}
    u = In("?u", "input", shape=EACH)
    y = Out("?u*s", "integral", shape=EACH, before="x_0")
    method = Param(
        "1",
        "rule of integration",
        type=str,
        default="forward",
        choices=("forward", "backward", "trapezoidal"),
    )
    x_0 = Param("?u*s", "integral at the start", shape=EACH, default=0.0)
    x = Discrete("?u*s", "integral by the forward method", shape=EACH, start="x_0")
    every = Sample()

    @classmethod
    def specialise(cls, values):
        kernel = {"backward": backward, "trapezoidal": trapezoidal}.get(values["method"])
        return variant(cls, read=out("y")(kernel)) if kernel else cls

    @out("y")
    def read(x):
        return x  # (2)

    @update("x")
    def add(x, u, every):
        return x + every * u  # (1)


class Derivative(Block):
    """Difference quotient of the last two samples.

    y_k = (u_k - u_{k-1}) / every,  u_{-1} = u_0                           (1)
    """

    symbol = "(z-1)/Tz"
    example = {"every": 0.1}
    u = In("?u", "input", shape=EACH)
    y = Out("?u/s", "derivative", shape=EACH)
    u_0 = Param("?u", "input before the first sample", shape=EACH, default=0.0)
    last = Discrete("?u", "input at the last sample", shape=EACH, start="u_0")
    every = Sample()

    @out("y")
    def difference(u, last, every):
        return (u - last) / every  # (1)

    @update("last")
    def remember(u):
        return u


class RateLimiter(Block):
    """Input, followed no faster than two rates allow.

    y_k = min(max(u_k, y_{k-1} - falling T), y_{k-1} + rising T)           (1)

    T is `every`.
    """

    symbol = "/‾\\ z"
    example = {"rising": 1.0, "falling": 2.0, "every": 0.1}
    u = In("?u", "input", shape=EACH)
    y = Out("?u", "limited input", shape=EACH, before="y_0")
    rising = Param("?u/s", "largest rise per second", shape=EACH, ge=0)
    falling = Param("?u/s", "largest fall per second, a positive number", shape=EACH, ge=0)
    y_0 = Param("?u", "output before the first sample", shape=EACH, default=0.0)
    last = Discrete("?u", "output at the last sample", shape=EACH, start="y_0")
    every = Sample()

    @out("y")
    def limit(u, last, rising, falling, every):
        return clip(u, last - falling * every, last + rising * every)  # (1)

    @update("last")
    def remember(u, last, rising, falling, every):
        return clip(u, last - falling * every, last + rising * every)  # (1)


class FirstOrderFilter(Block):
    """First-order low-pass, exact for an input that is held between samples.

    y_k = y_{k-1} + (1 - exp(-every / T)) (u_k - y_{k-1})                  (1)
    """

    symbol = "LP z"
    example = {"T": 0.5, "every": 0.1}
    u = In("?u", "input", shape=EACH)
    y = Out("?u", "filtered input", shape=EACH, before="y_0")
    T = Param("s", "time constant", gt=0)
    y_0 = Param("?u", "output before the first sample", shape=EACH, default=0.0)
    r = Derived("1", "part of the way that one sample goes")
    last = Discrete("?u", "output at the last sample", shape=EACH, start="y_0")
    every = Sample()

    @derive("r")
    def fraction(T, every):
        return -math.expm1(-every / T)

    @out("y")
    def follow(u, last, r):
        return last + r * (u - last)  # (1)

    @update("last")
    def remember(u, last, r):
        return last + r * (u - last)  # (1)

    @response
    def bode(j_omega, r, every):
        return {"y / u": r / (1.0 - (1.0 - r) * np.exp(-every * j_omega))}


class PID(Block):
    """Sampled PID controller with filtered derivative, limits and anti-windup.

    d_k = (d_{k-1} + N K_d (e_k - e_{k-1})) / (1 + N T)                    (1)
    v_k = K_p e_k + x_k + d_k,  y_k = min(max(v_k, lower), upper)          (2)
    x_{k+1} = x_k + T (K_i e_k + K_b (y_k - v_k))                          (3)

    T is `every`. The derivative is that of `continuous.pid` by the backward rule, stable for all
    T; the integral follows the forward rule, with back-calculation while y is limited.
    """

    symbol = "PID z"
    example = {"every": 0.01}
    e = In("?e", "control error", shape=EACH)
    y = Out("?y", "controller output", shape=EACH, before="y_start")
    K_p = Param("?y/?e", "proportional gain", shape=EACH, default=1.0)
    K_i = Param("?y/?e/s", "integral gain", shape=EACH, default=1.0)
    K_d = Param("?y*s/?e", "derivative gain", shape=EACH, default=0.0)
    N = Param("1/s", "corner frequency of the derivative filter", shape=EACH, default=100.0, gt=0)
    K_b = Param("1/s", "rate of back-calculation", shape=EACH, default=1.0, ge=0)
    lower = Param("?y", "lower limit of the output", default=-math.inf)
    upper = Param("?y", "upper limit of the output", default=math.inf)
    y_0 = Param("?y", "integral part at the start", shape=EACH, default=0.0)
    y_start = Derived("?y", "output before the first sample: y_0 within the limits", shape=EACH)
    x = Discrete("?y", "integral part", shape=EACH, start="y_0")
    d = Discrete("?y", "derivative part at the last sample", shape=EACH)
    last = Discrete("?e", "error at the last sample", shape=EACH)
    every = Sample()

    @validate
    def limits_are_ordered(lower, upper):
        return crossed(lower, upper)

    @derive("y_start")
    def limited(y_0, lower, upper):
        return np.clip(y_0, lower, upper)

    @out("y")
    def control(e, x, d, last, K_p, K_d, N, lower, upper, every):
        return clip(K_p * e + x + rate(e, d, last, K_d, N, every), lower, upper)  # (2)

    @update("x", "d", "last")
    def move(e, x, d, last, K_p, K_i, K_d, N, K_b, lower, upper, every):
        d_next = rate(e, d, last, K_d, N, every)
        v = K_p * e + x + d_next
        x_next = x + every * (K_i * e + K_b * (clip(v, lower, upper) - v))  # (3)
        return x_next, d_next, e


def rate(e, d, last, K_d, N, every):
    return (d + N * K_d * (e - last)) / (1.0 + N * every)  # (1) of PID
