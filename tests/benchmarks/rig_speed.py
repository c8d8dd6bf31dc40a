"""How fast the roller rig of conti2012 runs: simulated seconds for each second of the clock."""

from __future__ import annotations

from measure import Row, at_least, real_time_factor


def roller_rig() -> list[Row]:
    """Scenario 1 on one core: at the paper's tolerances, at coarser ones, and in the plane."""
    unit = "x real time"
    exact = real_time_factor("conti2012/scenario_1", 3)
    coarse = real_time_factor("conti2012/scenario_1", 3, rtol=1e-6)
    plane = real_time_factor("conti2012/fast_scenario_1", 20)
    return [
        at_least("roller rig, scenario 1, rtol 1e-10, atol 1e-8", exact, unit, 1.0),
        at_least("roller rig, scenario 1, rtol 1e-6, atol 1e-8", coarse, unit, 5.0),
        at_least("roller rig in the plane, scenario 1, rtol 1e-10", plane, unit, 100.0),
    ]


ALL = (roller_rig,)
