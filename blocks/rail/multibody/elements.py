"""Force elements between two bodies, or a body and the ground: springs, dampers, stops.

With d the displacement of the point of body i from that of body j, in the element's own axes
(`joints.py`), less what it is when the element bears its static load,

    f = f_0 - k d - c d' - s(d_a) e_a  on body i,   -f on body j           (1)

with k, c per axis, and along one axis a stop s given by a table (`stops.py`). A damper with a
stiffness k_s in series gives k_s (d - x) in place of c d', with c x' = k_s (d - x). In place of
c d' a damper may have any force over its speed (`dampers.py`). Where a spring has a length, both
points are put at half of it. Springs against turning are those of `turning.py`,
dampers against it give -c_r omega in the element's axes.
"""

from .bodies import add_load, back, cross, turned
from .dampers import damper_force, damper_speed
from .joints import attachment, element_axes, is_axle, moments, relative, turning_of_axes
from .stops import stop_energy, stop_force
from .turning import turning_energy, turning_moment

I_BODY, J_BODY, P_I, P_J, OFFSET, K, C, F_0, K_R, C_R, M_0 = 0, 1, 2, 5, 8, 11, 14, 17, 20, 23, 26
STOP, STOP_AXIS, STOP_FIRST, STOP_LAST, SERIES, INNER = 29, 30, 31, 32, 33, 36
CURVE, CURVE_LAST = 37, 40
COLUMNS = 43
"""Columns of the table of elements: bodies (-1 is the ground), points in their axes, displacement
of the points at the static load, stiffness, damping, static force on i, stiffness and damping of
turning, static moment on i; a factor for the stop's force (0: no stop), its axis and its rows in
the table of curves; stiffness in series with dampers, and the first of their states; one more than
the first row in the table of curves of dampers that have one (0: none), and the last row. From P_I
to M_0, and SERIES to the end but for INNER, each has three numbers."""


def add_elements(q, bodies, elements, curves, rates):
    """Adds the loads of all elements, and sets the rates of dampers with a stiffness in series."""
    for e in range(len(elements)):
        i, j = int(elements[e, I_BODY]), int(elements[e, J_BODY])
        d, r, w, arms, axes, R = joint(q, bodies, elements, e)
        R_j, R_m, sigma, part, half = axes
        away = displaced(elements, e, d)
        f = element_force(q, elements, e, curves, away, r)
        n = int(elements[e, INNER])
        for k in range(3):
            if elements[e, SERIES + k] > 0.0:
                pull = _pull(q, elements, e, k, away[k], n)
                rates[n] = _speed(elements, e, k, curves, pull)
                n += 1
        F = turned(R_m, f[0], f[1], f[2])
        m_i, m_j = moments(f, d, sigma, part, half)
        M_i, M_j = turned(R_m, m_i[0], m_i[1], m_i[2]), turned(R_m, m_j[0], m_j[1], m_j[2])
        if turns(elements, e):
            m = turning_moment(R, triple(elements, e, K_R), triple(elements, e, M_0))
            M = turned(R_j, m[0], m[1], m[2])
            c = triple(elements, e, C_R)
            D = turned(R_m, c[0] * w[0], c[1] * w[1], c[2] * w[2])
            M = (M[0] - D[0], M[1] - D[1], M[2] - D[2])
            M_i = (M_i[0] + M[0], M_i[1] + M[1], M_i[2] + M[2])
            M_j = (M_j[0] - M[0], M_j[1] - M[1], M_j[2] - M[2])
        if i >= 0:
            add_load(rates, i, F, arms[0], M_i)
        if j >= 0:
            add_load(rates, j, (-F[0], -F[1], -F[2]), arms[1], M_j)


def read_elements(q, bodies, elements, curves, forces):
    """Force on body i and displacement of each element, in its own axes."""
    for e in range(len(elements)):
        d, r, _, _, _, _ = joint(q, bodies, elements, e)
        force = element_force(q, elements, e, curves, displaced(elements, e, d), r)
        for k in range(3):
            forces[e, k], forces[e, 3 + k] = force[k], d[k]


def joint(q, bodies, elements, e):
    """State of an element: d, d', omega_i - omega_j; arms of its points; its axes; its turn R."""
    i, j = int(elements[e, I_BODY]), int(elements[e, J_BODY])
    p_i, p_j = triple(elements, e, P_I), triple(elements, e, P_J)
    a, arm_i, v, R_i, w_i = attachment(q, bodies, i, p_i[0], p_i[1], p_i[2])
    b, arm_j, u, R_j, w_j = attachment(q, bodies, j, p_j[0], p_j[1], p_j[2])
    R = relative(R_j, R_i)
    R_m, sigma, part, half = element_axes(R_i, R_j, R, is_axle(bodies, i), is_axle(bodies, j))
    w_m, w = turning_of_axes(w_i, w_j, R_m, sigma, part, half)
    p = (a[0] - b[0], a[1] - b[1], a[2] - b[2])
    swept = cross(w_m, p)
    d = back(R_m, p[0], p[1], p[2])
    rate = back(R_m, v[0] - u[0] - swept[0], v[1] - u[1] - swept[1], v[2] - u[2] - swept[2])
    return d, rate, w, (arm_i, arm_j), (R_j, R_m, sigma, part, half), R


