"""All contact points of a wheel with a rail or a roller.

The contour of the wheel (`contour.py`) meets the profile b(y) of the rail where both have one
slope. A solution is a root of one function of y_w:

    DIFF:  F = Z' - b'(Y)                                                  (1)
    DIST:  F = (Y - y_r) + b'(y_r) (Z - b(y_r)),   b'(y_r) = Z'            (2)

DIFF makes the difference of heights stationary, and its solutions do not depend on G_z; DIST makes
the distance stationary. Z' is the slope of the contour. Both agree where the bodies just touch, so
the roots of (1) are found first, between nodes of the wheel, and those of (2) beside them; for
these the slope of the rail is inverted in the run of pieces that the point lies in. Roots count if
they are real, have parallel normals, and are convex against each other; equal ones count once.
Where bodies that fit each other closely, as flange fillet and rail corner, have a least difference
of heights but no stationary distance, DIST gives the point of DIFF.

Source: falomi Eqs. 5-17, conti2012 Eqs. 7-21, in corrected form; a rail is a roller of infinite
radius, so one procedure serves both. `contour` and `mismatch` below are functions: the compiler
makes a procedure of its own for each pair of them.
"""

import math

from railblocks.blocks.rail.contact.profiles.pieces import (
    END,
    KIND,
    SPLINE,
    START,
    STRAIGHT,
    line,
    piece_at,
    piece_near,
    run_of,
    shape,
    slope_of,
    tangent_in_run,
)
from railblocks.engine.functions.functions import inlined

from .contacts import APART_M, FAR, SADDLE, Y_W, cos_inclination, set_contact
from .contour import frame, rail_contour, roller_contour
from .nodes import (
    LONGER,
    NODE_BEND,
    NODE_BULGE,
    NODE_END,
    NODE_ROW,
    NODE_SLOPE,
    NODE_W,
    NODE_Y,
    least_by_one,
    least_height,
    rise_at,
)
from .roots import next_fraction
from .straight import straight_contacts

LEFT, RIGHT, F_LEFT, F_RIGHT, PIECE, ROW = range(6)
PARALLEL_WITHIN_RAD = 1e-4
"""Normals that differ by more than this angle, in radians, are not parallel."""
ROUGH_STEP_M, EXACT_STEP_M = 1e-9, 1e-12
"""Steps, in metres, that end the search for a root: each leaves an error far below itself."""


def rail_diff(G_x, G_y, G_z, alpha, beta, wheel, nodes, rail, limit, contacts):
    """Contacts with a rail by DIFF: how many have a gap of at most `limit`; `contacts` holds them.

    `wheel` and `rail` are tables of profiles, `nodes` come with the wheel (`pair.py`). Every point,
    and every saddle between two, takes a row of `contacts`; what finds no row is dropped.
    """
    pose = frame(G_x, G_y, G_z, alpha, beta)
    return _contacts(rail_contour, False, False, pose, wheel, nodes, rail, limit, contacts)


def rail_dist(G_x, G_y, G_z, alpha, beta, wheel, nodes, rail, limit, contacts):
    """Contacts with a rail by DIST; arguments as in `rail_diff`."""
    pose = frame(G_x, G_y, G_z, alpha, beta)
    return _contacts(rail_contour, False, True, pose, wheel, nodes, rail, limit, contacts)


def roller_dist(G_x, G_y, G_z, alpha, beta, wheel, nodes, rail, limit, contacts):
    """Contacts with a roller by DIST; arguments as in `rail_diff`, `rail` holds the roller."""
    pose = frame(G_x, G_y, G_z, alpha, beta)
    return _contacts(roller_contour, True, True, pose, wheel, nodes, rail, limit, contacts)


@inlined
def diff(contour, y_w, w, slope_w, pose, rail, near, row):
    """F of (1), the row of the rail that it is taken on, and whether there is one.

    `row` is where to look first. A little beyond its ends the rail goes on straight; farther out
    than `near` there is no F.
    """
    _, _, Y, _, slope, real = contour(y_w, w, slope_w, pose)
    last = len(rail) - 1
    beyond = max(rail[0, START] - Y, Y - rail[last, END])
    if beyond > near or not real:
        return 0.0, row, False
    Y = min(max(Y, rail[0, START]), rail[last, END])
    while row < last and rail[row, END] <= Y:
        row += 1
    while row > 0 and rail[row, START] > Y:
        row -= 1
    return slope - slope_of(rail, row, Y), row, True  # (1)


