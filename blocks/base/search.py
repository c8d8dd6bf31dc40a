"""Binary search, for tables of any form, compiled and interpreted alike."""

from railblocks.engine.functions.functions import inlined


@inlined
def last_reached(is_reached, table, low, high, x):
    """The last i with low <= i < high and is_reached(table, i, x); low if there is none.

    `is_reached` must hold up to some i and for none beyond.
    """
    while high - low > 1:
        middle = (low + high) // 2
        if is_reached(table, middle, x):
            low = middle
        else:
            high = middle
    return low


@inlined
def point_reached(points, i, x):
    """Whether x lies at or beyond a point."""
    return points[i] <= x


@inlined
def row_reached(table, i, x):
    """Whether x lies at or beyond the first number of a row."""
    return table[i, 0] <= x


def interval(points, x):
    """The i <= n - 2 with points[i] <= x < points[i + 1]; the first or last one outside."""
    return last_reached(point_reached, points, 0, len(points) - 1, x)


def row_of(table, x):
    """The last row whose first number is at most x; the first one before all of them."""
    return last_reached(row_reached, table, 0, len(table), x)
