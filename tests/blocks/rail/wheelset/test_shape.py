"""How profiles guide a wheelset: against rigid contact found by other means, and closed forms."""

import math

import numpy as np
import pytest
from railblocks.blocks.rail.contact.geometry.rigid import rigid_contact
from railblocks.blocks.rail.contact.profiles.drawn import arc, table_of
from railblocks.blocks.rail.contact.profiles.profile import Profile
from railblocks.blocks.rail.wheelset import shape as w
from scipy.optimize import root

R_0, B, GAMMA, R_W, R_R = 0.46, 0.75, 0.05, 0.42, 0.3
Y_MAX = 0.01


def table(shape, lam=0.18, y_max=Y_MAX, gamma=GAMMA, R_w=R_W):
    return w.shape_table(shape, y_max, R_0, B, lam, gamma, R_w, R_R)


def both_sides(contact, y):
    """Roll, height, then place and radius of the left and of the right wheel."""
    u = y / Y_MAX
    sides = [w.contact_on_axle(contact, u, side) for side in (1.0, -1.0)]
    return w.value(contact, w.ROLL, u), w.value(contact, w.HEIGHT, u), *sides[0], *sides[1]


@pytest.mark.parametrize("gamma", [0.02, 0.05])
def test_arcs_in_arcs_rest_as_rigid_contact_says(gamma):
    c, s = math.cos(gamma), math.sin(gamma)
    wheel = arc(-0.06, 0.06, R_W, (R_W * s, R_0 + R_W * c), -1.0)
    head = arc(B - 0.06, B + 0.06, R_R, (B + R_R * s, -R_R * c))
    y = np.array([-6e-3, -2e-3, 0.0, 1e-3, 5e-3])
    contacts = rigid_contact(
        Profile("hollow", table_of([wheel])), Profile("round", table_of([head])), y
    )
    curved = table("curved", gamma=gamma)
    for i, place in enumerate(y):
        roll, z, s_left, r_left, s_right, r_right = both_sides(curved, place)
        assert roll == pytest.approx(contacts.roll[i], abs=1e-9)
        assert z - R_0 == pytest.approx(contacts.lift[i], abs=1e-10)
        assert s_left - B == pytest.approx(contacts.s_left[i], abs=1e-6)
        assert -s_right - B == pytest.approx(contacts.s_right[i], abs=1e-6)
        assert r_left == pytest.approx(contacts.r_left[i], abs=1e-7)
        assert r_right == pytest.approx(contacts.r_right[i], abs=1e-7)


def test_arcs_have_the_equivalent_conicity_of_small_sways():
    """gamma R_w / (R_w - R_r) (b + R_r gamma) / (b - r_0 gamma), for small angles."""
    gamma = 1e-3
    shape_functions = table("curved", gamma=gamma)
    slope = shape_functions[w.RADIUS, 1] / Y_MAX
    expected = gamma * R_W / (R_W - R_R) * (B + R_R * gamma) / (B - R_0 * gamma)
    assert slope == pytest.approx(expected, rel=1e-5)


def on_two_edges(y, lam):
    """Roll and height at which both cones of a wheelset touch the edges (+-b, 0), by a search.

    A cone's radius at the place s along the axle is r_0 - lam (|s| - b): it touches an edge where
    that is the distance of the edge from the axle.
    """

    def misses(pose):
        phi, z = pose
        out = []
        for side in (1.0, -1.0):
            d_y, d_z = side * B - y, -z
            s = d_y * math.cos(phi) + d_z * math.sin(phi)
            distance = d_y * math.sin(phi) - d_z * math.cos(phi)
            out.append(distance - (R_0 - lam * (side * s - B)))
        return out

    solution = root(misses, (lam * y / B, R_0), tol=1e-14)
    assert np.abs(misses(solution.x)).max() < 1e-14
    return solution.x


@pytest.mark.parametrize("lam", [0.02, 0.05, 0.18, 0.4, -0.1])
def test_cones_rest_on_two_edges(lam):
    """It used to swing about a fixed point, and to lift half as much."""
    shape_functions = table("conical", lam)
    for y in (-8e-3, -1e-3, 3e-3, 1e-2):
        roll, z, s_left, r_left, s_right, r_right = both_sides(shape_functions, y)
        assert (roll, z) == pytest.approx(on_two_edges(y, lam), abs=1e-12)
        assert r_left == pytest.approx(R_0 - lam * (s_left - B), abs=1e-10)
        assert r_right == pytest.approx(R_0 - lam * (-s_right - B), abs=1e-10)


@pytest.mark.parametrize("lam", [0.05, 0.18])
def test_cones_lift_as_their_roll_centre_runs_along_a_circle(lam):
    """z'' = (2 d - q) / (d - q)^2 in the middle, and the roll centre b / lam above the edges."""
    shape_functions = table("conical", lam)
    d, q = B * (1 + lam**2) / lam, R_0 + lam * B
    _, _, bend = w.value_and_slopes(shape_functions, w.HEIGHT, 0.0)
    assert bend / Y_MAX**2 == pytest.approx((2 * d - q) / (d - q) ** 2, rel=1e-6)
    assert w.hang(shape_functions, Y_MAX) == pytest.approx(B / lam - R_0, rel=1e-10)


def test_a_wheelset_that_does_not_roll_has_no_roll_centre():
    assert w.hang(table("linear"), Y_MAX) == 0.0
    assert w.hang(table("curved", gamma=0.0), Y_MAX) == 0.0


def test_a_cone_of_no_slope_is_a_cylinder():
    assert np.array_equal(table("conical", 0.0), table("linear", 0.0))


@pytest.mark.parametrize("shape", w.SHAPES)
def test_slopes_are_those_of_the_values(shape):
    shape_functions, h = table(shape), 1e-5
    for row in range(4):
        for u in (-0.7, 0.2):
            ahead, at, behind = (w.value(shape_functions, row, u + d) for d in (h, 0.0, -h))
            value, slope, bend = w.value_and_slopes(shape_functions, row, u)
            assert value == at
            assert slope == pytest.approx((ahead - behind) / (2 * h), abs=1e-9)
            assert bend == pytest.approx((ahead - 2 * at + behind) / h**2, abs=2e-5)


def test_wheels_hardly_wider_than_heads_are_refused():
    with pytest.raises(w.MisfitError):
        table("curved", R_w=0.3005)
