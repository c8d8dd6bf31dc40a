"""Dead time, sampled or rational."""

import math

from railblocks.blocks.kernels import dot
from railblocks.blocks.realisation import canonical, pade
from railblocks.engine.declaration import (
    Block,
    Derived,
    Discrete,
    In,
    Out,
    Param,
    Sample,
    State,
    der,
    derive,
    out,
    update,
)


class TransportDelay(Block):
    """Dead time, from samples with linear interpolation between them.

    y(t_k) = (1 - r) u(t_k - q every) + r u(t_k - (q + 1) every)           (1)
    q = floor(delay / every),  r = delay / every - q                       (2)

    Until `delay` has passed since the start, the input before the start counts as y_0. Exact at
    the samples where `delay` is a multiple of `every`, else to every^2 / 8 max|u''|; between
    samples y is held, an error of up to every max|u'|.
    """

    symbol = "e⁻ᵀˢ"
    example = {"delay": 0.25, "every": 0.1}
    u = In("?u", "input")
    y = Out("?u", "delayed input, held between samples")
    delay = Param("s", "dead time", ge=0)
    y_0 = Param("?u", "input before the start", default=0.0)
    n = Derived("1", "number of past samples to keep", type=int)
    r = Derived("1", "part of the older of two samples", ge=0, le=1)
    past = Discrete("?u", "inputs at the last samples, newest first", shape="n", start="y_0")
    every = Sample()

    @derive("n", "r")
    def split(delay, every):
        samples = delay / every
        if abs(samples - round(samples)) < 1e-9 * max(1.0, samples):
            samples = float(round(samples))
        q = math.floor(samples)
        return q + 1, samples - q                                          # (2)

    @out("y")
    def interpolate(u, past, r):
        n = len(past)
        newer = past[n - 2] if n > 1 else u
        return (1.0 - r) * newer + r * past[n - 1]                         # (1)

    @update("past")
    def shift(u, past, next_past):
        for i in range(len(past) - 1, 0, -1):
            next_past[i] = past[i - 1]
        next_past[0] = u


class PadeDelay(Block):
    """Dead time, as a rational all-pass of Pade.

    y = p(-T s) / p(T s) u,  p(s) = sum over k of (2n-k)! n! / ((2n)! k! (n-k)!) s^k     (1)
    T x_1' = u - a_1 x_1 - ... - a_n x_n,  T x_i' = x_{i-1},  y = c . x + d u            (2)

    |y/u| = 1 at all frequencies; the phase is right to 0.1 rad up to about omega T = 2n - 1. A
    step goes through at once with the sign (-1)^n: use `transport_delay` where that matters.
    """

    symbol = "Padé"
    example = {"T": 0.5}
    u = In("?u", "input")
    y = Out("?u", "delayed input")
    T = Param("s", "dead time", gt=0)
    n = Param("1", "order of the approximation", type=int, default=2, ge=1, le=12)
    a = Derived("1", "denominator row", shape="n")
    c = Derived("1", "output row", shape="n")
    d = Derived("1", "direct feedthrough, (-1)^n")
    x = State("?u", "canonical states", shape="n")

    @derive("a", "c", "d")
    def realise(n):
        return canonical(*pade(n))                                         # (1)

    @der("x")
    def move(x, u, a, T, der_x):
        der_x[0] = (u - dot(a, x)) / T                                     # (2)
        for i in range(1, len(x)):
            der_x[i] = x[i - 1] / T

    @out("y")
    def read(x, u, c, d):
        return dot(c, x) + d * u
