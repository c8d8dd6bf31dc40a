"""A wheelset at constant speed by equations of motion that were derived by hand."""

import math

from railblocks.blocks.rail.wheelset.on_track import LEFT, RIGHT, WheelsetOnTrack, creep_force
from railblocks.blocks.rail.wheelset.shape import (
    HEIGHT,
    ROLL,
    contact_on_axle,
    spin,
    value_and_slopes,
)
from railblocks.engine.declaration import Block, Record, out


class FreeWheelset(WheelsetOnTrack, Block):
    """Wheelset at constant speed, sway and yaw, by Lagrange's equations.

    (m (1 + z'^2) + I_z phi'^2) y'' + (m z' z'' + I_z phi' phi'') y'^2 - m y psi'^2
      - (I_y (omega + psi' sin(phi)) - I_z psi' sin(phi)) psi' cos(phi) phi' = Q_y        (1)
    (m y^2 + I_y sin(phi)^2 + I_z cos(phi)^2) psi'' + 2 m y y' psi' + I_y omega cos(phi) phi' y'
      + I_y omega' sin(phi) + 2 (I_y - I_z) sin(phi) cos(phi) phi' y' psi' = Q_psi        (2)
    Q_y = sum of T_y (1 + phi' (r cos(phi) - s sin(phi))) - W z' - k_y y - c_y y' + F_y   (3)
    Q_psi = -sum of T_x (y + s cos(phi) + r sin(phi)) - k_psi psi - c_psi psi' + M_z      (4)
    T = -(f11 v_x, f22 v_y) / V,  within mu N_w if saturated                              (5)
    v_x = V cos(psi) - (omega + psi' sin(phi)) r - (y + s cos(phi)) psi'                  (6)
    v_y = y' - V sin(psi) + phi' y' (r cos(phi) - s sin(phi))                             (7)

    phi, z, s, r are functions of y by the profiles (a prime at them is d/dy), s and r those of each
    wheel. It spins with omega = V over the mean of both r. y is measured along the axle's heading.
    Angles are exact, contact planes level; spin creepage is left out, and so is the moment of loads
    that drives yaw on, W b tan(gamma) psi. With "linear" profiles small motions follow

    m y'' + 2 f22 (y' / V - psi) = 0                                                      (8)
    I_z psi'' + 2 f11 (b^2 psi' / V + lam b y / r_0) = 0                                  (9)

    which are unstable at every speed. Sources: vishnu; Popp and Schiehlen, Ground Vehicle Dynamics.
    """

    symbol = "y, ψ"
    body = Record("mass, inertia and weight", "m", "I_y", "I_z", "W")

    @out("T_x", "T_y")
    def creep(V, sway, profile, y_max, grip, T_x, T_y):
        q_y, q_psi, u_y, u_psi = sway
        u = q_y / y_max
        phi, by_u, _ = value_and_slopes(profile, ROLL, u)
        c, s_phi, roll = math.cos(phi), math.sin(phi), by_u / y_max * u_y
        omega, _ = spin(profile, u, V)
        for k in range(2):
            s, r = contact_on_axle(profile, u, LEFT if k == 0 else RIGHT)
            v_x = V * math.cos(q_psi) - (omega + u_psi * s_phi) * r - (q_y + s * c) * u_psi
            v_y = u_y - V * math.sin(q_psi) + roll * (r * c - s * s_phi)  # (6), (7)
            T_x[k], T_y[k] = creep_force(v_x, v_y, V, grip)  # (5)

    @out("y_ddot", "psi_ddot")
    def accelerate(V, sway, T_x, T_y, holding, body, profile, y_max):
        q_y, q_psi, u_y, u_psi = sway
        k_y, k_psi, c_y, c_psi, F_y, M_z = holding
        m, I_y, I_z, W = body
        u = q_y / y_max
        phi, dphi, ddphi = value_and_slopes(profile, ROLL, u)
        _, dz, ddz = value_and_slopes(profile, HEIGHT, u)
        dphi, ddphi = dphi / y_max, ddphi / (y_max * y_max)
        dz, ddz = dz / y_max, ddz / (y_max * y_max)
        c, s_phi = math.cos(phi), math.sin(phi)
        omega, by_u = spin(profile, u, V)
        Q_y = F_y - W * dz - k_y * q_y - c_y * u_y
        Q_psi = M_z - k_psi * q_psi - c_psi * u_psi
        for k in range(2):
            s, r = contact_on_axle(profile, u, LEFT if k == 0 else RIGHT)
            Q_y += T_y[k] * (1.0 + dphi * (r * c - s * s_phi))  # (3)
            Q_psi -= T_x[k] * (q_y + s * c + r * s_phi)  # (4)
        gyro = I_y * (omega + u_psi * s_phi) - I_z * u_psi * s_phi
        Q_y += m * q_y * u_psi * u_psi + gyro * u_psi * c * dphi
        Q_y -= (m * dz * ddz + I_z * dphi * ddphi) * u_y * u_y
        Q_psi -= 2.0 * m * q_y * u_y * u_psi + I_y * omega * c * dphi * u_y
        Q_psi -= I_y * by_u / y_max * u_y * s_phi
        Q_psi -= 2.0 * (I_y - I_z) * s_phi * c * dphi * u_y * u_psi
        inertia = m * q_y * q_y + I_y * s_phi * s_phi + I_z * c * c
        return Q_y / (m * (1.0 + dz * dz) + I_z * dphi * dphi), Q_psi / inertia  # (1), (2)
