"""Shapes of transitions: how curvature, roll and gradient go from one segment to the next.

With x = u / L from 0 to 1 over a transition of length L, what changes goes with f(x) from 0 to 1:

    clothoid        f = x                                                  (1)
    bloss           f = 3 x^2 - 2 x^3                                      (2)
    hermite_5       f = 10 x^3 - 15 x^4 + 6 x^5                            (3)

(2), after Bloss (1936), is also Hermite's cubic polynomial with level ends, `hermite_3`: cant and
curvature begin and end without a kink. (3) is Hermite's quintic one: their second derivatives
vanish there, too. The steepest change is 1, 1.5 and 1.875 times the mean one, in the middle.
"""

from __future__ import annotations

from math import comb

import numpy as np

from .centreline import DEGREE

CLOTHOID = "clothoid"
BLOSS = (0.0, 3.0, -2.0, 0.0, 0.0)
SHAPES = {
    CLOTHOID: (1.0, 0.0, 0.0, 0.0, 0.0),
    "bloss": BLOSS,
    "hermite_3": BLOSS,
    "hermite_5": (0.0, 0.0, 10.0, -15.0, 6.0),
}
"""Coefficients of x to x^5."""


def shape_from(name: str, length: float, u: float) -> tuple[float, np.ndarray]:
    """w = L f(u / L) at u, and the coefficients by which it grows from there on, from the first."""
    own = [f * length ** (1 - k) for k, f in enumerate(SHAPES[name], start=1)]
    at_u = sum(a * u**k for k, a in enumerate(own, start=1))
    grown = [
        sum(comb(j, k) * a * u ** (j - k) for j, a in enumerate(own, start=1) if j >= k)
        for k in range(1, DEGREE + 1)
    ]
    return at_u, np.array(grown)
