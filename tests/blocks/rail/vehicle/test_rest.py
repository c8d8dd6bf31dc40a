"""Vehicles at rest: also those that are not the same on both sides, or at both ends."""

import os

import numpy as np
import pytest
from bench import Bench, interpreted
from railblocks.blocks.rail.multibody import bodies as b
from railblocks.blocks.rail.vehicle.files import FOLDER, read_vehicle
from railblocks.blocks.rail.vehicle.static_loads import axle_loads, static_loads
from railblocks.engine import DiagramError
from vehicle_alone import rates

G = 9.81
SKEW = """\
vehicle: 1
title: Skew wagon
wheels: {radius: 0.46 m, spacing: 1.5 m, profile: cone 1/20}
bodies:
  body:   {mass: 18000 kg, inertia: [20000, 200000, 200000], place: [0.8, 0.15, 1.5]}
  axle_1: {mass: 1813 kg, inertia: [1120, 112, 1120], place: [6, 0, 0.46]}
  axle_2: {mass: 1813 kg, inertia: [1120, 112, 1120], place: [-6, 0, 0.46]}
  box_l:  {mass: 200 kg, inertia: [3, 12, 12], place: [6, 1, 0.46], rides: axle_1}
  box_r:  {mass: 90 kg, inertia: [2, 5, 5], place: [6, -1, 0.46], rides: axle_1}
wheelsets: {axle_1: body, axle_2: body}
elements:
  boxed:
    joins: {box_l: body, box_r: body}
    height: 0.7 m
    stiffness: [1 MN/m, 1 MN/m, 1 MN/m]
    turning: [400 kN*m/rad, 10 kN*m/rad, 0]
  spring:
    joins: {axle_2: body}
    side: 1 m
    height: 0.46 m
    stiffness: [1 MN/m, 1 MN/m, 2 MN/m]
"""
MASS = 18000.0 + 2 * 1813.0 + 290.0


@pytest.fixture
def skew(tmp_path):
    path = tmp_path / "skew.yaml"
    path.write_text(SKEW, encoding="utf-8")
    return str(path)


def outputs(vehicle):
    bench = Bench("rail.vehicle", v_0=0.0, mu=0.0, vehicle=vehicle)
    outs = {}
    for equation in bench.declaration.of_kind("out"):
        outs |= bench.call(equation, interpreted, C=np.zeros(2), **outs)
    return bench, outs


def test_a_skew_vehicle_rests_in_height_roll_and_pitch(skew):
    """To a hundred-thousandth of gravity: springs that turn bear moments, and axles roll."""
    bench, outs = outputs(skew)
    rate = outs["rates"][: 5 * b.STATES].reshape(5, b.STATES)
    assert np.abs(rate[:3, [b.V_Z, b.W_X]]).max() < 1e-4
    assert np.abs(rate[[0, 3, 4], b.W_Y]).max() < 1e-4
    assert np.abs(rate[0]).max() < 1e-4
    assert np.abs(bench.values["q_0"][b.PHI :: b.STATES]).max() > 1e-5


def test_only_inclined_contacts_push_a_skew_axle_aside(skew):
    """By the difference of its loads times 1/20, its cone; until creep takes that."""
    _, outs = outputs(skew)
    Q = outs["Q"].reshape(2, 2)
    pushed = outs["rates"][[k * b.STATES + b.V_Y for k in (1, 2)]] * [1813.0 + 290.0, 1813.0]
    assert np.abs(pushed) == pytest.approx(np.abs(Q[:, 0] - Q[:, 1]) / 20.0, rel=0.02)


def test_wheels_of_a_skew_vehicle_bear_what_weights_ask_for(skew):
    """Along the vehicle as the lever says; Q_0 is what they bear; contacts balance each axle."""
    bench, outs = outputs(skew)
    Q = outs["Q"]
    assert Q.sum() == pytest.approx(MASS * G, rel=1e-9)
    x = np.array([6.0, 6.0, -6.0, -6.0])
    assert Q @ x == pytest.approx(G * (18000 * 0.8 + 290 * 6.0), rel=1e-6)
    assert pytest.approx(bench.values["Q_0"], rel=1e-9) == Q
    given = outs["loads"][:, 3].reshape(2, 2).sum(axis=1)
    assert given == pytest.approx(axle_loads(read_vehicle(skew), G)[:, 1], rel=1e-9)
    assert Q[0] - Q[1] > 1000.0


def test_loads_of_axles_balance_all_weights(skew):
    loads = axle_loads(read_vehicle(skew), G)
    assert loads[:, 0].sum() == pytest.approx(MASS * G)
    assert loads[:, 1].sum() == pytest.approx(G * (18000 * 0.15 + 110 * 1.0))


