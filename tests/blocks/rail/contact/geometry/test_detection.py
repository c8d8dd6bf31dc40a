"""Contact points against other methods, closed forms and the conditions that define them."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rail_references import columns
from railblocks.blocks.rail.contact.detectors.batch import diff_minima
from railblocks.blocks.rail.contact.geometry.contacts import (
    COLUMNS,
    GAP,
    N_X,
    N_Y,
    N_Z,
    P_X,
    P_Y,
    P_Z,
    X_R,
    X_W,
    Y_R,
    Y_W,
    A,
    B,
)
from railblocks.blocks.rail.contact.geometry.detection import rail_diff, rail_dist, roller_dist
from railblocks.blocks.rail.contact.geometry.nodes import MAX_STEP_M, nodes_of
from railblocks.blocks.rail.contact.geometry.pair import Pair
from railblocks.blocks.rail.contact.profiles.drawn import arc, table_of
from railblocks.blocks.rail.contact.profiles.profile import Profile
from railblocks.blocks.rail.contact.profiles.rails import left_rail, uic60
from railblocks.blocks.rail.contact.profiles.wheels import conical, cylindrical, s1002
from railblocks.engine.functions.functions import interpreted

R_0 = 0.46
OFFSET = 6.9e-6
"""The reference points lie on a rail 6.9 micrometres farther out than the gauge puts it: one
number, found from the points themselves; with it all of them agree."""
WHEEL = s1002(R_0).moved(dy=0.75)
RAIL = left_rail(uic60(), 1 / 40)
ON_RAIL = Pair(WHEEL, RAIL)
ON_ROLLER = Pair(s1002(R_0), RAIL.moved(dy=-0.75325, dz=1.0), roller=True)
CASES = [(ON_RAIL, "diff", R_0, 0), (ON_RAIL, "dist", R_0, 0), (ON_ROLLER, "dist", 1.46, -0.00325)]
yaw = st.floats(-0.03, 0.03)
roll = st.floats(-0.013, 0.013)
lateral = st.floats(-0.01, 0.01)


def matrix(alpha, beta):
    """R_z(alpha) R_x(beta), written out."""
    about_z = np.array(
        [
            [math.cos(alpha), -math.sin(alpha), 0],
            [math.sin(alpha), math.cos(alpha), 0],
            [0, 0, 1],
        ]
    )
    about_x = np.array(
        [[1, 0, 0], [0, math.cos(beta), -math.sin(beta)], [0, math.sin(beta), math.cos(beta)]]
    )
    return about_z @ about_x


def wheel_point(wheel, x, y, G, R):
    """A point of the wheel's lower half and the outward normal there, by their definition."""
    w, slope, _ = wheel(y)
    s = math.sqrt(w * w - x * x)
    normal = np.array([x, -w * slope, -s])
    return np.array(G) + R @ [x, y, -s], R @ normal / np.linalg.norm(normal)


def test_diff_meets_the_reference_points():
    points = columns("wheel_rail_points.csv")
    pair = Pair(WHEEL, RAIL.moved(dy=OFFSET))
    for i in range(len(points["alpha"])):
        alpha, beta, G_y = points["alpha"][i], points["beta"][i], points["G_y_mm"][i] * 1e-3
        contacts = pair.contacts((0, G_y, 0), alpha, beta, "diff", limit=math.inf)
        D = contacts[:, GAP] / contacts[:, N_Z]
        k = np.argmin(D)
        ours = 1e3 * np.array([contacts[k, Y_W] - 0.75, contacts[k, X_W], contacts[k, Y_R], D[k]])
        theirs = [points[name][i] for name in ("s_mm", "x_r_mm", "y_b_mm", "D_mm")]
        assert ours == pytest.approx(theirs, abs=1.5e-4), (alpha, beta, G_y)
        assert len(contacts) == points["minima"][i], (alpha, beta, G_y)


