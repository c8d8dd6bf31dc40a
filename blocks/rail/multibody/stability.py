"""Small motions about a steady one: eigenvalues, and the speed at which they begin to grow.

In steady rolling all rates vanish but those of angles of axles, which nothing depends on. The
Jacobian of the other states by central differences, of the same compiled equations that a run has,
gives the eigenvalues.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

import numpy as np
from railblocks.blocks.rail.multibody.bodies import (
    AXLE,
    CARRIER,
    HELD,
    PSI,
    STATES,
    THETA,
    V_X,
    W_X,
    W_Y,
    X,
)
from railblocks.engine import Diagram, check
from railblocks.engine.runs.rates import Rates

BODY = np.array([1e-7] * 3 + [1e-6] * 3 + [1e-5] * 3 + [1e-4] * 3)
"""Differences of a body's states: metres, radians and their rates, far below what bends profiles
and creep laws."""
INNER = 1e-7
"""Differences of dampers' states, in metres."""


def small_motions(
    rates: Callable[[np.ndarray], np.ndarray], q: np.ndarray, bodies: int, moving: Sequence[int]
) -> np.ndarray:
    """The Jacobian at q of the states that move, by central differences.

    States are those of bodies, then of dampers. A force that acts on one side only, as the damping
    of a contact, counts with the mean of both sides.
    """
    columns = []
    for i in moving:
        h = BODY[i % STATES] if i < bodies * STATES else INNER
        ahead, behind = q.copy(), q.copy()
        ahead[i] += h
        behind[i] -= h
        columns.append((rates(ahead) - rates(behind))[moving] / (2.0 * h))
    return np.array(columns).T


def steady_state(
    rates: Callable[[np.ndarray], np.ndarray], q: np.ndarray, bodies: int, moving: Sequence[int]
) -> np.ndarray | None:
    """The states near q whose rates vanish where they move, by Newton's method; None without."""
    q = q.copy()
    try:
        for _ in range(20):
            step = np.linalg.solve(small_motions(rates, q, bodies, moving), rates(q)[moving])
            q[moving] -= step
            if np.abs(step).max() < 1e-9:
                return q
    except np.linalg.LinAlgError:
        pass
    return None


def by_growth(matrix: np.ndarray) -> np.ndarray:
    """Eigenvalues, the least damped first."""
    values = np.linalg.eigvals(matrix)
    return values[np.argsort(-values.real)]


def first_growth(
    growth: Callable[[float], float], speeds: Iterable[float], precise: float = 1e-3
) -> float | None:
    """The lowest speed above which motions grow, None if there is none among the speeds.

    Speeds rise; the first change of sign between two of them is narrowed.
    """
    from scipy.optimize import brentq

    for slow, fast in pairwise(speeds):
        if growth(fast) > 0.0:
            return float(brentq(growth, slow, fast, xtol=precise)) if growth(slow) < 0.0 else slow
    return None


def moving_states(bodies: np.ndarray, states: int) -> list[int]:
    """Numbers of the states that can move: not what is held, nor the angles of axles."""
    moving: list[int] = []
    for k, row in enumerate(bodies):
        own = set(range(STATES))
        if row[CARRIER] > 0.0:
            own = {THETA, W_Y}
        elif row[AXLE] > 0.0:
            own -= {THETA}
        for axis in range(3):
            if row[HELD + axis] > 0.0:
                own -= {X + axis, V_X + axis}
            if row[HELD + 3] > 0.0:
                own -= {PSI + axis, W_X + axis}
        moving += [STATES * k + i for i in sorted(own)]
    return [*moving, *range(STATES * len(bodies), states)]


class SteadyRolling(ABC):
    """A block of bodies on wheels, with the states `q`, in steady rolling at any speed.

    A subclass has the states near those at a speed, and says what may be wrong where there are
    none; `moving` are the states that can move.
    """

    def __init__(self, diagram: Diagram, block: str):
        self._rates, self._block = Rates(check(diagram)), block
        self._states = self._rates.slice_of(block, "q")
        self.start = self._rates.start[self._states]
        self.bodies = self.parameter("bodies")
        self.moving = moving_states(self.bodies, len(self.start))

    def parameter(self, name: str) -> np.ndarray:
        """A parameter or table of the block, which may be changed."""
        return self._rates.parameter(self._block, name)

    def rates(self, q: np.ndarray) -> np.ndarray:
        """Rates of all states of the block."""
        return self._rates(q)[self._states]

    @abstractmethod
    def near(self, speed: float) -> np.ndarray:
        """States near those of steady rolling."""

    @abstractmethod
    def no_rest(self, speed: float) -> str:
        """The message where there is no steady rolling."""

    def steady(self, speed: float) -> np.ndarray:
        """All states in steady rolling, by Newton's method."""
        q = steady_state(self.rates, self.near(speed), len(self.bodies), self.moving)
        if q is None:
            raise ValueError(self.no_rest(speed))
        return q

    def matrix(self, speed: float) -> np.ndarray:
        """The Jacobian of the states that move, in steady rolling."""
        return small_motions(self.rates, self.steady(speed), len(self.bodies), self.moving)

    def eigenvalues(self, speed: float) -> np.ndarray:
        """Eigenvalues of small motions about steady rolling, in 1/s, the least damped first."""
        return by_growth(self.matrix(speed))

    def critical_speed(self, low: float, high: float, step: float) -> float | None:
        """The lowest speed above which small motions grow; None up to `high`.

        Speeds are tried each `step` from `low` on, and the first change of sign is narrowed.
        """
        speeds = np.arange(low, high + 0.5 * step, step)
        return first_growth(lambda v: float(self.eigenvalues(v)[0].real), speeds)
