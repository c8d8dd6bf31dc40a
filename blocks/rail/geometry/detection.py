"""All contact points of a wheel with a rail or a roller.

The contour of the wheel (`contour.py`) meets the profile b(y) of the rail where both have one
slope. A solution is a root of one function of y_w:

    DIFF:  F = Z' - b'(Y)                                                  (1)
    DIST:  F = (Y - y_r) + b'(y_r) (Z - b(y_r)),   b'(y_r) = Z'            (2)

DIFF makes the difference of heights stationary, and its solutions do not depend on G_z; DIST makes
the distance stationary. Z' is the slope of the contour. In (2) the slope of the rail is inverted,
run by run where it is not monotonic; at a straight piece y_r jumps from one end to the other, F
with it, and y_r is the foot of the wheel point. Roots are bracketed between nodes of the wheel
and narrowed to the last digits. They count if they are real, have parallel normals, and are
convex against each other; equal ones count once.

Source: falomi Eqs. 5-17, conti2012 Eqs. 7-21, in corrected form; a rail is a roller of infinite
radius, so one procedure serves both. `contour` and `mismatch` below are functions: the compiler
makes a procedure of its own for each pair of them.
"""

import math

from railblocks.blocks.rail.profiles.pieces import (
    END,
    KIND,
    SLOPE_START,
    START,
    STRAIGHT,
    piece_at,
    place_in_run,
    shape,
    slope_of,
    tangent_in_run,
)
from railblocks.engine.program.functions import inlined

from .contacts import APART, DEEPEST, FAR, SADDLE, Y_W, set_contact
from .contour import frame, rail_contour, roller_contour
from .roots import next_fraction
from .straight import straight_contacts

STEP = 1e-3
"""Largest distance of nodes on the wheel, in metres."""
NODE_Y, NODE_W, NODE_SLOPE, NODE_ROW = range(4)
LEFT, RIGHT, F_LEFT, F_RIGHT, PIECE = range(5)
PARALLEL = 1e-4
"""Normals that differ by more than this angle, in radians, are not parallel."""


def rail_diff(G_x, G_y, G_z, alpha, beta, wheel, nodes, rail, runs, limit, found):
    """Contacts with a rail by DIFF: how many have a gap of at most `limit`; `found` holds them.

    `wheel` and `rail` are tables of profiles, `nodes` and `runs` come with them (`pair.py`). More
    points than `found` has rows are dropped.
    """
    pose = frame(G_x, G_y, G_z, alpha, beta)
    last = len(rail) - 1
    count = _contacts(
        rail_contour, diff, False, pose, wheel, nodes, rail, 0, last, False, limit, found, 0
    )
    return straight_contacts(rail_contour, pose, wheel, rail, False, limit, found, count)


def rail_dist(G_x, G_y, G_z, alpha, beta, wheel, nodes, rail, runs, limit, found):
    """Contacts with a rail by DIST; arguments as in `rail_diff`."""
    pose = frame(G_x, G_y, G_z, alpha, beta)
    return _by_runs(rail_contour, pose, wheel, nodes, rail, runs, False, limit, found)


def roller_dist(G_x, G_y, G_z, alpha, beta, wheel, nodes, rail, runs, limit, found):
    """Contacts with a roller by DIST; arguments as in `rail_diff`, `rail` holds the roller."""
    pose = frame(G_x, G_y, G_z, alpha, beta)
    return _by_runs(roller_contour, pose, wheel, nodes, rail, runs, True, limit, found)


def _by_runs(contour, pose, wheel, nodes, rail, runs, roller, limit, found):
    count = 0
    for run in range(len(runs)):
        first, last = int(runs[run, 0]), int(runs[run, 1])
        count = _contacts(
            contour, dist, True, pose, wheel, nodes, rail, first, last, roller, limit, found, count
        )
    return straight_contacts(contour, pose, wheel, rail, roller, limit, found, count)


@inlined
def diff(contour, y_w, w, slope_w, pose, rail, first, last, row):
    """F of (1), the row of the rail that it is taken on, and whether there is one.

    `row` is where to look first. A little beyond its ends the rail goes on straight; farther out
    there is no F, and the number in its place is how far.
    """
    _, _, Y, _, slope, real = contour(y_w, w, slope_w, pose)
    beyond = max(rail[first, START] - Y, Y - rail[last, END])
    if beyond > 2.0 * STEP or not real:
        return beyond if real else 0.0, row, False
    Y = min(max(Y, rail[first, START]), rail[last, END])
    while row < last and rail[row, END] <= Y:
        row += 1
    while row > first and rail[row, START] > Y:
        row -= 1
    return slope - slope_of(rail, row, Y), row, True  # (1)