def test_roller_points_meet_the_reference_points():
    points = columns("wheel_roller_points.csv")
    pair = Pair(ON_ROLLER.wheel, ON_ROLLER.rail.moved(dy=OFFSET), roller=True)
    for row in zip(*points.values(), strict=True):
        alpha, beta, G_x, G_y, G_z, *theirs = row
        G = np.array([G_x, G_y, 1460 + G_z]) * 1e-3
        contacts = pair.contacts(G, alpha, beta, limit=1e-3)
        k = np.argmin(contacts[:, GAP])
        ours = 1e3 * contacts[k, [X_W, Y_W, X_R, Y_R, GAP]]
        assert ours == pytest.approx(theirs, abs=2e-5)


@given(yaw, roll, st.floats(-0.02, 0.02), lateral, st.floats(-3e-4, 5e-3))
def test_roller_points_fulfil_the_vector_equations(alpha, beta, G_x, G_y, lift):
    """n_r x R n_w = 0 and n_r x d = 0 of conti2012, Eqs. 7 and 8 in corrected form."""
    G = (G_x, G_y, 1.46 + lift)
    R = matrix(alpha, beta)
    for row in ON_ROLLER.contacts(G, alpha, beta, limit=math.inf):
        P_w, n_w = wheel_point(ON_ROLLER.wheel, row[X_W], row[Y_W], G, R)
        r, slope, _ = ON_ROLLER.rail(row[Y_R])
        q = math.sqrt(r * r - row[X_R] ** 2)
        P_r = np.array([row[X_R], row[Y_R], q])
        n_r = np.array([row[X_R], -r * slope, q])
        n_r /= np.linalg.norm(n_r)
        assert np.cross(n_r, n_w) == pytest.approx(np.zeros(3), abs=1e-5)
        if abs(P_w[1] - P_r[1]) > 1e-12:  # else a point of DIFF: no stationary distance here
            assert np.cross(n_r, P_w - P_r) == pytest.approx(np.zeros(3), abs=1e-12)
        assert n_r @ n_w < 0
        assert row[GAP] == pytest.approx(n_r @ (P_w - P_r), abs=1e-13)
        assert row[[P_X, P_Y, P_Z]] == pytest.approx(P_r, abs=1e-13)
        assert row[[N_X, N_Y, N_Z]] == pytest.approx(n_r, abs=1e-9)


def test_tread_contacts_are_points_of_stationary_distance():
    for G_y in np.linspace(-0.006, 0.005, 23):
        for pair, G_z in ((ON_RAIL, R_0), (ON_ROLLER, 1.46)):
            rows = pair.contacts((0, G_y, G_z - 1e-4), limit=0.0)
            for row in rows[rows[:, N_Z] > 0.95]:
                R = matrix(0, 0)
                P_w, _ = wheel_point(pair.wheel, row[X_W], row[Y_W], (0, G_y, G_z - 1e-4), R)
                along = P_w - row[[P_X, P_Y, P_Z]]
                assert np.cross(row[[N_X, N_Y, N_Z]], along) == pytest.approx(
                    np.zeros(3), abs=1e-12
                )
                assert abs(along[1]) > 1e-12 or abs(row[N_Y]) < 1e-6


@given(yaw, roll, lateral)
def test_rail_points_fulfil_the_vector_equations(alpha, beta, G_y):
    R = matrix(alpha, beta)
    for row in ON_RAIL.contacts((0.1, G_y, R_0), alpha, beta, limit=math.inf):
        P_w, n_w = wheel_point(WHEEL, row[X_W], row[Y_W], (0.1, G_y, R_0), R)
        b, slope, _ = RAIL(row[Y_R])
        n_r = np.array([0, -slope, 1]) / math.hypot(1, slope)
        P_r = np.array([P_w[0], row[Y_R], b])
        assert np.cross(n_r, n_w) == pytest.approx(np.zeros(3), abs=1e-5)
        if abs(P_w[1] - P_r[1]) > 1e-12:  # else a point of DIFF: no stationary distance here
            assert np.cross(n_r, P_w - P_r) == pytest.approx(np.zeros(3), abs=1e-12)
        assert row[GAP] == pytest.approx(n_r @ (P_w - P_r), abs=1e-13)


