"""A rigid wheelset on a track, against tables of others, symmetry and closed forms."""

import math

import numpy as np
import pytest
from rail_references import FOLDER, rows
from railblocks.blocks.rail.contact.geometry.contour import frame, rail_contour
from railblocks.blocks.rail.contact.geometry.rigid import lowest_gap, rest, rigid_contact
from railblocks.blocks.rail.contact.profiles.drawn import arc, table_of
from railblocks.blocks.rail.contact.profiles.files import read_profile
from railblocks.blocks.rail.contact.profiles.profile import Profile
from railblocks.blocks.rail.contact.profiles.rails import left_rail, uic60
from railblocks.blocks.rail.contact.profiles.wheels import conical, s1002
from railblocks.engine import compiled

MM = 1e-3
VARIANTS = {"MB": "manchester", "60E1": "60E1"}
TABLE = rows("contact_geometry_rigid.csv")
CASES = sorted({(row["rail"], row["cant"]) for row in TABLE})


def rail_of(variant, cant):
    return left_rail(uic60(VARIANTS[variant]), 1.0 / float(cant.partition(":")[2]))


def column(case, name):
    return np.array([float(row[name]) for row in TABLE if (row["rail"], row["cant"]) == case])


@pytest.fixture(scope="module", params=CASES, ids=" ".join)
def case(request):
    """A rail of the table, and our contacts. The table counts to the right: there right is left."""
    y = column(request.param, "y_mm") * MM
    return request.param, rigid_contact(s1002(), rail_of(*request.param), y)


def test_roll_and_lift_are_those_of_the_table(case):
    """The table's own grid leaves 4e-8 rad and 3e-5 mm on the flange, 1e-9 rad on the tread."""
    name, contact = case
    flange = np.maximum(np.abs(column(name, "s_right_mm")), np.abs(column(name, "s_left_mm"))) > 35
    assert np.allclose(
        contact.roll[~flange], column(name, "roll_rad")[~flange], rtol=0, atol=1.5e-9
    )
    assert np.allclose(contact.roll, column(name, "roll_rad"), rtol=0, atol=5e-8)
    lift = contact.lift / MM
    assert np.allclose(lift[~flange], column(name, "z_lift_mm")[~flange], rtol=0, atol=1e-6)
    assert np.allclose(lift, column(name, "z_lift_mm"), rtol=0, atol=3e-5)


def test_contact_places_are_those_of_the_table(case):
    """To 0.02 mm: the table's places lie on a grid, and the tread on the crown is flat there."""
    name, contact = case
    for ours, theirs in ((contact.s_left, "s_right_mm"), (contact.s_right, "s_left_mm")):
        s = column(name, theirs)
        assert np.allclose(ours / MM, s, rtol=0, atol=0.02)
        steep = s < -25.0
        assert np.allclose(ours[steep] / MM, s[steep], rtol=0, atol=0.0051)


def test_rolling_radii_are_those_of_the_table(case):
    """Theirs are taken at places up to 0.02 mm off: 1e-3 mm on the tread, 8e-3 mm at 70 degrees."""
    name, contact = case
    for ours, theirs, place in (
        (contact.r_left, "r_right_mm", "s_right_mm"),
        (contact.r_right, "r_left_mm", "s_left_mm"),
    ):
        allowed = np.where(column(name, place) < -25.0, 8e-3, 1e-3)
        assert (np.abs(ours / MM - column(name, theirs)) < allowed).all()
    assert np.allclose(contact.delta_r / MM, column(name, "delta_r_mm"), rtol=0, atol=8e-3)


def test_wheel_and_rail_have_one_tangent_at_the_contact(case):
    """What the table's grid leaves open is settled by the tangents."""
    name, contact = case
    rail, wheel = rail_of(*name), s1002()
    for y, roll, s in zip(contact.y, contact.roll, contact.s_left, strict=True):
        w, slope, _ = wheel(s)
        pose = frame(0.0, y, 0.0, 0.0, roll)
        _, _, place, _, tangent, real = rail_contour(s + 0.75, w, slope, pose)
        assert real
        error = abs(math.atan(float(rail.slope(place))) - math.atan(tangent))
        assert error < 1e-5


def test_the_wheelset_lies_0_1821_mm_low_in_the_middle():
    contact = rigid_contact(s1002(), left_rail(uic60()), 0.0)
    assert math.isclose(contact.lift / MM, -0.1821, abs_tol=5e-5)
    assert abs(contact.roll) < 1e-12
    assert math.isclose(contact.s_left, contact.s_right, abs_tol=1e-7)


@pytest.mark.parametrize("before", [0.2, 4.8, 6.2])
def test_the_contact_jumps_where_the_table_says(before):
    y = np.array([before - 0.1, before, before + 0.1, before + 0.2]) * MM
    steps = -np.diff(rigid_contact(s1002(), left_rail(uic60()), y).s_left) / MM
    assert steps[1] > 5.0
    assert max(steps[0], steps[2]) < 1.0


def test_moved_to_the_other_side_everything_is_mirrored():
    y = np.array([1.0, 3.3, 5.2, 6.7]) * MM
    there, here = (rigid_contact(s1002(), left_rail(uic60()), v, yaw=0.01) for v in (-y, y))
    back = rigid_contact(s1002(), left_rail(uic60()), -y, yaw=-0.01)
    for other in (there, back):
        assert np.allclose(other.roll, -here.roll, rtol=0, atol=1e-11)
        assert np.allclose(other.lift, here.lift, rtol=0, atol=1e-11)
        assert np.allclose(other.s_right, here.s_left, rtol=0, atol=1e-6)
        assert np.allclose(other.delta_r, -here.delta_r, rtol=0, atol=1e-6)


