"""How the time of a chain's dynamics grows with its number of links."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from measure import Row, least_seconds
from railblocks.blocks.rail.multibody.chain import MOTION
from railblocks.blocks.rail.multibody.chain_recursion import forward_dynamics
from railblocks.diagrams.vishnu.newton_euler import GRAVITY
from railblocks.engine import compiled

sys.path.insert(0, str(Path(__file__).parents[1] / "blocks" / "rail"))

FEW, MANY, LARGEST_RATIO = 8, 64, 12.0
"""Links, and how much longer eight times as many may take; the third power would be 512."""


def chain() -> list[Row]:
    """Accelerations of pendulums of links, by recursion."""
    few, many = least_seconds([_accelerations(FEW), _accelerations(MANY)], rounds=50)
    ratio = many / few
    name = f"accelerations of a chain of {MANY} links"
    goal = f"<= {LARGEST_RATIO:g}x"
    return [Row(name, many, "s", f"of {FEW} links", ratio, goal, ratio <= LARGEST_RATIO)]


def repeat_dynamics(n, links, g, tau, loaded, w, motion, table, theta_ddot):
    """n times the accelerations, so that the call from Python does not count."""
    for _ in range(n):
        forward_dynamics(links, g, tau, loaded, w, motion, table, theta_ddot)
    return theta_ddot[0]


def _accelerations(n: int) -> Callable[[], object]:
    from chain_cases import Kernels, pendulum

    kernels, theta = Kernels(pendulum(n), fast=True), np.full(n, 0.1)
    kernels.recursive(theta, theta)
    arguments = (np.zeros(n), np.zeros(0), np.zeros((0, 6)), kernels.motion)
    tables = (np.zeros((n, MOTION + 14)), np.zeros(n))
    run = compiled(repeat_dynamics)
    return lambda: run(500, kernels.links, GRAVITY, *arguments, *tables)


ALL = (chain,)
