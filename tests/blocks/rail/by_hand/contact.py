"""Cones on round heads: where they touch, Hertz's load, Kalker's creep forces.

A rail (or roller) is a tube of radius rho around the path p(s) of its head's centre; a wheel is a
cone r_0 - t (u - y_0) around its axle, u outwards. The distance of a point to a cone is known,

    d(p) = (|p across the axle| - r_0 + t (u - y_0)) cos(gamma),  tan(gamma) = t      (1)

and so contact is where d(p(s)) is least: n . p' = 0 with n = grad d, one equation for s.  (2)
The approach is delta = rho - d. Points of the wheel and the rail lie on the same normal.
Hertz, with curvatures of cos(gamma) / r along the wheel and 1 / rho across the rail:

    A + B = (cos(gamma) / r + 1 / rho) / 2,   e^2 = 1 - (b/a)^2            (3)
    B / A = ((a/b)^2 E(e) - K(e)) / (K(e) - E(e))                          (4)
    delta = N 3 K(e) / (2 pi a E*),   a^3 = 3 N E(e) / (2 pi E* (A + B) (b/a)^2)     (5)

with semi-axes a > b (K. L. Johnson, Contact Mechanics, section 4.2; 1/E* = 2 (1 - nu^2) / E).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.special import ellipe, ellipk

from .line import cross, dot

KALKER = np.array([
    # b/a, C11, C22, C23, C33 at nu = 1/4 (Kalker 1967, Table of creepage coefficients)
    [0.5, 5.10, 4.90, 2.62, 0.819],
    [0.6, 4.78, 4.50, 2.23, 0.892],
    [0.7, 4.54, 4.21, 1.95, 0.965],
    [0.8, 4.36, 3.99, 1.75, 1.04],
    [0.9, 4.22, 3.81, 1.59, 1.11],
    [1.0, 4.12, 3.67, 1.47, 1.19],
])  # fmt: skip
NU = 0.25
"""Poisson's ratio of the table above."""


def ellipse(ratio):
    """b/a < 1 of patches with a ratio of curvatures A/B < 1, by (4) and its inverse's spline."""
    return _RATIOS(ratio)


def _curvatures(g):
    m = 1.0 - g * g
    K, E = ellipk(m), ellipe(m)
    return (K - E) / (E / (g * g) - K)  # A / B


_GRID = np.linspace(0.2, 0.99, 4000)
_RATIOS = CubicSpline(_curvatures(_GRID), _GRID)


def hertz(A, B, delta, E):
    """Elastic load and semi-axes along the smaller curvature A and across it, A < B."""
    g = ellipse(A / B)
    m = 1.0 - g * g
    K, S = ellipk(m), ellipe(m)
    modulus = E / (2.0 * (1.0 - NU * NU))
    # (5): delta / a^2 = (A + B) g^2 K / S, so a^2 follows from delta and then N from a
    a = np.sqrt(delta * S / ((A + B) * g * g * K))
    N = 2.0 * np.pi * modulus * a * delta / (3.0 * K)
    return N, a, g * a


def creep_forces(xi, eta, phi, a, b, N, mu, G):
    """Kalker's linear theory going over to full sliding, as docs/decisions/0019 has it.

    Linear forces X, Y and S (of spin) and moments count with (1 - w) f, those of full sliding with
    w f rho; w = (rho / 3)^2, f = 1 - rho / 3 + rho^2 / 27 up to rho = 3, beyond which all slides.
    """
    ratio = np.divide(b, a, out=np.ones_like(a), where=a > 0.0)
    C11, C22, C23, C33 = (np.interp(ratio, KALKER[:, 0], KALKER[:, k]) for k in range(1, 5))
    c, bound = np.sqrt(a * b), mu * np.maximum(N, 1e-9)
    X, Y, S = G * a * b * C11 * xi, G * a * b * C22 * eta, G * a * b * c * C23 * phi
    M_y, M_s = G * a * b * c * C23 * eta, G * (a * b) ** 2 * C33 * phi
    r = 3.0 * np.pi / 32.0 * (3.0 * (a + b) - np.sqrt((3.0 * a + b) * (a + 3.0 * b)))
    rho = np.sqrt(X**2 + Y**2 + S**2 + 2.0 * np.maximum(Y * S, 0.0)) / bound
    rho_M = np.sqrt(rho**2 + (M_s / (bound * np.maximum(r, 1e-9))) ** 2)
    keep, slide = _shares(rho)
    keep_M, slide_M = _shares(rho_M)
    lag = np.minimum(c * C23 / C22, 32.0 * a / (9.0 * np.pi * np.maximum(rho, 1e-12)))
    lateral = eta + lag * phi  # tractions lag behind the slip that spin turns
    square, spin = xi**2 + lateral**2, r * phi
    J = 0.2 * ((a * xi) ** 2 + (b * lateral) ** 2) + (r * spin) ** 2
    J = np.divide(J, square + spin**2, out=np.zeros_like(J), where=square + spin**2 > 0.0)
    size = np.sqrt(square + J * phi**2)
    against = np.divide(bound, size, out=np.zeros_like(size), where=size > 0.0)
    turn = np.sqrt(square + np.divide(J * phi, r, out=np.zeros_like(J), where=r > 0.0) ** 2)
    twist = np.divide(bound * J * phi, turn, out=np.zeros_like(J), where=turn > 0.0)
    there = N > 0.0
    F_x = np.where(there, -keep * X - slide * against * xi, 0.0)
    F_y = np.where(there, -keep * (Y + S) - slide * against * lateral, 0.0)
    return F_x, F_y, np.where(there, keep * M_y - keep_M * M_s - slide_M * twist, 0.0)


