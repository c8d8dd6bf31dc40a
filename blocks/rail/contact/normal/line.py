"""Line contact: parallel cylinders that touch along a known length.

The gap is h = B y^2 over the length 2 L of the line, the load is spread evenly along it, and the
patch is the rectangle 2 L x 2 b with b much less than L:

    b = sqrt(N / (pi E_star B L)),  p_0 = N / (pi L b)                     (1)
    delta = N / (pi E_star L) (1/2 + ln(4 L / b)) = B b^2 (1/2 + ln(4 L / b))            (2)

(1) is Hertz's plane solution for N / (2 L) per length. The plane problem leaves the approach open;
(2) is the sum of both bodies' displacements at the centre of that loaded rectangle on half-spaces,
for b << L: with b = L / 3 it is 0.23 % below the integral, with L / 10 0.015 %. Both do not
know where the ends of the line carry more than their share.
Source: K. L. Johnson, Contact Mechanics (1985), sections 4.2 and 5.6 (same route).
"""

import math


def line_patch(B, L, N, E_star):
    """Half-width b, approach delta and largest pressure p_0 under the load N; zeros if lifted."""
    if not (N > 0.0 and B > 0.0 and L > 0.0):
        return 0.0, 0.0, 0.0
    b = math.sqrt(N / (math.pi * E_star * B * L))  # (1)
    delta = B * b * b * (0.5 + math.log(4.0 * L / b))  # (2)
    return b, delta, N / (math.pi * L * b)  # (1)


def line_half_width(delta, B, L):
    """The b of (2) for an approach delta: Newton's method on its rising branch, b <= 4 L.

    Beyond the approach 8 B L^2, where (2) ends far outside of its range, b stays at 4 L.
    """
    if not (delta > 0.0 and B > 0.0 and L > 0.0):
        return 0.0
    z = delta / (16.0 * B * L * L)  # = t^2 (1/2 - ln t), t = b / (4 L)
    if z >= 0.5:
        return 4.0 * L
    t = math.sqrt(z / (0.5 + 0.5 * math.log(1.0 + 1.0 / z)))
    for _ in range(50):
        step = (t * t * (0.5 - math.log(t)) - z) / (-2.0 * t * math.log(t))
        t = max(min(t - step, 0.5 * (1.0 + t)), 0.5 * t)
        if abs(step) <= 1e-14 * t:
            break
    return 4.0 * L * t


def line_force(delta, B, L, E_star):
    """Load for an approach delta: (1) at the half-width of (2); zero without contact."""
    b = line_half_width(delta, B, L)
    return math.pi * E_star * B * L * b * b  # (1)


def line_stiffness(L, b, E_star):
    """d N / d delta at the half-width b: pi E_star L / ln(4 L / b)."""
    if not (b > 0.0 and b < 4.0 * L):
        return 0.0
    return math.pi * E_star * L / math.log(4.0 * L / b)


def line_energy(delta, B, L, E_star):
    """Elastic energy at an approach delta, the integral of `line_force`.

    By (2), d delta = 2 B b ln(4 L / b) db: it is pi/2 E_star B^2 L b^4 (ln(4 L / b) + 1/4).
    """
    b = line_half_width(delta, B, L)
    if not b > 0.0:
        return 0.0
    square = B * b * b
    return 0.5 * math.pi * E_star * L * square * square * (math.log(4.0 * L / b) + 0.25)
