"""Differential equations with known answers, as blocks: what solvers are tested on.

Sources: IVP Test Set (Bari/CWI) for HIRES, ROBER and VDPOL; Hairer, Norsett & Wanner I for the
Arenstorf orbit; closed forms otherwise.
"""

from __future__ import annotations

import math

import numpy as np
from railblocks.engine import (
    Block,
    DiagramBuilder,
    Out,
    Param,
    Simulation,
    State,
    check,
    der,
    out,
    standard_blocks,
)


class Growth(Block):
    """x' = x cos t, x = exp(sin t)."""

    id = "systems.growth"
    y = Out("1", "x")
    x = State("1", "x", start=1.0)

    @der("x")
    def rate(t, x):
        return x * math.cos(t)

    @out("y")
    def read(x):
        return x


class Forced(Block):
    """x' = cos t - x, x = (cos t + sin t + exp(-t)) / 2."""

    id = "systems.forced"
    y = Out("1", "x")
    x = State("1", "x", start=1.0)

    @der("x")
    def rate(t, x):
        return math.cos(t) - x

    @out("y")
    def read(x):
        return x


class Rational(Block):
    """x1' = x2/t, x2' = x2 (x1 + 2 x2 - 1) / (t (x1 - 1)); x = (t/(t+10), 10 t/(t+10)^2)."""

    id = "systems.rational"
    y = Out("1", "x", shape=(2,))
    x = State("1", "x", shape=(2,), start="x_0")
    x_0 = Param("1", "x at the start", shape=(2,), default=[1 / 3, 2 / 9])

    @der("x")
    def rate(t, x, der_x):
        der_x[0] = x[1] / t
        der_x[1] = x[1] * (x[0] + 2.0 * x[1] - 1.0) / (t * (x[0] - 1.0))

    @out("y")
    def read(x, y):
        y[0] = x[0]
        y[1] = x[1]


class VanDerPol(Block):
    """x1' = x2, x2' = ((1 - x1^2) x2 - x1) / eps."""

    id = "systems.van_der_pol"
    y1 = Out("1", "x1")
    y2 = Out("1", "x2")
    eps = Param("1", "stiffness", default=1e-6)
    x1 = State("1", "x1", start=2.0)
    x2 = State("1", "x2", start=0.0)

    @der("x1")
    def speed(x2):
        return x2

    @der("x2")
    def acceleration(x1, x2, eps):
        return ((1.0 - x1 * x1) * x2 - x1) / eps

    @out("y1", "y2")
    def read(x1, x2):
        return x1, x2


class Rober(Block):
    """Robertson's reaction."""

    id = "systems.rober"
    y = Out("1", "x", shape=(3,))
    x = State("1", "x", shape=(3,), start="x_0")
    x_0 = Param("1", "x at the start", shape=(3,), default=[1.0, 0.0, 0.0])

    @der("x")
    def rate(x, der_x):
        der_x[0] = -0.04 * x[0] + 1e4 * x[1] * x[2]
        der_x[2] = 3e7 * x[1] * x[1]
        der_x[1] = -der_x[0] - der_x[2]

    @out("y")
    def read(x, y):
        for i in range(3):
            y[i] = x[i]


class Hires(Block):
    """High irradiance response, eight reactants."""

    id = "systems.hires"
    y = Out("1", "x", shape=(8,))
    x = State("1", "x", shape=(8,), start="x_0")
    x_0 = Param("1", "start", shape=(8,), default=[1.0, 0, 0, 0, 0, 0, 0, 0.0057])

    @der("x")
    def rate(x, der_x):
        der_x[0] = -1.71 * x[0] + 0.43 * x[1] + 8.32 * x[2] + 0.0007
        der_x[1] = 1.71 * x[0] - 8.75 * x[1]
        der_x[2] = -10.03 * x[2] + 0.43 * x[3] + 0.035 * x[4]
        der_x[3] = 8.32 * x[1] + 1.71 * x[2] - 1.12 * x[3]
        der_x[4] = -1.745 * x[4] + 0.43 * (x[5] + x[6])
        der_x[6] = 280.0 * x[5] * x[7] - 1.81 * x[6]
        der_x[5] = -280.0 * x[5] * x[7] + 0.69 * x[3] + 1.71 * x[4] - 0.43 * x[5] + 0.69 * x[6]
        der_x[7] = -der_x[6]

    @out("y")
    def read(x, y):
        for i in range(8):
            y[i] = x[i]


class Arenstorf(Block):
    """Restricted three-body problem, a periodic orbit."""

    id = "systems.arenstorf"
    y = Out("1", "position", shape=(2,))
    x = State("1", "x, y, x', y'", shape=(4,), start="x_0")
    x_0 = Param(
        "1", "start", shape=(4,), default=[0.994, 0.0, 0.0, -2.00158510637908252240537862224]
    )

    @der("x")
    def rate(x, der_x):
        mu = 0.012277471
        d1 = (x[0] + mu) * (x[0] + mu) + x[1] * x[1]
        d2 = (x[0] - 1.0 + mu) * (x[0] - 1.0 + mu) + x[1] * x[1]
        d1 = d1 * math.sqrt(d1)
        d2 = d2 * math.sqrt(d2)
        der_x[0] = x[2]
        der_x[1] = x[3]
        der_x[2] = x[0] + 2.0 * x[3] - (1.0 - mu) * (x[0] + mu) / d1 - mu * (x[0] - 1.0 + mu) / d2
        der_x[3] = x[1] - 2.0 * x[2] - (1.0 - mu) * x[1] / d1 - mu * x[1] / d2

    @out("y")
    def read(x, y):
        y[0] = x[0]
        y[1] = x[1]


REGISTRY = standard_blocks().copy()
for block in (Growth, Forced, Rational, VanDerPol, Rober, Hires, Arenstorf):
    REGISTRY.add(block)


def run_system(kind: str, compiled: bool = True, log: dict | None = None, **solver):
    """Log rows (time first) and the simulation of one system."""
    values = {k: solver.pop(k) for k in list(solver) if k in ("eps", "x_0")}
    builder = DiagramBuilder(kind)
    builder.add("s", f"systems.{kind}", **values)
    builder.solver(**{"max_step": 1e300, **solver} if "step" not in solver else solver)
    if log:
        builder.log("s.y", **log)
    simulation = Simulation(check(builder.build(), REGISTRY), compiled)
    return np.concatenate(list(simulation.chunks())), simulation
