"""Small motions about a steady one: eigenvalues, and the speed at which they begin to grow.

In steady rolling all rates vanish but those of angles of axles, which nothing depends on. The
Jacobian of the other states, of the same compiled equations that a run has, gives the eigenvalues.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

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
from railblocks.engine.linear.growth import by_growth, first_growth
from railblocks.engine.operating_points.differences import quick_jacobian, whole_jacobian
from railblocks.engine.operating_points.newton import least_step, newton
from railblocks.engine.operating_points.rates import Rates

BODY = np.array([1e-4] * 3 + [1e-3] * 3 + [1e-2] * 3 + [1e-1] * 3)
"""Sizes of a body's states: metres, radians and their rates, in which profiles and creep laws bend.
Differences begin a hundredth below."""
INNER = 1e-4
"""Size of dampers' states, in metres."""
STEPS = 2
"""Steps of differences: what the contacts leave of their own precision ends there."""
STEADY = 1e-9
"""Newton step, in SI units, at which rolling is steady."""
LAST = 1e-6
"""Newton step over the sizes of states that is the last."""


def sizes_of(bodies: int, moving: Sequence[int]) -> np.ndarray:
    """Sizes of the states that move: those of bodies, then of dampers."""
    return np.array([BODY[i % STATES] if i < bodies * STATES else INNER for i in moving])


def small_motions(
    rates: Callable[[np.ndarray], np.ndarray], q: np.ndarray, bodies: int, moving: Sequence[int]
) -> np.ndarray:
    """The Jacobian at q of the states that move.

    A force that acts on one side only, as the damping of a contact, counts with the mean of both
    sides.
    """
    own = _own_rates(rates, q, moving)
    return whole_jacobian(own, q[list(moving)], sizes_of(bodies, moving), STEPS)


def steady_state(
    rates: Callable[[np.ndarray], np.ndarray], q: np.ndarray, bodies: int, moving: Sequence[int]
) -> np.ndarray | None:
    """The states near q whose rates vanish where they move, by Newton's method; None without."""
    own, sizes = _own_rates(rates, q, moving), sizes_of(bodies, moving)
    found, _ = newton(
        own,
        lambda x: quick_jacobian(own, x, sizes),
        q[list(moving)],
        lambda x: sizes,
        least=LAST,
    )
    F, J = own(found), quick_jacobian(own, found, sizes) * sizes
    step = least_step(J, F)
    if np.abs(sizes * step).max() > STEADY or np.abs(F + J @ step).max() > 1e-3 * np.abs(J).max():
        return None
    q = q.copy()
    q[list(moving)] = found
    return q


def _own_rates(
    rates: Callable[[np.ndarray], np.ndarray], q: np.ndarray, moving: Sequence[int]
) -> Callable[[np.ndarray], np.ndarray]:
    """Rates of the states that move, as a function of these alone."""
    chosen = list(moving)

    def own(x: np.ndarray) -> np.ndarray:
        whole = q.copy()
        whole[chosen] = x
        return rates(whole)[chosen]

    return own


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
