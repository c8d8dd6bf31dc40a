"""Every irregularity, and every turn of the line, alone: a changed world has a changed result.

A vehicle in any state on a line with one term is the same vehicle, turned or shifted as a whole, on
a line without it. A term goes through this by being in `TERMS`.
"""

import math
from dataclasses import dataclass

import numpy as np
import pytest
from by_hand.lines import TERMS as BY_HAND
from railblocks.blocks.rail.multibody import bodies as b
from railblocks.blocks.rail.track import centreline as c
from railblocks.blocks.rail.track.centreline import track_at
from railblocks.blocks.rail.track.files import read_track
from railblocks.blocks.rail.track.irregularities import (
    DEVIATIONS,
    deviation_at,
    pieces_between,
)
from railblocks.blocks.rail.vehicle.rails import RAIL, lay_rail
from railblocks.engine import compiled
from scipy.spatial.transform import Rotation
from vehicle_alone import LOOSE, line, rates, run

BASE, TOUCHED, PLACE = 1.5, 0.757, 30.0
SLOPE = 0.004
"""Metres for each metre: many times what a line has, so that neglected squares would show."""


@dataclass(frozen=True)
class Term:
    """A line with one irregularity, the line that it equals, and how the world is turned there.

    `turn` is about the place on the line at s = PLACE; `shift` moves the world there.
    """

    irregular: str
    plain: str | tuple = "length: 100 m"
    turn: tuple = (0.0, 0.0, 0.0)
    shift: tuple = (0.0, 0.0, 0.0)
    precise: float = 1e-7


def ramp(kind, slope):
    """Endless: zero at PLACE."""
    low, high = -PLACE * slope, (100.0 - PLACE) * slope
    return f"irregularities: {{at: [0, 100], {kind}: [{low}, {high}]}}\n"


def constant(kind, size):
    return f"irregularities: {{at: [0, 100], {kind}: [{size}, {size}]}}\n"


TWIST = 0.0004
"""Slope of cross-level: the cant of a line grows by its angle, whose sine this is."""
GROWING_CANT = (
    f"length: 1 m, cant: {-29 * TWIST} m", "length: 98 m, transition: true",
    f"length: 1 m, cant: {69 * TWIST} m",
)  # fmt: skip
TERMS = {
    "lateral": Term(constant("lateral", 0.006), shift=(0.0, 0.006, 0.0)),
    "lateral slope": Term(ramp("lateral", SLOPE), turn=(0.0, 0.0, math.atan(SLOPE))),
    "vertical": Term(constant("vertical", 0.006), shift=(0.0, 0.0, 0.006)),
    "vertical slope": Term(ramp("vertical", SLOPE), f"length: 100 m, gradient: {SLOPE}"),
    "cross_level": Term(constant("cross_level", 0.006), "length: 100 m, cant: 6 mm"),
    "cross_level slope": Term(ramp("cross_level", TWIST), GROWING_CANT, precise=3e-4),
    "gauge": Term(constant("gauge", 0.006), "length: 100 m, gauge: 1.441 m"),
}
"""A slope of gauge is no other line: it is in the program by hand and in tests of rails below."""


def test_every_irregularity_and_its_slope_is_a_term():
    slopes = {f"{name} slope" for name in DEVIATIONS} - {"gauge slope"}
    assert set(TERMS) == set(DEVIATIONS) | slopes


def test_every_turn_of_a_line_is_compared_with_the_program_by_hand():
    turns = {
        c.KAPPA: "curve", c.KAPPA_1: "clothoid", c.GRADE: "gradient", c.GRADE_1: "crest",
        c.PHI: "cant", c.PHI_1: "ramp of cant", c.SHAPE: "clothoid",
        **{c.SHAPE + k: "bloss" for k in (1, 2)}, **{c.SHAPE + k: "hermite" for k in (3, 4)},
    }  # fmt: skip
    places = {c.START, c.LENGTH, c.X, c.Y, c.Z, c.PSI}
    assert set(turns) | places == set(range(c.COLUMNS))
    assert {*turns.values(), "gauge"} <= set(BY_HAND)


# --- states of all bodies in space ---------------------------------------------------------------
def in_space(q, track, n):
    """Place, R, velocity and angular velocity of each body, relative to the line at PLACE."""
    at = np.array(track_at(track.line, PLACE)[0])
    result = []
    for o in range(0, n, b.STATES):
        origin, R, _, _ = track_at(track.line, q[o])
        x = np.array(origin) + np.reshape(R, (3, 3)) @ [0.0, q[o + b.Y], q[o + b.Z]]
        f = Rotation.from_euler("ZX", q[[o + b.PSI, o + b.PHI]])
        v, w = q[o + b.V_X : o + b.V_Z + 1], f.apply(q[o + b.W_X : o + b.W_Z + 1])
        result.append((x - at, f * Rotation.from_euler("Y", q[o + b.THETA]), v, w))
    return result


