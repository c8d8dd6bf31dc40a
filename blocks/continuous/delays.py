"""Dead time, sampled or rational."""

import math

from railblocks.blocks.kernels import dot, push
from railblocks.blocks.realisation import canonical, pade
from railblocks.blocks.variants import variant
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


def whole_and_rest(samples):
    """Whole part and rest; what is whole but for rounding has no rest."""
    if abs(samples - round(samples)) < 1e-9 * max(1.0, samples):
        return round(samples), 0.0
    return math.floor(samples), samples - math.floor(samples)


def between_kept(past, r):
    q = len(past) - 1
    return (1.0 - r) * past[q - 1] + r * past[q]


class TransportDelay(Block):
    """Dead time, from samples with linear interpolation between them.

    y(t_k) = (1 - r) u(t_k - q every) + r u(t_k - (q + 1) every)           (1)
    q = floor(delay / every),  r = delay / every - q                       (2)

    Until `delay` has passed since the start, the input before the start counts as y_0. Exact at
    the samples where `delay` is a multiple of `every`, else to every^2 / 8 max|u''|; between
    samples y is held, an error of up to every max|u'|. No direct feedthrough if delay >= every.
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

    @classmethod
    def specialise(cls, values):
        q, _ = whole_and_rest(values["delay"] / values["every"])
        return variant(cls, interpolate=out("y")(between_kept)) if q > 0 else cls

    @derive("n", "r")
    def split(delay, every):
        q, r = whole_and_rest(delay / every)
        return q + 1, r  # (2)

    @out("y")
    def interpolate(u, past, r):
        return (1.0 - r) * u + r * past[0]  # (1)

    @update("past")
    def shift(u, past, next_past):
        push(u, past, next_past)


class PadeDelay(Block):
    """Dead time, as a rational all-pass of Pade.

    y = p(-T s) / p(T s) u,  p(s) = sum over k of (2n-k)! n! / ((2n)! k! (n-k)!) s^k     (1)
    T x_1' = u - a_1 x_1 - ... - a_n x_n,  T x_i' = x_{i-1},  y = c . x + d u            (2)

    |y/u| = 1 at all frequencies; the phase is right to 0.1 rad up to omega T = 1.5 n - 0.5. A
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
        return canonical(*pade(n))  # (1)

    @der("x")
    def move(x, u, a, T, der_x):
        der_x[0] = (u - dot(a, x)) / T  # (2)
        for i in range(1, len(x)):
            der_x[i] = x[i - 1] / T

    @out("y")
    def read(x, u, c, d):
        return dot(c, x) + d * u
