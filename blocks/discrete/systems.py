"""Linear sampled systems and filters."""

from dataclasses import replace

import numpy as np
from railblocks.blocks.base.kernels import dot, push, row_dot
from railblocks.blocks.base.realisation import (
    canonical,
    canonical_response,
    matrix_responses,
    polynomial,
    polynomial_problem,
    roots_problem,
)
from railblocks.blocks.base.variants import variant
from railblocks.blocks.continuous.systems import simplified, without_feedthrough
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


class TransferFunction(Block):
    """Rational transfer function in z, proper, in controllable canonical form.

    y = (b_1 z^m + ... + b_{m+1}) / (a_0 z^n + ... + a_n) u,  m <= n       (1)
    x_1 := u - a_1/a_0 x_1 - ... - a_n/a_0 x_n,  x_i := x_{i-1}            (2)
    y = c . x + d u                                                        (3)

    Coefficients are plain numbers, for u and y in their SI units. With m < n there is no direct
    feedthrough.
    """

    symbol = "b(z)/a(z)"
    example = {"num": [1.0, 0.5], "den": [1.0, -1.2, 0.5], "every": 0.1}
    u = In("?u", "input", shape=EACH)
    y = Out("?y", "output", shape=EACH)
    num = Param("1", "coefficients of the numerator, highest power first", shape="m")
    den = Param("1", "coefficients of the denominator, highest power first", shape="k")
    a = Derived("1", "denominator without its first coefficient, over that", shape="n")
    c = Derived("1", "output row", shape="n")
    d = Derived("1", "direct feedthrough")
    x = Discrete("?x", "canonical states", shape=(EACH, "n"))
    every = Sample()

    @classmethod
    def specialise(cls, values):
        return without_feedthrough(cls, values["num"], values["den"])

    @validate
    def is_proper(num, den):
        return polynomial_problem(num, den)

    @derive("a", "c", "d")
    def realise(num, den):
        return canonical(num, den)

    @out("y")
    def read(x, u, c, d):
        return dot(c, x) + d * u  # (3)

    @update("x")
    def move(x, u, a, next_x):
        first = u - dot(a, x)  # (2)
        for i in range(len(x) - 1, 0, -1):
            next_x[i] = x[i - 1]
        next_x[0] = first

    @response
    def bode(j_omega, a, c, d, every):
        return {"y / u": canonical_response(np.exp(every * j_omega), a, c, d)}


class ZeroPoleGain(TransferFunction):
    """Transfer function in z from zeros, poles and gain, in controllable canonical form.

    y = gain (z - z_1) ... (z - z_m) / ((z - p_1) ... (z - p_n)) u,  m <= n              (1)
    x_1 := u - a_1 x_1 - ... - a_n x_n,  x_i := x_{i-1}                    (2)
    y = c . x + d u                                                        (3)

    An entry of `zeros` or `poles` is a real number, or [re, im] for the conjugate pair re +- j im;
    poles within the unit circle are stable. With m < n there is no direct feedthrough.
    """

    symbol = "zpk z"
    example = {"zeros": [-0.5], "poles": [[0.6, 0.3], 0.2], "gain": 3.0, "every": 0.1}
    num = None
    den = None
    zeros = Param("1", "zeros, real or as pairs [re, im]", type=object, default=())
    poles = Param("1", "poles, real or as pairs [re, im]", type=object)
    gain = Param("1", "factor of the transfer function", default=1.0)

    @classmethod
    def specialise(cls, values):
        return without_feedthrough(cls, polynomial(values["zeros"]), polynomial(values["poles"]))

    is_proper = validate(roots_problem)

    @derive("a", "c", "d")
    def realise(zeros, poles, gain):
        return canonical(gain * polynomial(zeros), polynomial(poles))


def from_start(block, x_0):
    """A state space that shows C x_0 before its first sample."""
    if not np.any(x_0):
        return block
    return variant(
        block,
        y=replace(block.y, before="y_start"),
        y_start=Derived("?y", "output before the first sample", shape="p"),
        at_rest=derive("y_start")(lambda C: C @ np.broadcast_to(x_0, C.shape[1])),
    )


class StateSpace(Block):
    """Linear sampled system in state space.

    x_{k+1} = A x_k + B u_k                                                (1)
    y_k = C x_k + D u_k                                                    (2)

    Matrices are plain numbers, for u and y in their SI units. Without D there is no direct
    feedthrough. Before the first sample y is C x_0.
    """

    symbol = "ABCD z"
    example = {
        "A": [[0.9, 0.1], [-0.2, 0.8]],
        "B": [[0.0], [0.1]],
        "C": [[1.0, 0.0]],
        "D": [[0.5]],
        "every": 0.1,
    }
    u = In("?u", "input vector", shape="m")
    y = Out("?y", "output vector", shape="p")
    A = Param("1", "system matrix", shape=("n", "n"))
    B = Param("1", "input matrix", shape=("n", "m"))
    C = Param("1", "output matrix", shape=("p", "n"))
    D = Param("1", "feedthrough matrix; 0 for none", shape=("p", "m"), default=0.0)
    x_0 = Param("1", "states at the start; a number for all of them", shape="n", default=0.0)
    x = Discrete("?x", "states", shape="n", start="x_0")
    every = Sample()

    @classmethod
    def specialise(cls, values):
        return from_start(simplified(cls, values), values["x_0"])

    @out("y")
    def read(x, u, C, D, y):
        for i in range(len(y)):
            y[i] = row_dot(C, i, x) + row_dot(D, i, u)  # (2)

    @update("x")
    def move(x, u, A, B, next_x):
        for i in range(len(x)):
            next_x[i] = row_dot(A, i, x) + row_dot(B, i, u)  # (1)

    @response
    def bode(j_omega, A, B, C, D, every):
        return matrix_responses(np.exp(every * j_omega), A, B, C, D)