def test_newton_on_the_four_dimensional_system_finds_the_same_roller_points():
    from scipy.optimize import fsolve

    for alpha, beta, G in [
        (0.01, 0.002, (0.005, -0.002, 1.46)),
        (0.0175, -0.004, (0.002, 0.0015, 1.4598)),
        (-0.0175, 0.01, (0.003, 0.002, 1.4698)),
    ]:
        R = matrix(alpha, beta)

        def residual(v, G=G, R=R):
            x_w, y_w, x_r, y_r = v
            P_w, n_w = wheel_point(ON_ROLLER.wheel, x_w, y_w, G, R)
            r, slope, _ = ON_ROLLER.rail(y_r)
            q = math.sqrt(r * r - x_r * x_r)
            n_r = np.array([x_r, -r * slope, q])
            d = P_w - [x_r, y_r, q]
            return [*np.cross(n_r, n_w)[:2], *np.cross(n_r, d)[:2]]

        for row in ON_ROLLER.contacts(G, alpha, beta, limit=1e-3):
            start = row[[X_W, Y_W, X_R, Y_R]]
            solution = fsolve(residual, start + 1e-5, xtol=1e-14)
            assert solution == pytest.approx(start, abs=5e-12)


def test_minimising_the_distance_finds_the_same_roller_points():
    from scipy.optimize import minimize

    G, alpha, beta = (0.002, 0.0015, 1.4608), 0.0175, -0.004
    R = matrix(alpha, beta)

    def distance(v):
        r = ON_ROLLER.rail.height(v[3])
        P_w, _ = wheel_point(ON_ROLLER.wheel, v[0], v[1], G, R)
        return np.linalg.norm(P_w - [v[2], v[3], math.sqrt(r * r - v[2] ** 2)])

    rows = ON_ROLLER.contacts(G, alpha, beta, limit=2e-3)
    lowest = rows[np.argmin(rows[:, GAP])]
    start = lowest[[X_W, Y_W, X_R, Y_R]]
    options = {"xatol": 1e-10, "fatol": 1e-16, "maxiter": 5000, "maxfev": 9000}
    simplex = start + np.vstack([np.zeros(4), 3e-4 * np.eye(4)])
    solution = minimize(
        distance, start, method="Nelder-Mead", options={**options, "initial_simplex": simplex}
    )
    assert solution.fun == pytest.approx(lowest[GAP], abs=1e-12)
    assert solution.x == pytest.approx(start, abs=2e-6)


def test_yaw_the_other_way_mirrors_the_points():
    for pair, G_z in ((ON_RAIL, R_0), (ON_ROLLER, 1.46)):
        for G_y in (-0.004, 0.0, 0.003, 0.0065):
            one = pair.contacts((0, G_y, G_z), 0.012, 0.002, limit=1e-3)
            other = pair.contacts((0, G_y, G_z), -0.012, 0.002, limit=1e-3)
            assert other[:, X_W] == pytest.approx(-one[:, X_W], abs=1e-12)
            assert other[:, [Y_W, Y_R, GAP]] == pytest.approx(one[:, [Y_W, Y_R, GAP]], abs=1e-12)


def test_the_right_side_mirrors_the_left():
    right = Pair(WHEEL.mirrored(), RAIL.mirrored())
    for G_y, alpha, beta in ((0.0, 0.01, 0.002), (0.0065, -0.005, 0.003), (-0.005, 0.0, -0.001)):
        for method in ("diff", "dist"):
            one = ON_RAIL.contacts((0, G_y, R_0), alpha, beta, method, 1e-3)
            other = right.contacts((0, -G_y, R_0), -alpha, -beta, method, 1e-3)[::-1]
            assert other[:, [X_W, GAP, A, B]] == pytest.approx(one[:, [X_W, GAP, A, B]], abs=1e-9)
            assert other[:, [Y_W, Y_R]] == pytest.approx(-one[:, [Y_W, Y_R]], abs=1e-9)