def on_line(q, states, track, turn, shift):
    """States of the same bodies on a straight line, turned and shifted about the line at PLACE."""
    T, out = Rotation.from_rotvec(turn), q.copy()
    _, R, _, length = track_at(track.line, PLACE)
    R = np.reshape(R, (3, 3))
    for k, (x, attitude, v, w) in enumerate(states):
        o = b.STATES * k
        along, out[o + b.Y], out[o + b.Z] = R.T @ (T.apply(x) + shift)
        out[o] = PLACE + along / length
        out[[o + b.PSI, o + b.PHI, o + b.THETA]] = (T * attitude).as_euler("ZXY")
        out[o + b.V_X : o + b.V_Z + 1] = T.apply(v)
        f = Rotation.from_euler("ZX", out[[o + b.PSI, o + b.PHI]])
        out[o + b.W_X : o + b.W_Z + 1] = f.inv().apply(T.apply(w))
    return out


SIZES = np.array([0, 3e-3, 5e-5, 2e-3, 1e-3, 0.05, 0.1, 0.1, 0.01, 0.05, 0.3, 0.05])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("lines")


@pytest.mark.parametrize("name", TERMS)
def test_an_irregular_line_is_the_same_as_a_turned_or_shifted_one(name, folder):
    """Accelerations of all bodies, in any state, with slip, yaw, roll and flanges; in space."""
    term = TERMS[name]
    uneven = line(folder, "length: 100 m", more=term.irregular)
    plain = line(folder, *((term.plain,) if isinstance(term.plain, str) else term.plain))
    one, other = (rates(v_0="15 m/s", s_0=f"{PLACE} m", track=t) for t in (plain, uneven))
    ways = read_track(plain), read_track(uneven)
    q_0, n = one.start, 7 * b.STATES
    R = Rotation.from_matrix(np.reshape(track_at(ways[0].line, PLACE)[1], (3, 3)))
    random = np.random.default_rng(4)
    for _ in range(6):
        q = q_0.copy()
        q[:n] += random.uniform(-1, 1, n) * np.tile(SIZES, 7)
        for o in range(0, n, b.STATES):
            attitude = R * Rotation.from_euler("ZXY", q[[o + b.PSI, o + b.PHI, o + b.THETA]])
            q[[o + b.PSI, o + b.PHI, o + b.THETA]] = attitude.as_euler("ZXY")
            q[o + b.V_X : o + b.V_Z + 1] = R.apply(q[o + b.V_X : o + b.V_Z + 1])
        there = on_line(q, in_space(q, ways[0], n), ways[1], term.turn, term.shift)
        here, result = one(q)[:n], other(there)[:n]
        T = Rotation.from_rotvec(term.turn)
        for o in range(0, n, b.STATES):
            a = T.apply(here[o + b.V_X : o + b.V_Z + 1])
            size = np.abs(here).max()
            most = term.precise * size
            assert result[o + b.V_X : o + b.V_Z + 1] == pytest.approx(a, abs=most)
            alpha = here[o + b.W_X : o + b.W_Z + 1]
            assert result[o + b.W_X : o + b.W_Z + 1] == pytest.approx(alpha, abs=most)
    assert np.abs(here).max() > 1.0


def test_a_line_elsewhere_and_in_another_direction_is_the_same_line(folder):
    """Behind a curve of a quarter turn, 885 m on: the same accelerations, turned likewise."""
    radius = 500.0
    quarter = 0.5 * math.pi * radius
    plain = line(folder, "length: 100 m")
    behind = line(
        folder, "length: 70 m", f"length: {quarter} m, radius: {radius} m", "length: 99 m"
    )
    one = rates(v_0="15 m/s", s_0=f"{PLACE} m", track=plain)
    other = rates(v_0="15 m/s", s_0=f"{PLACE + 70.0 + quarter} m", track=behind)
    q, n = one.start, 7 * b.STATES
    q[:n] += np.random.default_rng(4).uniform(-1, 1, n) * np.tile(SIZES, 7)
    there = q.copy()
    T = Rotation.from_rotvec([0.0, 0.0, 0.5 * math.pi])
    for o in range(0, n, b.STATES):
        there[o] += 70.0 + quarter
        there[o + b.PSI] += 0.5 * math.pi
        there[o + b.V_X : o + b.V_Z + 1] = T.apply(q[o + b.V_X : o + b.V_Z + 1])
    here, result = one(q), other(there)
    for o in range(0, n, b.STATES):
        size = np.abs(here).max()
        a = T.apply(here[o + b.V_X : o + b.V_Z + 1])
        assert result[o + b.V_X : o + b.V_Z + 1] == pytest.approx(a, abs=1e-8 * size)
        assert result[o : o + b.PSI] == pytest.approx(here[o : o + b.PSI], abs=1e-9)
        assert result[o + b.W_X : o + b.W_Z + 1] == pytest.approx(
            here[o + b.W_X : o + b.W_Z + 1], abs=1e-8 * size
        )


