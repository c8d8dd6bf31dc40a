"""How fast vehicles run: simulated seconds for each of the clock."""

from __future__ import annotations

from measure import Row, at_least, real_time_factor

STEP = 0.2
"""Of the S-curve, in ms: a step within 0.25 ms is 0.8 times real time."""


def vehicles() -> list[Row]:
    """The S-curve of falomi by `ode5`, the braking coach of meacci2020, on one core."""
    unit = "x real time"
    wagon = real_time_factor("falomi/s_curve", 2)
    coach = real_time_factor("meacci2020/braking", 1, stop=8.0)
    return [
        at_least("Manchester wagon on the S-curve, ode5, 0.2 ms", wagon, unit, STEP / 0.25),
        at_least("UIC-Z1 braking, local adhesion on 25 x 25 cells", coach, unit, 1.0 / 0.2),
    ]


ALL = (vehicles,)
