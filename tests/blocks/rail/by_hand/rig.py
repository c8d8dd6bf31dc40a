"""The scaled roller rig by Newton and Euler: two wheelsets, a bogie, half a car body, two rollers.

Rollers are surfaces of revolution around fixed axes at z = 0, x = +-a, whose round heads lean by
the cant: tubes around circles of the radius R_0 - rho cos(beta), at y_0 + rho sin(beta). Wheelsets
are free, the bogie is held along x, the car body only moves up and down; a roller axle turns,

    J_r Omega' = sum of (P - axis) x (-F) about y + u                      (1)

The centre of mass of an unbalanced wheelset lies at c from the middle G of its axle. With loads F,
M about G, of which F has the weight at c,

    (J omega)' = M - c x F,   v_G' = F / m - omega' x c - omega x (omega x c)         (2)
"""

import math

import numpy as np
from scipy.spatial.transform import Rotation

from .contact import Contact
from .elements import Elements
from .line import cross, times, turned
from .states import rows_of, seated, turning_of, turning_states

FRONT, REAR, BOGIE, BODY = range(4)
NONE = (0.0, 0.0, 0.0)


class Rig:
    """The rig with the block's parameters, wheels being cones and rollers' heads round."""

    def __init__(self, rho, cone, cant, E=2.1e11, mu=0.3, c=800.0, V_min=0.01, g=9.81, **given):
        p = PARAMETERS | given
        self.p, self.g = p, np.array([0.0, 0.0, -g])
        self.m = np.array([p["m_w"], p["m_w"], p["m_b"], p["m_c"]])
        wheelset = (p["J_wx"], p["J_wy"], p["J_wx"])
        self.J = np.array([wheelset, wheelset, (p["J_bx"], p["J_by"], p["J_bz"]), (1.0, 1.0, 1.0)])
        a, r, low = p["a"], p["r_0"], p["R_0"]
        self.places = low + np.array([r, r, p["h_b"], p["h_c"]])[:, None] * [0.0, 0.0, 1.0]
        self.places[:, :2] = [[a, 0.0], [-a, 0.0], [0.0, 0.0], [0.0, 0.0]]
        self.elements = self._elements(low)
        self.unbalance = np.zeros((4, 3))
        for k, phase in enumerate(p["phase_w"]):
            arm = p["me_w"] / p["m_w"]
            self.unbalance[k] = arm * math.cos(phase), 0.0, -arm * math.sin(phase)
        beta = math.atan(cant)
        self.radius, self.out = low - rho * math.cos(beta), p["y_0"] + rho * math.sin(beta)
        self.side = np.array([1.0, -1.0, 1.0, -1.0])
        self.wheel = np.array([FRONT, FRONT, REAR, REAR])
        self.axis = np.array([[a, 0.0, 0.0], [a, 0.0, 0.0], [-a, 0.0, 0.0], [-a, 0.0, 0.0]])
        self.contact = Contact(
            self._path, self.side, r, p["y_0"], cone, rho, E=E, mu=mu, c=c, V_min=V_min,
            surface=self._surface,
        )  # fmt: skip
        self.Omega = np.zeros(4)
        self.axles, self.y_0, self.riders = np.array([FRONT, REAR]), p["y_0"], {}

    def _elements(self, low):
        p = self.p
        none = {"series": NONE, "turning": NONE, "turning_damping": NONE, "bump": None,
                "bump_axis": 1}  # fmt: skip
        box = none | {"stiffness": p["k_p"], "damping": p["c_p"]}
        secondary = none | {"stiffness": p["k_s"], "damping": p["c_s"]}
        secondary["turning"] = (p["k_bend"], 0.0, 0.0)
        bar = none | {"stiffness": NONE, "damping": NONE, "turning": (p["k_roll"], 0.0, 0.0)}
        rows = [
            box | {"name": "box", "first": k, "second": BOGIE,
                   "place": (x, y * p["b_p"], low + p["r_0"])}
            for k, x in ((FRONT, p["a"]), (REAR, -p["a"]))
            for y in (1.0, -1.0)
        ]  # fmt: skip
        for y in (p["b_s"], -p["b_s"]):
            at = (0.0, y, low + p["h_s"])
            rows.append(
                secondary | {"name": "secondary", "first": BOGIE, "second": BODY, "place": at}
            )
        middle = (0.0, 0.0, low + p["h_s"])
        rows.append(bar | {"name": "bar", "first": BOGIE, "second": BODY, "place": middle})
        elements = Elements(rows, self.places, np.array([True, True, False, False]))
        sprung = self.m[BODY] * self.g[2]
        elements.f_0[4:6, 2] = sprung / 2.0
        elements.f_0[:4, 2] = (sprung + self.m[BOGIE] * self.g[2]) / 4.0
        return elements

    def _path(self, angle):
        """Of the heads' centres, from the top forward."""
        zero = np.zeros(4)
        out = np.column_stack([zero, self.side * self.out, zero])
        radial = np.column_stack([np.sin(angle), zero, np.cos(angle)])
        forward = np.column_stack([np.cos(angle), zero, -np.sin(angle)])
        return (
            self.axis + out + self.radius * radial, self.radius * forward, -self.radius * radial
        )  # fmt: skip

    def _surface(self, points, up):
        """Velocity and angular velocity of the rollers at points of them; curvature along."""
        omega = self.Omega[:, None] * [0.0, 1.0, 0.0]
        arm = (points - self.axis) * [1.0, 0.0, 1.0]
        radius = np.linalg.norm(arm, axis=1)
        k_x = np.einsum("ni,ni->n", up, arm) / radius**2  # cos(gamma) / R
        return cross(omega, arm), omega, k_x

    def wheels(self, r, R, v, omega):
        """Forces and moments of all wheels, front left first; and all about their contacts."""
        k = self.wheel
        return self.contact(np.zeros(4), r[k], R[k][:, :, 1], v[k], omega[k])

    def accelerations(self, r, R, v, omega, Omega, C_S=(0.0, 0.0), u=(0.0, 0.0)):
        """v' and omega' of all bodies, and Omega' of (1)."""
        F, M, _, _, _ = self.elements(r, R, v, omega, np.zeros(0))
        self.Omega = np.repeat(Omega, 2)
        F_w, M_w, contacts = self.wheels(r, R, v, omega)
        np.add.at(F, self.wheel, F_w)
        np.add.at(M, self.wheel, M_w)
        F += self.m[:, None] * self.g
        c = times(R, self.unbalance)
        M += cross(c, self.m[:, None] * self.g)
        drive = np.array(C_S)[:, None] * R[:2, :, 1]
        M[:2] += drive
        M[BOGIE] -= self.p["reaction"] * drive.sum(axis=0)
        own = times(np.swapaxes(R, 1, 2), omega)
        turn = times(np.swapaxes(R, 1, 2), M - cross(c, F)) - cross(own, self.J * own)
        alpha = times(R, turn / self.J)
        a = F / self.m[:, None] - cross(alpha, c) - cross(omega, cross(omega, c))  # (2)
        a[BOGIE, 0] = a[BODY, 0] = a[BODY, 1] = 0.0
        alpha[BODY] = 0.0
        reaction = (
            cross(contacts["P"] - self.axis, -F_w) - contacts["M_z"][:, None] * contacts["up"]
        )
        torque = reaction[:, 1].reshape(2, 2).sum(axis=1)
        return a, alpha, (torque + np.array(u)) / self.p["J_r"]

    def split(self, state):
        """r, R, v, omega and Omega."""
        rows = state[:52].reshape(4, 13)
        R = Rotation.from_quat(rows[:, 3:7]).as_matrix()
        return rows[:, :3], R, rows[:, 7:10], rows[:, 10:], state[52:]

    def joined(self, r, R, v, omega, Omega):
        quat = Rotation.from_matrix(R).as_quat()
        return np.concatenate([np.concatenate([r, quat, v, omega], axis=1).ravel(), Omega])

    def rates(self, state, C_S=(0.0, 0.0), u=(0.0, 0.0)):
        """Of all that `split` names."""
        r, R, v, omega, Omega = self.split(state)
        a, alpha, turn = self.accelerations(r, R, v, omega, Omega, C_S, u)
        quat = turned(state[:52].reshape(4, 13)[:, 3:7], omega)
        return np.concatenate([np.concatenate([v, quat, a, alpha], axis=1).ravel(), turn])

    def at_rest(self, omega, offset=0.0):
        """Motion of the rig at a speed of its wheels, all but the body beside the middle."""
        n = len(self.m)
        r, R = self.places.copy(), np.tile(np.eye(3), (n, 1, 1))
        r[[FRONT, REAR, BOGIE], 1] += offset
        turning = np.zeros((n, 3))
        turning[[FRONT, REAR], 1] = omega
        N = -self.m.sum() * self.g[2] / 4.0 * math.sqrt(1.0 + self.contact.cone**2)
        delta = self.contact.approach(
            N, k_x=1.0 / self.p["R_0"] / math.hypot(1.0, self.contact.cone)
        )
        motion = seated(self, (r, R, np.zeros((n, 3)), turning, np.zeros(0)), delta)
        motion[0][[BOGIE, BODY], 2] -= self.places[FRONT, 2] - motion[0][[FRONT, REAR], 2].mean()
        return motion[:4]

    def shaken(self, motion, rng, size=1.0):
        """The motion with random displacements and velocities, and loads of 330 to 550 N."""
        r, R, v, omega = (values.copy() for values in motion)
        sizes = size * np.array([0.4, 0.4, 1.0, 0.0])[:, None]
        r += sizes * rng.normal(size=(4, 3)) * [2e-4, 1e-3, 8e-4]
        R = Rotation.from_rotvec(sizes * rng.normal(size=(4, 3)) * 4e-3).as_matrix() @ R
        v += sizes * rng.normal(size=(4, 3)) * 0.02
        omega += sizes * rng.normal(size=(4, 3)) * 0.02
        omega[:2] += size * rng.normal(size=(2, 1)) * 0.15 * R[:2, :, 1]
        R[:2] = Rotation.from_rotvec(R[:2, :, 1] * rng.uniform(0, 6, (2, 1))).as_matrix() @ R[:2]
        r[BODY, 2] += 1e-3 * size
        v[BODY, 2] = 0.02 * size
        r[BOGIE, 0] = v[BOGIE, 0] = 0.0
        approach = 6.2e-6 * rng.uniform(0.75, 1.25, 4) ** (2.0 / 3.0)
        return seated(self, (r, R, v, omega, np.zeros(0)), approach)[:4]


