"""Linear time-invariant systems."""

from dataclasses import replace

import numpy as np
from railblocks.blocks.kernels import dot, row_dot
from railblocks.blocks.realisation import (
    canonical,
    canonical_response,
    matrix_responses,
    polynomial,
    polynomial_problem,
    root_problem,
    strictly_proper,
)
from railblocks.blocks.variants import variant
from railblocks.engine.declaration import (
    Block,
    Derived,
    In,
    Out,
    Param,
    State,
    der,
    derive,
    out,
    response,
    validate,
)


def read_states(x, c):
    return dot(c, x)


class TransferFunction(Block):
    """Rational transfer function, proper, in controllable canonical form.

    y = (b_1 s^m + ... + b_{m+1}) / (a_0 s^n + ... + a_n) u,  m <= n       (1)
    x_1' = u - a_1/a_0 x_1 - ... - a_n/a_0 x_n,  x_i' = x_{i-1}            (2)
    y = c . x + d u                                                        (3)

    Coefficients are plain numbers, for times in seconds and u and y in their SI units. With m < n
    there is no direct feedthrough. Canonical forms of high order are ill-conditioned: write more
    than about ten poles as a chain of blocks.
    """

    symbol = "b(s)/a(s)"
    example = {"num": [1.0, 2.0], "den": [1.0, 0.6, 4.0]}
    u = In("?u", "input")
    y = Out("?y", "output")
    num = Param("1", "coefficients of the numerator, highest power first", shape="m")
    den = Param("1", "coefficients of the denominator, highest power first", shape="k")
    a = Derived("1", "denominator without its first coefficient, over that", shape="n")
    c = Derived("1", "output row", shape="n")
    d = Derived("1", "direct feedthrough")
    x = State("?x", "canonical states", shape="n")

    @classmethod
    def specialise(cls, values):
        if strictly_proper(values["num"], values["den"]):
            return variant(cls, read=out("y")(read_states))
        return cls

    @validate
    def is_proper(num, den):
        return polynomial_problem(num, den)

    @derive("a", "c", "d")
    def realise(num, den):
        return canonical(num, den)

    @der("x")
    def move(x, u, a, der_x):
        der_x[0] = u - dot(a, x)  # (2)
        for i in range(1, len(x)):
            der_x[i] = x[i - 1]

    @out("y")
    def read(x, u, c, d):
        return dot(c, x) + d * u  # (3)

    @response
    def bode(j_omega, a, c, d):
        return {"y / u": canonical_response(j_omega, a, c, d)}


class ZeroPoleGain(TransferFunction):
    """Transfer function from zeros, poles and gain, in controllable canonical form.

    y = gain (s - z_1) ... (s - z_m) / ((s - p_1) ... (s - p_n)) u,  m <= n              (1)
    x_1' = u - a_1 x_1 - ... - a_n x_n,  x_i' = x_{i-1}                    (2)
    y = c . x + d u                                                        (3)

    An entry of `zeros` or `poles` is a real number in 1/s, or [re, im] for the conjugate pair
    re +- j im.
    """

    symbol = "zpk"
    example = {"zeros": [-2.0], "poles": [[-0.3, 2.0], -1.0], "gain": 3.0}
    num = None
    den = None
    zeros = Param("1/s", "zeros, real or as pairs [re, im]", type=object, default=())
    poles = Param("1/s", "poles, real or as pairs [re, im]", type=object)
    gain = Param("1", "factor of the transfer function", default=1.0)

    @classmethod
    def specialise(cls, values):
        zeros, poles = polynomial(values["zeros"]), polynomial(values["poles"])
        return variant(cls, read=out("y")(read_states)) if len(zeros) < len(poles) else cls

    @validate
    def is_proper(zeros, poles):
        if message := root_problem("zeros", zeros) or root_problem("poles", poles):
            return message
        return polynomial_problem(polynomial(zeros), polynomial(poles))

    @derive("a", "c", "d")
    def realise(zeros, poles, gain):
        return canonical(gain * polynomial(zeros), polynomial(poles))


def observe(x, C, y):
    for i in range(len(y)):
        y[i] = row_dot(C, i, x)


def simplified(block, values):
    """A state space without D where that is zero, and with one start value for all states."""
    members = {}
    if not np.any(values["D"]):
        members |= {"D": None, "read": out("y")(observe), "bode": None}
    if np.ndim(values["x_0"]) == 0:
        members |= {"x_0": None, "x": replace(block.x, start=values["x_0"])}
    return variant(block, **members)


class StateSpace(Block):
    """Linear system in state space.

    x' = A x + B u                                                         (1)
    y = C x + D u                                                          (2)

    Matrices are plain numbers, for times in seconds and u and y in their SI units. Without D there
    is no direct feedthrough.
    """

    symbol = "ABCD"
    example = {
        "A": [[0.0, 1.0], [-4.0, -0.4]],
        "B": [[0.0], [1.0]],
        "C": [[1.0, 0.0], [0.0, 1.0]],
        "D": [[0.5], [0.0]],
    }
    u = In("?u", "input vector", shape="m")
    y = Out("?y", "output vector", shape="p")
    A = Param("1", "system matrix", shape=("n", "n"))
    B = Param("1", "input matrix", shape=("n", "m"))
    C = Param("1", "output matrix", shape=("p", "n"))
    D = Param("1", "feedthrough matrix; 0 for none", shape=("p", "m"), default=0.0)
    x_0 = Param("1", "states at the start; a number for all of them", shape="n", default=0.0)
    x = State("?x", "states", shape="n", start="x_0")

    @classmethod
    def specialise(cls, values):
        return simplified(cls, values)

    @der("x")
    def move(x, u, A, B, der_x):
        for i in range(len(x)):
            der_x[i] = row_dot(A, i, x) + row_dot(B, i, u)  # (1)

    @out("y")
    def read(x, u, C, D, y):
        for i in range(len(y)):
            y[i] = row_dot(C, i, x) + row_dot(D, i, u)  # (2)

    @response
    def bode(j_omega, A, B, C, D):
        return matrix_responses(j_omega, A, B, C, D)