@inlined
def dist(contour, y_w, w, slope_w, pose, rail, first, last, row):
    """F of (2), the row of the rail that it is taken on, and whether there is one, as `diff`."""
    _, _, Y, Z, slope, real = contour(y_w, w, slope_w, pose)
    beyond = max(rail[first, START] - Y, Y - rail[last, END])
    if beyond > -DEEPEST or not real:
        return beyond if real else 0.0, row, False
    place, z, slope_r, row = tangent_in_run(rail, first, last, row, slope)
    return (Y - place) + slope_r * (Z - z), row, True  # (2)


def _contacts(
    contour, mismatch, by_slope, pose, wheel, nodes, rail, first, last, roller, limit, found, count
):
    """The count with the contacts on one run of the rail; brackets of roots wait in `found`."""
    brackets = _scan(
        contour, mismatch, by_slope, pose, wheel, nodes, rail, first, last, found, count
    )
    before, saddle = count, FAR
    for k in range(count, brackets):
        piece = int(found[k, PIECE])
        y_w = _root(
            contour, mismatch, found[k, LEFT], found[k, RIGHT], found[k, F_LEFT],
            found[k, F_RIGHT], wheel, piece, pose, rail, first, last,
        )  # fmt: skip
        w, slope_w, _ = shape(wheel, piece, y_w)
        x_w, s, Y, Z, slope, _ = contour(y_w, w, slope_w, pose)
        place = _foot(rail, first, last, slope, Y, Z) if by_slope else Y
        row = piece_at(rail, place)
        z, slope_r, _ = shape(rail, row, place)
        steep = math.sqrt(1.0 + slope_r * slope_r)
        gap = (Z - z - slope_r * (Y - place)) / steep
        inside = rail[first, START] <= place <= rail[last, END]
        near = inside and gap <= limit and (gap >= DEEPEST or not by_slope)
        parallel = abs(slope - slope_r) <= PARALLEL * steep * steep
        both_straight = wheel[piece, KIND] == STRAIGHT and rail[row, KIND] == STRAIGHT
        if near and parallel and not both_straight and not _known(found, count, y_w):
            if set_contact(found, count, y_w, wheel, piece, x_w, s, place, rail, pose, roller, gap):
                found[count, SADDLE] = saddle if count > before else FAR
                saddle = FAR
                count += 1
            else:
                saddle = gap
    return count


def _scan(contour, mismatch, by_slope, pose, wheel, nodes, rail, first, last, found, count):
    """Brackets of the roots between nodes, in `found` from row `count` on.

    Between nodes F may turn twice: at a joint of the rail, where it has a kink, and near a node
    where it comes close to zero and leaves again. Both are looked at.
    """
    y_0, F_0, y_1, F_1 = 0.0, 0.0, 0.0, 0.0
    known, row_1, k = 0, first, 0
    while k < len(nodes):
        y, w, slope_w = nodes[k, NODE_Y], nodes[k, NODE_W], nodes[k, NODE_SLOPE]
        F, row, real = mismatch(contour, y, w, slope_w, pose, rail, first, last, row_1)
        if not real:
            known = 0
            k += 1 + int(F / (2.0 * STEP))
            continue
        if known > 0 and (F > 0.0) != (F_1 > 0.0):
            count = _add(found, count, y_1, y, F_1, F, nodes[k - 1, NODE_ROW])
        elif known > 0:
            turn, at = math.nan, k - 1
            if row != row_1 and F_1 * (3.0 * F_1 - 2.0 * F_0) <= 0.0:
                joint = max(row, row_1)
                target = rail[joint, SLOPE_START] if by_slope else rail[joint, START]
                piece = int(nodes[at, NODE_ROW])
                turn = _joint(contour, by_slope, y_1, y, wheel, piece, pose, target)
            elif known > 1 and F_1 * (F_0 - F_1) > 0.0 and F_1 * (F - F_1) > 0.0:
                turn = _vertex(y_0, y_1, y, F_0, F_1, F)
                at = k - 2 if turn < y_1 else k - 1
            if turn == turn:
                piece = nodes[at, NODE_ROW]
                w, slope_w, _ = shape(wheel, int(piece), turn)
                F_t, _, real = mismatch(contour, turn, w, slope_w, pose, rail, first, last, row)
                if real and (F_t > 0.0) != (F_1 > 0.0):
                    left, F_l = (y_1, F_1) if at == k - 1 else (y_0, F_0)
                    right, F_r = (y, F) if at == k - 1 else (y_1, F_1)
                    count = _add(found, count, left, turn, F_l, F_t, piece)
                    count = _add(found, count, turn, right, F_t, F_r, piece)
        y_0, F_0, y_1, F_1, row_1 = y_1, F_1, y, F, row
        known += 1
        k += 1
    return count


