"""How a wheelset rolls, lifts and changes its rolling radii when it sways, by its profiles.

Left is y > 0 and z is up, with z = 0 where the wheels touch while centred, at y = +-b. At a sway y
of its centre the wheelset has roll phi(y) (positive lifts the left side) and height z(y), and the
left wheel touches at the position s(y) along the axle, with the rolling radius r(y); the right
wheel mirrors it, s_right(y) = -s(-y), r_right(y) = r(-y).

"linear"   phi = 0,  z = r_0,  s = b,  r = r_0 + lam y: the usual linear wheelset         (1)
"conical"  y = d/2 sin(2 phi) - q sin(phi),  z = d/2 - lam b - d/2 cos(2 phi) + q cos(phi),
           d = b (1 + lam^2) / lam,  q = r_0 + lam b: cones on edges at (+-b, 0)          (2)
"curved"   wheels with hollow arcs of radius R_w on rail heads of radius R_r: centres of
           both arcs on a side stay R_w - R_r apart, the wheelset is a four-bar linkage   (3)

In (2) the lines along both cones meet q below the axle, at the angle pi - 2 arctan(lam). While they
slide through two fixed points, their meeting point runs along the circle through these, of diameter
d, by 2 phi while the lines turn by phi (angles at the circumference). The wheelset turns about the
other end of that diameter, where the normals of both contacts meet, b / lam above them at first.
That centre runs along the circle too: taken as fixed, as a link of constant length has it, the
wheelset would lift half as much, and gravity centre it half as strongly.

Elsewhere than in "linear" the contacts follow from rigid motion. All four functions are kept as
polynomials in y / y_max, fitted where they are exact.
Sources: vishnu (instantaneous roll centre); Klingel (1883).
"""

from __future__ import annotations

import math

import numpy as np

SHAPES = ("linear", "conical", "curved")
ROLL, HEIGHT, ALONG_AXLE, RADIUS = range(4)
DEGREE = 13
TERMS = DEGREE + 1
FIT_WITHIN = 1e-10
"""How well polynomials fit, in metres and radians."""
MAX_HANG_M = 1e4
"""A roll centre that is farther away counts as none, in metres."""


class MisfitError(ValueError):
    """Profiles that leave a wheelset nowhere to be, or that no polynomial fits."""


def linear(y, r_0, b, lam):
    """Roll, height, position and radius on the left, by (1)."""
    return 0.0, r_0, b, r_0 + lam * y


def conical(y, r_0, b, lam):
    """Roll, height, position and radius on the left, by (2), for lam other than 0."""
    d, q = b * (1.0 + lam * lam) / lam, r_0 + lam * b
    phi = y / (d - q)
    for _ in range(50):
        miss = 0.5 * d * math.sin(2.0 * phi) - q * math.sin(phi) - y
        step = miss / (d * math.cos(2.0 * phi) - q * math.cos(phi))
        phi -= step
        if abs(step) < 1e-16:
            break
    if not abs(step) < FIT_WITHIN:
        raise MisfitError(f"cones do not reach a sway of {y:.3g} m")
    s, half = math.sin(phi), math.sin(0.5 * phi)
    z = r_0 + d * s * s - 2.0 * q * half * half  # as (2), without differences of large numbers
    return phi, z, *on_axle(phi, y, z, b, 0.0)


def on_axle(phi, y, z, at_y, at_z):
    """Position along the axle and distance from it of a point of the cross-section."""
    c, s = math.cos(phi), math.sin(phi)
    d_y, d_z = at_y - y, at_z - z
    return d_y * c + d_z * s, d_y * s - d_z * c