# --- where rails go ------------------------------------------------------------------------------
UNEVEN = """
irregularities:
  at:          [0 m, 4 m, 8 m, 12 m, 16 m, 20 m]
  lateral:     [0, 2 mm, -2 mm, 1 mm, 3 mm, 0]
  vertical:    [0, -3 mm, 2 mm, 0, 1 mm, 0]
  cross_level: [0, 4 mm, 0, -3 mm, 2 mm, 0]
  gauge:       [0, 3 mm, 1 mm, -2 mm, 2 mm, 0]
"""


def rail_in_space(track, s, side):
    """A point of a rail: so far from the displaced middle, along sleepers that roll."""
    origin, R, _, _ = track_at(track.line, s)
    d = {name: deviation_at(track.deviations, k, s)[0] for k, name in enumerate(DEVIATIONS)}
    phi = -math.asin(d["cross_level"] / BASE)
    y = d["lateral"] + 0.5 * side * d["gauge"]
    local = np.array([0.0, y, d["vertical"]])
    local += side * TOUCHED * np.array([0.0, math.cos(phi), math.sin(phi)])
    return np.array(origin) + np.reshape(R, (3, 3)) @ local


@pytest.mark.parametrize("side", [1.0, -1.0])
@pytest.mark.parametrize("s", [1.0, 6.3, 11.0, 14.7, 18.2])
@pytest.mark.parametrize(
    "segment",
    ["length: 20 m", "length: 20 m, radius: 300 m, cant: 90 mm, gradient: 0.02", "twisted"],
)
def test_a_rail_points_where_it_goes(segment, s, side, folder):
    """Its direction, by differences of its points in space; its sleepers roll by cross-level."""
    segments = [segment]
    if segment == "twisted":
        end = "length: 5 m, radius: 200 m, cant: 120 mm, gradient: 0.03"
        segments = ["length: 0.5 m", "length: 19.6 m, transition: true", end]
    track = read_track(line(folder, *segments, more=UNEVEN))
    _, R, turn, length = track_at(track.line, s)
    rail, h = np.zeros(RAIL), 1e-5
    lay_rail(track.deviations, s, side, BASE, TOUCHED, turn, length, rail)
    A = rail[:9].reshape(3, 3)
    step = rail_in_space(track, s + h, side) - rail_in_space(track, s - h, side)
    along = np.reshape(R, (3, 3)).T @ step
    assert pytest.approx(np.eye(3), abs=1e-14) == A.T @ A
    assert A[:, 0] == pytest.approx(along / np.linalg.norm(along), abs=2e-7)
    cross = deviation_at(track.deviations, 2, s)[0]
    level = np.linalg.norm(A[:2, 0])
    assert A[2, 1] / level == pytest.approx(-cross / BASE, abs=1e-12)
    fast = np.zeros(RAIL)
    compiled(lay_rail)(track.deviations, s, side, BASE, TOUCHED, turn, length, fast)
    assert np.array_equal(fast, rail)


@pytest.mark.parametrize("kind", DEVIATIONS)
def test_splines_go_through_their_rows_and_are_smooth(kind, folder):
    """Value, slope and bend are the same from both sides of a row; natural at the ends."""
    track = read_track(line(folder, "length: 20 m", more=UNEVEN))
    k, h = DEVIATIONS.index(kind), 1e-7
    for s in (4.0, 8.0, 12.0, 16.0):
        (below, slope), (above, slope_on) = (
            deviation_at(track.deviations, k, s + d) for d in (-h, h)
        )
        assert above == pytest.approx(below, abs=1e-9)
        assert slope_on == pytest.approx(slope, abs=1e-8)
    assert deviation_at(track.deviations, k, -3.0) == (0.0, 0.0)
    assert deviation_at(track.deviations, k, 99.0) == (0.0, 0.0)
    assert deviation_at(track.deviations, k, 4.0)[0] == {
        "lateral": 0.002, "vertical": -0.003, "cross_level": 0.004, "gauge": 0.003,
    }[kind]  # fmt: skip


