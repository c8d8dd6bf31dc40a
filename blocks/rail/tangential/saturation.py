"""Linear creep forces, bent to the bound of friction by the cubic of Johnson and Vermeulen.

    rho = |F_linear| / (mu N)
    |F| = mu N (rho - rho^2 / 3 + rho^3 / 27) for rho <= 3, else mu N      (1)

The force keeps the direction of the linear one, and the spin moment shrinks by the same factor:
good for small spin; sliding by spin alone, where lateral forces cancel, is not seen. Source:
P. J. Vermeulen and K. L. Johnson, Contact of nonspherical elastic bodies transmitting tangential
forces (1964), in the form of Shen, Hedrick and Elkins (1983), with Kalker's coefficients and spin.
"""

import math

from railblocks.blocks.rail.tangential.linear import linear_kalker


def saturation(force, bound):
    """Factor by which friction up to `bound` shrinks a linear force."""
    if not bound > 0.0:
        return 0.0
    rho = force / bound
    if rho > 3.0:
        return 1.0 / rho
    return 1.0 - rho / 3.0 + rho * rho / 27.0  # (1)


def saturated_kalker(xi, eta, phi, a, b, N, mu, G, C11, C22, C23, C33):
    """Forces F_x and F_y on the wheel and moment M_z about the normal; zero if N <= 0."""
    F_x, F_y, M_z = linear_kalker(xi, eta, phi, a, b, G, C11, C22, C23, C33)
    factor = saturation(math.sqrt(F_x * F_x + F_y * F_y), mu * N)
    return factor * F_x, factor * F_y, factor * M_z
