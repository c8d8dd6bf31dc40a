"""Small motions of a car body on two bogies by Lagrange, in coordinates of the bodies themselves.

The conventional equations for the tree of `bogies.yaml`: sway y and yaw psi of all bodies against
the track, roll phi of the car body about the secondary springs, h below its centre of mass,

    2 T = m (y' - h phi')^2 + J_x phi'^2 + J_z psi'^2 + sum of (m_i y_i'^2 + J_z,i psi_i'^2)  (1)
    2 V = sum of k s^2 - m g h phi^2,   s_y = y_i - y_b - x psi_b,   s_psi = psi_i - psi_b

for a body i at x in its carrier b, dampers likewise, and at each wheelset the creep forces

    Q_y = -2 f22 (y' / V - psi),   Q_psi = -2 f11 b (lam y / r_0 + b psi' / V)            (2)

Together M q'' + C q' + K q = 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from railblocks.engine.linear.growth import first_growth

GRAVITY = 9.81
BOGIES, WHEELSETS_OF = (1, 2), {1: (1, 2), 2: (3, 4)}
BODY_Y, BODY_PSI, BODY_PHI, COORDINATES = 0, 1, 2, 15
SPEEDS = np.arange(20.0, 200.0, 10.0)
"""Speeds among which the critical one is looked for, in m/s."""


def _bogie(n: int) -> tuple[int, int]:
    """Coordinates y and psi of a bogie."""
    return 2 * n + 1, 2 * n + 2


def _wheelset(n: int) -> tuple[int, int]:
    """Coordinates y and psi of a wheelset."""
    return 2 * n + 5, 2 * n + 6


@dataclass(frozen=True)
class LinearCar:
    """Links of the tree by name, and creep of a wheel: f22, f11 b lam / r_0 and f11 b^2."""

    links: Mapping[str, Mapping[str, Any]]
    drift: float
    cone: float
    spin: float

    def matrices(self, V: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """M, C and K at a speed."""
        M, C, K = (np.zeros((COORDINATES, COORDINATES)) for _ in range(3))
        body = self.links["body"]
        m, h, (J_x, _, J_z) = body["m"], body["centre"][2], body["J"]
        swing = np.zeros(COORDINATES)
        swing[BODY_Y], swing[BODY_PHI] = 1.0, -h
        M += m * np.outer(swing, swing)  # (1)
        M[BODY_PHI, BODY_PHI] += J_x
        M[BODY_PSI, BODY_PSI] += J_z
        K[BODY_PHI, BODY_PHI] += body["k"] - m * GRAVITY * h
        C[BODY_PHI, BODY_PHI] += body["c"]
        for n in BOGIES:
            self._hang(M, C, K, f"aside_{n}", f"bogie_{n}", (BODY_Y, BODY_PSI), _bogie(n))
            for wheelset in WHEELSETS_OF[n]:
                names = f"box_{wheelset}", f"wheelset_{wheelset}"
                self._hang(M, C, K, *names, _bogie(n), _wheelset(wheelset))
        for n in (1, 2, 3, 4):
            y, psi = _wheelset(n)  # (2)
            C[y, y] += 2.0 * self.drift / V
            K[y, psi] -= 2.0 * self.drift
            C[psi, psi] += 2.0 * self.spin / V
            K[psi, y] += 2.0 * self.cone
        return M, C, K

    def _hang(
        self,
        M: np.ndarray,
        C: np.ndarray,
        K: np.ndarray,
        slide: str,
        turn: str,
        carrier: tuple[int, int],
        own: tuple[int, int],
    ) -> None:
        """Adds a body on a link that slides and one that turns."""
        across, about = np.zeros(COORDINATES), np.zeros(COORDINATES)
        across[own[0]], across[carrier[0]] = 1.0, -1.0
        across[carrier[1]] = -self.links[slide]["at"][0]
        about[own[1]], about[carrier[1]] = 1.0, -1.0
        for stretch, link in ((across, self.links[slide]), (about, self.links[turn])):
            K += link.get("k", 0.0) * np.outer(stretch, stretch)
            C += link.get("c", 0.0) * np.outer(stretch, stretch)
        M[own[0], own[0]] += self.links[turn]["m"]
        M[own[1], own[1]] += self.links[turn]["J"][2]

    def eigenvalues(self, V: float) -> np.ndarray:
        """Eigenvalues in 1/s, the fastest growing ones first."""
        M, C, K = self.matrices(V)
        unit, none = np.eye(COORDINATES), np.zeros((COORDINATES, COORDINATES))
        rates = np.linalg.eigvals(
            np.block([[none, unit], [-np.linalg.solve(M, K), -np.linalg.solve(M, C)]])
        )
        return rates[np.argsort(-rates.real)]

    def critical_speed(self) -> float | None:
        """The speed in m/s from which on a motion grows."""
        return first_growth(lambda V: float(self.eigenvalues(V)[0].real), SPEEDS)
