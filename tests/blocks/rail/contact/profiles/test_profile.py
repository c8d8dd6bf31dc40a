"""Profiles of wheels and rails: their references, their slopes, and what is done with them."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rail_references import columns, data
from railblocks.blocks.rail.contact.profiles import pieces
from railblocks.blocks.rail.contact.profiles.drawn import polynomial, table_of
from railblocks.blocks.rail.contact.profiles.pieces import (
    ARC,
    END,
    KIND,
    SLOPE_END,
    SLOPE_START,
    START,
    STRAIGHT,
    C,
    piece_at,
    shape,
    slope_of,
    y_in_run,
    y_of_slope,
)
from railblocks.blocks.rail.contact.profiles.profile import Profile
from railblocks.blocks.rail.contact.profiles.rails import left_rail, uic60
from railblocks.blocks.rail.contact.profiles.wheels import conical, cylindrical, s1002
from railblocks.engine import compiled

MM = 1e-3
S1002 = data("s1002.yaml")
UIC60 = data("uic60.yaml")
VARIANTS = {
    "manchester": ("manchester_benchmark", "uic60_points_MB.csv"),
    "60E1": ("60E1_drawing", "uic60_points_60E1.csv"),
}
WAVY = Profile("wavy", table_of(polynomial(-0.05, 0.05, [0.0, 0.1, -3.0, 40.0, 900.0, -2e4])))
PROFILES = [
    s1002(),
    uic60(),
    uic60("60E1"),
    left_rail(uic60(), 1 / 40),
    left_rail(uic60("60E1"), 1 / 20),
    s1002(0.092).turned(0.03),
    WAVY,
]
profiles = st.sampled_from(PROFILES)
fractions = st.floats(0.001, 0.999)


def piece_and_place(profile, row_fraction, fraction):
    row = min(int(row_fraction * len(profile.table)), len(profile.table) - 1)
    start, end = profile.table[row, START], profile.table[row, END]
    return row, start + fraction * (end - start)


# --- S1002 ---------------------------------------------------------------------------------------
def test_s1002_has_the_heights_slopes_and_second_derivatives_of_its_points():
    points = columns("s1002_points.csv")
    result = s1002(0.0)(points["s_mm"] * MM)
    assert np.allclose(result[:, 0] / MM, points["F_mm"], rtol=0, atol=2e-9)
    assert np.allclose(result[:, 1], points["dF"], rtol=0, atol=1e-8)
    assert np.allclose(result[:, 2] * MM, points["d2F_per_mm"], rtol=1e-8, atol=1e-8)


def test_the_flange_of_s1002_is_28_mm_high_and_32_5_mm_thick():
    checks = S1002["checks"]
    tip = checks["flange_tip"]
    wheel = s1002(0.0)
    assert math.isclose(wheel.y_of_slope(0.0), tip["s"] * MM, abs_tol=1e-9)
    assert math.isclose(wheel.height(tip["s"] * MM), tip["F"] * MM, abs_tol=1e-12)
    face = -70.0 + checks["flange_thickness_at_F10"]
    assert math.isclose(wheel.height(face * MM), 10.0 * MM, abs_tol=2e-7)
    assert math.isclose(math.atan(-wheel.slope(-0.039)), math.radians(70.0), abs_tol=1e-8)


def test_s1002_passes_through_r_0_at_the_running_circle():
    result = s1002(0.46)(0.0)
    assert result[0] == 0.46
    assert math.isclose(result[1], S1002["checks"]["slope(0)"], abs_tol=5e-9)


def test_the_jumps_of_s1002_at_its_joints_are_those_of_its_definition():
    wheel = s1002(0.0)
    places = wheel.table[1:, START]
    jumps = wheel.jumps()
    for joint in S1002["checks"]["joint_jumps"]:
        at = int(np.argmin(abs(places - joint["at"] * MM)))
        assert math.isclose(places[at], joint["at"] * MM, abs_tol=1e-12)
        # the reference loses digits where piece C is the sum of terms of 1e4 mm
        assert math.isclose(jumps[at, 0] / MM, joint["dF"], rel_tol=0, abs_tol=1e-10)
        assert math.isclose(jumps[at, 1], joint["dslope"], rel_tol=0, abs_tol=1e-10)


# --- UIC60 ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("variant", VARIANTS)
def test_uic60_passes_through_its_points(variant):
    points = columns(VARIANTS[variant][1])
    z = uic60(variant).height(points["y_mm"] * MM)
    # points have six digits; the flank falls by 20, so half a digit of y is 1e-5 of z
    flank = np.abs(points["y_mm"]) > 35.0
    assert np.allclose(z[flank] / MM, points["z_mm"][flank], rtol=0, atol=1.1e-5)
    assert np.allclose(z[~flank] / MM, points["z_mm"][~flank], rtol=0, atol=1.5e-6)


@pytest.mark.parametrize("variant", VARIANTS)
def test_uic60_is_made_of_its_arcs(variant):
    expected = UIC60["variants"][VARIANTS[variant][0]]
    head = uic60(variant)
    arcs = head.table[head.table[:, KIND] == ARC]
    assert np.allclose(arcs[:, C + 1] / MM, [13, 80, 300, 80, 13], rtol=1e-15)
    joints = [expected["y_300_80"], expected["y_80_13"], expected["tangent_flank"][0]]
    assert np.allclose(arcs[2:, END] / MM, joints, rtol=1e-14)
    assert np.allclose(arcs[3][[3, C]] / MM, expected["centre_R80"], rtol=1e-14)
    assert np.allclose(arcs[4][[3, C]] / MM, expected["centre_R13"], rtol=1e-14)
    angles = np.degrees(np.arctan(-arcs[2:4, SLOPE_END]))
    normal = [expected["normal_angle_300_80_deg"], expected["normal_angle_80_13_deg"]]
    assert np.allclose(angles, normal, rtol=0, atol=1e-9)


@pytest.mark.parametrize("variant", VARIANTS)
def test_uic60_is_smooth_and_symmetric(variant):
    head = uic60(variant)
    assert np.abs(head.jumps()[:, 0]).max() < 1e-9
    assert np.abs(head.jumps()[:, 1]).max() < 1e-3  # of slopes up to 20
    y = np.linspace(-0.036, 0.036, 99)
    assert np.allclose(head.height(y), head.height(-y), rtol=0, atol=1e-16)
    assert np.allclose(head.curvature([0.0, 0.02, 0.03, 0.0365]), [1 / 0.3, 1 / 0.08, 1 / 0.013, 0])


def test_an_unknown_variant_is_told():
    with pytest.raises(ValueError, match=r"no UIC60 variant 'E2'; expected manchester, 60E1"):
        uic60("E2")


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("cant", [1 / 40, 1 / 20, 0.0, 1 / 30])
def test_a_left_rail_has_gauge_and_cant(variant, cant):
    rail = left_rail(uic60(variant), cant)
    top = rail.y_of_slope(0.0)
    assert abs(rail.height(top)) < 1e-15
    assert math.isclose(rail.height(0.7175), -0.014, abs_tol=1e-12)
    crown = rail.table[np.argmax(rail.table[:, C + 1] * (rail.table[:, KIND] == ARC))]
    # the crown's centre lies 300 mm below it along the axis of the head, which leans inwards
    middle = rail.y_of_slope(math.tan(math.atan(cant)))
    assert math.isclose(middle - crown[3], -0.3 * math.sin(math.atan(cant)), abs_tol=1e-12)


# --- what is done with a profile -----------------------------------------------------------------
@given(profiles, st.floats(-0.2, 0.2))
def test_turned_and_turned_back_is_the_same(profile, angle):
    again = profile.turned(angle).turned(-angle)
    low, high = (max(profile.reach[0], again.reach[0]), min(profile.reach[1], again.reach[1]))
    y = np.linspace(low, high, 41)[1:-1]
    gentle = np.abs(profile.slope(y)) < 5.0
    steep = np.sqrt(1.0 + profile.slope(y) ** 2)
    assert np.allclose(again.height(y)[gentle], profile.height(y)[gentle], rtol=0, atol=2e-7)
    inside = _far_from_joints(profile, y) & gentle
    error = (again.height(y) - profile.height(y))[inside] / steep[inside]
    assert np.abs(error).max(initial=0.0) < 1e-11


def _far_from_joints(profile, y):
    joints = profile.table[:, START]
    return np.abs(y[:, None] - joints[None, :]).min(axis=1) > 1e-6


@given(profiles, st.floats(0.01, 0.3))
def test_a_turn_adds_the_angle_to_that_of_every_point(profile, angle):
    turned = profile.turned(angle)
    y = np.linspace(*profile.reach, 60)[1:-1]
    z, slope, _ = profile(y).T
    limit = math.atan(20.0)
    kept = (np.abs(np.arctan(slope) + angle) < limit) & _far_from_joints(profile, y)
    c, s = math.cos(angle), math.sin(angle)
    result = turned((c * y - s * z)[kept])
    expected = np.arctan(slope[kept]) + angle
    assert np.allclose(result[:, 0], (s * y + c * z)[kept], rtol=0, atol=1e-11)
    assert np.allclose(np.arctan(result[:, 1]), expected, rtol=0, atol=1e-8)


@given(profiles)
def test_mirrored_twice_is_the_same(profile):
    assert np.array_equal(profile.mirrored().mirrored().table, profile.table)


@given(profiles, fractions)
def test_mirrored_is_the_height_at_the_other_side(profile, fraction):
    low, high = profile.reach
    y = low + fraction * (high - low)
    here, there = profile(y), profile.mirrored()(-y)
    assert np.allclose(there, here * [1, -1, 1], rtol=1e-12, atol=1e-15)


@given(profiles, fractions, st.floats(0.1, 5.0))
def test_scaled_keeps_slopes_and_stretches_heights(profile, fraction, factor):
    low, high = profile.reach
    y = low + fraction * (high - low)
    here, there = profile(y), profile.scaled(factor)(factor * y)
    assert np.allclose(there, here * [factor, 1, 1 / factor], rtol=1e-9, atol=1e-12)


@given(profiles, fractions, fractions)
def test_trimmed_is_the_part_between(profile, one, other):
    low, high = profile.reach
    start, end = sorted((low + one * (high - low), low + other * (high - low)))
    if end - start < 1e-4:
        return
    part = profile.trimmed(start, end)
    assert part.reach == (start, end)
    y = np.linspace(start, end, 23)
    assert np.allclose(part(y), profile(y), rtol=1e-13, atol=0)
    assert math.isclose(part.table[0, SLOPE_START], profile.slope(start), rel_tol=1e-12)


def test_trimmed_outside_is_told():
    with pytest.raises(ValueError, match=r"UIC60 manchester does not reach from 1 to 2 m"):
        uic60().trimmed(1.0, 2.0)


def test_equal_pieces_have_equal_fingerprints():
    assert s1002().fingerprint == s1002().named("other").fingerprint
    assert s1002().fingerprint != s1002(0.45).fingerprint


def test_outside_its_reach_a_profile_is_nan():
    assert np.isnan(uic60()(0.04)).all()


def test_a_cone_falls_towards_the_field_side():
    wheel = conical(0.5, 1 / 20)
    assert np.allclose(wheel(0.02), [0.499, -0.05, 0.0])
    assert np.allclose(cylindrical(0.5)(0.02), [0.5, 0.0, 0.0])


# --- slopes --------------------------------------------------------------------------------------
@given(profiles, fractions, fractions)
def test_slopes_are_derivatives_of_heights(profile, row_fraction, fraction):
    row, y = piece_and_place(profile, row_fraction, fraction)
    table, h = profile.table, 1e-7
    below, here, above = (shape(table, row, v) for v in (y - h, y, y + h))
    bend = 1.0 + here[1] ** 2
    assert math.isclose((above[0] - below[0]) / (2 * h), here[1], rel_tol=1e-6, abs_tol=1e-8)
    tolerance = 1e-6 * bend * (1.0 + abs(here[2]))
    assert math.isclose((above[1] - below[1]) / (2 * h), here[2], rel_tol=1e-6, abs_tol=tolerance)
    assert math.isclose(slope_of(table, row, y), here[1], rel_tol=1e-12, abs_tol=1e-15)


@given(profiles, fractions, fractions)
def test_the_place_of_a_slope_inverts_the_slope(profile, row_fraction, fraction):
    row, y = piece_and_place(profile, row_fraction, fraction)
    table = profile.table
    if table[row, KIND] == STRAIGHT:
        assert y_of_slope(table, row, 0.3) == 0.5 * (table[row, START] + table[row, END])
        return
    _, slope, second = shape(table, row, y)
    result = y_of_slope(table, row, slope)
    assert math.isclose(slope_of(table, row, result), slope, rel_tol=1e-12, abs_tol=1e-13)
    assert abs(result - y) <= 1e-13 * (1.0 + abs(slope)) ** 3 / abs(second) + 1e-15


@given(profiles, fractions, fractions, fractions)
def test_the_place_of_a_slope_is_found_in_its_run_from_any_piece(
    profile, row_fraction, fraction, begin
):
    row, y = piece_and_place(profile, row_fraction, fraction)
    if profile.table[row, KIND] == STRAIGHT:
        return
    slope = slope_of(profile.table, row, y)
    runs = profile.runs.astype(int)
    first, last = next(run for run in runs if run[0] <= row <= run[1])
    from_row = first + int(begin * (last - first + 1))
    result, at = y_in_run(profile.table, first, last, from_row, slope)
    assert first <= at <= last
    # where pieces meet with a jump of slope, the neighbour may have this slope too
    assert math.isclose(slope_of(profile.table, at, result), slope, rel_tol=2e-5, abs_tol=1e-5)
    assert abs(result - y) < 1e-8 or abs(slope) > 15.0 or _near_a_joint(profile, row, y)


def _near_a_joint(profile, row, y):
    return min(y - profile.table[row, START], profile.table[row, END] - y) < 1e-5


@given(profiles)
def test_slopes_go_one_way_in_each_piece_and_in_each_run(profile):
    for row in profile.table:
        slopes = [slope_of(row[None, :], 0, y) for y in np.linspace(row[START], row[END], 31)]
        steps = np.diff(slopes) * np.sign(row[SLOPE_END] - row[SLOPE_START])
        assert (steps > -1e-12).all()
    for first, last in profile.runs.astype(int):
        ends = profile.table[first : last + 1][:, [SLOPE_START, SLOPE_END]].ravel()
        steps = np.diff(ends) * np.sign(ends[-1] - ends[0])
        assert (steps > -1e-4).all()  # jumps at the joints go either way


def test_a_wavy_profile_has_a_run_for_each_bend():
    roots = np.polynomial.Polynomial([0.0, 0.1, -3.0, 40.0, 900.0, -2e4]).deriv(2).roots()
    bends = [r.real for r in roots if abs(r.imag) < 1e-12 and abs(r.real) < 0.05]
    assert len(WAVY.runs) == len(bends) + 1
    assert np.allclose(WAVY.table[1:, START], sorted(bends))


def test_beyond_its_slopes_the_nearer_end_of_a_run_is_given():
    head = uic60().trimmed(-0.035, 0.035)  # without flanks, whose middles are given
    first, last = head.runs.astype(int)[0]
    for row in range(first, last + 1):
        assert y_in_run(head.table, first, last, row, 100.0) == (head.reach[0], first)
        assert y_in_run(head.table, first, last, row, -100.0) == (head.reach[1], last)


# --- compiled ------------------------------------------------------------------------------------
@pytest.mark.parametrize("profile", PROFILES, ids=lambda profile: profile.name)
def test_compiled_kernels_give_the_bits_of_interpreted_ones(profile):
    table = profile.table
    names = ("piece_at", "shape", "slope_of", "height_and_slope", "y_of_slope", "y_in_run")
    plain = {name: getattr(pieces, name) for name in names}
    quick = {name: compiled(kernel) for name, kernel in plain.items()}
    low, high = profile.reach
    for y in np.linspace(low - 1e-3, high + 1e-3, 57):
        row = piece_at(table, y)
        assert quick["piece_at"](table, y) == row
        assert quick["height_and_slope"](table, y) == plain["height_and_slope"](table, y)
        if low <= y <= high:
            assert quick["shape"](table, row, y) == shape(table, row, y)
            slope = slope_of(table, row, y)
            assert quick["slope_of"](table, row, y) == slope
            assert quick["y_of_slope"](table, row, slope) == y_of_slope(table, row, slope)
            for first, last in profile.runs.astype(int):
                arguments = (table, first, last, first, slope)
                assert quick["y_in_run"](*arguments) == y_in_run(*arguments)