def test_dist_and_diff_agree_where_the_bodies_just_touch():
    for G_y, alpha, beta in ((0.0, 0.0, 0.0), (0.004, 0.01, 0.0), (0.0063, 0.0175, 0.001)):
        free = ON_RAIL.contacts((0, G_y, 0), alpha, beta, "diff", math.inf)
        for row in free:
            G_z = -row[GAP] / row[N_Z]
            by_dist = ON_RAIL.contacts((0, G_y, G_z), alpha, beta, "dist", 1e-6)
            nearest = by_dist[np.argmin(np.abs(by_dist[:, Y_W] - row[Y_W]))]
            assert nearest[Y_W] == pytest.approx(row[Y_W], abs=1e-8)
            assert nearest[GAP] == pytest.approx(0.0, abs=1e-11)


def test_curvatures_are_those_of_the_bodies():
    """R 0.46 m on R300, without yaw: A = 1/(2 R), B from the radii of tread and head."""
    tread = conical(R_0, 0.0).moved(dy=0.7605)
    pair = Pair(tread, RAIL)
    (row,) = pair.contacts((0, 0, R_0 - 1e-4), method="dist")
    assert row[A] == pytest.approx(0.5 / R_0, rel=1e-12)
    assert row[B] == pytest.approx(0.5 / 0.3, rel=1e-9)
    assert row[GAP] == pytest.approx(-1e-4, abs=1e-15)


@pytest.mark.parametrize("cone", [1 / 40, 1 / 20, -1 / 100])
def test_a_cone_touches_an_arc_where_the_arc_has_its_slope(cone):
    """Centre of the arc at (0, -R): the point lies at R sin(atan(cone)) on the tangent side."""
    radius = 0.3
    head = Profile("head", table_of([arc(-0.03, 0.03, radius, (0.0, -radius))]))
    angle = math.atan(cone)
    pair = Pair(conical(R_0, cone, -0.05, 0.05), head)
    for method in ("diff", "dist"):
        contacts = pair.contacts((0, 0, R_0 + 1e-9), method=method, limit=math.inf)
        assert len(contacts) == 1
        assert contacts[0, Y_R] == pytest.approx(-radius * math.sin(angle), abs=2e-5)
    touching = radius / math.cos(angle) - radius
    (row,) = pair.contacts((0, 0, R_0 + touching), method="dist", limit=1e-9)
    assert row[Y_R] == pytest.approx(-radius * math.sin(angle), abs=1e-12)
    assert row[GAP] == pytest.approx(0.0, abs=1e-15)


@pytest.mark.parametrize("cone", [0.0, 1 / 20, -1 / 40])
def test_a_crowned_wheel_touches_a_conical_roller_where_its_slope_is_that_of_the_cone(cone):
    """Crown of radius 0.5 m over a straight flank: the foot of its centre."""
    crown = Profile("crown", table_of([arc(-0.05, 0.05, 0.5, (0.0, R_0 - 0.5))]))
    pair = Pair(crown, conical(1.0, cone, -0.06, 0.06), roller=True)
    angle = math.atan(cone)
    (row,) = pair.contacts((0, 0.002, 1.46), limit=1e-3)
    centre = 1.46 - (R_0 - 0.5)
    gap = (centre - 1.0 + cone * 0.002) * math.cos(angle) - 0.5
    assert row[GAP] == pytest.approx(gap, abs=1e-12)
    assert row[Y_W] == pytest.approx(-0.5 * math.sin(angle), abs=1e-12)
    assert row[B] == pytest.approx(0.5 / 0.5, rel=1e-9)


