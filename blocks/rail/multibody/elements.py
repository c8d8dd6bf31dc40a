"""Force elements between two bodies, or a body and the ground: springs, dampers, stops.

An element joins a point of body i with a point of body j. In the axes of j, the displacement of the
first point from where it is when the element carries its static load is d, and

    f = f_0 - k d - c d' - s(d_a) e_a  on body i,   -f on body j           (1)

with k, c per axis, and along one axis a stop s given by a table (odd in d_a). A damper with a
stiffness k_s in series gives k_s (d - x) in place of c d', with c x' = k_s (d - x). Both forces act
at the point of i: so the element has an energy, and action and reaction balance in moment too.
Where a spring has a length, the points are put at half of it. Turning of i against j by
R = R_j^T R_i gives, on i,

    m = (g_z R_yz - g_y R_zy, g_x R_zx - g_z R_xz, g_y R_xy - g_x R_yx) - c_r omega,
    g_x = (k_ry + k_rz) / 2 and so on                                      (2)

which for a turn about one axis is -k_r sin(angle), and has the energy -sum of g_a R_aa.
"""

from .bodies import AXLE, STATES, V_X, V_Y, V_Z, X, Y, Z, add_load, back, cross, mounting, turned

I_BODY, J_BODY, P_I, P_J, OFFSET, K, C, F_0, K_R, C_R = 0, 1, 2, 5, 8, 11, 14, 17, 20, 23
STOP, STOP_AXIS, STOP_FIRST, STOP_LAST, SERIES, INNER = 26, 27, 28, 29, 30, 33
COLUMNS = 34
"""Columns of the table of elements: bodies (-1 is the ground), points in their axes, displacement
of the points at the static load, stiffness, damping, static force on i, stiffness and damping of
turning; a factor for the stop's force (0: no stop), its axis and its rows in the table of stops;
stiffness in series with dampers, and the first of their states. From P_I to C_R, and SERIES, each
has three numbers."""
IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


def stop_force(stop, d):
    """Force of a stop by its table of displacements and forces, odd and straight beyond its end."""
    size = abs(d)
    last = len(stop) - 1
    i = 1
    while i < last and stop[i, 0] < size:
        i += 1
    slope = (stop[i, 1] - stop[i - 1, 1]) / (stop[i, 0] - stop[i - 1, 0])
    force = stop[i - 1, 1] + slope * (size - stop[i - 1, 0])
    force = max(force, 0.0)
    return force if d > 0.0 else -force


def stop_energy(stop, d):
    """Energy of a stop: its force, straight from point to point, integrated from 0 to d."""
    size = abs(d)
    last = len(stop) - 1
    total, low = 0.0, 0.0
    for i in range(1, last + 1):
        high = size if i == last else min(stop[i, 0], size)
        if high > low:
            total += 0.5 * (stop_force(stop, low) + stop_force(stop, high)) * (high - low)
            low = high
    return total


def place(q, bodies, body, x, y, z):
    """Point of a body, its arm, its velocity, R and angular velocity; the ground for body -1."""
    if body < 0:
        zero = (0.0, 0.0, 0.0)
        return (x, y, z), zero, zero, IDENTITY, zero
    o = STATES * body
    R, w = mounting(q, body, bodies[body, AXLE] > 0.0)
    arm = turned(R, x, y, z)
    wr = cross(w, arm)
    point = (q[o + X] + arm[0], q[o + Y] + arm[1], q[o + Z] + arm[2])
    velocity = (q[o + V_X] + wr[0], q[o + V_Y] + wr[1], q[o + V_Z] + wr[2])
    return point, arm, velocity, R, w


def add_elements(q, bodies, elements, stop, rates):
    """Adds the loads of all elements, and sets the rates of dampers with a stiffness in series."""
    for e in range(len(elements)):
        i, j = int(elements[e, I_BODY]), int(elements[e, J_BODY])
        d, r, R_i, R_j, w, arm_i, arm_j = _joint(q, bodies, elements, e)
        f_x, f_y, f_z = _force(q, elements, e, stop, d, r)
        n = int(elements[e, INNER])
        for k in range(3):
            if elements[e, SERIES + k] > 0.0:
                rates[n] = _pull(q, elements, e, k, d[k], n) / elements[e, C + k]
                n += 1
        f = turned(R_j, f_x, f_y, f_z)
        m = _moment(elements, e, R_i, R_j, w)
        if i >= 0:
            add_load(rates, i, f, arm_i, m)
        if j >= 0:
            add_load(rates, j, (-f[0], -f[1], -f[2]), arm_j, (-m[0], -m[1], -m[2]))


def read_elements(q, bodies, elements, stop, forces):
    """Force on body i and displacement of each element, in the axes of body j."""
    for e in range(len(elements)):
        d, r, _, _, _, _, _ = _joint(q, bodies, elements, e)
        force = _force(q, elements, e, stop, d, r)
        for k in range(3):
            forces[e, k], forces[e, 3 + k] = force[k], d[k]


def _force(q, elements, e, stop, d, r):
    """Force on body i in the axes of j, of (1)."""
    n = int(elements[e, INNER])
    f_x, n = _axis(q, elements, e, 0, d[0], r[0], n)
    f_y, n = _axis(q, elements, e, 1, d[1], r[1], n)
    f_z, n = _axis(q, elements, e, 2, d[2], r[2], n)
    if elements[e, STOP] > 0.0:
        axis = int(elements[e, STOP_AXIS])
        away = d[axis] - elements[e, OFFSET + axis]
        force = elements[e, STOP] * stop_force(stop_of(elements, e, stop), away)
        f_x -= force if axis == 0 else 0.0
        f_y -= force if axis == 1 else 0.0
        f_z -= force if axis == 2 else 0.0
    return f_x, f_y, f_z


