"""Contacts of a wheel at positions of the rail that are known in advance, from a table or networks.

These methods give positions y_b of the left rail for a pose (|alpha|, beta, G_y). Kernels here make
contacts of them, with the meaning of `rail_diff`. The wheel's contour (`geometry/contour.py`) lies
over a position at the y_w with

    Y(y_w) = y_b                                                           (1)

found by secants; the gap is that between contour and rail along the rail's normal, as DIFF has it.
Positions are taken as they are: where they miss the minimum by e, the gap is too large by about
k e^2 / 2 with the relative curvature k, and the normal is turned by e times the rail's. x_b is not
used: the contour has the x that belongs to y_w. Curvatures may be hollow at a position beside the
minimum; `spread_curvatures` bounds them.

More positions are tried than a pose may have minima: those of all nodes of the table around it, or
those of all networks, whatever class the pose is in. A wheel at its flange rests on two points,
which both are minima in a strip of poses narrower than a table's steps, and as narrow as the lines
between classes are sure: with the number of the nearest node, or of the class, it would chatter
between them. A position more does no harm: bodies that do not overlap there have no contact, and
where they do it is one with its neighbour, as follows.

A right rail is the mirror image: the pose is (-alpha, -beta, -G_y), and y_b changes its sign. A
pose outside the range that was learnt takes the places of the nearest pose inside.

Saddles are not learnt: the largest gap in height at three positions evenly between two neighbours
stands for that of the saddle, and is never above it. Where none of these is higher than both
neighbours, they are one contact, and the deeper stays. By `wheel_forces` the shallower had lost its
force there, so nothing jumps. Straight on straight has no point to learn, and is done as in DIFF.
"""

import math

from railblocks.blocks.rail.contact.geometry.contacts import (
    FAR,
    GAP,
    SADDLE,
    cos_inclination,
    set_contact,
)
from railblocks.blocks.rail.contact.geometry.contour import frame, rail_contour
from railblocks.blocks.rail.contact.geometry.straight import straight_contacts
from railblocks.blocks.rail.contact.profiles.pieces import (
    END,
    KIND,
    START,
    STRAIGHT,
    line,
    piece_at,
    piece_near,
)

from .lookup import read_table
from .minima import Y_B
from .networks import CLASSES, ROLL, SHIFT, YAW, network
from .starts import start_over

MAX_SECANTS = 8
SECANTS_END_M, MISSED_M = 1e-10, 1e-7
"""Misses of (1), in metres, at which the secants end, and with which a position is not met."""


def rail_table(G_x, G_y, G_z, alpha, beta, wheel, table, rail, limit, contacts):
    """Contacts by a table of `lookup.py`; all else is as in `rail_diff`."""
    side = side_of(rail)
    number = read_table(side * alpha, side * beta, side * G_y, table, 0.0, contacts)
    pose = frame(G_x, G_y, G_z, alpha, beta)
    return contacts_at(number, side, pose, wheel, rail, limit, contacts)


def rail_networks(G_x, G_y, G_z, alpha, beta, wheel, table, rail, limit, contacts):
    """Contacts by the table of `networks.py`; all else is as in `rail_diff`."""
    side = side_of(rail)
    yaw = min(abs(alpha), table[0, YAW])
    roll = min(max(side * beta, -table[0, ROLL]), table[0, ROLL])
    shift = min(max(side * G_y, -table[0, SHIFT]), table[0, SHIFT])
    number = 0
    for k in range(1, int(table[0, CLASSES]) + 1):
        network(yaw, roll, shift, k, table, contacts[number:])
        number += k
    pose = frame(G_x, G_y, G_z, alpha, beta)
    return contacts_at(number, side, pose, wheel, rail, limit, contacts)


def side_of(rail):
    """1 for a left rail, -1 for a right one: the track's middle is at y = 0."""
    return 1.0 if rail[0, START] + rail[len(rail) - 1, END] > 0.0 else -1.0


def contacts_at(number, side, pose, wheel, rail, limit, contacts):
    """The number of contacts; positions wait in `contacts` until contacts take their rows.

    `saddle` is the largest gap in height seen since the last contact.
    """
    _order(number, side, contacts)
    count, saddle, last = 0, FAR, 0.0
    for k in range(number):
        position = contacts[k, Y_B]
        height, level, y_w, piece, x_w, s = gap_over(position, wheel, rail, pose)
        both = wheel[piece, KIND] == STRAIGHT and rail[piece_at(rail, position), KIND] == STRAIGHT
        gap = height * level
        if both or gap > limit or height >= FAR:
            saddle = max(saddle, height)
            continue
        if count > 0:
            if saddle <= limit:
                saddle = max(saddle, saddle_between(last, position, wheel, rail, pose))
            before = contacts[count - 1, GAP] / cos_inclination(contacts, count - 1)
            if saddle <= height >= before:
                last, saddle = position, max(saddle, height)
                continue
            if saddle <= before:
                count -= 1
                saddle = max(contacts[count, SADDLE], saddle, before)
        last = position
        set_contact(contacts, count, y_w, wheel, piece, x_w, s, position, rail, pose, False, gap)
        contacts[count, SADDLE] = saddle if count > 0 else FAR
        count, saddle = count + 1, -FAR
    return straight_contacts(rail_contour, pose, wheel, rail, False, limit, contacts, count)


def saddle_between(y_0, y_1, wheel, rail, pose):
    """The largest gap in height at three positions between two."""
    saddle = -FAR
    for quarter in range(1, 4):
        height, _, _, _, _, _ = gap_over(y_0 + 0.25 * quarter * (y_1 - y_0), wheel, rail, pose)
        saddle = max(saddle, height)
    return saddle


def gap_over(position, wheel, rail, pose):
    """Gap in height over y_b of the rail, FAR if there is none, and the cosine to that along the
    normal; y_w, its piece, x_w and s of the wheel's point."""
    low, high = wheel[0, START], wheel[len(wheel) - 1, END]
    y = start_over(position, wheel, pose)
    piece, before, missed = piece_at(wheel, y), y, 0.0
    x_w, s, Y, Z, miss = 0.0, 0.0, 0.0, 0.0, FAR
    for step in range(MAX_SECANTS):
        piece = piece_near(wheel, piece, y)
        w, slope_w = line(wheel, piece, y)
        x_w, s, Y, Z, _, real = rail_contour(y, w, slope_w, pose)
        miss = position - Y if real else FAR
        if abs(miss) <= SECANTS_END_M or not real:
            break
        change = miss if step == 0 or miss == missed else miss * (y - before) / (missed - miss)
        before, missed = y, miss
        y = min(max(y + change, low), high)
    if abs(miss) > MISSED_M or not rail[0, START] <= position <= rail[len(rail) - 1, END]:
        return FAR, 1.0, y, piece, x_w, s
    z, slope = line(rail, piece_at(rail, position), position)
    height = Z - z - slope * (Y - position)
    return height, 1.0 / math.sqrt(1.0 + slope * slope), y, piece, x_w, s


def _order(number, side, contacts):
    """Positions by y of this side's rail."""
    for k in range(number):
        position, at = side * contacts[k, Y_B], k
        while at > 0 and contacts[at - 1, Y_B] > position:
            contacts[at, Y_B] = contacts[at - 1, Y_B]
            at -= 1
        contacts[at, Y_B] = position
