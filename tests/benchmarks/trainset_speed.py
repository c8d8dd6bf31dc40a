"""How fast the braking trainset of toumi2019 runs: simulated seconds for each of the clock."""

from __future__ import annotations

from measure import Row, at_least, real_time_factor

GOAL = 100.0


def trainset() -> list[Row]:
    """22 axles with wheel-slide protection from 160 km/h to standstill, on one core."""
    factor = real_time_factor("toumi2019/braking", 20)
    return [at_least("22 axles braking with protection and recovery", factor, "x real time", GOAL)]


ALL = (trainset,)
