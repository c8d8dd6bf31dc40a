"""Linear time-invariant systems."""

from dataclasses import replace

import numpy as np
from railblocks.blocks.base.kernels import dot, row_dot
from railblocks.blocks.base.realisation import (
    matrix_responses,
    polynomial,
    polynomial_problem,
    rational_response,
    roots_problem,
    scaled_canonical,
    state_sizes,
    strictly_proper,
)
from railblocks.blocks.base.variants import variant
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
    out,
    response,
    validate,
)


def read_states(x, c):
    return dot(c, x)


def without_feedthrough(block, num, den):
    """The block, without direct feedthrough where the denominator has the higher degree."""
    return variant(block, read=out("y")(read_states)) if strictly_proper(num, den) else block


class TransferFunction(Block):
    """Rational transfer function, proper, in controllable canonical form.

    y = (b_1 s^m + ... + b_{m+1}) / (a_0 s^n + ... + a_n) u,  m <= n       (1)
    x_1' = r_1 u - k_1 x_1 - ... - k_n x_n,  x_i' = r_i x_{i-1}            (2)
    y = c . x + d u                                                        (3)

    Coefficients are plain numbers, for times in seconds and u and y in their SI units. With m < n
    there is no direct feedthrough. States are scaled to the size of u or y, where tolerances hold.
    Canonical forms of high order are ill-conditioned: write more than about ten poles as a chain of
    blocks.
    """

    symbol = "b(s)/a(s)"
    example = {"num": [1.0, 2.0], "den": [1.0, 0.6, 4.0]}
    u = In("?u", "input", shape=EACH)
    y = Out("?y", "output", shape=EACH)
    num = Param("1", "coefficients of the numerator, highest power first", shape="m")
    den = Param("1", "coefficients of the denominator, highest power first", shape="k")
    r = Derived("1/s", "factors of the chain of states", shape="n")
    k = Derived("1/s", "feedback row", shape="n")
    c = Derived("1", "output row", shape="n")
    d = Derived("1", "direct feedthrough")
    x = State("?x", "canonical states", shape=(EACH, "n"))

    @classmethod
    def specialise(cls, values):
        return without_feedthrough(cls, values["num"], values["den"])

    @validate
    def is_proper(num, den):
        return polynomial_problem(num, den)

    @derive("r", "k", "c", "d")
    def realise(num, den):
        return scaled_canonical(num, den)

    @der("x")
    def move(x, u, r, k, der_x):
        der_x[0] = r[0] * u - dot(k, x)  # (2)
        for i in range(1, len(x)):
            der_x[i] = r[i] * x[i - 1]

    @out("y")
    def read(x, u, c, d):
        return dot(c, x) + d * u  # (3)

    @response
    def bode(j_omega, num, den):
        return {"y / u": rational_response(j_omega, num, den)}


class ZeroPoleGain(TransferFunction):
    """Transfer function from zeros, poles and gain, in controllable canonical form.

    y = gain (s - z_1) ... (s - z_m) / ((s - p_1) ... (s - p_n)) u,  m <= n              (1)
    x_1' = r_1 u - k_1 x_1 - ... - k_n x_n,  x_i' = r_i x_{i-1}            (2)
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
        return without_feedthrough(cls, polynomial(values["zeros"]), polynomial(values["poles"]))

    is_proper = validate(roots_problem)

    @derive("r", "k", "c", "d")
    def realise(zeros, poles, gain):
        return scaled_canonical(gain * polynomial(zeros), polynomial(poles))

    @response
    def bode(j_omega, zeros, poles, gain):
        return {"y / u": rational_response(j_omega, gain * polynomial(zeros), polynomial(poles))}


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
    is no direct feedthrough. Tolerances hold at the size of u or y, not at that of x.
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
    sizes = Derived("1", "sizes of the states beside inputs and outputs", shape="n")
    x = State("?x", "states", shape="n", start="x_0", size="sizes")

    @classmethod
    def specialise(cls, values):
        return simplified(cls, values)

    @derive("sizes")
    def compare(A, B, C):
        return state_sizes(A, B, C)

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