def stop_of(elements, e, stop):
    """The points of an element's stop."""
    return stop[int(elements[e, STOP_FIRST]) : int(elements[e, STOP_LAST]) + 1]


def _axis(q, elements, e, k, d, rate, n):
    """Force on body i along axis k, without a stop; n is the state of the damper, then the next."""
    force = elements[e, F_0 + k] - elements[e, K + k] * (d - elements[e, OFFSET + k])
    if elements[e, SERIES + k] == 0.0:
        return force - elements[e, C + k] * rate, n
    return force - _pull(q, elements, e, k, d, n), n + 1


def _pull(q, elements, e, k, d, n):
    """Force of a damper with a stiffness in series, whose state is n."""
    return elements[e, SERIES + k] * (d - elements[e, OFFSET + k] - q[n])


def _moment(elements, e, R_i, R_j, w):
    """Moment on body i, of (2); w is its angular velocity against j, in the axes of j."""
    k_x, k_y, k_z = elements[e, K_R], elements[e, K_R + 1], elements[e, K_R + 2]
    c_x, c_y, c_z = elements[e, C_R], elements[e, C_R + 1], elements[e, C_R + 2]
    if k_x + k_y + k_z + c_x + c_y + c_z == 0.0:
        return 0.0, 0.0, 0.0
    g_x, g_y, g_z = 0.5 * (k_y + k_z), 0.5 * (k_x + k_z), 0.5 * (k_x + k_y)
    _, R_yx, R_zx = back(R_j, R_i[0], R_i[3], R_i[6])
    R_xy, _, R_zy = back(R_j, R_i[1], R_i[4], R_i[7])
    R_xz, R_yz, _ = back(R_j, R_i[2], R_i[5], R_i[8])
    return turned(
        R_j,
        g_z * R_yz - g_y * R_zy - c_x * w[0],
        g_x * R_zx - g_z * R_xz - c_y * w[1],
        g_y * R_xy - g_x * R_yx - c_z * w[2],
    )


def elastic_energy(q, bodies, elements, stop):
    """Energy of springs, with that of static loads and of stops."""
    total = 0.0
    for e in range(len(elements)):
        d, _, R_i, R_j, _, _, _ = _joint(q, bodies, elements, e)
        n = int(elements[e, INNER])
        for k in range(3):
            away = d[k] - elements[e, OFFSET + k]
            total += 0.5 * elements[e, K + k] * away * away - elements[e, F_0 + k] * away
            if elements[e, SERIES + k] > 0.0:
                total += 0.5 * elements[e, SERIES + k] * (away - q[n]) * (away - q[n])
                n += 1
        if elements[e, STOP] > 0.0:
            axis = int(elements[e, STOP_AXIS])
            away = d[axis] - elements[e, OFFSET + axis]
            total += elements[e, STOP] * stop_energy(stop_of(elements, e, stop), away)
        k_x, k_y, k_z = elements[e, K_R], elements[e, K_R + 1], elements[e, K_R + 2]
        total -= 0.5 * (k_y + k_z) * back(R_j, R_i[0], R_i[3], R_i[6])[0]
        total -= 0.5 * (k_x + k_z) * back(R_j, R_i[1], R_i[4], R_i[7])[1]
        total -= 0.5 * (k_x + k_y) * back(R_j, R_i[2], R_i[5], R_i[8])[2]
    return total


def damping_power(q, bodies, elements):
    """What dampers turn into heat."""
    total = 0.0
    for e in range(len(elements)):
        d, r, _, _, w, _, _ = _joint(q, bodies, elements, e)
        n = int(elements[e, INNER])
        for k in range(3):
            rate = r[k]
            if elements[e, SERIES + k] > 0.0:
                rate = _pull(q, elements, e, k, d[k], n) / elements[e, C + k]
                n += 1
            total += elements[e, C + k] * rate * rate + elements[e, C_R + k] * w[k] * w[k]
    return total


def _joint(q, bodies, elements, e):
    """d, d', R_i, R_j, angular velocity of i against j, and arms of the point of i on both."""
    i, j = int(elements[e, I_BODY]), int(elements[e, J_BODY])
    p, arm_i, v, R_i, w_i = place(
        q, bodies, i, elements[e, P_I], elements[e, P_I + 1], elements[e, P_I + 2]
    )
    s, arm_j, u, R_j, w_j = place(
        q, bodies, j, elements[e, P_J], elements[e, P_J + 1], elements[e, P_J + 2]
    )
    x, y, z = p[0] - s[0], p[1] - s[1], p[2] - s[2]
    swept = cross(w_j, (x, y, z))
    r = back(R_j, v[0] - u[0] - swept[0], v[1] - u[1] - swept[1], v[2] - u[2] - swept[2])
    w = back(R_j, w_i[0] - w_j[0], w_i[1] - w_j[1], w_i[2] - w_j[2])
    arm = (arm_j[0] + x, arm_j[1] + y, arm_j[2] + z)
    return back(R_j, x, y, z), r, R_i, R_j, w, arm_i, arm
