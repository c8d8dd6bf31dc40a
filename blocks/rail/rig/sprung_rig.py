"""Two-dimensional model of a bogie on rollers, its axles on their springs."""

from railblocks.blocks.base.kernels import row_dot
from railblocks.blocks.rail.rig.axle_boxes import STATES, AxleBoxData, box_system, leaning
from railblocks.blocks.rail.rig.bogie import BogieData
from railblocks.blocks.rail.rig.virtual_rig import VirtualRig, creep_of_axle, traction
from railblocks.engine.declaration import (
    Block,
    Derived,
    In,
    Out,
    Param,
    Record,
    State,
    der,
    derive,
    out,
)


class SprungRig(AxleBoxData, Block):
    """A bogie on two roller axles in the plane: rotations, creep, and axles that move along x.

    J_w omega_w' = C_S - r_s T,  J_r omega_r' = u - R T                    (1)
    s' = A s + B (F_1, F_2, C_1, C_2),  F = T + q x                        (2)
    T = T(r_s omega_w - x', -R omega_r)                                    (3)
    T_mis = F                                                              (4)

    The least that shows what rail.virtual_rig leaves out: s holds x_1, x_2, the bogie's pitch and
    their rates (axle_boxes.py has A, B and q), T is the creep of rail.virtual_rig. For control
    design, and to find k_x and kappa from a measurement: diagrams/conti2012/calibration.yaml.
    Without unbalance, and without what is across the plane. Source: Conti et al. (2012), section
    3.1; data as rail.mdm_rig.
    """

    symbol = "○–○"
    example = {"omega_0": 150.0}
    C_S = In("N*m", "torque of the motors on the wheelsets", shape=(2,))
    u = In("N*m", "torque on the rollers; positive brakes those of wheels in traction", shape=(2,))
    omega_rm = Out("rad/s", "speed of the rollers, against that of the wheels", shape=(2,))
    T_mis = Out("N", "measured longitudinal force, positive in traction", shape=(2,))
    T = Out("N", "tangential force in the contact", shape=(2,))
    omega_w = Out("rad/s", "speed of the wheelsets", shape=(2,))
    x = Out("m", "displacement of the axles along x", shape=(2,))
    J_w = BogieData.J_wy
    J_r = BogieData.J_r
    mu, R_y, E, nu, V_min = (
        VirtualRig.declaration.params[name] for name in ("mu", "R_y", "E", "nu", "V_min")
    )
    omega_0 = Param("rad/s", "speed of wheels and, in rolling, of rollers")
    f_11 = Derived("N", "linear creep coefficient of an axle")
    bound = Derived("N", "friction of an axle, mu N")
    omega_r0 = Derived("rad/s", "speed of the rollers at the start")
    q = Derived("N/m", "force along x of a leaning load, per displacement")
    A = Derived("1", "system matrix of the bogie", shape=(STATES, STATES))
    B = Derived("1", "its input matrix", shape=(STATES, 4))
    n_w = State("rad/s", "speed of the wheelsets", shape=(2,), start="omega_0")
    n_r = State("rad/s", "speed of the rollers", shape=(2,), start="omega_r0")
    s = State("1", "states of axle boxes", shape=(STATES,))
    turning = Record("what turns", "r_s", "R", "J_w", "J_r")
    rates = Record("rates of all states", "der_n_w", "der_n_r", "der_s")

    @derive("f_11", "bound", "omega_r0", "q", "A", "B")
    def prepare(boxes, R_y, E, nu, mu, omega_0):
        r_s, R, N = boxes.r_s, boxes.R, boxes.N
        f_11 = creep_of_axle(r_s, R, R_y, 0.5 * N, E, nu)
        return f_11, mu * N, -r_s / R * omega_0, leaning(N, r_s, R), *box_system(boxes)

    @out("T")
    def touch(n_w, n_r, s, r_s, R, f_11, bound, V_min, T):
        for k in range(2):
            T[k] = traction(n_w[k] - s[3 + k] / r_s, n_r[k], r_s, R, f_11, bound, V_min)  # (3)

    @der("n_w", "n_r", "s")
    def move(s, T, T_mis, C_S, u, turning, A, B, rates):
        for k in range(2):
            rates.der_n_w[k] = (C_S[k] - turning.r_s * T[k]) / turning.J_w  # (1)
            rates.der_n_r[k] = (u[k] - turning.R * T[k]) / turning.J_r
        for i in range(STATES):
            given = B[i, 0] * T_mis[0] + B[i, 1] * T_mis[1] + B[i, 2] * C_S[0] + B[i, 3] * C_S[1]
            rates.der_s[i] = row_dot(A, i, s) + given  # (2)

    @out("omega_rm", "T_mis", "omega_w", "x")
    def sense(n_w, n_r, s, T, q, omega_rm, T_mis, omega_w, x):
        for k in range(2):
            omega_rm[k], omega_w[k], x[k] = n_r[k], n_w[k], s[k]
            T_mis[k] = T[k] + q * s[k]  # (4)