def test_springs_that_turn_bear_moments_at_rest(skew):
    """Body and boxes: what vertical forces leave of the moments about x and y is in them."""
    vehicle = read_vehicle(skew)
    forces, moments = static_loads(vehicle, G)
    assert not forces[:, :2].any()
    forces = forces[:, 2]
    names = [e.name for e in vehicle.elements]
    assert abs(moments[names.index("boxed_1"), 0]) > 100.0
    arms = np.array([e.place for e in vehicle.elements]) - vehicle.bodies[0].place
    about_x = -(forces * arms[:, 1]).sum() - moments[:, 0].sum()
    about_y = (forces * arms[:, 0]).sum() - moments[:, 1].sum()
    assert (about_x, about_y) == pytest.approx((0.0, 0.0), abs=1e-4)
    assert forces.sum() == pytest.approx(-18000 * G)


# --- ends of elements ----------------------------------------------------------------------------
def test_bodies_that_an_element_joins_may_be_swapped(tmp_path):
    """Written `body: bogie_1` instead of `bogie_1: body`: the same accelerations in any state."""
    with open(os.path.join(FOLDER, "manchester_wagon.yaml"), encoding="utf-8") as file:
        text = file.read()
    joins = "joins: {bogie_1: body, bogie_2: body}"
    ahead = text.replace(joins, "joins: {body: bogie_1}\n    x: 9.5 m")
    behind = ahead[ahead.index("  secondary:") :].replace("bogie_1", "bogie_2")
    behind = behind.replace("x: 9.5", "x: -9.5").replace(":\n    joins", "_behind:\n    joins")
    path = tmp_path / "swapped.yaml"
    path.write_text(ahead + behind, encoding="utf-8")
    one, other = rates(v_0="20 m/s"), rates(v_0="20 m/s", vehicle=str(path))
    n, random = 7 * b.STATES, np.random.default_rng(2)
    sizes = np.tile([0, 4e-3, 1e-4, 5e-3, 3e-3, 2e-3] + [0.05] * 6, 7)
    for _ in range(5):
        q, there, push = one.start, other.start, random.uniform(-1, 1, n) * sizes
        q[:n] += push
        there[:n] += push
        expected = one(q)[:n]
        assert other(there)[:n] == pytest.approx(expected, abs=1e-9 * np.abs(expected).max())


# --- what files may not say ----------------------------------------------------------------------
def refused(tmp_path, change):
    path = tmp_path / "wrong.yaml"
    path.write_text(change(SKEW), encoding="utf-8")
    with pytest.raises(DiagramError) as error:
        read_vehicle(path)
    return str(error.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda text: text.replace("    height: 0.46 m", "    height: 0.6 m"),
            "wrong.yaml:20:13: spring_1_l lies 0.14 m off the axis of axle_2, where it would drive",
        ),
        (
            lambda text: text + "    turning: [1, 0, 0]\n",
            "turning of spring_1_l would act on the rotation of axle_2; leave it out, or join an",
        ),
        (
            lambda text: text.replace("axle_2: body}\n    side", "axle_2: axle_1}\n    side"),
            "spring_1_l joins two wheelsets; expected a body that does not rotate at one end",
        ),
        (
            lambda text: text.replace("rides: axle_1}\n  box_r", "rides: axle_3}\n  box_r"),
            "wrong.yaml:8:76: box_l rides on 'axle_3'; did you mean 'axle_2'",
        ),
        (
            lambda text: text + "    bump_at: [0, 1 mm]\n    bump_force: [-5 N, 9 N]\n",
            "bump_force begins with -5; expected no value below 0",
        ),
        (
            lambda text: text + "    bump_at: [0, 10 mm]\n    bump_force: [100 N, 500 N]\n",
            "the bump-stop presses at rest already, without displacement; expected no force",
        ),
    ],
)
def test_elements_that_would_drive_an_axle_are_refused(change, message, tmp_path):
    assert message in refused(tmp_path, change)


def test_profiles_are_looked_for_beside_the_file_of_the_vehicle(tmp_path, monkeypatch):
    (tmp_path / "parts").mkdir()
    monkeypatch.chdir(tmp_path)
    own = tmp_path / "parts" / "own.csv"
    own.write_text("y,z\n", encoding="utf-8")
    path = tmp_path / "parts" / "wagon.yaml"
    path.write_text(SKEW.replace("cone 1/20", "own.csv, smoothing: 2 um"), encoding="utf-8")
    with pytest.raises(DiagramError, match=r"wagon.yaml:3:51: profile: parts.own.csv: there"):
        read_vehicle("parts/wagon.yaml")
    own.write_text("".join(f"{y} {-0.05 * y}\n" for y in range(-40, 60, 2)), encoding="utf-8")
    vehicle = read_vehicle("parts/wagon.yaml")
    assert vehicle.profile == "parts/own.csv"
    assert vehicle.smoothing == 2e-6


def test_an_axle_that_finds_no_rest_is_named_with_the_reason(tmp_path):
    """A body far behind its second axle lifts the first one off the rails."""
    path = tmp_path / "tipped.yaml"
    text = SKEW.replace("place: [0.8, 0.15, 1.5]", "place: [-9, 0, 1.5]")
    path.write_text(text, encoding="utf-8")
    message = r"Skew wagon: axle_1: an axle under -\d+\.\d N.*presses it"
    with pytest.raises(DiagramError, match=message):
        Bench("rail.vehicle", v_0=0.0, vehicle=str(path))
