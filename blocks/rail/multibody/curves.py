"""Curves through points, straight from one to the next and straight on beyond both ends.

Points are rows of a table with two columns, of which the one that is given rises.
"""


def piece_at(points, x, column):
    """The point at which the piece that holds at x ends; x is given in a column."""
    i = 1
    while i < len(points) - 1 and points[i, column] <= x:
        i += 1
    return i


def on_piece(points, i, x, column):
    """The number of the other column at x, on the line through the points i - 1 and i."""
    other = 1 - column
    slope = (points[i, other] - points[i - 1, other]) / (points[i, column] - points[i - 1, column])
    return points[i - 1, other] + slope * (x - points[i - 1, column])
