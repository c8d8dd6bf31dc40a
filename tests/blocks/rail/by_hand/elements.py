"""Springs, dampers, bump-stops and springs that turn, between points of two bodies.

Halfway between the attitudes R_i and R_j of the two bodies lies R_m = R_i (R_i^T R_j)^(1/2), and
M = (p_i + p_j) / 2 between the two points. With d = p_j - p_i, in the axes of R_m,

    u = R_m^T d,   u' = R_m^T (v_j - v_i - (omega_i + omega_j) / 2 x d)    (1)
    f = f_0 + k u + c u',  or k_s (u - x) = c x' in place of c u' with a stiffness in series  (2)
    F_i = R_m f = -F_j, both through M;  a bump-stop is a table over |u|   (3)

With theta the rotation vector of R_i^T R_j, which is the same in both bodies and in between,

    M_i = R_m (m_0 + k_t theta + c_t R_m^T (omega_j - omega_i)) = -M_j     (4)

An end on a wheelset lies on its axle, in a bearing without mass that follows the other body: its
attitude is the other body's, turned the shortest way until y is the axle. A bearing takes no moment
about the axle; what (3) and (4) would give there acts on the body that holds it, as the principle
of virtual power says.
"""

import numpy as np
from scipy.spatial.transform import Rotation

from .line import cross, dot, times


def guided(R, omega, R_body, omega_body):
    """Attitude and angular velocity of bearings on axles that follow bodies; h / (a . h)."""
    a, y = R[:, :, 1], R_body[:, :, 1]
    axis = cross(y, a)
    size = np.linalg.norm(axis, axis=1)
    angle = np.arctan2(size, dot(y, a))
    scale = np.divide(angle, size, out=np.ones_like(size), where=size > 0.0)
    attitude = Rotation.from_rotvec(axis * scale[:, None]).as_matrix() @ R_body
    h = y + a
    h = h / dot(a, h)[:, None]
    spin = dot(omega_body - omega, h)
    return attitude, omega + spin[:, None] * a, h


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

    def ends(self, R, omega):
        """Attitudes and angular velocities of both ends, and what bearings hold.

        A bearing on the axle a that follows a body with the axis y turns with it about h = y + a,
        and with the wheelset about all that is across: what is held about a acts about h / (a . h).
        """
        R_i, R_j, w_i, w_j = R[self.i], R[self.j], omega[self.i], omega[self.j]
        hold_i, hold_j = np.zeros((2, len(R_i), 3))
        i, j = self.axle_i, self.axle_j
        R_i[i], w_i[i], hold_i[i] = guided(R_i[i], w_i[i], R_j[i], w_j[i])
        R_j[j], w_j[j], hold_j[j] = guided(R_j[j], w_j[j], R_i[j], w_i[j])
        return R_i, R_j, w_i, w_j, hold_i, hold_j

    def __call__(self, r, R, v, omega, x):
        """Forces and moments on all bodies, the rates of x, and each element's f and u."""
        R_i, R_j, w_i, w_j, hold_i, hold_j = self.ends(R, omega)
        arm_i, arm_j = times(R_i, self.r_i), times(R_j, self.r_j)
        p_i, p_j = r[self.i] + arm_i, r[self.j] + arm_j
        d = p_j - p_i
        rotation = Rotation.from_matrix(np.swapaxes(R_i, 1, 2) @ R_j).as_rotvec()
        R_m = R_i @ Rotation.from_rotvec(0.5 * rotation).as_matrix()
        R_t = np.swapaxes(R_m, 1, 2)
        u = times(R_t, d)
        apart = v[self.j] + cross(w_j, arm_j) - v[self.i] - cross(w_i, arm_i)
        u_dot = times(R_t, apart - cross(0.5 * (w_i + w_j), d))
        inner = np.zeros_like(u)
        inner[self.soft] = x
        pull = np.where(self.soft, self.k_s * (u - inner), self.c * u_dot)
        f = self.f_0 + self.k * u + pull
        for n, axis, at, force in self.bumps:
            f[n, axis] += np.sign(u[n, axis]) * np.interp(abs(u[n, axis]), at, force)
        m = self.m_0 + self.k_t * rotation + self.c_t * times(R_t, w_j - w_i)
        F_e, M_e = times(R_m, f), times(R_m, m)
        on_i = M_e + 0.5 * cross(d, F_e)  # about p_i; M lies half of d from it
        on_j = -M_e + 0.5 * cross(d, F_e)  # about p_j
        along_i = hold_i * dot(on_i, R_i[:, :, 1])[:, None]
        along_j = hold_j * dot(on_j, R_j[:, :, 1])[:, None]
        F, M = np.zeros_like(r), np.zeros_like(r)
        np.add.at(F, self.i, F_e)
        np.add.at(F, self.j, -F_e)
        np.add.at(M, self.i, on_i - along_i + along_j + cross(arm_i, F_e))
        np.add.at(M, self.j, on_j - along_j + along_i - cross(arm_j, F_e))
        return F, M, (pull[self.soft] / self.c[self.soft]), f, u
