"""Dampers whose force is not proportional to their speed: by a table, or with a blow-off force.

The force over the speed goes straight from point to point, and straight on beyond the first and the
last one. Its table has the point (0, 0), and forces have the sign of their speeds, so that a damper
never gives energy. In series with a spring the speed follows from the force: that table rises.
"""

from .curves import on_piece, piece_at

SPEED, FORCE = range(2)


def damper_force(points, speed):
    """Force against a speed."""
    return on_piece(points, piece_at(points, speed, SPEED), speed, SPEED)


def damper_speed(points, force):
    """Speed at which the damper has a force."""
    return on_piece(points, piece_at(points, force, FORCE), force, FORCE)
