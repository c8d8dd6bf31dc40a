"""A vehicle on a line by Newton and Euler, body by body, in an inertial frame.

m v' = F + m g,   (R J R^T omega)' = M,   R' = [omega] R                   (1)

Attitudes are quaternions; axle boxes move with their wheelsets (`boxes.py`). What elements bear at
rest follows from their stiffness: with wheelsets held, K q = W for small displacements q of all
other bodies, and each element takes its part of it.
"""

from pathlib import Path

import numpy as np
import yaml
from scipy.spatial.transform import Rotation

from . import boxes
from .contact import Contact
from .elements import Elements
from .line import cross, times, turned

KINDS = ("stiffness", "damping", "series", "turning", "turning_damping")


def rows_of(given, names, places):
    """Elements of a file, one for each pair and side."""
    rows = []
    for name, values in given.items():
        for number, (first, second) in enumerate(values["joins"].items(), start=1):
            own = places[names.index(first)]
            x = values.get("x", own[0] + values.get("offset", 0.0))
            sides = (("_l", 1.0), ("_r", -1.0)) if "side" in values else (("", None),)
            for letter, side in sides:
                y = own[1] if side is None else side * values["side"]
                bump = values.get("bump_at")
                rows.append({kind: values.get(kind, (0.0, 0.0, 0.0)) for kind in KINDS} | {
                    "name": f"{name}_{number}{letter}",
                    "first": names.index(first),
                    "second": names.index(second),
                    "place": (x, y, values["height"]),
                    "bump": bump and (bump, values["bump_force"]),
                    "bump_axis": "xyz".index(values.get("bump_axis", "y")),
                    "bearing": values.get("bearing", True),
                })  # fmt: skip
    return rows