class SecondOrderSections(Block):
    """Recursive (IIR) filter as a chain of second-order sections, direct form II transposed.

    y = b_0 u + z_1,  z_1 := b_1 u - a_1 y + z_2,  z_2 := b_2 u - a_2 y    (1)

    Each row of `sos` is (b_0, b_1, b_2, 1, a_1, a_2) as scipy.signal designs them; the output of a
    section is the input of the next. Sound for high orders, unlike one long fraction.
    """

    symbol = "SOS"
    example = {
        "sos": [[0.2, 0.4, 0.2, 1.0, -0.4, 0.2], [1.0, -1.0, 0.0, 1.0, -0.5, 0.0]],
        "every": 0.01,
    }
    u = In("?u", "input", shape=EACH)
    y = Out("?u", "filtered input", shape=EACH)
    sos = Param("1", "rows of coefficients of the sections", shape=("k", 6))
    z = Discrete("?u", "two states of each section", shape=(EACH, "k", 2))
    every = Sample()

    @validate
    def rows_are_normalised(sos):
        if np.ndim(sos) == 2 and np.shape(sos)[1] == 6 and np.any(np.asarray(sos)[:, 3] != 1.0):
            return "sos has a row whose fourth number is not 1; divide that row by it"

    @out("y")
    def filter(u, sos, z):
        y = u
        for k in range(len(sos)):
            y = sos[k, 0] * y + z[k, 0]  # (1)
        return y

    @update("z")
    def move(u, sos, z, next_z):
        y = u
        for k in range(len(sos)):
            x = y
            y = sos[k, 0] * x + z[k, 0]
            next_z[k, 0] = sos[k, 1] * x - sos[k, 4] * y + z[k, 1]  # (1)
            next_z[k, 1] = sos[k, 2] * x - sos[k, 5] * y

    @response
    def bode(j_omega, sos, every):
        z = np.exp(every * j_omega)
        parts = [np.polyval(row[:3], z) / np.polyval(row[3:], z) for row in sos]
        return {"y / u": np.prod(parts, axis=0)}


class FIR(Block):
    """Filter of finite impulse response.

    y_k = b_0 u_k + b_1 u_{k-1} + ... + b_n u_{k-n}                        (1)
    """

    symbol = "FIR"
    example = {"b": [0.5, 0.3, 0.2], "every": 0.01}
    u = In("?u", "input", shape=EACH)
    y = Out("?u", "filtered input", shape=EACH, before="y_start")
    b = Param("1", "coefficients, that of the present sample first", shape="n+1")
    u_0 = Param("?u", "input before the first sample", shape=EACH, default=0.0)
    y_start = Derived("?u", "output before the first sample: u_0 times the sum of b", shape=EACH)
    past = Discrete(
        "?u", "inputs at the last samples, newest first", shape=(EACH, "n"), start="u_0"
    )
    every = Sample()

    @validate
    def has_memory(b):
        if np.size(b) < 2:
            return f"b has {np.size(b)} coefficient; expected at least 2, or use math.gain"

    @derive("y_start")
    def at_rest(b, u_0):
        return u_0 * np.sum(b)

    @out("y")
    def filter(u, past, b):
        y = b[0] * u
        for i in range(len(past)):
            y += b[i + 1] * past[i]  # (1)
        return y

    @update("past")
    def shift(u, past, next_past):
        push(u, past, next_past)

    @response
    def bode(j_omega, b, every):
        return {"y / u": np.polyval(b[::-1], np.exp(-every * j_omega))}


class MovingAverage(Block):
    """Mean of the last n samples.

    y_k = (u_k + u_{k-1} + ... + u_{k-n+1}) / n                            (1)

    The sum is formed anew at every sample, so that rounding errors do not add up.
    """

    symbol = "ū"
    example = {"n": 4, "every": 0.01}
    u = In("?u", "input", shape=EACH)
    y = Out("?u", "mean of the last samples", shape=EACH, before="u_0")
    n = Param("1", "number of samples", type=int, ge=2)
    u_0 = Param("?u", "input before the first sample", shape=EACH, default=0.0)
    past = Discrete(
        "?u", "inputs at the last samples, newest first", shape=(EACH, "n-1"), start="u_0"
    )
    every = Sample()

    @out("y")
    def mean(u, past, n):
        total = u
        for i in range(len(past)):
            total += past[i]
        return total / n  # (1)

    @update("past")
    def shift(u, past, next_past):
        push(u, past, next_past)

    @response
    def bode(j_omega, n, every):
        return {"y / u": np.polyval(np.full(n, 1.0 / n), np.exp(-every * j_omega))}
