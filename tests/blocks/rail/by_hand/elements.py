"""Springs, dampers, bump-stops and springs that turn, between points of two bodies.

Halfway between the attitudes R_i and R_j of the two bodies lies R_m = R_i (R_i^T R_j)^(1/2), and
M = (p_i + p_j) / 2 between the two points. With d = p_j - p_i, in the axes of R_m,

    u = R_m^T d,   u' = R_m^T (v_j - v_i - (omega_i + omega_j) / 2 x d)    (1)
    f = f_0 + k u + c u',  or k_s (u - x) = c x' in place of c u' with a stiffness in series  (2)
    F_i = R_m f = -F_j, both through M;  a bump-stop is a table over |u|   (3)

With theta the rotation vector of R_i^T R_j, which is the same in both bodies and in between,

    M_i = R_m (m_0 + k_t theta + c_t R_m^T (omega_j - omega_i)) = -M_j     (4)

An end on a wheelset lies on its axle, which rotates: there R_m and its angular velocity are those
of the other body, and M is the point on the axle.
"""

import numpy as np
from scipy.spatial.transform import Rotation

from .line import cross, times


class Elements:
    """All elements of a vehicle; `rows` are dicts with SI numbers, `axles` marks spinning bodies.

    Places are relative to the bodies' centres at rest; f_0 and m_0 are what is borne at rest.
    """

    def __init__(self, rows, places, axles):
        self.names = [row["name"] for row in rows]
        self.i = np.array([row["first"] for row in rows])
        self.j = np.array([row["second"] for row in rows])
        at = np.array([row["place"] for row in rows])
        self.r_i, self.r_j = at - places[self.i], at - places[self.j]
        self.k, self.c, self.k_s, self.k_t, self.c_t = (
            np.array([row[kind] for row in rows], float)
            for kind in ("stiffness", "damping", "series", "turning", "turning_damping")
        )
        self.axle_i, self.axle_j = axles[self.i], axles[self.j]
        self.bumps = [
            (n, row["bump_axis"], *row["bump"]) for n, row in enumerate(rows) if row["bump"]
        ]
        self.soft = self.k_s > 0.0
        self.f_0 = np.zeros((len(rows), 3))
        self.m_0 = np.zeros((len(rows), 3))

    @property
    def states(self):
        return int(self.soft.sum())

    def __call__(self, r, R, v, omega, x):
        """Forces and moments on all bodies, the rates of x, and each element's f and u."""
        R_i, R_j, w_i, w_j = R[self.i], R[self.j], omega[self.i], omega[self.j]
        part = np.where(self.axle_i, 1.0, np.where(self.axle_j, 0.0, 0.5))[:, None]  # of body j
        arm_i, arm_j = times(R_i, self.r_i), times(R_j, self.r_j)
        p_i, p_j = r[self.i] + arm_i, r[self.j] + arm_j
        d = p_j - p_i
        rotation = Rotation.from_matrix(np.swapaxes(R_i, 1, 2) @ R_j).as_rotvec()
        R_m = R_i @ Rotation.from_rotvec(part * rotation).as_matrix()
        R_t = np.swapaxes(R_m, 1, 2)
        u = times(R_t, d)
        apart = v[self.j] + cross(w_j, arm_j) - v[self.i] - cross(w_i, arm_i)
        u_dot = times(R_t, apart - cross((1.0 - part) * w_i + part * w_j, d))
        inner = np.zeros_like(u)
        inner[self.soft] = x
        pull = np.where(self.soft, self.k_s * (u - inner), self.c * u_dot)
        f = self.f_0 + self.k * u + pull
        for n, axis, at, force in self.bumps:
            f[n, axis] += np.sign(u[n, axis]) * np.interp(abs(u[n, axis]), at, force)
        m = self.m_0 + self.k_t * rotation + self.c_t * times(R_t, w_j - w_i)
        F_e, M_e = times(R_m, f), times(R_m, m)
        F, M = np.zeros_like(r), np.zeros_like(r)
        np.add.at(F, self.i, F_e)
        np.add.at(F, self.j, -F_e)
        np.add.at(M, self.i, M_e + cross(arm_i + (1.0 - part) * d, F_e))
        np.add.at(M, self.j, -M_e - cross(arm_j - part * d, F_e))
        return F, M, (pull[self.soft] / self.c[self.soft]), f, u