def test_cones_on_round_heads_touch_where_the_slopes_agree():
    """In the middle of the track: inside of the crown, at the cone's angle."""
    radius, cone = 0.3, 1 / 20
    contact = rigid_contact(conical(0.46, cone), round_head(radius), 0.0)
    place = -radius * math.sin(math.atan(cone))
    height = radius * math.cos(math.atan(cone)) - radius
    assert math.isclose(contact.s_left, place, abs_tol=1e-7)
    assert math.isclose(contact.lift, height - cone * place, abs_tol=1e-12)


@pytest.mark.parametrize("y", [1.0, 4.0, -3.0])
def test_cones_on_round_heads_keep_both_generators_a_radius_from_the_centres(y):
    """Two equations for roll and lift, solved by other means."""
    from scipy.optimize import root

    radius, cone, b, r_0 = 0.1, 1 / 20, 0.75, 0.46

    def distances(unknown):
        roll, z = unknown
        left = []
        for side in (1.0, -1.0):
            dy, dz = side * b - y * MM, -radius - z - r_0
            u = dy * math.cos(roll) + dz * math.sin(roll)
            v = -dy * math.sin(roll) + dz * math.cos(roll)
            line = -r_0 + cone * (side * u - b)
            left.append((line - v) / math.hypot(1.0, cone) - radius)
        return left

    roll, lift = root(distances, (0.0, 0.0), tol=1e-13).x
    contact = rigid_contact(conical(r_0, cone), round_head(radius), y * MM)
    assert math.isclose(contact.roll, roll, abs_tol=1e-11)
    assert math.isclose(contact.lift, lift, abs_tol=1e-11)


def round_head(radius):
    return Profile("round", table_of([arc(0.7, 0.8, radius, (0.75, -radius))]))


def test_yaw_brings_the_flange_nearer_and_lifts_the_wheelset():
    y = 6.5 * MM
    straight = rigid_contact(s1002(), left_rail(uic60()), y)
    yawed = rigid_contact(s1002(), left_rail(uic60()), y, yaw=0.02)
    assert yawed.lift > straight.lift
    assert yawed.s_left < straight.s_left


@pytest.mark.parametrize("yaw", [0.005, 0.02, -0.03])
@pytest.mark.parametrize("y", [0.0, 3.0, 6.6])
def test_the_lowest_gap_is_that_of_all_points_of_the_wheel(y, yaw):
    """Against the whole surface: a grid of y_w and angles, refined twice about its lowest point."""
    wheel, rail, roll = s1002().moved(dy=0.75), left_rail(uic60()), 3e-4
    pose = frame(0.0, y * MM, 0.0, yaw, roll)
    gap, place = lowest_gap(wheel.table, rail.table, pose)
    y_w, angle, widths = place, 0.0, (0.004, 0.2)
    for _ in range(4):
        ys = y_w + widths[0] * np.linspace(-1, 1, 81)
        angles = angle + widths[1] * np.linspace(-1, 1, 161)
        gaps = surface_gap(wheel, rail, ys, angles, y * MM, roll, yaw)
        i, j = np.unravel_index(np.nanargmin(gaps), gaps.shape)
        y_w, angle, widths = ys[i], angles[j], (widths[0] / 20, widths[1] / 40)
    assert math.isclose(gaps[i, j], gap, rel_tol=0, abs_tol=2e-9)
    assert math.isclose(y_w, place, rel_tol=0, abs_tol=1e-5)


def surface_gap(wheel, rail, ys, angles, y, roll, yaw):
    """Gaps of points of the wheel's surface, by turning them with matrices."""
    w = wheel.height(ys)[:, None]
    points = np.stack(
        np.broadcast_arrays(w * np.sin(angles), ys[:, None], -w * np.cos(angles)), axis=-1
    )
    c, s, cr, sr = math.cos(yaw), math.sin(yaw), math.cos(roll), math.sin(roll)
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ [[1, 0, 0], [0, cr, -sr], [0, sr, cr]]
    turned = points @ turn.T
    return turned[..., 2] - rail.height(turned[..., 1] + y)


def test_profiles_from_points_touch_where_the_exact_ones_do():
    """S1002 from points each 0.5 mm: to 1e-3 mm, also of lift."""
    y = np.array([0.5, 2.0, 4.0, 5.2, 5.8, 6.5, 7.0]) * MM
    points = read_profile(FOLDER / "s1002_points.csv").moved(dz=0.46)
    contact, exact = (rigid_contact(wheel, left_rail(uic60()), y) for wheel in (points, s1002()))
    for name in ("lift", "s_left", "s_right", "delta_r"):
        assert np.allclose(getattr(contact, name), getattr(exact, name), rtol=0, atol=1e-6)


def test_two_different_wheels_can_be_given():
    larger = s1002(0.461)
    contact = rigid_contact(s1002(0.46), left_rail(uic60()), 0.0, right_wheel=larger)
    assert contact.r_right > contact.r_left
    assert contact.roll < 0.0


def test_a_wheelset_beside_the_track_is_told():
    with pytest.raises(ValueError, match=r"y = 200 mm: S1002 on UIC60 manchester does not rest"):
        rigid_contact(s1002(), left_rail(uic60()), 0.2)


def test_compiled_equals_interpreted():
    wheel, rail = s1002().moved(dy=0.75), left_rail(uic60())
    tables = (wheel.table, rail.table, wheel.mirrored().table, rail.mirrored().table)
    assert compiled(rest)(*tables, 2e-3, 0.003) == rest(*tables, 2e-3, 0.003)