def _shares(rho):
    """How much of the linear force, and of that of full sliding, there is."""
    f, w = 1.0 - rho / 3.0 + rho**2 / 27.0, (rho / 3.0) ** 2
    slides = rho >= 3.0
    return np.where(slides, 0.0, (1.0 - w) * f), np.where(slides, 1.0, w * f * rho)


def standing(points, up):
    """A rail: no velocities, straight."""
    return np.zeros_like(points), np.zeros_like(points), 0.0


@dataclass
class Contact:
    """Wheels on their rails or rollers, all at once; s is a length or an angle along each path.

    `path` gives p, p' and p'' at s, the last one only to find (2) faster; `surface` the velocity
    and angular velocity of what lies below, at its points, and its curvature along rolling. V is
    the speed of the axle's middle over that surface. Creepages are between the wheel's and the
    rail's surface, forces act at the wheel's; with `slip_at` and `force_at` of 0 at the rail's.
    """

    path: Callable
    side: np.ndarray
    r_0: float
    y_0: float
    cone: float
    rho: float
    E: float
    mu: float
    c: float
    V_min: float
    surface: Callable = standing
    force_at: float = 1.0
    slip_at: float = 1.0

    def distance(self, p, centre, axle):
        """d and n of (1), the direction around the wheel, and p's distance from the axle."""
        gamma = math.atan(self.cone)
        arm = p - centre
        u = dot(arm, axle)
        across = arm - u[:, None] * axle
        radius = np.sqrt(dot(across, across))
        radial = across / radius[:, None]
        n = math.cos(gamma) * radial + math.sin(gamma) * self.side[:, None] * axle
        d = (radius - self.r_0 + (self.side * u - self.y_0) * self.cone) * math.cos(gamma)
        return d, n, cross(axle, radial), radius

    def touch(self, s, centre, axle):
        """s of (2) by Newton's method, from a guess; with p, p' and what is known of d there."""
        for _ in range(30):
            p, p_1, p_2 = self.path(s)
            d, n, around, radius = self.distance(p, centre, axle)
            bend = dot(p_1, around) ** 2 / radius / math.sqrt(1.0 + self.cone**2) + dot(n, p_2)
            step = -dot(n, p_1) / bend
            if np.abs(step).max() < 1e-13 * (1.0 + np.abs(s).max()):
                break
            s = s + step
        return s, p, p_1, d, n, around

    def __call__(self, s, centre, axle, v, omega):
        """Forces and moments about the centre on each wheel, and what they come from."""
        s, p, p_1, d, n, around = self.touch(s, centre, axle)
        delta = self.rho - d
        arm = p - d[:, None] * n - centre  # to the wheel's point; the rail's lies -delta n from it
        up, t_x = -n, p_1 / np.sqrt(dot(p_1, p_1))[:, None]
        t_y = cross(up, t_x)
        below, omega_below, k_x = self.surface(centre + arm - delta[:, None] * n, up)
        cos = dot(t_x, around)
        r = np.sqrt(dot(arm, arm) - dot(arm, axle) ** 2)
        elastic, a, b = hertz(*self.curvatures(r, k_x, cos), np.maximum(delta, 0.0), self.E)
        rub = arm - (1.0 - self.slip_at) * delta[:, None] * n
        slip = v + cross(omega, rub) - below
        N = np.where(delta > 0.0, elastic + self.c * np.maximum(dot(slip, n), 0.0), 0.0)
        V = np.sqrt(dot(v - below, t_x) ** 2 + self.V_min**2)
        xi, eta, phi = dot(slip, t_x) / V, dot(slip, t_y) / V, dot(omega - omega_below, up) / V
        G = self.E / (2.0 * (1.0 + NU))
        F_x, F_y, M_z = creep_forces(xi, eta, phi, a, b, N, self.mu, G)
        F = N[:, None] * up + F_x[:, None] * t_x + F_y[:, None] * t_y
        act = arm - (1.0 - self.force_at) * delta[:, None] * n
        M = cross(act, F) + M_z[:, None] * up
        more = {
            "s": s, "P": centre + act, "up": up, "t_x": t_x, "delta": delta, "N": N, "a": a, "b": b,
            "xi": xi, "eta": eta, "phi": phi, "F_x": F_x, "F_y": F_y, "M_z": M_z,
        }  # fmt: skip
        return F, M, more

    def approach(self, N, k_x=0.0):
        """Of a wheel without yaw that stands on its running circle under the normal load N."""
        A, B = self.curvatures(self.r_0, k_x, 1.0)
        return (N / hertz(A, B, 1.0, self.E)[0]) ** (2.0 / 3.0)

    def curvatures(self, r, k_x, cos):
        """A and B of (3), for a wheel whose rolling direction is turned against the rail's."""
        k_w, k_r = 1.0 / math.sqrt(1.0 + self.cone**2) / r, 1.0 / self.rho
        double = 2.0 * cos * cos - 1.0  # of twice the angle between both
        both = 0.5 * (k_w + k_x + k_r)
        apart = 0.5 * np.sqrt(k_w**2 + (k_r - k_x) ** 2 - 2.0 * k_w * (k_r - k_x) * double)
        return 0.5 * (both - apart), 0.5 * (both + apart)
