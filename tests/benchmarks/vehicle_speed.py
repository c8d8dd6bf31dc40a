"""How fast vehicles run: the S-curve of falomi, and the braking coach of meacci2020."""

from __future__ import annotations

from measure import Row, against, at_least, at_most, real_time_factor
from railblocks.diagrams.meacci2020.runs import seconds_of

STEP = 0.2
"""Of the S-curve, in ms: a step within 0.25 ms is 0.8 times real time."""


def vehicles() -> list[Row]:
    """The S-curve by `ode5`, on one core."""
    wagon = real_time_factor("falomi/s_curve", 2)
    name = "Manchester wagon on the S-curve, ode5, 0.2 ms"
    return [at_least(name, wagon, "x real time", STEP / 0.25)]


def braking_coach() -> list[Row]:
    """The whole braking of the UIC-Z1: seconds of one core for a simulated one."""
    local, plain = (min(seconds_of(law) for _ in range(3)) for law in ("local", "fastsim"))
    name = "UIC-Z1 braking, local adhesion on 25 x 25 cells"
    return [
        at_most(f"{name}: a simulated second", local, "s", 0.2),
        against(f"{name}", local, plain, "FASTSIM in its place"),
    ]


ALL = (vehicles, braking_coach)
