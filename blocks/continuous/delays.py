"""Dead time, from past inputs or as a rational function."""

import numpy as np
from railblocks.blocks.base.kernels import dot, push
from railblocks.blocks.base.realisation import pade, rational_response, scaled_canonical
from railblocks.engine.declaration import (
    EACH,
    Block,
    Derived,
    Discrete,
    In,
    Out,
    Param,
    State,
    der,
    derive,
    guard,
    notice,
    out,
    reset,
    response,
)

SHARE = 0.01  # of the range of the input: what straight lines may miss
OFTEN, LEAST = 0.1, 10  # part of the samples, and number, at which they may miss more


class TransportDelay(Block):
    """Dead time, from samples of the input with straight lines between them.

    y(t) = (1 - r) u(t_k - delay) + r u(t_{k+1} - delay),  r = (t - t_k) / h             (1)
    t_k = t_0 + k h <= t < t_{k+1},  h = delay / n                         (2)

    Before the start t_0 of the run the input counts as y_0. Exact where the input is a straight
    line, else to h^2 / 8 max|u''|; a jump becomes a ramp of length h. The solver lands on every
    t_k, on which all kinks of y lie. No direct feedthrough. A run says where n is too small: where
    at more than one sample in ten the input bends by more than 1 % of its range times 8.
    """

    symbol = "e⁻ᵀˢ"
    example = {"delay": 0.25}
    u = In("?u", "input", shape=EACH)
    y = Out("?u", "delayed input", shape=EACH)
    delay = Param("s", "dead time", gt=0)
    n = Param("1", "number of samples in the length of the delay", type=int, default=100, ge=1)
    y_0 = Param("?u", "input before the start", shape=EACH, default=0.0)
    past = Discrete(
        "?u", "inputs at the last samples, newest first", shape=(EACH, "n+1"), start="y_0"
    )
    k = Discrete(
        "1",
        "number of the last sample; -1 before the first",
        shape=EACH,
        type=int,
        start=-1,
        ge=-1,
    )
    t_0 = Discrete("s", "time of the first sample, the start of the run", shape=EACH)
    bends = Discrete("1", "number of samples at which the input bends", shape=EACH, type=int, ge=0)
    least = Discrete("?u", "least input so far", shape=EACH)
    most = Discrete("?u", "largest input so far", shape=EACH)

    @out("y")
    def interpolate(t, past, k, t_0, n, delay):
        r = (t - t_0) * n / delay - k  # (2)
        return past[n] + r * (past[n - 1] - past[n])  # (1)

    @guard("sample", initial=True)
    def at_sample(t, k, t_0, n, delay):
        return t - (t_0 + (k + 1) * (delay / n)) if k >= 0 else 0.0

    @reset("sample", "past")
    def take(u, past, next_past):
        push(u, past, next_past)

    @reset("sample", "k", "t_0")
    def count(t, k, t_0):
        return k + 1, t_0 if k >= 0 else t

    @reset("sample", "bends", "least", "most")
    def watch(u, past, k, bends, least, most):
        if k < 0:
            return 0, u, u
        least, most = min(least, u), max(most, u)
        bend = abs(u - 2.0 * past[0] + past[1]) if k >= 1 else 0.0
        return bends + (1 if bend > 8.0 * SHARE * (most - least) else 0), least, most

    @notice
    def samples_suffice(bends, k, n, delay):
        bends, k = np.max(bends), np.max(k)
        if bends > max(OFTEN * k, LEAST):
            return (
                f"its input bends between samples {delay / n:g} s apart, so that y is wrong by "
                f"more than {SHARE:.0%} of its range at {bends} of {k + 1} samples; give more of "
                f"them, as in `n: {4 * n}`"
            )


class PadeDelay(Block):
    """Dead time, as a rational all-pass of Pade.

    y = p(-T s) / p(T s) u,  p(s) = sum over k of (2n-k)! n! / ((2n)! k! (n-k)!) s^k     (1)
    T x_1' = r_1 u - a_1 x_1 - ... - a_n x_n,  T x_i' = r_i x_{i-1},  y = c . x + d u    (2)

    |y/u| = 1 at all frequencies; the phase is right to 0.1 rad up to omega T = 1.5 n - 0.5. A
    step goes through at once with the sign (-1)^n: use `transport_delay` where that matters.
    """

    symbol = "Padé"
    example = {"T": 0.5}
    u = In("?u", "input", shape=EACH)
    y = Out("?u", "delayed input", shape=EACH)
    T = Param("s", "dead time", gt=0)
    n = Param("1", "order of the approximation", type=int, default=2, ge=1, le=12)
    r = Derived("1", "factors of the chain of states", shape="n")
    a = Derived("1", "feedback row", shape="n")
    c = Derived("1", "output row", shape="n")
    d = Derived("1", "direct feedthrough, (-1)^n")
    x = State("?u", "canonical states, of the size of u", shape=(EACH, "n"))

    @derive("r", "a", "c", "d")
    def realise(n):
        return scaled_canonical(*pade(n))  # (1)

    @der("x")
    def move(x, u, r, a, T, der_x):
        der_x[0] = (r[0] * u - dot(a, x)) / T  # (2)
        for i in range(1, len(x)):
            der_x[i] = r[i] * x[i - 1] / T

    @out("y")
    def read(x, u, c, d):
        return dot(c, x) + d * u

    @response
    def bode(j_omega, n, T):
        return {"y / u": rational_response(T * j_omega, *pade(n))}
