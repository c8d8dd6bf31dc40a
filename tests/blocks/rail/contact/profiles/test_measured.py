"""Measured profiles in a track: turned, joined to few pieces, kept, and as fast as drawn ones."""

import math
import time

import numpy as np
import pytest
from railblocks.blocks.rail.contact.detectors.batch import diff_detection
from railblocks.blocks.rail.contact.detectors.minima import poses_of_table
from railblocks.blocks.rail.contact.geometry.pair import Pair
from railblocks.blocks.rail.contact.profiles import from_points, left_rail, s1002, uic60
from railblocks.blocks.rail.contact.profiles.pieces import SLOPE_END, SLOPE_START
from railblocks.blocks.rail.contact.wheel_contact import WheelOverRail, placed, prepared


def measured(profile, low, high, number=1001, noise=0.0):
    """Points of a profile, evenly along it."""
    y = np.linspace(low, high, 20001)
    z = profile.height(y)
    length = np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(y), np.diff(z)))])
    at = np.interp(np.linspace(0.0, length[-1], number), length, y)
    return at, profile.height(at) + np.random.default_rng(3).normal(0.0, noise, number)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Files of a wheel and a rail with 1001 points each, 2 um of noise."""
    folder = tmp_path_factory.mktemp("profiles")
    wheel, rail = folder / "wheel.csv", folder / "rail.csv"
    for path, profile, ends in (
        (wheel, s1002(0.0), (-0.0645, 0.0595)),
        (rail, uic60(), (-0.0369, 0.0369)),
    ):
        points = np.column_stack(measured(profile, *ends, noise=2e-6)) * 1e3
        path.write_text("\n".join(f"{y:.9g},{z:.9g}" for y, z in points), encoding="utf-8")
    return str(wheel), str(rail)


@pytest.mark.parametrize("angle", [0.025, -0.05, 0.3])
def test_a_turned_spline_is_the_turned_curve(angle):
    """Each of its points lies on the turned profile, with slope and curvature turned."""
    profile = from_points(*measured(uic60(), -0.030, 0.030, 301))
    turned = profile.turned(angle)
    y = np.linspace(-0.0285, 0.0285, 733)
    z, slope = profile.height(y), profile.slope(y)
    Y, Z = (
        math.cos(angle) * y - math.sin(angle) * z,
        math.sin(angle) * y + math.cos(angle) * z,
    )
    assert np.max(np.abs(turned.height(Y) - Z)) < 1e-12
    assert turned.slope(Y) == pytest.approx(np.tan(np.arctan(slope) + angle), abs=2e-8)
    assert turned.curvature(Y) == pytest.approx(profile.curvature(y), abs=1e-3)


def test_joined_pieces_are_few_bend_one_way_and_meet_the_spline():
    profile = from_points(*measured(uic60(), -0.034, 0.034, noise=2e-6), smoothing=2e-6)
    joined = profile.joined(2e-9)
    assert len(joined.table) < 0.3 * len(profile.table)
    y = np.linspace(*profile.reach, 9001)
    assert np.max(np.abs(joined.height(y) - profile.height(y))) < 4e-9
    assert np.max(np.abs(joined.jumps())) < 1e-9
    for row in range(len(joined.table)):
        start, end = joined.table[row, :2]
        slopes = joined.slope(np.linspace(start, end, 9)[1:-1])
        way = joined.table[row, SLOPE_END] - joined.table[row, SLOPE_START]
        assert (np.diff(slopes) * way >= -1e-12).all()


def test_drawn_profiles_are_not_joined():
    assert s1002().joined(1e-6) is s1002()


def test_a_thousand_points_are_ready_in_a_second_and_then_at_once(files):
    pair = WheelOverRail(*files, 0.46, 0.75, 0.025, 1.435, smoothing=2e-6)
    begin = time.process_time()
    first = prepared(pair)
    once = time.process_time() - begin
    begin = time.process_time()
    again = prepared(pair)
    assert all(one is other for one, other in zip(first, again, strict=True))
    assert once < 2.0
    assert time.process_time() - begin < 0.05 * max(once, 0.2)


def test_a_file_that_has_changed_is_another_profile(tmp_path):
    path = tmp_path / "own.csv"
    tables = []
    for slope in (0.05, 0.04):
        path.write_text("".join(f"{y} {-slope * y}\n" for y in range(-40, 61, 2)), encoding="utf-8")
        tables.append(placed(WheelOverRail(str(path), "uic60", 0.46, 0.75, 0.025, 1.435))[0])
    assert tables[0].fingerprint != tables[1].fingerprint


def test_smoothing_of_a_rail_is_its_own_or_the_wheels(files):
    pair = WheelOverRail(*files, 0.46, 0.75, 0.025, 1.435, smoothing=3e-6)
    alike, own = (placed(pair._replace(rail_smoothing=x)) for x in (3e-6, 6e-6))
    assert placed(pair)[1].fingerprint == alike[1].fingerprint != own[1].fingerprint
    assert alike[0].fingerprint == own[0].fingerprint


@pytest.mark.parametrize("depth", [0.014, 0.016])
def test_the_gauge_lies_at_its_depth(depth):
    pair = WheelOverRail("s1002", "uic60", 0.46, 0.75, 0.025, 1.435, depth=depth)
    assert placed(pair)[1].height(0.7175) == pytest.approx(-depth, abs=1e-12)
    assert placed(pair)[1].fingerprint == left_rail(uic60(), depth=depth).fingerprint


def test_detection_on_measured_profiles_is_as_fast_as_on_drawn_ones(files):
    """All minima of a pose, gaps and all: within 3 on a busy machine."""
    poses = np.random.default_rng(1).permutation(poses_of_table())[:400]
    times = []
    for wheel, rail in (("s1002", "uic60"), files):
        pair = WheelOverRail(wheel, rail, 0.46, 0.75, 0.025, 1.435, smoothing=4e-6)
        times.append(diff_detection(Pair(*placed(pair)), poses).seconds(20))
    assert times[1] < 3.0 * times[0]