def curved(y, r_0, b, gamma, R_w, R_r):
    """Roll, height, position and radius by (3); tan(gamma) is the slope at the centred contact."""
    c, s = math.cos(gamma), math.sin(gamma)
    rods = R_w - R_r
    heads = np.array([(k * (b + R_r * s), -R_r * c) for k in (1, -1)])
    arcs = np.array([(k * (b + R_w * s), -R_w * c - r_0) for k in (1, -1)])  # in the wheelset

    def placed(phi, z):
        turn = np.array([[math.cos(phi), -math.sin(phi)], [math.sin(phi), math.cos(phi)]])
        return arcs @ turn.T + (y, z)

    phi, z = 0.0, r_0
    for _ in range(50):
        contour = placed(phi, z)
        gap = contour - heads
        length = np.hypot(gap[:, 0], gap[:, 1])
        miss, along = length - rods, gap / length[:, None]
        arm = contour - (y, z)
        by_phi = along[:, 1] * arm[:, 0] - along[:, 0] * arm[:, 1]
        slopes = np.column_stack([by_phi, along[:, 1]])
        if not abs(np.linalg.det(slopes)) > 0.0:
            break
        step = np.linalg.solve(slopes, miss)
        phi, z = phi - step[0], z - step[1]
        if np.abs(step).max() < 1e-15:
            break
    if not np.abs(miss).max() < FIT_WITHIN or abs(phi) > 0.5:
        raise MisfitError(f"wheels and rails do not meet at a sway of {y:.3g} m")
    at = heads[0] + R_r / rods * (heads[0] - placed(phi, z)[0])
    return phi, z, *on_axle(phi, y, z, *at)


def shape_table(shape, y_max, r_0, b, lam, gamma, R_w, R_r):
    """Coefficients of all four functions, ascending powers of y / y_max."""
    from numpy.polynomial import chebyshev

    def exact(u):
        if shape == "curved":
            return curved(y_max * u, r_0, b, gamma, R_w, R_r)
        return (conical if shape == "conical" and lam != 0.0 else linear)(y_max * u, r_0, b, lam)

    def all_exact(positions):
        return np.array([exact(u) for u in positions])

    fit = chebyshev.chebinterpolate(all_exact, DEGREE)
    between = np.linspace(-1.0, 1.0, 2 * TERMS)
    if np.abs(chebyshev.chebval(between, fit).T - all_exact(between)).max() > FIT_WITHIN:
        raise MisfitError("the contacts move too fast for a polynomial")
    table = np.zeros((4, TERMS))
    for row, column in zip(table, fit.T, strict=True):
        powers = chebyshev.cheb2poly(column)
        row[: len(powers)] = powers
    table[ROLL, 0::2], table[HEIGHT, 1::2] = 0.0, 0.0  # odd, even
    return table


def hang(table, y_max):
    """How far the roll centre lies above the axle while centred; 0 if there is none."""
    slope = table[ROLL, 1] / y_max
    return 1.0 / slope if abs(slope) * MAX_HANG_M > 1.0 else 0.0


def value(table, row, u):
    """One of the functions at u = y / y_max."""
    total = 0.0
    for k in range(TERMS - 1, -1, -1):
        total = total * u + table[row, k]
    return total


def value_and_slopes(table, row, u):
    """One of the functions at u = y / y_max, with both derivatives by u."""
    total, slope, bend = 0.0, 0.0, 0.0
    for k in range(TERMS - 1, -1, -1):
        bend = bend * u + 2.0 * slope
        slope = slope * u + total
        total = total * u + table[row, k]
    return total, slope, bend


def contact_on_axle(table, u, side):
    """Position along the axle and rolling radius of the left (side = 1) or right (-1) wheel."""
    return side * value(table, ALONG_AXLE, side * u), value(table, RADIUS, side * u)


def spin(table, u, V):
    """Angular speed at which the wheelset rolls on the mean of its radii, and its slope by u."""
    left, by_left, _ = value_and_slopes(table, RADIUS, u)
    right, by_right, _ = value_and_slopes(table, RADIUS, -u)
    omega = 2.0 * V / (left + right)
    return omega, -omega * (by_left - by_right) / (left + right)
