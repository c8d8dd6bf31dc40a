"""Bump-stops: forces by a table of displacements and forces.

The force is odd in the displacement d, straight from point to point, straight on beyond the last
point, and goes on below the first one until it is zero. It never pulls.
"""

from .curves import on_piece, piece_at

DISPLACEMENT = 0


def stop_force(stop, d):
    """Force of a stop against the displacement d."""
    size = abs(d)
    force = max(on_piece(stop, piece_at(stop, size, DISPLACEMENT), size, DISPLACEMENT), 0.0)
    if d == 0.0:
        return 0.0
    return force if d > 0.0 else -force


def stop_energy(stop, d):
    """Energy of a stop: its force integrated from 0 to d."""
    size = abs(d)
    total, low = 0.0, 0.0
    for i in range(1, len(stop)):
        high = size if i == len(stop) - 1 else min(stop[i, 0], size)
        if high > low:
            first = on_piece(stop, i, low, DISPLACEMENT)
            last = on_piece(stop, i, high, DISPLACEMENT)
            total += _pushing_area(first, last, high - low)
            low = high
    return total


def _pushing_area(first, last, width):
    """Area below a straight line over a width, as far as the line is above zero."""
    if first >= 0.0 and last >= 0.0:
        return 0.5 * (first + last) * width
    top = max(first, last)
    if top <= 0.0:
        return 0.0
    return 0.5 * top * width * top / abs(last - first)
