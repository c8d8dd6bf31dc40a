"""Integration, differentiation and rate limits in sampled time."""

import math
from typing import NamedTuple

import numpy as np
from railblocks.blocks.base.checks import crossed
from railblocks.blocks.base.edges import (
    NONE,
    SAMPLED_EDGES,
    absent,
    edge_number,
    has_edge,
    last_trigger,
    optional_edge,
    trigger,
)
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
    Record,
    Sample,
    derive,
    out,
    response,
    update,
    validate,
)

RULES = ("forward", "backward", "trapezoidal")
WEIGHTS = {"forward": 0.0, "backward": 1.0, "trapezoidal": 0.5}  # of the present sample


class Bounds(NamedTuple):
    lower: float
    upper: float


class Restart(NamedTuple):
    trigger: bool
    was: int
    kind: int
    x_r: float


def integral(x, restart, bounds):
    """(2) of Integrator, from x before it."""
    fires = has_edge(restart.kind, restart.trigger, restart.was)
    return clip(restart.x_r if fires else x, bounds.lower, bounds.upper)


class Integrator(Block):
    """Sum of samples times the sample time, within limits, that may start again.

    y_k = min(max(x_k + w T u_k, lower), upper),  w = 0 (forward), 1 (backward), 1/2 (trapezoidal)
    x_{k+1} = y_k + (1 - w) T u_k                                          (1)
    y_k = min(max(x_r, lower), upper) at an edge of `trigger`, then on with (1)          (2)

    T is `every`. The forward rule has no direct feedthrough of u. Nothing winds up at a limit: the
    first sample that points inwards leads away from it. `level` sets back at all samples at which
    the trigger is true.
    """

    symbol = "T/(z-1)"
    example = {"every": 0.1}
    u = In("?u", "input", shape=EACH)
    trigger = trigger("sets the integral to x_r")
    x_r = In("?u*s", "value to start again from; with `edge`", shape=EACH, default=0.0)
    y = Out("?u*s", "integral", shape=EACH, before="y_start")
    method = Param("1", "rule of integration", type=str, default="forward", choices=RULES)
    edge = optional_edge(SAMPLED_EDGES)
    x_0 = Param("?u*s", "integral at the start", shape=EACH, default=0.0)
    lower = Param("?u*s", "lower limit", shape=EACH, default=-math.inf)
    upper = Param("?u*s", "upper limit", shape=EACH, default=math.inf)
    w = Derived("1", "weight of the present sample")
    kind = Derived("1", "number of the choice for edge", type=int)
    y_start = Derived("?u*s", "output before the first sample: x_0 within the limits", shape=EACH)
    x = Discrete("?u*s", "integral up to this sample", shape=EACH, start="x_0")
    was = last_trigger()
    every = Sample()
    restart = Record("when to start again, and where", Restart)
    bounds = Record("limits", Bounds)

    @classmethod
    def specialise(cls, values):
        forward = values["method"] == "forward"
        members = {"read": out("y")(integral)} if forward else {}
        if values["edge"] == NONE:
            members |= absent(trigger=cls.trigger, x_r=cls.x_r)
        return variant(cls, **members)

    @validate
    def limits_are_ordered(lower, upper):
        return crossed(lower, upper)

    @derive("w", "kind", "y_start")
    def prepare(method, edge, x_0, lower, upper):
        return WEIGHTS[method], edge_number(edge), np.clip(x_0, lower, upper)

    @out("y")
    def read(x, u, w, every, restart, bounds):
        return integral(x + w * every * u, restart, bounds)  # (1), (2)

    @update("x", "was")
    def add(y, u, w, every, trigger):
        return y + (1.0 - w) * every * u, 1 if trigger else 0  # (1)


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