class Vehicle:
    """A vehicle of a file on a `line`; contact data as those of the block."""

    def __init__(self, path, line, rho, cone, E=2.1e11, mu=0.3, c=1e5, V_min=0.05, g=9.81):
        given = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
        self.line, self.g = line, np.array([0.0, 0.0, -g])
        self.names = list(given["bodies"])
        bodies = given["bodies"].values()
        self.m = np.array([body["mass"] for body in bodies], float)
        self.J = np.array([body["inertia"] for body in bodies], float)
        self.places = np.array([body["place"] for body in bodies], float)
        self.axles = np.array([self.names.index(name) for name in given["wheelsets"]])
        self.frames = np.array([self.names.index(name) for name in given["wheelsets"].values()])
        self.riders = {
            axle: [k for k, body in enumerate(bodies) if body.get("rides") == self.names[axle]]
            for axle in self.axles
        }
        spinning = np.isin(np.arange(len(self.names)), self.axles)
        rows = rows_of(given["elements"], self.names, self.places)
        self.elements = Elements(rows, self.places, spinning)
        self._bear(rows)
        wheels = given["wheels"]
        self.r_0, self.y_0 = wheels["radius"], wheels["spacing"] / 2.0
        side = np.tile([1.0, -1.0], len(self.axles))
        head = (self.y_0 + rho * np.sin(line.incline), -rho * np.cos(line.incline))
        self.contact = Contact(
            lambda s: line.rail(s, side, *head), side, self.r_0, self.y_0, cone, rho,
            E=E, mu=mu, c=c, V_min=V_min,
        )  # fmt: skip
        self.wheel = np.repeat(self.axles, 2)
        self.s = None

    def _bear(self, rows):
        """What each element bears at rest, f_0 and m_0."""
        e, n = self.elements, len(self.names)
        apart = np.zeros((len(rows), 6, 6 * n))  # (u, theta) of each element
        for k, row in enumerate(rows):
            for body, sign, arm in ((e.i[k], -1.0, e.r_i[k]), (e.j[k], 1.0, e.r_j[k])):
                at = slice(6 * body, 6 * body + 3)
                turn = slice(6 * body + 3, 6 * body + 6)
                x, y, z = arm
                apart[k, :3, at] += sign * np.eye(3)
                apart[k, :3, turn] += sign * np.array([[0, z, -y], [-z, 0, x], [y, -x, 0]])
                apart[k, 3:, turn] += sign * np.eye(3)
            if not row["bearing"]:
                apart[k] = 0.0
        stiff = np.concatenate([e.k, e.k_t], axis=1)
        K = np.einsum("eai,ea,eaj->ij", apart, stiff, apart)
        W = np.zeros(6 * n)
        W[2::6] = self.m * self.g[2]
        riding = {k for group in self.riders.values() for k in group}
        free = [
            k for k in range(6 * n)
            if k // 6 not in self.axles and (k // 6 not in riding or k % 6 == 4)
        ]  # fmt: skip
        q = np.zeros(6 * n)
        q[free] = np.linalg.lstsq(K[np.ix_(free, free)], W[free], rcond=1e-12)[0]
        borne = stiff * (apart @ q)
        e.f_0, e.m_0 = borne[:, :3], borne[:, 3:]

    def wheel_loads(self):
        """Static vertical loads of all wheels that stand at +-y_0 on level track, left first."""
        e, axles = self.elements, self.axles
        F, M = np.zeros_like(self.places), np.zeros_like(self.places)
        np.add.at(F, e.i, e.f_0)
        np.add.at(F, e.j, -e.f_0)
        np.add.at(M, e.i, e.m_0 + np.cross(e.r_i, e.f_0))
        np.add.at(M, e.j, -e.m_0 - np.cross(e.r_j, e.f_0))
        down = -F[:, 2] - self.m * self.g[2]
        for axle, riders in self.riders.items():
            for k in riders:
                down[axle] += down[k]
                M[axle, 0] += M[k, 0] - self.places[k, 1] * down[k]
        half, tilt = 0.5 * down[axles], 0.5 * M[axles, 0] / self.y_0
        return np.column_stack([half - tilt, half + tilt]).ravel()

    def split(self, state):
        """Places, attitudes, velocities and angular velocities in space, and x of dampers."""
        n = len(self.names)
        body = state[: 13 * n].reshape(n, 13)
        R = Rotation.from_quat(body[:, 3:7]).as_matrix()
        return body[:, :3], R, body[:, 7:10], body[:, 10:], state[13 * n :]

    def joined(self, r, R, v, omega, x):
        quat = Rotation.from_matrix(R).as_quat()
        return np.concatenate([np.concatenate([r, quat, v, omega], axis=1).ravel(), x])

    def wheels(self, r, R, v, omega):
        """Forces and moments of all wheels, left first; and all about their contacts."""
        near = self.line.beside(r[self.wheel], r[self.wheel, 0])[0] if self.s is None else self.s
        axle = R[self.wheel][:, :, 1]
        contacts = self.contact(near, r[self.wheel], axle, v[self.wheel], omega[self.wheel])
        self.s = contacts[2]["s"]
        return contacts

    def accelerations(self, r, R, v, omega, x, C=None):
        """v' and omega' of (1) in space, and the rates of x."""
        F, M, x_dot, _, _ = self.elements(r, R, v, omega, x)
        F_w, M_w, _ = self.wheels(r, R, v, omega)
        np.add.at(F, self.wheel, F_w)
        np.add.at(M, self.wheel, M_w)
        if C is not None:
            torque = np.asarray(C)[:, None] * R[self.axles][:, :, 1]
            np.add.at(M, self.axles, torque)
            np.add.at(M, self.frames, -torque)
        F += self.m[:, None] * self.g
        R_t = np.swapaxes(R, 1, 2)
        own = times(R_t, omega)
        alpha = times(R, (times(R_t, M) - cross(own, self.J * own)) / self.J)
        a = F / self.m[:, None]
        for axle, riders in self.riders.items():
            if riders:
                k = [axle, *riders]
                y = self.places[k, 1] - self.places[axle, 1]
                loads = F[k], M[k], y
                a[k], alpha[k] = boxes.accelerations(self.m[k], self.J[k], R[k], omega[k], *loads)
        return a, alpha, x_dot

    def rates(self, state):
        """Of all that `split` names."""
        r, R, v, omega, x = self.split(state)
        a, alpha, x_dot = self.accelerations(r, R, v, omega, x)
        quat = turned(state[: 13 * len(r)].reshape(-1, 13)[:, 3:7], omega)
        return np.concatenate([np.concatenate([v, quat, a, alpha], axis=1).ravel(), x_dot])
