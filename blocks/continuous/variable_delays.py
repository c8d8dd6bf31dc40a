"""Dead times that are signals."""

import math

from railblocks.blocks.base.kernels import clip, push
from railblocks.blocks.base.variants import variant
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
    out,
    reset,
    validate,
)

ROUNDING = 1e-12


class VariableTransportDelay(Block):
    """What left one end of a pipe when it came in at the other, at a speed that changes.

    x' = 1 / tau,  y(t) = u(t_d) with x(t) - x(t_d) = 1                    (1)
    y = (1 - r) u_k + r u_{k+1},  r = n (x - 1 - x_k),  x_k = k / n        (2)

    tau is the time from end to end at the present speed v, L / v; x counts pipes passed. Before the
    start the pipe is full of y_0. Exact where u is a straight line over x; a jump becomes a ramp
    of a part 1 / n of the pipe. The solver lands on every x_k, on which all kinks of y lie. No
    direct feedthrough. For y(t) = u(t - tau(t)) take `variable_delay`.
    """

    symbol = "e⁻ᵀˢ v"
    u = In("?u", "what comes in", shape=EACH)
    tau = In("s", "time from end to end at the present speed", shape=EACH, gt=0)
    y = Out("?u", "what goes out", shape=EACH)
    n = Param("1", "number of samples in the length of the pipe", type=int, default=100, ge=1)
    y_0 = Param("?u", "what fills the pipe at the start", shape=EACH, default=0.0)
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
    x = State("1", "pipes passed since the start", shape=EACH)

    @der("x")
    def flow(tau):
        return 1.0 / tau

    @out("y")
    def interpolate(x, past, k, n):
        r = x * n - k
        return past[n] + r * (past[n - 1] - past[n])  # (2)

    @guard("sample", initial=True)
    def at_sample(x, k, n):
        return x * n - (k + 1) if k >= 0 else 0.0

    @reset("sample", "past")
    def take(u, past, next_past):
        push(u, past, next_past)

    @reset("sample", "k")
    def count(k):
        return k + 1

    @guard("stands", action="fail", message="tau is not positive; expected the time through a pipe")
    def at_rest(tau):
        return -tau


def between(t, tau, past, k, t_0, h):
    """(2) of VariableDelay from the samples alone."""
    age = clip((t_0 + k * h - t + tau) / h, 0.0, len(past) - 2.0)
    i = int(age) if age >= 0.0 else 0
    return past[i] + (age - i) * (past[i + 1] - past[i])


class VariableDelay(Block):
    """Input as it was some time ago, a time that is a signal.

    y(t) = u(t - tau(t)),  least <= tau <= longest                         (1)
    u(s) = (1 - r) u(t_k) + r u(t_{k+1}),  r = (s - t_k) / h,  t_k = t_0 + k h           (2)

    h = longest / n; between the last sample and now the line ends at the present u. Before the
    start t_0 the input counts as y_0. Exact where u is a straight line, else to h^2 / 8 max|u''|; a
    jump becomes a ramp of length h. With `least` of h or more there is no direct feedthrough. The
    solver lands on the t_k, and where t - tau passes one, so that all kinks of y are met. A tau out
    of its range ends the run. For a fluid in a pipe take `variable_transport_delay`.
    """

    symbol = "t-τ"
    example = {"longest": 1.0}
    u = In("?u", "input", shape=EACH)
    tau = In("s", "delay", shape=EACH, ge=0)
    y = Out("?u", "delayed input", shape=EACH)
    longest = Param("s", "longest delay", gt=0)
    least = Param("s", "least delay", default=0.0, ge=0)
    n = Param("1", "number of samples in the longest delay", type=int, default=100, ge=1)
    y_0 = Param("?u", "input before the start", shape=EACH, default=0.0)
    h = Derived("s", "time between samples")
    past = Discrete(
        "?u", "inputs at the last samples, newest first", shape=(EACH, "n+2"), start="y_0"
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

    @classmethod
    def specialise(cls, values):
        settled = values["least"] >= values["longest"] / values["n"]
        return variant(cls, look_back=out("y")(between)) if settled else cls

    @validate
    def range_is_one(least, longest, n):
        if least > longest:
            return (
                f"least = {least:g} s is above longest = {longest:g} s; expected least <= longest"
            )

    @derive("h")
    def spacing(longest, n):
        return longest / n

    @out("y")
    def look_back(t, u, tau, past, k, t_0, h):
        since = t - (t_0 + k * h)
        if k >= 0 and tau < since:
            return u + tau / since * (past[0] - u)  # (2)
        return between(t, tau, past, k, t_0, h)

    @guard("sample", initial=True)
    def at_sample(t, k, t_0, h):
        return t - (t_0 + (k + 1) * h) if k >= 0 else 0.0

    @reset("sample", "past")
    def take(u, past, next_past):
        push(u, past, next_past)

    @reset("sample", "k", "t_0")
    def count(t, k, t_0):
        return k + 1, t_0 if k >= 0 else t

    @guard("kink", "both")
    def at_kink(t, tau, t_0, h):
        return math.sin(math.pi * ((t - tau - t_0) / h))

    @guard("out_of_range", action="fail", message="tau is not within `least` and `longest`")
    def leaves_range(tau, least, longest):
        return -0.5 if least * (1.0 - ROUNDING) <= tau <= longest * (1.0 + ROUNDING) else 0.5
