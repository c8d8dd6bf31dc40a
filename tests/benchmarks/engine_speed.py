"""How fast diagrams run against the same model by hand, and how they grow."""

from __future__ import annotations

import by_hand
import models
from measure import Row, against, least_seconds, runner


def van_der_pol() -> list[Row]:
    """Eight elementary blocks, 1000 s at rtol 1e-8, against one numba program and SciPy."""
    ours, simulation = runner(models.VAN_DER_POL)
    hand = by_hand.van_der_pol()
    _, steps = hand(1.0, 1000.0, 1e-8, 1e-8)
    ours()
    assert simulation.statistics.steps == steps, "not the same solver"
    mine, theirs = least_seconds([ours, lambda: hand(1.0, 1000.0, 1e-8, 1e-8)], 40)
    scipy = least_seconds([_scipy_van_der_pol], 1)[0]
    return [
        against("van der Pol, 1000 s, rtol 1e-8", mine, theirs, "numba by hand", 1.1),
        against("van der Pol, 1000 s, rtol 1e-8", mine, scipy, "SciPy RK45, numba right-hand side"),
    ]


def _scipy_van_der_pol() -> None:
    from numba import njit
    from scipy.integrate import solve_ivp

    @njit
    def f(t, x):
        return (x[1], (1.0 - x[0] * x[0]) * x[1] - x[0])

    solve_ivp(f, (0.0, 1000.0), [2.0, 0.0], "RK45", rtol=1e-8, atol=1e-8)


def bounces() -> list[Row]:
    """1000 elastic bounces, each located and reset."""
    ours, simulation = runner(models.BOUNCES)
    hand = by_hand.bounces()
    _, events = hand(903.0, 1e-8, 1e-8)
    ours()
    assert simulation.statistics.events == events == 1000, "not the same bounces"
    mine, theirs = least_seconds([ours, lambda: hand(903.0, 1e-8, 1e-8)], 25)
    return [against("1000 bounces", mine, theirs, "numba by hand", 1.5)]


def sampled_motor() -> list[Row]:
    """A DC motor under a PID at 1 kHz for 10 s."""
    ours, simulation = runner(models.SAMPLED_MOTOR)
    hand = by_hand.sampled_motor()
    _, steps = hand(10.0, 1e-8, 1e-8)
    ours()
    difference = abs(simulation.statistics.steps - steps) / steps
    assert difference < 0.02, f"not the same loop: {simulation.statistics.steps} and {steps} steps"
    mine, theirs = least_seconds([ours, lambda: hand(10.0, 1e-8, 1e-8)], 25)
    return [against("PID at 1 kHz, 10 s", mine, theirs, "numba by hand", 1.5)]


def growth() -> list[Row]:
    """Cost per block and evaluation of a chain of 10, 100 and 1000 masses."""
    rows, costs = [], []
    for masses in (10, 100, 1000):
        run, simulation = runner(models.chain(masses))
        seconds = least_seconds([run], 5)[0]
        cost = seconds / simulation.statistics.evaluations / (6 * masses) * 1e9
        costs.append(cost)
        rows.append(Row(f"chain of {masses} masses: per block and evaluation", cost, "ns"))
        rows.append(Row(f"chain of {masses} masses, 10 s", seconds, "s"))
    for smaller, cost in (("10 masses", costs[0]), ("100 masses", costs[1])):
        grown, name = costs[2] / cost, "cost per block of 1000 masses"
        rows.append(Row(name, costs[2], "ns", smaller, grown, "<= 1.2x", grown <= 1.2))
    return rows


ALL = (van_der_pol, bounces, sampled_motor, growth)