def below(contour, y_w, piece, wheel, pose, rail, first, last, row):
    """F of (1), no y_r (the rail's point lies below), and the row of the rail.

    `piece` is a row of the wheel near y_w.
    """
    w, slope_w = line(wheel, piece_near(wheel, piece, y_w), y_w)
    F, row, _ = diff(contour, y_w, w, slope_w, pose, rail, math.inf, row)
    return F, math.nan, row


def dist(contour, y_w, piece, wheel, pose, rail, first, last, row):
    """F of (2), y_r and row of the rail's point; arguments as in `below`."""
    w, slope_w = line(wheel, piece_near(wheel, piece, y_w), y_w)
    _, _, Y, Z, slope, _ = contour(y_w, w, slope_w, pose)
    y_r, z, slope_r, row = tangent_in_run(rail, first, last, row, slope)
    return (Y - y_r) + slope_r * (Z - z), y_r, row  # (2)


def _contacts(contour, roller, by_distance, pose, wheel, nodes, rail, limit, contacts):
    """The number of contacts; brackets of roots wait in `contacts` until they are narrowed."""
    last = len(nodes) - 1
    step = (nodes[last, NODE_Y] - nodes[0, NODE_Y]) / last
    brackets = _brackets(contour, pose, wheel, nodes, rail, 2.0 * step, limit, contacts)
    count, saddle = 0, FAR
    for k in range(brackets):
        bracket = (contacts[k, LEFT], contacts[k, RIGHT], contacts[k, F_LEFT], contacts[k, F_RIGHT])
        piece, near, end = int(contacts[k, PIECE]), int(contacts[k, ROW]), len(rail) - 1
        tolerance = ROUGH_STEP_M if by_distance else EXACT_STEP_M
        y_w, _, row = _narrowed(
            below, contour, bracket, tolerance, piece, wheel, pose, rail, 0, end, near
        )
        if rail[row, KIND] == STRAIGHT and wheel[piece_near(wheel, piece, y_w), KIND] == STRAIGHT:
            continue
        gap, convex = _put(contour, roller, y_w, math.nan, row, pose, wheel, rail, contacts, count)
        if not convex:
            saddle = gap / cos_inclination(contacts, count) if gap < FAR else saddle
        elif gap <= limit and not _known(contacts, count, y_w):
            if by_distance:
                y, y_r, other = _beside(contour, y_w, piece, wheel, pose, rail, row, 2.0 * step)
                gap, convex = _put(
                    contour, roller, y, y_r, other, pose, wheel, rail, contacts, count
                )
                if not (convex and gap <= limit):
                    y, _, row = _narrowed(
                        below,
                        contour,
                        bracket,
                        EXACT_STEP_M,
                        piece,
                        wheel,
                        pose,
                        rail,
                        0,
                        end,
                        near,
                    )
                    _put(contour, roller, y, math.nan, row, pose, wheel, rail, contacts, count)
            contacts[count, SADDLE] = saddle if count > 0 else FAR
            saddle = FAR
            count += 1
    return straight_contacts(contour, pose, wheel, rail, roller, limit, contacts, count)


def _put(contour, roller, y_w, y_r, row, pose, wheel, rail, contacts, k):
    """Fills row k with the point at y_w; the result is its gap, and whether it is a contact.

    Without y_r (nan), the rail's point lies below the wheel's. Beside the rail, or where
    normals are not parallel, the gap is FAR.
    """
    piece = piece_at(wheel, y_w)
    w, slope_w, _ = shape(wheel, piece, y_w)
    x_w, s, Y, Z, slope, _ = contour(y_w, w, slope_w, pose)
    if y_r != y_r:
        y_r = Y
    if not rail[0, START] <= y_r <= rail[len(rail) - 1, END]:
        return FAR, False
    z, slope_r, _ = shape(rail, row, y_r)
    steep = math.sqrt(1.0 + slope_r * slope_r)
    if abs(slope - slope_r) > PARALLEL_WITHIN_RAD * steep * steep:
        return FAR, False
    gap = (Z - z - slope_r * (Y - y_r)) / steep
    return gap, set_contact(contacts, k, y_w, wheel, piece, x_w, s, y_r, rail, pose, roller, gap)


