"""The height of a wheel over a rail: the function whose local minima are the contact points.

A point (x_w, y_w) of the wheel's lower half lies at P = G + R (x_w, y_w, -s), s = sqrt(w^2 - x_w^2)
(`contour.py`); the rail b(y) below it is as high as its profile at P_y:

    D(x_w, y_w) = P_z - b(P_y)                                             (1)

G_z is added to D and nothing else, so it does not move a minimum. Beside the rail, beyond the
wheel, and where the wheel has no lower half, D is infinite. Searches that compare values of D
use nothing else of the two bodies.

Source: falomi Eqs. 14-15.
"""

import math

from railblocks.blocks.rail.contact.profiles.pieces import END, START, piece_at, shape


def difference(x_w, y_w, wheel, rail, pose):
    """The difference D of (1); `pose` is the `frame` of the wheel."""
    if y_w < wheel[0, START] or y_w > wheel[len(wheel) - 1, END]:
        return math.inf
    w, _, _ = shape(wheel, piece_at(wheel, y_w), y_w)
    _, P_y, P_z = point_in_rail_frame(x_w, y_w, w, pose)
    if P_y < rail[0, START] or P_y > rail[len(rail) - 1, END] or P_z != P_z:
        return math.inf
    b, _, _ = shape(rail, piece_at(rail, P_y), P_y)
    return P_z - b


def point_in_rail_frame(x_w, y_w, w, pose):
    """The point P of the wheel at radius w, in the frame of the rail; nan if |x_w| > w."""
    G_x, G_y, G_z, r11, r12, r13, r21, r22, r23, r32, r33 = pose
    square = w * w - x_w * x_w
    s = math.sqrt(square) if square >= 0.0 else math.nan
    P_x = G_x + r11 * x_w + r12 * y_w - r13 * s
    P_y = G_y + r21 * x_w + r22 * y_w - r23 * s
    return P_x, P_y, G_z + r32 * y_w - r33 * s


def tabulate(x_0, dx, y_0, dy, wheel, rail, pose, table):
    """Fills table[j, i] with D at (x_0 + i dx, y_0 + j dy)."""
    last = len(rail) - 1
    low, high = rail[0, START], rail[last, END]
    row = 0
    longest = max(abs(x_0), abs(x_0 + (table.shape[1] - 1) * dx))
    for j in range(table.shape[0]):
        y_w = y_0 + j * dy
        inside = wheel[0, START] <= y_w <= wheel[len(wheel) - 1, END]
        w, _, _ = shape(wheel, piece_at(wheel, y_w), y_w)
        if not inside or _beside(y_w, w, longest, low, high, pose):
            for i in range(table.shape[1]):
                table[j, i] = math.inf
            continue
        for i in range(table.shape[1]):
            _, P_y, P_z = point_in_rail_frame(x_0 + i * dx, y_w, w, pose)
            if P_y < low or P_y > high or P_z != P_z:
                table[j, i] = math.inf
                continue
            while row < last and rail[row, END] <= P_y:
                row += 1
            while row > 0 and rail[row, START] > P_y:
                row -= 1
            b, _, _ = shape(rail, row, P_y)
            table[j, i] = P_z - b  # (1)


def _beside(y_w, w, longest, low, high, pose):
    """Whether no point with |x_w| <= longest lies over the rail."""
    _, middle, _ = point_in_rail_frame(0.0, y_w, w, pose)
    drop = w - math.sqrt(max(w * w - longest * longest, 0.0))
    sway = abs(pose[6]) * longest + abs(pose[8]) * drop
    return middle + sway < low or middle - sway > high


def point_below(x_w, y_w, wheel, pose):
    """x_b and y_b: the position of the rail under a point of the wheel."""
    w, _, _ = shape(wheel, piece_at(wheel, y_w), y_w)
    P_x, P_y, _ = point_in_rail_frame(x_w, y_w, w, pose)
    return P_x, P_y
