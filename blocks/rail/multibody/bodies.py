"""Rigid bodies: attitude, velocities and the equations of Newton and Euler.

A body has twelve states: position of its reference point, yaw psi, roll phi, pitch theta, velocity,
and angular velocity. Its attitude is R_z(psi) R_x(phi) R_y(theta), without limits on psi and theta;
roll stays below a right angle. Angular velocity is kept in the axes before pitch (R_f = R_z R_x):

    phi' = omega_x,  psi' = omega_z / cos(phi),  theta' = omega_y - omega_z tan(phi)      (1)

so that the wheels of an axle may turn for ever without the equations noticing, as long as it is
round. With the centre of mass at c and the inertia J about it, both turned by the pitch,

    J alpha = M - c x F - omega x (J omega),   omega' = alpha - Omega_f x omega           (2)
    a = F / m - alpha x c - omega x (omega x c)                            (3)

F and M are loads and their moment about the reference point, Omega_f = (omega_x, omega_z tan(phi),
omega_z) the angular velocity of the axes. No angle is taken as small.

A rider turns about the axis of an axle and does all else with it, as an axle box does: of its
states only pitch and omega_y are its own (`riders.py`). Its inertia across the axle,
J_c = diag(I_xx, 0, I_zz), turns with the axes of the axle, not with the wheels, and (2) becomes

    (J + J_c) alpha = M - c x F - omega x (J omega) + m_c                  (4)
    m_c = (I_xx (omega_z tan(phi) - omega_y) omega_z - I_zz omega_z^2 tan(phi), 0,
           I_zz omega_x omega_y)

as Lagrange's equations have it, with I_xx phi'^2 / 2 + I_zz (psi' cos(phi))^2 / 2 as its energy.
"""

import math

STATES = 12
X, Y, Z, PSI, PHI, THETA, V_X, V_Y, V_Z, W_X, W_Y, W_Z = range(STATES)
F_X, F_Y, F_Z, M_X, M_Y, M_Z = range(6, 12)
"""Where loads are gathered in the rates of a body, before they become accelerations."""

MASS, I_XX, I_YY, I_ZZ, I_XY, I_YZ, I_XZ, C_X, C_Y, C_Z, AXLE = range(11)
HELD = 11
CARRIER, SIDE = HELD + 6, HELD + 7
RIDING_XX, RIDING_ZZ = HELD + 8, HELD + 9
COLUMNS = HELD + 10
"""Columns of the table of bodies: mass, inertia about the centre of mass, its position, whether
what is mounted on the body does not turn with its pitch (an axle), which of its motions are held;
of a rider one more than the number of its carrier, and its position on the carrier's axis; of a
carrier what its riders add to its inertia across the axle, without turning with its pitch."""


def axes(q, body):
    """The nine elements of R_f = R_z(psi) R_x(phi), row by row."""
    o = STATES * body
    c, s = math.cos(q[o + PSI]), math.sin(q[o + PSI])
    cp, sp = math.cos(q[o + PHI]), math.sin(q[o + PHI])
    return c, -s * cp, s * sp, s, c * cp, -c * sp, 0.0, sp, cp


def mounting(q, body, axle):
    """R of what is mounted on a body, and the angular velocity of that, in the world's axes."""
    o = STATES * body
    R = axes(q, body)
    w_x, w_y, w_z = q[o + W_X], q[o + W_Y], q[o + W_Z]
    if axle:
        w_y = w_z * math.tan(q[o + PHI])
    w = turned(R, w_x, w_y, w_z)
    if axle:
        return R, w
    c, s = math.cos(q[o + THETA]), math.sin(q[o + THETA])
    r = (
        R[0] * c - R[2] * s, R[1], R[0] * s + R[2] * c,
        R[3] * c - R[5] * s, R[4], R[3] * s + R[5] * c,
        R[6] * c - R[8] * s, R[7], R[6] * s + R[8] * c,
    )  # fmt: skip
    return r, w


def turned(R, x, y, z):
    """The vector v turned by R: R v."""
    return (
        R[0] * x + R[1] * y + R[2] * z,
        R[3] * x + R[4] * y + R[5] * z,
        R[6] * x + R[7] * y + R[8] * z,
    )


def back(R, x, y, z):
    """The vector v turned back by R: R^T v."""
    return (
        R[0] * x + R[3] * y + R[6] * z,
        R[1] * x + R[4] * y + R[7] * z,
        R[2] * x + R[5] * y + R[8] * z,
    )


def cross(a, b):
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def clear_loads(bodies, g, q, rates):
    """Sets all loads to those of gravity alone."""
    for body in range(len(bodies)):
        o = STATES * body
        weight = bodies[body, MASS] * g
        _, c = centre(bodies, q, body)
        r = turned(axes(q, body), c[0], c[1], c[2])
        for k in range(6, 12):
            rates[o + k] = 0.0
        rates[o + F_Z] = -weight
        rates[o + M_X], rates[o + M_Y] = -r[1] * weight, r[0] * weight


def add_load(rates, body, F, arm, M):
    """Adds a force at an arm from the reference point, and a moment."""
    o = STATES * body
    rates[o + F_X] += F[0]
    rates[o + F_Y] += F[1]
    rates[o + F_Z] += F[2]
    rates[o + M_X] += M[0] + arm[1] * F[2] - arm[2] * F[1]
    rates[o + M_Y] += M[1] + arm[2] * F[0] - arm[0] * F[2]
    rates[o + M_Z] += M[2] + arm[0] * F[1] - arm[1] * F[0]


