"""How fast the roller rig of conti2012 runs: simulated seconds for each second of the clock."""

from __future__ import annotations

from pathlib import Path

from measure import Row, at_least
from railblocks.engine import Simulation, check, load

FOLDER = Path(__file__).parents[2] / "diagrams" / "conti2012"


def real_time_factor(name: str, rounds: int, **solver: float) -> float:
    """Of the fastest of some runs of a diagram, compiled before."""
    values = {f"solver.{setting}": value for setting, value in solver.items()}
    simulation = Simulation(check(load(FOLDER / f"{name}.yaml").with_values(values)))
    best = 0.0
    for _ in range(rounds):
        simulation.reset()
        for _ in simulation.chunks():
            pass
        best = max(best, simulation.statistics.real_time_factor)
    return best


def roller_rig() -> list[Row]:
    """Scenario 1 on one core: at the paper's tolerances, at coarser ones, and in the plane."""
    unit = "x real time"
    exact = real_time_factor("scenario_1", 3)
    coarse = real_time_factor("scenario_1", 3, rtol=1e-6)
    plane = real_time_factor("fast_scenario_1", 20)
    return [
        at_least("roller rig, scenario 1, rtol 1e-10, atol 1e-8", exact, unit, 1.0),
        at_least("roller rig, scenario 1, rtol 1e-6, atol 1e-8", coarse, unit, 5.0),
        at_least("roller rig in the plane, scenario 1, rtol 1e-10", plane, unit, 100.0),
    ]


ALL = (roller_rig,)