def test_two_bumps_of_a_rail_give_two_contacts():
    """A rail whose slope is not monotonic: its inverse has branches."""
    arcs = [
        arc(-0.03, -0.01, 0.05, (-0.02, -0.05)),
        arc(-0.01, 0.01, 0.05, (0.0, -0.05 + 2 * math.sqrt(0.05**2 - 0.01**2)), -1.0),
        arc(0.01, 0.03, 0.05, (0.02, -0.05)),
    ]
    rail = Profile("two bumps", table_of(arcs))
    assert len(rail.runs) == 3
    pair = Pair(cylindrical(R_0, -0.05, 0.05), rail)
    for method in ("dist", "diff"):
        contacts = pair.contacts((0, 0, R_0 - 1e-4), method=method)
        assert contacts[:, Y_R] == pytest.approx([-0.02, 0.02], abs=1e-12)
        assert contacts[:, GAP] == pytest.approx([-1e-4, -1e-4], abs=1e-15)


def test_a_ball_in_a_groove_touches_only_if_it_is_the_smaller_one():
    groove = Profile("groove", table_of([arc(-0.02, 0.02, 0.05, (0.0, 0.05), -1.0)]))
    for radius, number in ((0.03, 1), (0.08, 0)):
        ball = Profile("ball", table_of([arc(-0.02, 0.02, radius, (0.0, R_0 - radius))]))
        contacts = Pair(ball, groove).contacts((0, 0, R_0 - 1e-5))
        assert len(contacts) == number


def test_a_lifted_wheel_touches_nothing():
    assert len(ON_RAIL.contacts((0, 0, R_0 + 0.01), method="dist")) == 0
    assert len(ON_RAIL.contacts((0, 0, R_0 + 0.01), method="diff")) == 0
    assert len(ON_ROLLER.contacts((0, 0, 1.5))) == 0


def test_a_wheel_beside_the_rail_touches_nothing():
    assert len(ON_RAIL.contacts((0, 0.3, R_0), method="diff")) == 0
    assert len(ON_RAIL.contacts((0, 0.3, R_0), method="dist")) == 0


@given(st.floats(-1.5, 1.5), st.floats(-1.5, 1.5), st.floats(-1, 1), st.floats(-0.5, 2.0))
def test_any_pose_gives_numbers(alpha, beta, G_y, G_z):
    for pair, methods in ((ON_RAIL, ("diff", "dist")), (ON_ROLLER, ("dist",))):
        for method in methods:
            contacts = pair.contacts((0.0, G_y, G_z), alpha, beta, method, math.inf)
            assert np.all(np.isfinite(contacts))


@given(yaw, roll, lateral)
def test_normals_are_unit_vectors_and_curvatures_positive(alpha, beta, G_y):
    contacts = ON_RAIL.contacts((0, G_y, R_0), alpha, beta, "dist", 1e-3)
    assert np.linalg.norm(contacts[:, [N_X, N_Y, N_Z]], axis=1) == pytest.approx(
        np.ones(len(contacts))
    )
    assert np.all(contacts[:, [A, B]] > 0)


@pytest.mark.parametrize(("pair", "method", "G_z", "centre"), CASES)
def test_the_deepest_gap_has_kinks_but_no_jumps(pair, method, G_z, centre):
    """It is a minimum over all points, while the point itself may jump."""
    steps = np.linspace(-0.006, 0.006, 1201)
    contacts = [pair.contacts((0, centre + y, G_z), 0.005, 0.0, method, 0.01) for y in steps]
    deepest = [rows[:, GAP].min() for rows in contacts]
    assert np.max(np.abs(np.diff(deepest))) < 6e-5