def test_splines_are_far_closer_to_a_smooth_line_than_straight_pieces(folder):
    """A wave of 3 m given each 0.1 m, as published series are: 1e-5 and 6e-3 of its height."""
    at = np.arange(0.0, 20.01, 0.1)
    wave = 0.002 * np.sin(2 * math.pi * at / 3.0)
    rows = ", ".join(f"{s:.1f}" for s in at), ", ".join(f"{y:.12f}" for y in wave)
    worst = []
    for between in ("spline", "straight"):
        text = f"irregularities: {{at: [{rows[0]}], vertical: [{rows[1]}], between: {between}}}\n"
        table = read_track(line(folder, "length: 20 m", more=text)).deviations
        places = np.arange(3.0, 17.0, 0.0137)
        result = np.array([deviation_at(table, 1, s)[0] for s in places])
        worst.append(np.abs(result - 0.002 * np.sin(2 * math.pi * places / 3.0)).max() / 0.002)
    assert worst[0] < 2e-5
    assert worst[1] == pytest.approx((2 * math.pi * 0.1 / 3.0) ** 2 / 8.0, rel=0.05)


# --- what rises costs speed ----------------------------------------------------------------------
def test_a_rise_costs_the_speed_that_its_height_takes(tmp_path):
    """1.2 m of vertical irregularity over 60 m: m g h, as on a gradient; without friction.

    A little of it goes into bouncing. All energy together stays, but for W r p^2 / 2 while rails
    rise by p: they are taken as straight from below the axle to the contact, r p ahead.
    """
    vehicle = tmp_path / "loose.yaml"
    vehicle.write_text(LOOSE.replace("cone 1/20", "cylinder"), encoding="utf-8")
    at = np.arange(0.0, 81.0, 5.0)
    up = 0.6 * (1.0 - np.cos(math.pi * np.clip((at - 10.0) / 60.0, 0.0, 1.0)))
    rows = (", ".join(f"{value:.6f}" for value in values) for values in (at, up))
    rise = "irregularities: {{at: [{}], vertical: [{}]}}\ninclination: 0\n".format(*rows)
    track = line(tmp_path, "length: 200 m", more=rise)
    results = run(v_0="20 m/s", vehicle=vehicle, track=track, stop="5 s", mu=0, c=0, rtol=1e-7)
    assert results["w.s"][-1].min() > 80.0
    height = (18000.0 + 2 * 1813.0) * 9.81 * 1.2
    lost = 0.5 * (18000.0 + 2 * 1813.0) * (20.0**2 - results["w.v"][-1] ** 2)
    total = results["w.energies"].sum(axis=1)
    assert lost == pytest.approx(height, rel=0.01)
    ahead = 0.5 * height / 1.2 * 0.46 * (0.6 * math.pi / 60.0) ** 2
    assert np.abs(total - total[0]).max() == pytest.approx(ahead, rel=0.1)
    assert abs(total[-1] - total[0]) < 2e-5 * height


def test_an_endless_lateral_ramp_turns_every_body_and_leaves_it_centred(tmp_path):
    """0.2 mm for each metre: 0.2 mrad, and a micrometre from the middle of the shifted track."""
    ramp = "irregularities: {at: [20, 1020], lateral: [0, 0.2 m]}\n"
    track = line(tmp_path, "length: 1000 m", more=ramp)
    results = run(v_0="20 m/s", track=track, stop="12 s", every="0.1 s", rtol=1e-5, derailed=1)
    motions = results["w.motions"][-1]
    assert motions[:, 5] == pytest.approx(np.full(7, math.atan(2e-4)), abs=2e-6)
    assert motions[:, 1] == pytest.approx(2e-4 * (motions[:, 0] - 20.0), abs=2e-5)


def test_a_scaled_world_has_the_same_directions_of_rails():
    """All lengths by 0.2, turns of the line by 5."""
    table = pieces_between(
        np.array([[0.0, 0.0, 0.0, 0.0, 0.0], [5.0, 2e-3, 1e-3, -4e-3, 3e-3]]), "straight"
    )
    small = table.copy()
    small[:, [0, 1, 5, 9, 13]] *= 0.2
    one, other, turn = np.zeros(RAIL), np.zeros(RAIL), np.array([1e-3, 2e-3, 5e-3])
    for side in (1.0, -1.0):
        lay_rail(table, 3.0, side, BASE, TOUCHED, turn, 1.0, one)
        lay_rail(small, 0.6, side, 0.2 * BASE, 0.2 * TOUCHED, 5.0 * turn, 1.0, other)
        assert other[:9] == pytest.approx(one[:9], abs=1e-15)
        assert other[9:] == pytest.approx(0.2 * one[9:], rel=1e-12)
