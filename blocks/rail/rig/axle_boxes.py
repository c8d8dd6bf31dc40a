"""Axle boxes of a bogie on rollers: how its axles move along x, in linear theory.

Two axles, x_1 and x_2 off the tops of their rollers, are held by springs in a bogie that pitches by
theta about its centre of mass, h above them. With forces F_i of the rollers on the axles and
torques C_i of the motors, of which the bogie takes the part rho,

    m_w x_i'' = F_i - k_x d_i - c_x d_i',  d_i = x_i + h theta             (1)
    J_by theta'' = -h sum of (k_x d_i + c_x d_i') - k_t theta - c_t theta' - rho sum of C_i (2)

The load N of an axle beside the top of its roller leans forward with it. Load cells feel this
beside the creep force T, and a wheel rolls while its axle moves:

    F = T + q x,  q = N / (r_s + R);  r_s omega_w = x' - R omega_r         (3)

In steady traction, C = r_s T on both axles, F = (1 + kappa) T with

    kappa = q (1 / k_x + 2 h (h + rho r_s) / k_t) / (1 - q (1 / k_x + 2 h^2 / k_t))       (4)

k_x and kappa can be measured (diagrams/conti2012/calibration.yaml); the pitch stiffness k_t is what
(4) makes of them.
"""

from typing import NamedTuple

import numpy as np
from railblocks.blocks.rail.rig.bogie import BogieData
from railblocks.engine.declaration import Param, Record, validate

STATES = 6
"""States of a bogie: x_1, x_2, theta, then their rates."""


class Boxes(NamedTuple):
    """Numbers of (1) to (4)."""

    m_w: float
    J_by: float
    h: float
    k_x: float
    c_x: float
    c_t: float
    N: float
    kappa: float
    reaction: float
    r_s: float
    R: float


def leaning(N, r_s, R):
    """q of (3)."""
    return N / (r_s + R)


def kappa_of(q, k_x, k_t, h, rho, r_s):
    """Part of the creep force that load cells feel of the load in addition: (4)."""
    return (
        q
        * (1.0 / k_x + 2.0 * h * (h + rho * r_s) / k_t)
        / (1.0 - q * (1.0 / k_x + 2.0 * h * h / k_t))
    )


def pitch_stiffness(q, k_x, kappa, h, rho, r_s):
    """k_t of (4); not positive if kappa is too small for k_x."""
    left = kappa - (1.0 + kappa) * q / k_x
    return 2.0 * q * h * ((1.0 + kappa) * h + rho * r_s) / left if left != 0.0 else -1.0


def stiffness_of(boxes):
    """k_t of a bogie."""
    b = boxes
    return pitch_stiffness(leaning(b.N, b.r_s, b.R), b.k_x, b.kappa, b.h, b.reaction, b.r_s)


def box_system(boxes):
    """A and B of s' = A s + B (F_1, F_2, C_1, C_2), with s as STATES says: (1), (2)."""
    b = boxes
    stretch = np.array([[1.0, 0.0, b.h], [0.0, 1.0, b.h]])
    pitch = np.diag([0.0, 0.0, 1.0])
    inverse = np.diag([1.0 / b.m_w, 1.0 / b.m_w, 1.0 / b.J_by])
    K = b.k_x * stretch.T @ stretch + stiffness_of(b) * pitch
    C = b.c_x * stretch.T @ stretch + b.c_t * pitch
    loads = np.zeros((3, 4))
    loads[0, 0] = loads[1, 1] = 1.0
    loads[2, 2:] = -b.reaction
    A = np.block([[np.zeros((3, 3)), np.eye(3)], [-inverse @ K, -inverse @ C]])
    return A, np.vstack([np.zeros((3, 4)), inverse @ loads])


def design(**changed):
    """h to kappa of (1) to (4), from design data of the rig, `bogie.py`, and what is changed."""
    given = {n: param.default for n, param in vars(BogieData).items() if isinstance(param, Param)}
    v = {name: np.asarray(value, dtype=float) for name, value in (given | changed).items()}
    h, r, arm = v["h_b"] - v["r_0"], v["r_0"], 4.0 * v["a"] ** 2
    N = 0.5 * (v["m_c"] + v["m_b"] + 2.0 * v["m_w"]) * v["g"]
    k_x, k_t = 2.0 * v["k_p"][0], arm * v["k_p"][2]
    kappa = kappa_of(leaning(N, r, v["R_0"]), k_x, k_t, h, v["reaction"], r)
    numbers = {"h": h, "k_x": k_x, "c_x": 2.0 * v["c_p"][0], "c_t": arm * v["c_p"][2], "N": N}
    return {name: float(f"{x:.6g}") for name, x in (numbers | {"kappa": kappa}).items()}


DESIGN = design()


class AxleBoxData:
    """Parameters of (1) to (4); defaults follow from the design data of the rig."""

    r_s = Param("m", "radius of the wheels", default=BogieData.r_0.default, gt=0)
    R = Param("m", "radius of the rollers", default=BogieData.R_0.default, gt=0)
    m_w, J_by, reaction = BogieData.m_w, BogieData.J_by, BogieData.reaction
    h = Param("m", "height of the bogie's mass over the axles", default=DESIGN["h"], gt=0)
    k_x = Param("N/m", "stiffness of an axle's boxes along x", default=DESIGN["k_x"], gt=0)
    c_x = Param("N*s/m", "damping of an axle's boxes along x", default=DESIGN["c_x"], ge=0)
    c_t = Param("N*m*s/rad", "damping of the bogie's pitch", default=DESIGN["c_t"], ge=0)
    N = Param("N", "load of an axle", default=DESIGN["N"], gt=0)
    kappa = Param("1", "part of T that load cells feel of N", default=DESIGN["kappa"], gt=0, lt=1)
    boxes = Record("axle boxes of a bogie", Boxes)

    @validate
    def can_pitch(boxes):
        if stiffness_of(boxes) <= 0.0:
            q = leaning(boxes.N, boxes.r_s, boxes.R) / boxes.k_x
            return (
                f"kappa = {boxes.kappa:g} is too small for k_x = {boxes.k_x:g} N/m, with which a "
                f"bogie that cannot pitch has {q / (1.0 - q):g}; expected more, or a larger k_x"
            )
