"""Rigid contact of a wheelset on a track: where both wheels touch, and how it rolls and lifts.

The track's frame has x forward, y to the left and z up, with z = 0 at the top of the rails. The
wheelset has its centre at (0, y, z) and the attitude R_z(yaw) R_x(roll): y > 0 moves it to the
left, so that the left wheel comes to its flange; roll > 0 lifts its left side; yaw > 0 turns it to
the left. The lift is z - r_0, negative where the wheels run on smaller radii than r_0.

Seen along the rail, each wheel is a curve (Y, Z) of its positions y_w (see `contour`). With the
centre at z = 0, its lowest vertical gap above the rail is

    gap(roll) = min over y_w of Z(y_w) - rail(Y(y_w))                      (1)

and both wheels touch where the two sides have the same one,

    gap_left(roll) = gap_right(roll),  z = -gap,  delta_r = r_left - r_right  (2)

The difference of the gaps grows with roll while 2 b > r_0 (slope_left - slope_right) of the rails
at the contacts, that is up to flange angles of 73 degrees with usual sizes; beyond, several
attitudes may fit, and one is given. Where a contact jumps, both positions touch at once.
Tables of others count y and delta_r to the right: that is the same with left and right exchanged.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ..profiles.pieces import END, START, height_and_slope
from ..profiles.profile import Profile
from .contour import frame, rail_contour

SAMPLES = 600
"""Points of a wheel at which the gap is computed, before the lowest ones are refined."""
REFINED_WITHIN_M = 1e-4
"""Minima this near to the lowest sample, in metres, are refined."""
MIN_BRACKET_M, MAX_SECTIONS = 1e-9, 100
"""Where refining by golden sections ends; the gap's own digits allow about 1e-8 m."""
MAX_ROLL_RAD, MAX_STEPS = 0.15, 80
"""How far rolls are searched, and in how many steps of false position."""
LEVEL_WITHIN_M = 1e-12
"""How far the gaps of both sides may differ, in metres."""
GOLDEN_RATIO = 0.6180339887498949


class RigidContact(NamedTuple):
    """Roll, lift and contacts; s from the running circle, positive towards the field side."""

    y: np.ndarray
    roll: np.ndarray
    lift: np.ndarray
    s_left: np.ndarray
    s_right: np.ndarray
    r_left: np.ndarray
    r_right: np.ndarray

    @property
    def delta_r(self) -> np.ndarray:
        return self.r_left - self.r_right


def rigid_contact(
    wheel: Profile,
    rail: Profile,
    y: float | np.ndarray,
    yaw: float = 0.0,
    half: float = 0.75,
    right_wheel: Profile | None = None,
    right_rail: Profile | None = None,
) -> RigidContact:
    """Contact of a wheelset at lateral displacements y.

    `wheel` is a profile with its running circle at y = 0 (as `s1002()`), `half` the distance of the
    running circles from the middle of the axle, `rail` the left rail in the track (as `left_rail()`
    gives it). The right ones are the same mirrored, or others, given as if they were left.
    """
    from railblocks.engine import compiled

    right_wheel, right_rail = right_wheel or wheel, right_rail or rail
    tables = (
        wheel.moved(dy=half).table,
        rail.table,
        right_wheel.moved(dy=half).mirrored().table,
        right_rail.mirrored().table,
    )
    positions = np.asarray(y, float)
    at_rest = compiled(rest)
    shifts = positions.ravel().tolist()
    attitudes = np.array([at_rest(*tables, shift, yaw) for shift in shifts])
    lost = np.isnan(attitudes[:, 0])
    if lost.any():
        raise ValueError(
            f"y = {1e3 * positions.ravel()[lost][0]:g} mm: {wheel.name} on {rail.name} does not "
            "rest on both rails; expected wheels above the rails, check gauge, spacing and "
            "displacement"
        )
    roll, z, y_left, y_right = attitudes.T.reshape(4, *positions.shape)
    s_left, s_right = y_left - half, -y_right - half
    r_left, r_right = wheel.height(s_left), right_wheel.height(s_right)
    lift = z - float(wheel.height(0.0))
    return RigidContact(positions, roll, lift, s_left, s_right, r_left, r_right)