def rig_motion_of(q):
    """r, R, v, omega of the four bodies, and Omega of the rollers, from the block's states."""
    rows = rows_of(q, 4)
    return rows[:, :3].copy(), *turning_of(rows), q[50:52].copy()


def rig_states_of(r, R, v, omega, Omega):
    """The block's states; the rollers' angles only count if they are unbalanced."""
    rows = np.column_stack([r, turning_states(R, v, omega)])
    return np.concatenate([rows.ravel(), [0.0, 0.0], Omega])


PARAMETERS = {
    "r_0": 0.092, "R_0": 0.092, "y_0": 0.15, "m_w": 14.504, "J_wx": 0.3584, "J_wy": 0.03584,
    "m_b": 20.92, "J_bx": 0.55104, "J_by": 0.47232, "J_bz": 0.98144, "m_c": 128.0, "J_r": 0.05,
    "a": 0.256, "b_p": 0.2, "b_s": 0.2, "h_b": 0.12, "h_s": 0.1655, "h_c": 0.36,
    "k_p": (251128.0, 31072.0, 9760.0), "c_p": (120.0, 16.0, 32.0),
    "k_s": (1280.0, 1280.0, 3440.0), "c_s": (0.0, 256.0, 160.0),
    "k_roll": 300.8, "k_bend": 3.36, "reaction": 1.0,
    "me_w": 0.0, "phase_w": (0.0, 1.0),
}  # fmt: skip
"""Those of the block: the Manchester wagon scaled by 5 after Iwnicki."""
