"""Controllers in sampled time."""

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
from railblocks.blocks.continuous.controllers import WINDUP, setpoint, weighted
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
    update,
    validate,
)

RULES = {"backward": 1.0, "forward": 0.0, "trapezoidal": 0.5}  # weights of the present sample


class Gains(NamedTuple):
    K_p: float
    K_d: float
    N: float
    b: float
    c: float
    w: float
    every: float


class Memory(NamedTuple):
    x: float
    d: float
    last: float


class Restart(NamedTuple):
    trigger: bool
    was: int
    kind: int
    y_0: float


def restarted(memory, restart):
    """The memory, as at the start where the trigger has an edge."""
    if has_edge(restart.kind, restart.trigger, restart.was):
        return Memory(restart.y_0, 0.0, 0.0)
    return memory


def unlimited(e, r, memory, gains):
    """v and d of PID, (1) and (2)."""
    rate = gains.N * gains.every
    change = gains.N * gains.K_d * (weighted(e, r, gains.c) - memory.last)
    d = (memory.d * (1.0 - (1.0 - gains.w) * rate) + change) / (1.0 + gains.w * rate)
    return gains.K_p * weighted(e, r, gains.b) + memory.x + d, d


def back_calculation(e, r, memory, restart, gains, K_i, K_b, lower, upper):
    start = restarted(memory, restart)
    v, _ = unlimited(e, r, start, gains)
    return start.x + gains.every * (K_i * e + K_b * (clip(v, lower, upper) - v))  # (4)


def clamping(e, r, memory, restart, gains, K_i, lower, upper):
    start = restarted(memory, restart)
    v, _ = unlimited(e, r, start, gains)
    rate = K_i * e
    if (v > upper and rate > 0.0) or (v < lower and rate < 0.0):
        return start.x
    return start.x + gains.every * rate  # (6)


KERNELS = {"back_calculation": back_calculation, "clamping": clamping}


class PID(Block):
    """Sampled PID controller with two degrees of freedom, limits and anti-windup.

    v_k = K_p (e_k + (b - 1) r_k) + x_k + d_k,  y_k = min(max(v_k, lower), upper)        (1)
    (1 + w N T) d_k = (1 - (1 - w) N T) d_{k-1} + N K_d (a_k - a_{k-1})    (2)
    a_k = e_k + (c - 1) r_k,  w = 1 (backward), 0 (forward), 1/2 (trapezoidal)           (3)
    x_{k+1} = x_k + T (K_i e_k + K_b (y_k - v_k))   anti_windup: back_calculation        (4)
    x_{k+1} = x_k + T (K_i e_k + K_b (u_t - v_k))   tracking               (5)
    x_{k+1} = x_k + T K_i e_k,  only x_k where that pushes v further beyond a limit: clamping   (6)

    T is `every`. This is `continuous.pid` with the same choices; the derivative is s / (s + N) by
    the rule `derivative`, of which `forward` is stable for N T < 2 only, and the integral follows
    the forward rule. At an edge of `trigger` y_k is that of the first sample: x_k = y_0, d_{k-1} =
    a_{k-1} = 0.
    """

    symbol = "PID z"
    example = {"every": 0.01}
    e = In("?e", "control error", shape=EACH)
    r = In("?e", "setpoint, where b or c is not 1", shape=EACH)
    u_t = In("?y", "signal to track, with anti_windup: tracking only", shape=EACH)
    trigger = trigger("lets the controller start anew")
    y = Out("?y", "controller output", shape=EACH, before="y_start")
    K_p = Param("?y/?e", "proportional gain", shape=EACH, default=1.0)
    K_i = Param("?y/?e/s", "integral gain", shape=EACH, default=1.0)
    K_d = Param("?y*s/?e", "derivative gain", shape=EACH, default=0.0)
    N = Param("1/s", "corner frequency of the derivative filter", shape=EACH, default=100.0, gt=0)
    b = Param("1", "weight of the setpoint in the proportional part", shape=EACH, default=1.0)
    c = Param("1", "weight of the setpoint in the derivative part", shape=EACH, default=1.0)
    derivative = Param("1", "rule of (2)", type=str, default="backward", choices=tuple(RULES))
    anti_windup = Param("1", "which of (4) to (6)", type=str, default=WINDUP[0], choices=WINDUP)
    K_b = Param("1/s", "rate at which (4), (5) lead back", shape=EACH, default=1.0, ge=0)
    edge = optional_edge(SAMPLED_EDGES)
    lower = Param("?y", "lower limit of the output", default=-math.inf)
    upper = Param("?y", "upper limit of the output", default=math.inf)
    y_0 = Param("?y", "integral part at the start", shape=EACH, default=0.0)
    y_start = Derived("?y", "output before the first sample: y_0 within the limits", shape=EACH)
    w = Derived("1", "weight of the present sample in (2)")
    kind = Derived("1", "number of the choice for edge", type=int)
    x = Discrete("?y", "integral part", shape=EACH, start="y_0")
    d = Discrete("?y", "derivative part at the last sample", shape=EACH)
    last = Discrete("?e", "a of (3) at the last sample", shape=EACH)
    was = last_trigger()
    every = Sample()
    gains = Record("what v follows from", Gains)
    memory = Record("what is known of the last samples", Memory)
    restart = Record("when to start anew, and where", Restart)

    @classmethod
    def specialise(cls, values):
        members = setpoint(cls.r, values["b"], values["c"])
        if values["edge"] == NONE:
            members |= absent(trigger=cls.trigger)
        if kernel := KERNELS.get(values["anti_windup"]):
            members |= {"u_t": None, "integrate": update("x")(kernel)}
        return variant(cls, **members)

    @validate
    def is_sound(lower, upper, derivative, N, every):
        return crossed(lower, upper) or rule_problem(derivative, N, every)

    @derive("y_start", "w", "kind")
    def prepare(y_0, lower, upper, derivative, edge):
        return np.clip(y_0, lower, upper), RULES[derivative], edge_number(edge)

    @out("y")
    def control(e, r, memory, restart, gains, lower, upper):
        v, _ = unlimited(e, r, restarted(memory, restart), gains)
        return clip(v, lower, upper)  # (1)

    @update("x")
    def integrate(e, r, u_t, memory, restart, gains, K_i, K_b):
        start = restarted(memory, restart)
        v, _ = unlimited(e, r, start, gains)
        return start.x + gains.every * (K_i * e + K_b * (u_t - v))  # (5)

    @update("d", "last", "was")
    def remember(e, r, memory, restart, gains):
        _, d = unlimited(e, r, restarted(memory, restart), gains)
        return d, weighted(e, r, gains.c), 1 if restart.trigger else 0


def rule_problem(derivative, N, every):
    """The message about a derivative that would grow by itself, or None."""
    if derivative == "forward" and np.any(np.multiply(N, every) >= 2.0):
        return (
            f"derivative = forward with N every = {np.max(np.multiply(N, every)):g}; expected less "
            "than 2, or it grows without end: sample faster, lower N or take another rule"
        )
