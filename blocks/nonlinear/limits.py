"""Static limits and steps, element by element."""

import math

from railblocks.blocks.base.checks import crossed
from railblocks.blocks.base.kernels import clip, floor, nearest_multiple
from railblocks.engine.declaration import (
    EACH,
    Block,
    In,
    Out,
    Param,
    State,
    der,
    guard,
    out,
    validate,
)


class Saturation(Block):
    """Input, kept between two limits; the solver lands on the kinks.

    y = min(max(u, lower), upper)                                          (1)
    """

    symbol = "_/‾"
    u = In("?u", "input", shape=EACH)
    y = Out("?u", "limited input", shape=EACH)
    lower = Param("?u", "lower limit", default=-0.5)
    upper = Param("?u", "upper limit", default=0.5)

    @validate
    def limits_are_ordered(lower, upper):
        return crossed(lower, upper)

    @out("y")
    def limit(u, lower, upper):
        return clip(u, lower, upper)

    @guard("lower", "both")
    def at_lower(u, lower):
        return u - lower

    @guard("upper", "both")
    def at_upper(u, upper):
        return u - upper


class DynamicSaturation(Saturation):
    """Input, kept between two limits that are signals; the solver lands on the kinks.

    y = lower if u < lower,  upper if u > upper,  else u                   (1)
    """

    symbol = "_/‾ ↕"
    lower = In("?u", "lower limit")
    upper = In("?u", "upper limit, not below the lower one")
    limits_are_ordered = None


class DeadZone(Block):
    """Input beyond a zone in which the output is zero; the solver lands on the kinks.

    y = u - lower if u < lower,  u - upper if u > upper,  else 0           (1)
    """

    symbol = "/‾/"
    u = In("?u", "input", shape=EACH)
    y = Out("?u", "input beyond the zone", shape=EACH)
    lower = Param("?u", "start of the dead zone", default=-0.5)
    upper = Param("?u", "end of the dead zone", default=0.5)

    @validate
    def limits_are_ordered(lower, upper):
        return crossed(lower, upper)

    @out("y")
    def cut(u, lower, upper):
        return u - clip(u, lower, upper)  # (1)

    @guard("lower", "both")
    def at_lower(u, lower):
        return u - lower

    @guard("upper", "both")
    def at_upper(u, upper):
        return u - upper


class RateLimiter(Block):
    """Input, followed no faster than two rates allow, in continuous time.

    x' = min(max((u - x) / T, -falling), rising),  y = x                   (1)

    Where the rates suffice, y lags behind by T u' instead of following at once; a sampled limiter
    without that lag is `discrete.rate_limiter`.
    """

    symbol = "/‾\\"
    example = {"rising": 1.0, "falling": 2.0}
    u = In("?u", "input", shape=EACH)
    y = Out("?u", "limited input", shape=EACH)
    rising = Param("?u/s", "largest rise per second", ge=0)
    falling = Param("?u/s", "largest fall per second, a positive number", ge=0)
    T = Param("s", "time constant of the tracking", default=1e-3, gt=0)
    x_0 = Param("?u", "output at the start", shape=EACH, default=0.0)
    x = State("?u", "output", shape=EACH, start="x_0")

    @der("x")
    def follow(u, x, rising, falling, T):
        return clip((u - x) / T, -falling, rising)  # (1)

    @out("y")
    def read(x):
        return x

    @guard("rising", "both")
    def at_rising(u, x, rising, T):
        return (u - x) / T - rising

    @guard("falling", "both")
    def at_falling(u, x, falling, T):
        return (u - x) / T + falling


class Quantiser(Block):
    """Nearest multiple of a step; the solver lands on the jumps.

    y = q round(u / q) with halves away from zero,  |y - u| <= q / 2       (1)
    """

    symbol = "▁▃▅"
    u = In("?u", "input", shape=EACH)
    y = Out("?u", "quantised input", shape=EACH)
    q = Param("?u", "step", default=0.5, gt=0)

    @out("y")
    def quantise(u, q):
        return nearest_multiple(u, q)  # (1)

    @guard("jump", "both")
    def at_jump(u, q):
        return math.cos(math.pi * (u / q))


class WrapAngle(Block):
    """Angle within one turn; the solver lands on the jumps.

    y = u - 2 pi floor((u + pi) / (2 pi)),  -pi <= y <= pi                 (1)
    """

    symbol = "±π"
    u = In("rad", "angle", shape=EACH)
    y = Out("rad", "the same angle within one turn", shape=EACH)

    @out("y")
    def wrap(u):
        y = u - 2.0 * math.pi * floor((u + math.pi) / (2.0 * math.pi))  # (1)
        return clip(y, -math.pi, math.pi)

    @guard("jump", "both")
    def at_jump(u):
        return math.cos(0.5 * u)
