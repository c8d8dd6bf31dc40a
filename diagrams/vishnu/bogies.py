"""Runs of a car body on two bogies as a tree of chains, and the same by conventional equations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from railblocks.blocks.rail.multibody.chain import DAMPING, STIFFNESS
from railblocks.blocks.rail.multibody.chain_branches import loaded_links
from railblocks.blocks.rail.multibody.chain_links import chain_tables
from railblocks.diagrams.runs import Run, Tell, shipped, silent
from railblocks.diagrams.vishnu.linear_car import LinearCar
from railblocks.diagrams.vishnu.newton_euler import free_accelerations
from railblocks.engine.linear.growth import by_growth, first_growth
from railblocks.engine.operating_points.rates import Rates

CAR = "bogies"
CALM, HUNTING = 60.0, 76.0
"""Speeds below and above the critical one, in m/s."""
COMPARED = 20
"""Logged times at which accelerations are compared."""
SIZE = 1e-3
"""Size of small positions and rates for eigenvalues, in SI units."""


def links_of(values: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Links of the tree by name."""
    return {link["name"]: link for link in values["chain"]}


def car_run(V: float, tell: Tell = silent) -> Run:
    """The car at a speed, from a small displacement of its first wheelset on."""
    return Run.of(shipped("vishnu", CAR, {"V": V}), f"car body on two bogies at {V:g} m/s", tell)


def linear_car() -> LinearCar:
    """The same car by Lagrange, with the numbers of the diagram."""
    blocks = shipped("vishnu", CAR, {"V": 1.0}).model.blocks
    wheels = (-0.5 * float(blocks[name].values["k"]) for name in ("drift", "cone", "spin"))
    return LinearCar(links_of(blocks["car"].values), *wheels)


def car_eigenvalues(V: float) -> np.ndarray:
    """Eigenvalues of the tree in 1/s, the fastest growing ones first."""
    rates = Rates(shipped("vishnu", CAR, {"V": V}))
    n = rates.start.size
    return by_growth(rates.jacobian(np.zeros(n), SIZE))


def car_critical_speed(near: float) -> float | None:
    """The speed from which on small motions of the tree grow."""
    speeds = (near - 5.0, near + 5.0)
    return first_growth(lambda V: float(car_eigenvalues(V)[0].real), speeds)


def acceleration_difference(run: Run) -> float:
    """Largest difference of theta'' from Newton and Euler along a run, over the size of theta''."""
    car = run.blocks["car"]
    links, _, _ = chain_tables(car["chain"])
    wheelsets = loaded_links(car["chain"], car["loaded"])
    rows = np.linspace(0, len(run.t) - 1, COMPARED).astype(int)
    signals = ("car.theta", "car.theta_dot", "car.theta_ddot", "M_z.y", "F_y.y")
    logged = (run[name][rows] for name in signals)
    worst = 0.0
    for theta, theta_dot, theta_ddot, M_z, F_y in zip(*logged, strict=True):
        w = np.zeros((len(links), 6))
        w[wheelsets, 2], w[wheelsets, 4] = M_z, F_y
        tau = -links[:, STIFFNESS] * theta - links[:, DAMPING] * theta_dot
        expected = free_accelerations(links, theta, theta_dot, tau, w=w)
        apart = np.abs(theta_ddot - expected).max() / np.abs(expected).max()
        worst = max(worst, float(apart))
    return worst


@dataclass(frozen=True)
class CarStudy:
    """Runs of the car below and above its critical speed, and its small motions by both ways."""

    calm: Run
    hunting: Run
    linear: LinearCar
    linear_critical: float
    critical: float | None
    eigenvalues: np.ndarray  # of the tree, at the higher speed


def eigenvalue_difference(study: CarStudy) -> float:
    """Largest difference of the tree's eigenvalues from Lagrange's, over their size."""
    ours, theirs = (
        np.sort_complex(values) for values in (study.eigenvalues, study.linear.eigenvalues(HUNTING))
    )
    return float(np.max(np.abs(ours - theirs) / np.abs(theirs)))


def car_study(tell: Tell) -> CarStudy:
    """Makes the runs of the car, and finds its critical speed by both ways."""
    linear = linear_car()
    critical = linear.critical_speed()
    if critical is None:
        raise ValueError("the car on two bogies has no critical speed")
    calm, hunting = car_run(CALM, tell), car_run(HUNTING, tell)
    tell("critical speed of the car")
    tree = car_critical_speed(critical)
    return CarStudy(calm, hunting, linear, critical, tree, car_eigenvalues(HUNTING))