def _add(found, count, left, right, F_left, F_right, piece):
    if count == len(found):
        return count
    found[count, LEFT], found[count, RIGHT] = left, right
    found[count, F_LEFT], found[count, F_RIGHT] = F_left, F_right
    found[count, PIECE] = piece
    return count + 1


def _vertex(y_0, y_1, y_2, F_0, F_1, F_2):
    """The place of the extremum of the parabola through three points."""
    a, b = (y_1 - y_0) * (F_1 - F_2), (y_1 - y_2) * (F_1 - F_0)
    return y_1 - 0.5 * ((y_1 - y_0) * a - (y_1 - y_2) * b) / (a - b)


def _joint(contour, by_slope, y_0, y_1, wheel, piece, pose, target):
    """Where between two nodes the contour comes over the rail's joint, or to its slope."""
    g_0 = _coordinate(contour, by_slope, y_0, wheel, piece, pose) - target
    g_1 = _coordinate(contour, by_slope, y_1, wheel, piece, pose) - target
    y = y_1
    for _ in range(3):
        y = y_0 - g_0 * (y_1 - y_0) / (g_1 - g_0) if g_1 != g_0 else y_1
        g = _coordinate(contour, by_slope, y, wheel, piece, pose) - target
        if (g > 0.0) == (g_0 > 0.0):
            y_0, g_0 = y, g
        else:
            y_1, g_1 = y, g
    return y


def _coordinate(contour, by_slope, y, wheel, piece, pose):
    """What decides on the rail's piece: the slope of the contour, or its Y."""
    w, slope_w, _ = shape(wheel, piece, y)
    _, _, Y, _, slope, _ = contour(y, w, slope_w, pose)
    return slope if by_slope else Y


def _root(contour, mismatch, a, b, f_a, f_b, wheel, piece, pose, rail, first, last):
    """The root between a and b, within one piece of the wheel."""
    c, f_c, row = a, f_a, first
    fraction = f_a / (f_a - f_b)
    for _ in range(100):
        y = a + fraction * (b - a)
        w, slope_w, _ = shape(wheel, piece, y)
        F, row, _ = mismatch(contour, y, w, slope_w, pose, rail, first, last, row)
        if (F > 0.0) == (f_a > 0.0):
            c, f_c = a, f_a
        else:
            c, f_c, b, f_b = b, f_b, a, f_a
        a, f_a = y, F
        fraction = next_fraction(a, b, c, f_a, f_b, f_c)
        if fraction < 0.0:
            break
    return a if abs(f_a) < abs(f_b) else b


def _known(found, count, y_w):
    """Whether a contact at this place of the wheel is among the first ones already."""
    same = False
    for k in range(count):
        same = same or abs(found[k, Y_W] - y_w) < APART
    return same


def _foot(rail, first, last, slope, Y, Z):
    """The place with this slope; on a straight piece of this slope, the foot of the point."""
    for row in range(first, last + 1):
        if rail[row, KIND] == STRAIGHT:
            straight = rail[row, SLOPE_START]
            if abs(slope - straight) <= PARALLEL * (1.0 + slope * slope):
                z, _, _ = shape(rail, row, rail[row, START])
                along = (Y - rail[row, START] + straight * (Z - z)) / (1.0 + straight * straight)
                if 0.0 <= along <= rail[row, END] - rail[row, START]:
                    return rail[row, START] + along
    place, _ = place_in_run(rail, first, last, first, slope)
    return place
