"""Measuring: the least of several interleaved runs, and what a row of the report is."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from railblocks.engine import Simulation, check, load, loads

DIAGRAMS = Path(__file__).parents[2] / "diagrams"


@dataclass
class Row:
    """One figure: `ratio` is value over reference, `goal` the largest (or least) allowed."""

    name: str
    value: float
    unit: str
    reference: str = ""
    ratio: float | None = None
    goal: str = ""
    met: bool | None = None

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def at_most(name: str, value: float, unit: str, limit: float, reference: str = "") -> Row:
    return Row(name, value, unit, reference, None, f"<= {limit:g} {unit}", value <= limit)


def at_least(name: str, value: float, unit: str, limit: float) -> Row:
    return Row(name, value, unit, "", None, f">= {limit:g} {unit}", value >= limit)


def against(
    name: str, ours: float, theirs: float, reference: str, limit: float | None = None
) -> Row:
    """Seconds of ours and theirs; with a limit, the ratio must not be above it."""
    ratio = ours / theirs
    goal = f"<= {limit:g}x" if limit else ""
    return Row(name, ours, "s", reference, ratio, goal, ratio <= limit if limit else None)


def least_seconds(functions: Sequence[Callable[[], Any]], rounds: int = 15) -> list[float]:
    """The shortest time of each, run in turns so that all see the same machine."""
    best = [float("inf")] * len(functions)
    for _ in range(rounds):
        for i, function in enumerate(functions):
            begin = time.perf_counter()
            function()
            best[i] = min(best[i], time.perf_counter() - begin)
    return best


def runner(
    text: str, values: dict[str, Any] | None = None
) -> tuple[Callable[[], None], Simulation]:
    """A function that runs the compiled diagram from its start to its end."""
    simulation = Simulation(check(loads(text).with_values(values or {})))

    def run() -> None:
        simulation.reset()
        for _ in simulation.chunks():
            pass

    return run, simulation


def real_time_factor(name: str, rounds: int, **solver: float) -> float:
    """Of the fastest of some runs of a diagram, compiled before."""
    values = {f"solver.{setting}": value for setting, value in solver.items()}
    simulation = Simulation(check(load(DIAGRAMS / f"{name}.yaml").with_values(values)))
    best = 0.0
    for _ in range(rounds):
        simulation.reset()
        for _ in simulation.chunks():
            pass
        best = max(best, simulation.statistics.real_time_factor)
    return best
