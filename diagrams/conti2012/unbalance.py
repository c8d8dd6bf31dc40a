"""What unbalanced wheelsets and rollers do to the estimated torque: measured, and in closed form.

If axle boxes are held, all forces arrive at the load cells, and C_tilde of an axle shakes by

    r_s omega^2 |me_w e^{ia} - me_r e^{-ib}|                               (1)

the paper's Eq. 33 with a lever arm; a and b are the angles of the two unbalances. On the rig,
wheelsets shake along x on their primary springs while they roll, and pitch the bogie. For x_1, x_2
and the pitch theta,

    (2 k_px - k_t) x_i - 2 k_px l theta - M omega^2 x_i = me_w omega^2 e^{ia_i}
    (4 k_px l^2 + 4 k_pz a^2 - J_by omega^2) theta = 2 k_px l (x_1 + x_2)
    M = m_w + m_t,  1 / m_t = r^2 / J_w + R^2 / J_r,  k_t = N / (r + R),  l = r - h_b     (2)

with k + i omega c for every k of a spring: m_t is the rolling of wheel and roller against each
other, k_t the normal force that tips over as the axle leaves the top of the roller. Then C_tilde
shakes by

    r k_t x - r me_r omega^2 e^{-ib} + J_w omega^2 ((H - 1) R m_t / J_r + 1 / r) x        (3)

H = 1 / (1 + i omega T_f) filters the derivative. An estimator that knows the axle boxes (A and B of
`rig/axle_boxes.py`) has F = (T_mis, C_tilde) and does not know the wheels' unbalance:

    C_tilde is (3) - (r k_t + J_w H omega^2 / r) x_hat,  (i omega - A) s_hat = B F        (4)

What control makes of it is left out, so that (3) and (4) are for runs with the multistate filter,
and so is creep, which damps.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from railblocks.diagrams.conti2012.runs import PHI_C, RigRun


def shaking(run: RigRun, axle: int, values: np.ndarray, start: float, stop: float) -> float:
    """Amplitude of a signal at the frequency of the wheel, by least squares over some turns."""
    part = run.window(start, stop)
    t = run.t[part] - start
    angle = _integral(run.omega_w[part, axle], t)
    basis = np.column_stack([np.ones_like(t), t, t * t, np.cos(angle), np.sin(angle)])
    *_, cosine, sine = np.linalg.lstsq(basis, values[part], rcond=None)[0]
    return float(np.hypot(cosine, sine))


def _integral(rate: np.ndarray, t: np.ndarray) -> np.ndarray:
    return np.concatenate([[0.0], np.cumsum(0.5 * (rate[1:] + rate[:-1]) * np.diff(t))])


@dataclass(frozen=True)
class Unbalance:
    """Unbalances of an axle of the front rig, and their angles at some time."""

    me_w: float
    me_r: float
    a: float
    b: float

    @classmethod
    def of(cls, run: RigRun, axle: int, t: float) -> Unbalance:
        """Unbalances at a time: wheel and roller have crept away from how they started."""
        names = ("phase_w", "phase_r") if run.spatial else ("theta_w0", "theta_r0")
        a, b, me_w, me_r = (
            float(np.broadcast_to(run.front[name], 2)[axle]) for name in (*names, "me_w", "me_r")
        )
        before = run.window(0.0, t)
        ahead = _integral((run.omega_w + run.omega_r)[before, axle], run.t[before])[-1]
        return cls(me_w, me_r, a + float(ahead), b)


def held_shaking(run: RigRun, axle: int, t: float, omega: float) -> float:
    """Amplitude of C_tilde with held axle boxes, (1), at full scale."""
    one = Unbalance.of(run, axle, t)
    total = one.me_w * np.exp(1j * one.a) - one.me_r * np.exp(-1j * one.b)
    return float(PHI_C * run.r_s * omega**2 * abs(total))


class Axles:
    """Both axles of the three-dimensional rig and its bogie, along x: (2)."""

    def __init__(self, run: RigRun):
        v = self.values = run.front
        N = (v["m_c"] + v["m_b"] + 2.0 * v["m_w"]) * v["g"] / 2.0
        self.m_t = 1.0 / (v["r_0"] ** 2 / v["J_wy"] + v["R_0"] ** 2 / v["J_r"])
        self.k_t = N / (v["r_0"] + v["R_0"])
        M = v["m_w"] + self.m_t
        self.masses = np.diag([M, M, v["J_by"]])
        self.stiffness = self._matrix(v["k_p"]) - np.diag([self.k_t, self.k_t, 0.0])
        self.damping = self._matrix(v["c_p"])

    def _matrix(self, k: np.ndarray) -> np.ndarray:
        v = self.values
        x, arm = 2.0 * k[0], v["r_0"] - v["h_b"]
        pitch = 2.0 * x * arm**2 + 4.0 * k[2] * v["a"] ** 2
        return np.array([[x, 0.0, -x * arm], [0.0, x, -x * arm], [-x * arm, -x * arm, pitch]])

    def natural_speeds(self) -> np.ndarray:
        """Speeds at which axles shake along x, against each other and together."""
        squares = np.linalg.eigvals(np.linalg.solve(self.masses, self.stiffness)).real
        return np.sqrt(np.sort(squares)[1:])

    def shaking(self, run: RigRun, t: float, omega: float) -> np.ndarray:
        """Amplitudes of C_tilde of both axles on their springs, (3), at full scale."""
        v, r, m_t, J_r = self.values, run.r_s, self.m_t, self.values["J_r"]
        both = [Unbalance.of(run, axle, t) for axle in range(2)]
        forces = np.array([u.me_w * omega**2 * np.exp(1j * u.a) for u in both] + [0.0])
        system = self.stiffness - omega**2 * self.masses + 1j * omega * self.damping
        x = np.linalg.solve(system, forces)[:2]
        H = 1.0 / (1.0 + 1j * omega * run.estimator["T_f"])
        rollers = np.array([u.me_r * omega**2 * np.exp(-1j * u.b) for u in both])
        rolling = run.J_w * omega**2 * ((H - 1.0) * v["R_0"] * m_t / J_r + 1.0 / r) * x
        torque = r * self.k_t * x - r * rollers + rolling  # (3)
        if run.estimator["model"] == "axle":
            force = (m_t * omega**2 + self.k_t) * x - rollers
            torque -= self._known(run, omega, H, force, torque)
        return PHI_C * np.abs(torque)

    def _known(
        self, run: RigRun, omega: float, H: complex, force: np.ndarray, torque: np.ndarray
    ) -> np.ndarray:
        """What the estimator's model takes out of the torque, of (4)."""
        e, r = run.estimator, run.r_s
        A, B, each = e["A"], e["B"], r * e["q"] + run.J_w * H * omega**2 / r
        moved = np.eye(len(A))[:2]
        system = 1j * omega * np.eye(len(A)) - A + B[:, 2:] @ (each * moved)
        s_hat = np.linalg.solve(system, B @ np.concatenate([force, torque]))
        return each * s_hat[:2]