def triple(elements, e, column):
    """Three numbers of an element."""
    return elements[e, column], elements[e, column + 1], elements[e, column + 2]


def displaced(elements, e, d):
    """Displacement from where the element bears its static load."""
    o = triple(elements, e, OFFSET)
    return d[0] - o[0], d[1] - o[1], d[2] - o[2]


def turns(elements, e):
    """Whether an element has anything to do with turning."""
    for k in range(3):
        if (
            elements[e, K_R + k] != 0.0
            or elements[e, C_R + k] != 0.0
            or elements[e, M_0 + k] != 0.0
        ):
            return True
    return False


def element_force(q, elements, e, curves, away, r):
    """Force on body i in the element's axes, of (1)."""
    n = int(elements[e, INNER])
    f_x, n = _axis(q, elements, e, 0, curves, away[0], r[0], n)
    f_y, n = _axis(q, elements, e, 1, curves, away[1], r[1], n)
    f_z, n = _axis(q, elements, e, 2, curves, away[2], r[2], n)
    if elements[e, STOP] > 0.0:
        axis = int(elements[e, STOP_AXIS])
        force = elements[e, STOP] * stop_force(stop_of(elements, e, curves), away[axis])
        f_x -= force if axis == 0 else 0.0
        f_y -= force if axis == 1 else 0.0
        f_z -= force if axis == 2 else 0.0
    return f_x, f_y, f_z


def stop_of(elements, e, curves):
    """The points of an element's stop."""
    return curves[int(elements[e, STOP_FIRST]) : int(elements[e, STOP_LAST]) + 1]


def _axis(q, elements, e, k, curves, away, rate, n):
    """Force on body i along axis k, without a stop; n is the state of the damper, then the next."""
    force = elements[e, F_0 + k] - elements[e, K + k] * away
    if elements[e, SERIES + k] == 0.0:
        return force - _damping(elements, e, k, curves, rate), n
    return force - _pull(q, elements, e, k, away, n), n + 1


def _damping(elements, e, k, curves, rate):
    """Force of a damper along axis k at a speed."""
    if elements[e, CURVE + k] == 0.0:
        return elements[e, C + k] * rate
    return damper_force(_curve(elements, e, k, curves), rate)


def _speed(elements, e, k, curves, force):
    """Speed of a damper along axis k under a force."""
    if elements[e, CURVE + k] == 0.0:
        return force / elements[e, C + k]
    return damper_speed(_curve(elements, e, k, curves), force)


def _curve(elements, e, k, curves):
    """The points of a damper along axis k."""
    return curves[int(elements[e, CURVE + k]) - 1 : int(elements[e, CURVE_LAST + k]) + 1]


def _pull(q, elements, e, k, away, n):
    """Force of a damper with a stiffness in series, whose state is n."""
    return elements[e, SERIES + k] * (away - q[n])


def elastic_energy(q, bodies, elements, curves):
    """Energy of springs, with that of static loads and of stops."""
    total = 0.0
    for e in range(len(elements)):
        d, _, _, _, _, R = joint(q, bodies, elements, e)
        away = displaced(elements, e, d)
        n = int(elements[e, INNER])
        for k in range(3):
            total += (0.5 * elements[e, K + k] * away[k] - elements[e, F_0 + k]) * away[k]
            if elements[e, SERIES + k] > 0.0:
                stretch = away[k] - q[n]
                total += 0.5 * elements[e, SERIES + k] * stretch * stretch
                n += 1
        if elements[e, STOP] > 0.0:
            along = away[int(elements[e, STOP_AXIS])]
            total += elements[e, STOP] * stop_energy(stop_of(elements, e, curves), along)
        if turns(elements, e):
            total += turning_energy(R, triple(elements, e, K_R), triple(elements, e, M_0))
    return total


def damping_power(q, bodies, elements, curves):
    """What dampers turn into heat."""
    total = 0.0
    for e in range(len(elements)):
        d, r, w, _, _, _ = joint(q, bodies, elements, e)
        away = displaced(elements, e, d)
        n = int(elements[e, INNER])
        for k in range(3):
            rate = r[k]
            if elements[e, SERIES + k] > 0.0:
                rate = _speed(elements, e, k, curves, _pull(q, elements, e, k, away[k], n))
                n += 1
            force = _damping(elements, e, k, curves, rate)
            total += force * rate + elements[e, C_R + k] * w[k] * w[k]
    return total