@pytest.mark.parametrize("cant", [1 / 40, 1 / 20])
@pytest.mark.parametrize("method", ["diff", "dist"])
def test_where_bodies_overlap_there_is_a_contact(cant, method):
    """Along the flange, where fillet and corner fit closely, against the least gap of samples."""
    pair = Pair(WHEEL, left_rail(uic60(), cant))
    places = np.linspace(-0.045, 0.05, 4001) + 0.75
    heights = R_0 - WHEEL.height(places)
    for G_y in np.linspace(0.005, 0.0085, 71):
        inside = (places + G_y > pair.rail.reach[0]) & (places + G_y < pair.rail.reach[1])
        gap = (heights[inside] - pair.rail.height(places[inside] + G_y)).min()
        for depth in (2e-5, 1e-4, 3e-4, 1e-3):
            contacts = pair.contacts((0, G_y, R_0 - gap - depth), method=method)
            assert len(contacts) >= 1, (G_y, depth)
            assert contacts[:, GAP].min() < -0.2 * depth


@pytest.mark.parametrize("cant", [1 / 40, 1 / 20])
def test_finer_nodes_find_no_other_points(cant):
    """20 000 poses of falomi's ranges, with nodes twenty times closer."""
    pair = Pair(WHEEL, left_rail(uic60(), cant))
    random = np.random.default_rng(1)
    poses = np.zeros((20000, 3))
    poses[:, 0] = random.uniform(0, math.pi / 180, 20000)
    poses[:, 1] = random.uniform(-math.pi / 240, math.pi / 240, 20000)
    poses[:, 2] = random.uniform(-0.01, 0.01, 20000)
    fine = Pair(WHEEL, pair.rail)
    fine.__dict__["nodes"] = nodes_of(WHEEL, pair.rail, 5e-5, 2e-3)
    assert len(fine.nodes) > 10 * len(pair.nodes)
    one, other = diff_minima(pair, poses), diff_minima(fine, poses)
    assert np.array_equal(one.counts, other.counts)
    assert np.allclose(one.points, other.points, rtol=0, atol=1e-9, equal_nan=True)


@pytest.mark.parametrize("scale", [0.2, 4.0, 20.0])
def test_scaled_pairs_have_scaled_points(scale):
    for method in ("diff", "dist"):
        big = Pair(WHEEL.scaled(scale), RAIL.scaled(scale))
        big.__dict__["nodes"] = nodes_of(big.wheel, big.rail, MAX_STEP_M * scale)
        for G_y in (-0.004, 0.0, 0.003, 0.0062):
            G = np.array([0, G_y, R_0 - 2e-4])
            one = ON_RAIL.contacts(G, 0.003, 0.0, method)
            other = big.contacts(G * scale, 0.003, 0.0, method)
            assert other[:, [Y_W, Y_R, GAP]] == pytest.approx(
                scale * one[:, [Y_W, Y_R, GAP]], abs=1e-9 * scale
            )


@pytest.mark.parametrize(
    ("kernel", "pair", "G_z"),
    [(rail_diff, ON_RAIL, R_0), (rail_dist, ON_RAIL, R_0), (roller_dist, ON_ROLLER, 1.46)],
)
def test_compiled_equals_interpreted(kernel, pair, G_z):
    method = "diff" if kernel is rail_diff else "dist"
    plain = interpreted(kernel)
    for G_y, alpha, beta in ((0.0, 0.01, 0.002), (0.0062, -0.0175, 0.004)):
        contacts = np.zeros((16, COLUMNS))
        count = plain(
            0.0, G_y, G_z, alpha, beta, pair.wheel.table, pair.nodes, pair.rail.table,
            0.01, contacts,
        )  # fmt: skip
        fast = pair.contacts((0, G_y, G_z), alpha, beta, method, 0.01)
        assert np.array_equal(contacts[:count][np.argsort(contacts[:count, Y_W])], fast)


def test_points_beyond_the_room_are_dropped():
    contacts = np.zeros((1, COLUMNS))
    count = interpreted(rail_diff)(
        0.0, 0.0065, 0.0, 0.0, -0.004, WHEEL.table, ON_RAIL.nodes, RAIL.table,
        math.inf, contacts,
    )  # fmt: skip
    assert count == 1
