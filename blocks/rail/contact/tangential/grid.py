"""The grid in an elliptic patch: lengths of strips, and pressures that carry the load on it."""

import math


def half_chord(j, n_y):
    """Half length of strip j over a; and its y over b."""
    y = (2.0 * j + 1.0) / n_y - 1.0
    return math.sqrt((1.0 - y) * (1.0 + y)), y


def pressure(z, chord, parabolic):
    """Pressure at x = z a chord, over that in the centre of the patch."""
    square = (1.0 - z) * (1.0 + z)
    return chord * chord * square if parabolic else chord * math.sqrt(square)


def central_pressure(a, b, N, n_x, n_y, parabolic):
    """Pressure in the centre, such that the grid carries N."""
    along, across = 0.0, 0.0
    for i in range(n_x):
        along += pressure(1.0 - (2.0 * i + 1.0) / n_x, 1.0, parabolic)
    for j in range(n_y):
        chord, _ = half_chord(j, n_y)
        across += chord * pressure(0.0, chord, parabolic)
    return N * n_x * n_y / (4.0 * a * b * along * across)