def centre(bodies, q, body):
    """Inertia (xx, yy, zz, xy, yz, xz) and position of the centre of mass, turned by the pitch."""
    o = STATES * body
    c, s = math.cos(q[o + THETA]), math.sin(q[o + THETA])
    b_xx, b_zz, b_xz = bodies[body, I_XX], bodies[body, I_ZZ], bodies[body, I_XZ]
    b_xy, b_yz = bodies[body, I_XY], bodies[body, I_YZ]
    c_x, c_z = bodies[body, C_X], bodies[body, C_Z]
    inertia = (
        c * c * b_xx + s * s * b_zz + 2.0 * s * c * b_xz,
        bodies[body, I_YY],
        s * s * b_xx + c * c * b_zz - 2.0 * s * c * b_xz,
        c * b_xy + s * b_yz,
        c * b_yz - s * b_xy,
        (c * c - s * s) * b_xz + s * c * (b_zz - b_xx),
    )
    return inertia, (c * c_x + s * c_z, bodies[body, C_Y], c * c_z - s * c_x)


def accelerate(bodies, q, rates):
    """Turns gathered loads into rates of all states."""
    for body in range(len(bodies)):
        o = STATES * body
        if bodies[body, CARRIER] > 0.0:
            ride(bodies, q, body, rates)
            continue
        R = axes(q, body)
        F = back(R, rates[o + F_X], rates[o + F_Y], rates[o + F_Z])
        M = back(R, rates[o + M_X], rates[o + M_Y], rates[o + M_Z])
        w = (q[o + W_X], q[o + W_Y], q[o + W_Z])
        J, c = centre(bodies, q, body)
        cF = cross(c, F)
        spin = cross(w, product(J, w))
        tan = math.tan(q[o + PHI])
        turn = cross((w[0], w[2] * tan, w[2]), w)
        r_x, r_z = bodies[body, RIDING_XX], bodies[body, RIDING_ZZ]
        alpha = solved(
            (J[0] + r_x, J[1], J[2] + r_z, J[3], J[4], J[5]),
            (
                M[0] - cF[0] - spin[0] + r_x * turn[0] - r_z * w[2] * w[2] * tan,
                M[1] - cF[1] - spin[1],
                M[2] - cF[2] - spin[2] + r_z * w[0] * w[1],
            ),
        )  # (2), (4)
        ac, wc = cross(alpha, c), cross(w, cross(w, c))
        m = bodies[body, MASS]
        a = turned(R, F[0] / m - ac[0] - wc[0], F[1] / m - ac[1] - wc[1], F[2] / m - ac[2] - wc[2])
        rates[o + X], rates[o + Y], rates[o + Z] = q[o + V_X], q[o + V_Y], q[o + V_Z]
        rates[o + PSI] = w[2] / math.cos(q[o + PHI])  # (1)
        rates[o + PHI] = w[0]
        rates[o + THETA] = w[1] - w[2] * tan
        rates[o + V_X], rates[o + V_Y], rates[o + V_Z] = a  # (3)
        rates[o + W_X] = alpha[0] - turn[0]
        rates[o + W_Y] = alpha[1] - turn[1]
        rates[o + W_Z] = alpha[2] - turn[2]
        for k in range(3):
            if bodies[body, HELD + k] > 0.0:
                rates[o + X + k], rates[o + V_X + k] = 0.0, 0.0
        if bodies[body, HELD + 3] > 0.0:
            for k in range(3):
                rates[o + PSI + k], rates[o + W_X + k] = 0.0, 0.0


def ride(bodies, q, body, rates):
    """Rates of a rider: its moment about the axle is all that it feels."""
    o = STATES * body
    moment = rates[o + M_Y]
    for k in range(STATES):
        rates[o + k] = 0.0
    rates[o + THETA] = q[o + W_Y] - q[o + W_Z] * math.tan(q[o + PHI])  # (1)
    rates[o + W_Y] = moment / bodies[body, I_YY]


def product(J, w):
    """J w of a symmetric tensor (xx, yy, zz, xy, yz, xz)."""
    return (
        J[0] * w[0] + J[3] * w[1] + J[5] * w[2],
        J[3] * w[0] + J[1] * w[1] + J[4] * w[2],
        J[5] * w[0] + J[4] * w[1] + J[2] * w[2],
    )


def solved(J, M):
    """J^-1 M, by cofactors."""
    xx, yy, zz, xy, yz, xz = J
    a, b, c = yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy
    d, e, f = xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy
    size = xx * a + xy * b + xz * c
    return (
        (a * M[0] + b * M[1] + c * M[2]) / size,
        (b * M[0] + d * M[1] + e * M[2]) / size,
        (c * M[0] + e * M[1] + f * M[2]) / size,
    )


def energy(bodies, g, q):
    """Kinetic energy and that of gravity, of all bodies."""
    total = 0.0
    for body in range(len(bodies)):
        o = STATES * body
        R = axes(q, body)
        J, c = centre(bodies, q, body)
        w = (q[o + W_X], q[o + W_Y], q[o + W_Z])
        wc = turned(R, *cross(w, c))
        v_x, v_y, v_z = q[o + V_X] + wc[0], q[o + V_Y] + wc[1], q[o + V_Z] + wc[2]
        Jw = product(J, w)
        m = bodies[body, MASS]
        total += 0.5 * m * (v_x * v_x + v_y * v_y + v_z * v_z)
        total += 0.5 * (w[0] * Jw[0] + w[1] * Jw[1] + w[2] * Jw[2])
        r_x, r_z = bodies[body, RIDING_XX], bodies[body, RIDING_ZZ]
        total += 0.5 * (r_x * w[0] * w[0] + r_z * w[2] * w[2])
        total += m * g * (q[o + Z] + turned(R, c[0], c[1], c[2])[2])
    return total
