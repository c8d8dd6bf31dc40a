"""Linear creep forces, bent to the bound of friction by the cubic of Johnson and Vermeulen.

Linear forces of each creepage are X = G c^2 C11 xi, Y = G c^2 C22 eta, S = G c^3 C23 phi, and
moments G c^3 C23 eta and T = G c^4 C33 phi. With rho the linear force over friction,

    rho^2 = (X^2 + Y^2 + S^2 + max(2 Y S, 0)) / (mu N)^2                   (1)
    f = 1 - rho / 3 + rho^2 / 27 for rho <= 3, else 1 / rho                (2)

the size is mu N f rho. Its direction is that of the linear force at first, but a patch that slides
has a force against the slip. So both are blended,

    F = (1 - w) f F_linear + w f rho F_sliding,  w = min(1, rho / 3)^2     (3)

and likewise the moments, that of spin with rho_M^2 = rho^2 + (T / (mu N r))^2 in place of rho   (4)

w is of second order, so that neither linear theory nor the first term of (2) changes; w = 1 where
(2) ends. Without spin one creepage alone has Johnson and Vermeulen's force. Where S opposes Y, (1)
does not let them cancel: the patch slides nevertheless. F_sliding is that of `full_sliding`, for
the lateral creepage

    eta + phi min(c C23 / C22, 32 a / (9 pi rho))                          (5)

because tractions lag behind the slip, which spin turns from the leading to the trailing edge: at
first as in linear theory, and less as sliding grows. The second value is what an expansion of the
simplified theory by 1 / rho has, F_y = -(mu^2 L phi / xi^2) times the integral of p_n^2.
Source: P. J. Vermeulen and K. L. Johnson, Contact of nonspherical elastic bodies transmitting
tangential forces (1964), in the form of Shen, Hedrick and Elkins (1983), with Kalker's coefficients
and spin; (1) and (3) to (5) are explained in
docs/decisions/0019-full-sliding-opposes-the-slip.md.
"""

import math

from railblocks.blocks.rail.contact.tangential.full_sliding import full_sliding, mean_distance

LAG = 32.0 / (9.0 * math.pi)
"""The factor of a / rho in (5), for the parabolic pressure of the simplified theory."""


def saturation(force, bound):
    """Factor by which friction up to `bound` shrinks a linear force in one direction."""
    if not bound > 0.0:
        return 0.0
    rho = force / bound
    if rho > 3.0:
        return 1.0 / rho
    return 1.0 - rho / 3.0 + rho * rho / 27.0  # (2)


def shares(rho):
    """Factors of the linear force and of that of full sliding in (3)."""
    if rho >= 3.0:
        return 0.0, 1.0
    f, w = saturation(rho, 1.0), rho * rho / 9.0
    return (1.0 - w) * f, w * f * rho  # (3)


def saturated_creep(xi, eta, f11, f22, bound):
    """F_x and F_y of (3) without spin, for creep coefficients f11, f22; bound may be infinite."""
    X, Y = f11 * xi, f22 * eta
    force = math.sqrt(X * X + Y * Y)
    if not (force > 0.0 and bound > 0.0):
        return 0.0, 0.0
    stick, slide = shares(force / bound)
    if slide > 0.0:
        slide *= bound / math.sqrt(xi * xi + eta * eta)
    return -stick * X - slide * xi, -stick * Y - slide * eta


def saturated_kalker(xi, eta, phi, a, b, N, mu, G, C11, C22, C23, C33):
    """Forces F_x and F_y on the wheel and moment M_z about the normal; zero if N <= 0."""
    bound = mu * N
    if not (bound > 0.0 and a > 0.0 and b > 0.0):
        return 0.0, 0.0, 0.0
    c = math.sqrt(a * b)
    k = G * c * c
    X, Y, S, T = k * C11 * xi, k * C22 * eta, k * c * C23 * phi, k * c * c * C33 * phi
    rho = math.sqrt(X * X + Y * Y + S * S + max(2.0 * Y * S, 0.0)) / bound  # (1)
    spin = T / (bound * mean_distance(a, b))
    stick, slide = shares(rho)
    stick_M, slide_M = shares(math.sqrt(rho * rho + spin * spin))
    ahead = c * C23 / C22
    if rho * ahead > LAG * a:
        ahead = LAG * a / rho
    s_x, s_y, s_M = full_sliding(xi, eta + ahead * phi, phi, a, b, bound)  # (5)
    M_z = stick * k * c * C23 * eta - stick_M * T + slide_M * s_M  # (4)
    return slide * s_x - stick * X, slide * s_y - stick * (Y + S), M_z  # (3)
