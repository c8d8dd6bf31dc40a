"""Lags of first and second order, and the derivative that they make possible."""

import numpy as np
from railblocks.blocks.base.realisation import beside_output
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
)


class FirstOrderLag(Block):
    """First-order lag.

    T x' = k u - x,  y = x                                                 (1)
    """

    symbol = "k/(Ts+1)"
    example = {"T": 0.5}
    u = In("?u", "input", shape=EACH)
    y = Out("?k*?u", "output", shape=EACH)
    k = Param("?k", "gain", shape=EACH, default=1.0)
    T = Param("s", "time constant", shape=EACH, gt=0)
    x_0 = Param("?k*?u", "output at the start", shape=EACH, default=0.0)
    x = State("?k*?u", "lag state", shape=EACH, start="x_0")

    @der("x")
    def lag(x, u, k, T):
        return (k * u - x) / T  # (1)

    @out("y")
    def read(x):
        return x

    @response
    def bode(j_omega, k, T):
        return {"y / u": k / (T * j_omega + 1.0)}


class SecondOrderLag(Block):
    """Second-order lag.

    x'' + 2 zeta omega x' + omega^2 x = k omega^2 u,  y = x                (1)
    """

    symbol = "ω²"
    example = {"omega": 2.0, "zeta": 0.1}
    u = In("?u", "input", shape=EACH)
    y = Out("?k*?u", "output", shape=EACH)
    k = Param("?k", "gain", shape=EACH, default=1.0)
    omega = Param("rad/s", "natural angular frequency without damping", shape=EACH, gt=0)
    zeta = Param("1", "damping ratio", shape=EACH, ge=0)
    x_0 = Param("?k*?u", "output at the start", shape=EACH, default=0.0)
    v_0 = Param("?k*?u/s", "rate of the output at the start", shape=EACH, default=0.0)
    x = State("?k*?u", "output", shape=EACH, start="x_0")
    v = State("?k*?u/s", "rate of the output", shape=EACH, start="v_0", size="omega")

    @der("x", "v")
    def lag(x, v, u, k, omega, zeta):
        return v, omega * (omega * (k * u - x) - 2.0 * zeta * v)  # (1)

    @out("y")
    def read(x):
        return x

    @response
    def bode(j_omega, k, omega, zeta):
        return {"y / u": k / ((j_omega / omega) ** 2 + 2.0 * zeta * j_omega / omega + 1.0)}


class LeadLag(Block):
    """Lead-lag element.

    T_2 x' = u - x                                                         (1)
    y = k (x + T_1 / T_2 (u - x)),  that is  y = k (T_1 s + 1) / (T_2 s + 1) u           (2)
    """

    symbol = "lead/lag"
    example = {"T_1": 0.5, "T_2": 0.1}
    u = In("?u", "input", shape=EACH)
    y = Out("?k*?u", "output", shape=EACH)
    k = Param("?k", "gain at frequency zero", shape=EACH, default=1.0)
    T_1 = Param("s", "time constant of the lead", shape=EACH, ge=0)
    T_2 = Param("s", "time constant of the lag", shape=EACH, gt=0)
    x_0 = Param("?u", "lagged input at the start", shape=EACH, default=0.0)
    size = Derived("1", "size of the lagged input beside input and output", shape=EACH)
    x = State("?u", "lagged input", shape=EACH, start="x_0", size="size")

    @derive("size")
    def compare(k, T_1, T_2):
        return beside_output(np.abs(k) * np.maximum(1.0, np.abs(1.0 - np.divide(T_1, T_2))))

    @der("x")
    def lag(x, u, T_2):
        return (u - x) / T_2  # (1)

    @out("y")
    def lead(x, u, k, T_1, T_2):
        return k * (x + T_1 / T_2 * (u - x))  # (2)

    @response
    def bode(j_omega, k, T_1, T_2):
        return {"y / u": k * (T_1 * j_omega + 1.0) / (T_2 * j_omega + 1.0)}


class FilteredDerivative(Block):
    """Derivative with a first-order filter.

    x' = y,  y = (u - x) / T,  that is  y = s / (T s + 1) u                (1)

    The error for a smooth input is T u'' to first order in T.
    """

    symbol = "s/(Ts+1)"
    example = {"T": 0.01}
    u = In("?u", "input", shape=EACH)
    y = Out("?u/s", "derivative", shape=EACH)
    T = Param("s", "time constant of the filter", shape=EACH, gt=0)
    x_0 = Param("?u", "input before the start", shape=EACH, default=0.0)
    size = Derived("1", "size of the filtered input beside input and output", shape=EACH)
    x = State("?u", "filtered input", shape=EACH, start="x_0", size="size")

    @derive("size")
    def compare(T):
        return beside_output(1.0 / np.asarray(T))

    @der("x")
    def follow(x, u, T):
        return (u - x) / T

    @out("y")
    def rate(x, u, T):
        return (u - x) / T  # (1)

    @response
    def bode(j_omega, T):
        return {"y / u": j_omega / (T * j_omega + 1.0)}