def rest(wheel_l, rail_l, wheel_r, rail_r, y, yaw):
    """Roll, height of the centre, and y_w of the contacts of both wheels; nan where there are none.

    False position, with the value of an end that stays for long halved (Illinois).
    """
    low, high = -0.005, 0.005
    below = unlevel(wheel_l, rail_l, wheel_r, rail_r, y, yaw, low)
    above = unlevel(wheel_l, rail_l, wheel_r, rail_r, y, yaw, high)
    while high < MAX_ROLL_RAD and not (below <= 0.0 and above >= 0.0):
        low, high = 2.0 * low, 2.0 * high
        below = unlevel(wheel_l, rail_l, wheel_r, rail_r, y, yaw, low)
        above = unlevel(wheel_l, rail_l, wheel_r, rail_r, y, yaw, high)
    side = 0
    for _ in range(MAX_STEPS):
        roll = low - below * (high - low) / (above - below)
        if not low < roll < high:
            roll = 0.5 * (low + high)
        here = unlevel(wheel_l, rail_l, wheel_r, rail_r, y, yaw, roll)
        if abs(here) < LEVEL_WITHIN_M:
            pose = frame(0.0, y, 0.0, yaw, roll)
            gap_l, y_l = lowest_gap(wheel_l, rail_l, pose)
            gap_r, y_r = lowest_gap(wheel_r, rail_r, pose)
            return roll, -0.5 * (gap_l + gap_r), y_l, y_r  # (2)
        if here < 0.0:
            low, below = roll, here
            above = 0.5 * above if side < 0 else above
            side = -1
        else:
            high, above = roll, here
            below = 0.5 * below if side > 0 else below
            side = 1
    return math.nan, math.nan, math.nan, math.nan


def unlevel(wheel_l, rail_l, wheel_r, rail_r, y, yaw, roll):
    """The gap of the left side less that of the right."""
    pose = frame(0.0, y, 0.0, yaw, roll)
    gap_l, _ = lowest_gap(wheel_l, rail_l, pose)
    gap_r, _ = lowest_gap(wheel_r, rail_r, pose)
    return gap_l - gap_r


def lowest_gap(wheel, rail, pose):
    """The lowest gap of a wheel and its position y_w: every low sample is refined."""
    start = wheel[0, START]
    step = (wheel[len(wheel) - 1, END] - start) / SAMPLES
    lowest, position = math.inf, math.nan
    before, here = math.inf, gap_at(wheel, rail, start, pose)
    for i in range(SAMPLES + 1):
        y_w = start + i * step
        after = gap_at(wheel, rail, y_w + step, pose) if i < SAMPLES else math.inf
        if here <= before and here <= after and here < lowest + REFINED_WITHIN_M:
            gap, at = refined(wheel, rail, y_w, step, pose)
            if gap < lowest:
                lowest, position = gap, at  # (1)
        before, here = here, after
    return lowest, position


def refined(wheel, rail, y_w, step, pose):
    """The lowest gap within a step of y_w, by golden section."""
    low = max(y_w - step, wheel[0, START])
    high = min(y_w + step, wheel[len(wheel) - 1, END])
    a, b = high - GOLDEN_RATIO * (high - low), low + GOLDEN_RATIO * (high - low)
    gap_a, gap_b = gap_at(wheel, rail, a, pose), gap_at(wheel, rail, b, pose)
    for _ in range(MAX_SECTIONS):
        if not high - low > MIN_BRACKET_M:
            break
        if gap_a < gap_b:
            high, b, gap_b = b, a, gap_a
            a = high - GOLDEN_RATIO * (high - low)
            gap_a = gap_at(wheel, rail, a, pose)
        else:
            low, a, gap_a = a, b, gap_b
            b = low + GOLDEN_RATIO * (high - low)
            gap_b = gap_at(wheel, rail, b, pose)
    return (gap_a, a) if gap_a < gap_b else (gap_b, b)


def gap_at(wheel, rail, y_w, pose):
    """Height of a position of the wheel above the rail; infinite beside the rail."""
    w, slope = height_and_slope(wheel, y_w)
    _, _, Y, Z, _, real = rail_contour(y_w, w, slope, pose)
    inner, outer = rail[0, START], rail[len(rail) - 1, END]
    if not (real and inner <= Y <= outer):
        return math.inf
    z, _ = height_and_slope(rail, Y)
    return Z - z