def _beside(contour, y_w, piece, wheel, pose, rail, row, near):
    """The root of (2) beside one of (1): its y_w, the rail's y_r and row; y_r is nan if none.

    On a straight piece of the rail the slopes agree already, and y_r is that of a foot.
    """
    if rail[row, KIND] == STRAIGHT:
        return y_w, _foot(contour, y_w, wheel, pose, rail, row), row
    first, last = run_of(rail, row)
    F, _, at = dist(contour, y_w, piece, wheel, pose, rail, first, last, row)
    h = max(1e-4 * near, 2.0 * abs(F))
    for _ in range(7):
        if not h <= near:
            break
        for side in range(2):
            y = y_w - h if (side == 0) == (F > 0.0) else y_w + h
            y = min(max(y, wheel[0, START]), wheel[len(wheel) - 1, END])
            F_y, _, at = dist(contour, y, piece, wheel, pose, rail, first, last, at)
            if (F_y > 0.0) != (F > 0.0):
                bracket = (y_w, y, F, F_y)
                return _narrowed(
                    dist, contour, bracket, EXACT_STEP_M, piece, wheel, pose, rail, first, last, at
                )
        h *= 4.0
    return y_w, math.nan, row


def _narrowed(mismatch, contour, bracket, tolerance, piece, wheel, pose, rail, first, last, row):
    """The root of a mismatch in a bracket, with the rail's y_r and row."""
    a, b, f_a, f_b = bracket
    c, f_c = a, f_a
    fraction = f_a / (f_a - f_b)
    for _ in range(100):
        y = a + fraction * (b - a)
        F, _, row = mismatch(contour, y, piece, wheel, pose, rail, first, last, row)
        if (F > 0.0) == (f_a > 0.0):
            c, f_c = a, f_a
        else:
            c, f_c, b, f_b = b, f_b, a, f_a
        a, f_a = y, F
        fraction = next_fraction(a, b, c, f_a, f_b, f_c)
        if fraction * abs(b - a) <= tolerance:
            break
    y = a + fraction * (b - a)
    if fraction < 0.0:
        y = a if abs(f_a) < abs(f_b) else b
    _, y_r, row = mismatch(contour, y, piece, wheel, pose, rail, first, last, row)
    return y, y_r, row


def _brackets(contour, pose, wheel, nodes, rail, near, limit, contacts):
    """Brackets of the roots of (1), in `contacts`: of all, or of those with a gap of at most 0."""
    last = len(nodes) - 1
    yaw = pose[6] * pose[6]
    count, a, begin = 0, 0, -1
    Y_a, Z_a, b_a, t_a, real_a, rise_a = _over(contour, nodes, 0, pose, rail)
    while a < last:
        b = int(nodes[a, NODE_END])
        Y_b, Z_b, b_b, t_b, real_b, rise_b = _over(contour, nodes, b, pose, rail)
        length = Y_b - Y_a
        bend = nodes[a, NODE_BEND] + length * length / (8.0 * nodes[a, NODE_W])
        bulge = nodes[a, NODE_BULGE] + yaw * bend
        rise = max(rise_a, rise_b)
        least = least_height(Y_a, Z_a, b_a, t_a, Y_b, Z_b, b_b, t_b, bulge, rise)
        if rise > 0.0 and least <= 0.0:
            least = least_by_one(Y_a, Z_a, b_a, t_a, rise_a, Y_b, Z_b, b_b, t_b, rise_b, bulge)
        far = rise > 0.0 and length > LONGER * (nodes[b, NODE_Y] - nodes[a, NODE_Y])
        close = limit > 0.0 or far or not (real_a and real_b and least > 0.0)
        if close and begin < 0:
            begin = max(a - 1, 0)
        if begin >= 0 and (b == last or not close):
            end = min(b, last) if close else a + 1
            count = _scan(contour, pose, wheel, nodes, rail, near, begin, end, contacts, count)
            begin = -1
        a, Y_a, Z_a, b_a, t_a, real_a, rise_a = b, Y_b, Z_b, b_b, t_b, real_b, rise_b
    return count


@inlined
def _over(contour, nodes, k, pose, rail):
    """Y and Z of the contour at a node, height and slope of the rail below, if real, and its rise.

    Beyond its ends the rail goes on straight.
    """
    _, _, Y, Z, _, real = contour(nodes[k, NODE_Y], nodes[k, NODE_W], nodes[k, NODE_SLOPE], pose)
    last = len(rail) - 1
    y_r = min(max(Y, rail[0, START]), rail[last, END])
    z, slope = line(rail, piece_at(rail, y_r), y_r)
    return Y, Z, z + slope * (Y - y_r), slope, real, rise_at(nodes, rail, y_r)


