"""Stretches of the wheel that detection passes over hold no contact."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from railblocks.blocks.rail.contact.geometry.contacts import COLUMNS
from railblocks.blocks.rail.contact.geometry.detection import rail_diff, rail_dist, roller_dist
from railblocks.blocks.rail.contact.geometry.nodes import (
    LONGER,
    MAX_STEP_M,
    PART_RISE,
    STRETCH_STEPS,
    least_by_one,
    least_height,
    nodes_of,
)
from railblocks.blocks.rail.contact.profiles import from_points
from railblocks.blocks.rail.contact.profiles.drawn import arc, straight, table_of
from railblocks.blocks.rail.contact.profiles.profile import Profile
from railblocks.blocks.rail.contact.profiles.rails import left_rail, uic60
from railblocks.blocks.rail.contact.profiles.wheels import conical, s1002
from railblocks.blocks.rail.contact.wheel_contact import WheelOverRail, prepared
from railblocks.engine import compiled

R_0 = 0.46
POSES = 20000


@cache
def over_poses(detect):
    """A function that detects contacts in many poses."""

    def counts_and_contacts(poses, wheel, nodes, rail, counts, contacts):
        for k in range(len(poses)):
            counts[k] = detect(
                poses[k, 0], poses[k, 1], poses[k, 2], poses[k, 3], poses[k, 4],
                wheel, nodes, rail, 0.0, contacts[k],
            )  # fmt: skip

    return compiled(counts_and_contacts)


def contacts_of(detect, poses, wheel, nodes, rail):
    counts, contacts = np.zeros(len(poses)), np.zeros((len(poses), 16, COLUMNS))
    over_poses(detect)(poses, wheel, nodes, rail, counts, contacts)
    for k, count in enumerate(counts):
        contacts[k, int(count) :] = 0.0
    return counts, contacts


def without_passing_over(nodes):
    slow = nodes.copy()
    slow[:, PART_RISE] = math.inf
    return slow


def random_poses(z, depth, scale, x=0.0):
    """Flange to flange, up to 5 degrees of yaw, lifted and deeper than any load presses."""
    random = np.random.default_rng(3)
    poses = np.zeros((POSES, 5))
    poses[:, 0] = random.uniform(-x, x, POSES)
    poses[:, 1] = random.uniform(-0.01, 0.01, POSES) * scale
    poses[:, 2] = z + random.uniform(-depth, depth, POSES) * scale
    poses[:, 3] = random.normal(0.0, 0.02, POSES)
    poses[:, 4] = random.normal(0.0, 0.005, POSES)
    return poses


@pytest.mark.parametrize("detect", [rail_diff, rail_dist])
@pytest.mark.parametrize("cant", [1 / 40, 1 / 20])
@pytest.mark.parametrize("wheel", [s1002(R_0), conical(R_0, 0.05)], ids=["s1002", "conical"])
def test_contacts_with_rails_are_the_same_without_passing_over(wheel, cant, detect):
    wheel, rail = wheel.moved(dy=0.75), left_rail(uic60(), cant)
    nodes, poses = nodes_of(wheel, rail), random_poses(R_0, 4e-3, 1.0)
    fast = contacts_of(detect, poses, wheel.table, nodes, rail.table)
    slow = contacts_of(detect, poses, wheel.table, without_passing_over(nodes), rail.table)
    assert np.array_equal(fast[0], slow[0])
    assert np.array_equal(fast[1], slow[1])
    assert 0.3 < np.mean(fast[0] > 0) < 0.9


def measured(profile, low, high, noise, smoothing):
    """A profile through 1001 noisy points of a drawn one, evenly along it."""
    y = np.linspace(low, high, 20001)
    along = np.cumsum(np.hypot(np.diff(y, prepend=low), np.gradient(profile.height(y))))
    at = np.interp(np.linspace(along[0], along[-1], 1001), along, y)
    heights = profile.height(at) + np.random.default_rng(3).normal(0.0, noise, 1001)
    return from_points(at, heights, smoothing=smoothing)


@pytest.mark.parametrize(("noise", "smoothing"), [(2e-6, 4e-6), (5e-6, 1e-5)])
def test_contacts_of_measured_profiles_are_the_same_without_passing_over(noise, smoothing):
    """Steep sides of a rail rise far above a tangent that noise has turned."""
    wheel = measured(s1002(0.0), -0.0645, 0.0595, noise, smoothing).moved(dy=0.75, dz=R_0)
    rail = left_rail(measured(uic60(), -0.0369, 0.0369, noise, smoothing), 1 / 40)
    nodes, poses = nodes_of(wheel, rail), random_poses(R_0, 4e-3, 1.0)
    assert np.max(nodes[:, PART_RISE]) > 1e-3
    fast = contacts_of(rail_diff, poses, wheel.table, nodes, rail.table)
    slow = contacts_of(rail_diff, poses, wheel.table, without_passing_over(nodes), rail.table)
    assert np.array_equal(fast[0], slow[0])
    assert np.array_equal(fast[1], slow[1])
    assert 0.3 < np.mean(fast[0] > 0) < 0.9


@pytest.mark.parametrize("side", ["left", "right"])
def test_contacts_with_rollers_are_the_same_without_passing_over(side):
    pair = WheelOverRail("s1002", "uic60", 0.092, 0.15, 0.05, 0.287, 0.2, side, R_0=0.092)
    wheel, nodes, roller = prepared(pair)
    poses = random_poses(0.184, 4e-3, 0.2, x=1e-3)
    fast = contacts_of(roller_dist, poses, wheel, nodes, roller)
    slow = contacts_of(roller_dist, poses, wheel, without_passing_over(nodes), roller)
    assert np.array_equal(fast[0], slow[0])
    assert np.array_equal(fast[1], slow[1])
    assert 0.3 < np.mean(fast[0] > 0) < 0.9


def touching(poses, wheel, nodes, rail):
    """The poses lowered until they touch, and a little more."""
    high, low = poses[:, 2] + 2e-3, poses[:, 2] - 2e-3
    lowered = poses.copy()
    for _ in range(18):
        lowered[:, 2] = 0.5 * (low + high)
        touches = contacts_of(roller_dist, lowered, wheel, nodes, rail)[0] > 0
        low, high = np.where(touches, lowered[:, 2], low), np.where(touches, high, lowered[:, 2])
    lowered[:, 2] = low
    return lowered


def test_a_yaw_over_rollers_hides_no_contact_of_cylindrical_wheels():
    """Seen along the roller, a straight wheel that crosses its axis is a hollow curve."""
    wheel = Profile("wheel", table_of([straight(-0.06, 0.06, 0.0, 0.092, 0.0)])).moved(dy=0.15)
    roller = Profile("crown", table_of([arc(0.12, 0.18, 5.0, (0.15, 0.092 - 5.0))]))
    nodes, random = nodes_of(wheel, roller), np.random.default_rng(3)
    poses = np.zeros((2000, 5))
    poses[:, 1] = random.uniform(-0.01, 0.01, len(poses))
    poses[:, 3] = random.uniform(-0.2, 0.2, len(poses))
    poses[:, 2] = 0.092 + np.hypot(0.092, 0.15 * np.sin(poses[:, 3]))
    slow = without_passing_over(nodes)
    poses = touching(poses, wheel.table, slow, roller.table)
    expected = contacts_of(roller_dist, poses, wheel.table, slow, roller.table)
    assert np.mean(expected[0] > 0) > 0.3
    seen = contacts_of(roller_dist, poses, wheel.table, nodes, roller.table)
    assert np.array_equal(seen[0], expected[0])


def test_both_wheels_find_the_same_at_large_yaw():
    """Where the contour runs along the flange, it goes far from node to node."""
    pair = WheelOverRail("s1002", "uic60", R_0, 0.75, 0.025, 1.435)
    mirrored = pair._replace(side="right")
    poses = random_poses(R_0 - 0.01, 0.01, 1.0)[:2000]
    poses[:, 3] *= 6.0
    mirror = np.array([1.0, -1.0, 1.0, -1.0, -1.0])
    for nodes_as in (lambda nodes: nodes, without_passing_over):
        left, right = (
            contacts_of(rail_diff, seen, wheel, nodes_as(nodes), rail)[0]
            for seen, (wheel, nodes, rail) in (
                (poses, prepared(pair)), (poses * mirror, prepared(mirrored)),
            )
        )  # fmt: skip
        assert np.array_equal(left, right)


def test_hollow_rails_are_bounded_by_how_far_they_rise():
    """A groove of radius 300 mm rises by x^2 / 600 mm over 10 mm, and more beside its middle."""
    groove = Profile("groove", table_of([arc(0.70, 0.80, 0.3, (0.75, 0.3), -1.0)]))
    nodes = nodes_of(s1002(R_0).moved(dy=0.75), groove)
    length = LONGER * STRETCH_STEPS * MAX_STEP_M
    middle = nodes[len(nodes) // 2, PART_RISE]
    assert 1.0 < middle / (length**2 / 0.6) < 1.3
    convex = nodes_of(s1002(R_0).moved(dy=0.75), left_rail(uic60(), 0.05))
    assert not convex[:, PART_RISE].any()


def test_bound_is_exact_for_a_line_over_a_corner():
    """A level line 1 mm above a roof of slopes 1 and -1 comes to 0 over its ridge."""
    assert least_height(-1.0, 0.0, -1.0, 1.0, 1.0, 0.0, -1.0, -1.0, 0.0, 0.0) == 0.0
    assert least_height(-1.0, 0.5, -1.0, 1.0, 1.0, 0.5, -1.0, -1.0, 0.0, 0.0) == 0.5
    assert least_height(-1.0, 0.5, -1.0, 1.0, 1.0, 0.5, -1.0, -1.0, 0.2, 0.2) == pytest.approx(0.1)


def test_bound_by_one_tangent_is_that_of_the_end_that_rises_less():
    """A level line 1 mm above a roof: the tangent of one side meets it over the other end."""
    roof = (-1.0, 0.0, -1.0, 1.0), (1.0, 0.0, -1.0, -1.0)
    assert least_by_one(*roof[0], 0.0, *roof[1], 0.0, 0.0) == -1.0
    flat = (-1.0, 1.0, 0.0, 0.0), (1.0, 1.0, 0.0, 0.0)
    assert least_by_one(*flat[0], 5.0, *flat[1], 0.25, 0.0) == 0.75
    assert least_by_one(*flat[0], 0.25, *flat[1], 5.0, 0.5) == 0.25
    assert least_by_one(*flat[0], 0.0, *flat[0], 0.0, 0.0) == -math.inf


def test_bound_is_that_of_an_end_where_the_gap_grows_one_way():
    assert least_height(0.0, 1.0, 0.0, 0.0, 1.0, 2.0, 0.0, 0.0, 0.0, 0.0) == 1.0
    assert least_height(0.0, 2.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0) == 1.0
    assert least_height(0.0, 1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0) == -math.inf
