"""Small motions of a wheelset at constant speed: eigenvalues of its block, and closed forms.

With linear profiles, springs k_y, k_psi, c_1 = 2 f22 / V and c_2 = 2 f11 b^2 / V,

    a_4 s^4 + a_3 s^3 + a_2 s^2 + a_1 s + a_0 = 0,
    a_4 = m I_z,  a_3 = m c_2 + I_z c_1,  a_2 = m k_psi + I_z k_y + c_1 c_2,
    a_1 = c_1 k_psi + c_2 k_y,  a_0 = k_y k_psi + 4 f11 f22 lam b / r_0    (1)

and small motions grow where Routh's a_0 a_3^2 - a_1 (a_2 a_3 - a_1 a_4) is positive          (2)

Free of springs a_1 = 0: that is so at every speed. At low speed it sways with Klingel's wavelength,
omega_0 = V sqrt(lam / (b r_0)), and grows at

    sigma = V omega_0^2 / 4 (m / f22 + I_z / (f11 b^2))                    (3)
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from railblocks.engine import DiagramBuilder, check
from railblocks.engine.linear.growth import first_growth
from railblocks.engine.operating_points.rates import Rates

STATES = ("q_y", "q_psi", "u_y", "u_psi")
SIZE = 1e-4
"""Size of small changes of all states, in SI units: far below what bends the equations."""


class LinearWheelset(NamedTuple):
    """The wheelset of (1); by default that of the Manchester wagon, without springs."""

    lam: float
    k_y: float = 0.0
    k_psi: float = 0.0
    m: float = 1813.0
    I_z: float = 1120.0
    r_0: float = 0.46
    b: float = 0.75
    f11: float = 9.6175e6
    f22: float = 8.6861e6

    def polynomial(self, V: float) -> np.ndarray:
        """Coefficients a_4 to a_0 of (1)."""
        c_1, c_2 = 2.0 * self.f22 / V, 2.0 * self.f11 * self.b**2 / V
        steering = 4.0 * self.f11 * self.f22 * self.lam * self.b / self.r_0
        return np.array(
            [
                self.m * self.I_z,
                self.m * c_2 + self.I_z * c_1,
                self.m * self.k_psi + self.I_z * self.k_y + c_1 * c_2,
                c_1 * self.k_psi + c_2 * self.k_y,
                self.k_y * self.k_psi + steering,
            ]
        )

    def routh(self, V: float) -> float:
        """The criterion (2) over its first term: positive where small motions grow."""
        a_4, a_3, a_2, a_1, a_0 = self.polynomial(V)
        return float(1.0 - a_1 * (a_2 * a_3 - a_1 * a_4) / (a_0 * a_3 * a_3))

    def growth(self, V: float) -> float:
        """Growth rate at low speed, free of springs (3)."""
        omega_0 = V * (self.lam / (self.b * self.r_0)) ** 0.5
        return V * omega_0**2 / 4.0 * (self.m / self.f22 + self.I_z / (self.f11 * self.b**2))

    def critical_speed(self, speeds: Any = None) -> float | None:
        return first_growth(self.routh, SPEEDS if speeds is None else speeds, 1e-9)


SPEEDS = np.arange(1.0, 201.0, 2.0)


class RollingWheelset:
    """A block of a wheelset with parameters as in a diagram, at any speed."""

    def __init__(self, block: str = "rail.denoc_wheelset", **values: Any):
        d = DiagramBuilder("rolling wheelset")
        d.add("speed", "sources.constant", value="1 m/s")
        d.add("wheelset", block, **values)
        d.connect("speed", "wheelset.V")
        d.solver(stop=1)
        d.log("wheelset.y")
        self._rates = Rates(check(d.build()))
        self._places = [self._rates.slice_of("wheelset", name).start for name in STATES]
        self._speed = self._rates.parameter("speed", "value")

    def matrix(self, V: float) -> np.ndarray:
        """The Jacobian of sway, yaw and their rates about straight running."""
        self._speed[...] = V
        J = self._rates.jacobian(np.zeros(len(STATES)), SIZE)
        return J[np.ix_(self._places, self._places)]

    def eigenvalues(self, V: float) -> np.ndarray:
        """Eigenvalues in 1/s, those that grow most first."""
        eigenvalues = np.linalg.eigvals(self.matrix(V))
        return eigenvalues[np.lexsort((-eigenvalues.imag, -eigenvalues.real.round(9)))]

    def critical_speed(self, speeds: Any = None) -> float | None:
        """The lowest speed above which small motions grow; None if there is none."""
        return first_growth(
            lambda V: float(self.eigenvalues(V)[0].real), SPEEDS if speeds is None else speeds, 1e-6
        )