def _scan(contour, pose, wheel, nodes, rail, near, begin, end, contacts, count):
    """The count with brackets of the roots of (1) from node `begin` to `end`.

    Between nodes F may turn twice: at a joint of the rail, where it has a kink, and near a node
    where it comes close to zero and leaves again. Both are looked at.
    """
    y_0, F_0, y_1, F_1 = 0.0, 0.0, 0.0, 0.0
    y = min(max(pose[1] + nodes[begin, NODE_Y], rail[0, START]), rail[len(rail) - 1, END])
    known, row_1, k = 0, piece_at(rail, y), begin
    while k <= end:
        y, w, slope_w = nodes[k, NODE_Y], nodes[k, NODE_W], nodes[k, NODE_SLOPE]
        F, row, real = diff(contour, y, w, slope_w, pose, rail, near, row_1)
        if not real:
            known = 0
            k += 1
            continue
        if known > 0 and (F > 0.0) != (F_1 > 0.0):
            count = _add(contacts, count, y_1, y, F_1, F, nodes[k - 1, NODE_ROW], row)
        elif known > 0:
            turn, at = math.nan, k - 1
            kink = row != row_1 and rail[row, KIND] != SPLINE
            if kink and F_1 * (3.0 * F_1 - 2.0 * F_0) <= 0.0:
                target = rail[max(row, row_1), START]
                turn = _joint(contour, y_1, y, wheel, int(nodes[at, NODE_ROW]), pose, target)
            elif known > 1 and F_1 * (F_0 - F_1) > 0.0 and F_1 * (F - F_1) > 0.0:
                turn = _vertex(y_0, y_1, y, F_0, F_1, F)
                at = k - 2 if turn < y_1 else k - 1
            if turn == turn:
                piece = nodes[at, NODE_ROW]
                w, slope_w = line(wheel, piece_near(wheel, int(piece), turn), turn)
                F_t, _, _ = diff(contour, turn, w, slope_w, pose, rail, near, row)
                if (F_t > 0.0) != (F_1 > 0.0):
                    left, F_l = (y_1, F_1) if at == k - 1 else (y_0, F_0)
                    right, F_r = (y, F) if at == k - 1 else (y_1, F_1)
                    count = _add(contacts, count, left, turn, F_l, F_t, piece, row)
                    count = _add(contacts, count, turn, right, F_t, F_r, piece, row)
        y_0, F_0, y_1, F_1, row_1 = y_1, F_1, y, F, row
        known += 1
        k += 1
    return count


def _add(contacts, count, left, right, F_left, F_right, piece, row):
    if count == len(contacts):
        return count
    contacts[count, LEFT], contacts[count, RIGHT] = left, right
    contacts[count, F_LEFT], contacts[count, F_RIGHT] = F_left, F_right
    contacts[count, PIECE], contacts[count, ROW] = piece, row
    return count + 1


def _vertex(y_0, y_1, y_2, F_0, F_1, F_2):
    """The abscissa of the extremum of the parabola through three points."""
    a, b = (y_1 - y_0) * (F_1 - F_2), (y_1 - y_2) * (F_1 - F_0)
    return y_1 - 0.5 * ((y_1 - y_0) * a - (y_1 - y_2) * b) / (a - b)


def _joint(contour, y_0, y_1, wheel, piece, pose, target):
    """Where between two nodes the contour comes over a joint of the rail, by secants."""
    g_0 = _across(contour, y_0, wheel, piece, pose) - target
    g_1 = _across(contour, y_1, wheel, piece, pose) - target
    y = y_1
    for _ in range(3):
        y = y_0 - g_0 * (y_1 - y_0) / (g_1 - g_0) if g_1 != g_0 else y_1
        g = _across(contour, y, wheel, piece, pose) - target
        if (g > 0.0) == (g_0 > 0.0):
            y_0, g_0 = y, g
        else:
            y_1, g_1 = y, g
    return y


def _across(contour, y, wheel, piece, pose):
    """The lateral coordinate Y of the contour."""
    w, slope_w = line(wheel, piece_near(wheel, piece, y), y)
    _, _, Y, _, _, _ = contour(y, w, slope_w, pose)
    return Y


def _known(contacts, count, y_w):
    """Whether a contact at this y_w is among the first ones already."""
    same = False
    for k in range(count):
        same = same or abs(contacts[k, Y_W] - y_w) < APART_M
    return same


def _foot(contour, y_w, wheel, pose, rail, row):
    """The foot of a wheel point on a straight piece of the rail."""
    w, slope_w, _ = shape(wheel, piece_at(wheel, y_w), y_w)
    _, _, Y, Z, _, _ = contour(y_w, w, slope_w, pose)
    z, slope, _ = shape(rail, row, rail[row, START])
    along = (Y - rail[row, START] + slope * (Z - z)) / (1.0 + slope * slope)
    return min(max(rail[row, START] + along, rail[row, START]), rail[row, END])
