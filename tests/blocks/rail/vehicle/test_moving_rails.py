"""Vehicles on rails that give: at rest, by loads, by energy, mirrored, and as rigid ones."""

import numpy as np
import pytest
from railblocks.blocks.rail.multibody import bodies as b
from railblocks.blocks.rail.support.description import Layer, Support
from railblocks.blocks.rail.support.files import support_named
from railblocks.blocks.rail.support.matrices import matrices_of
from railblocks.blocks.rail.vehicle import moving_rails as mr
from railblocks.blocks.rail.vehicle.rails import D_Y, D_Z, RAIL, RATES, SEAT, Ground, motion_on_rail
from railblocks.blocks.rail.vehicle.stability import RollingVehicle
from railblocks.engine import compiled, loads, simulate
from scipy.spatial.transform import Rotation
from vehicle_alone import LOOSE, OnTrack, line, rates, run

SPRINGS = "support: 1\nrails: {mass: 100 kg, stiffness: [20 MN/m, 75 MN/m]}\n"
MASS, G = 18000.0 + 2 * 1813.0, 9.81
DRIVES, DAMPERS, CREEP, NORMAL, TRACK = range(5)
ROLLING = Support(
    "rolling", Layer(80.0, 0.6, (30e6, 180e6), (15e3, 16e3), 4e5, 2e2),
    Layer(540.0, 300.0, (70e6, 280e6), (35e3, 9e3)),
)  # fmt: skip


def bed_of(support):
    made = matrices_of(support)
    return mr.Bed(made.mass, made.stiffness, made.damping, made.rails, made.seat)


def written(folder, name, text):
    path = folder / f"{name}.yaml"
    path.write_text(text, encoding="utf-8")
    return str(path)


# --- at rest ------------------------------------------------------------------------------------
def test_at_rest_each_rail_is_pressed_down_by_its_load_over_its_stiffness(tmp_path):
    """On cylinders and level rails, where nothing presses to the side; the vehicle sinks as far."""
    vehicle = written(tmp_path, "loose", LOOSE.replace("cone 1/20", "cylinder"))
    track = line(tmp_path, "length: 60 m", more="inclination: 0\n")
    support = written(tmp_path, "springs", SPRINGS)
    given = {"v_0": "0 m/s", "s_0": "20 m", "vehicle": vehicle, "track": track, "mu": 0, "c": 0}
    on, off = (rates(support=name, **given) for name in (support, "rigid"))
    sunk = MASS * G / 4.0 / 75e6
    u = on.start[len(off.start) :].reshape(2, 2, 4)
    assert u[:, 0, [1, 3]] == pytest.approx(-sunk, rel=1e-9)
    assert np.abs(u[:, 0, [0, 2]]).max() < 1e-12
    assert np.all(u[:, 1] == 0.0)
    heights = slice(b.Z, 3 * b.STATES, b.STATES)
    assert off.start[heights] - on.start[heights] == pytest.approx(sunk, rel=1e-9)
    assert np.abs(on(on.start)).max() < 1e-6


@pytest.mark.parametrize("support", ["zhai2004", "zhai2004_one_layer", "ye2022"])
def test_a_vehicle_rests_on_rails_that_give(support):
    """Nothing moves without friction, and rails sink by Q times their static receptance."""
    vehicle = rates(v_0="0 m/s", support=support, mu=0)
    assert np.abs(vehicle(vehicle.start)).max() < 1e-6
    made = matrices_of(support_named(support))
    H, Q = made.receptance(0.0).real, vehicle.parameter("w", "Q_0")
    masses = vehicle.start[-8 * len(made.mass) :].reshape(4, 2, -1)[:, 0]
    sunk = (masses @ made.rails.T)[:, [1, 4]]
    assert sunk == pytest.approx(np.full((4, 2), -Q[0] * (H[1, 1] + H[1, 4])), rel=1e-9)


def test_under_an_uneven_load_each_rail_sinks_by_its_own(tmp_path):
    """On cylinders and level rails, whose loads are upright."""
    level = LOOSE.replace("cone 1/20", "cylinder").replace(
        "place: [0, 0, 1.5]", "place: [0, 0.1, 1.5]"
    )
    vehicle, support = written(tmp_path, "uneven", level), written(tmp_path, "springs", SPRINGS)
    track = line(tmp_path, "length: 60 m", more="inclination: 0\n")
    given = rates(v_0="0 m/s", s_0="20 m", vehicle=vehicle, track=track, support=support, mu=0)
    Q = given.parameter("w", "Q_0").reshape(2, 2)
    z = given.start[-16:].reshape(2, 2, 4)[:, 0, [1, 3]]
    assert pytest.approx(-Q / 75e6, rel=1e-9) == z
    assert Q.sum() == pytest.approx(MASS * G, rel=1e-9)
    lever = given.parameter("w", "touched")
    assert (Q[:, 0] - Q[:, 1]) * lever == pytest.approx(18000.0 * G * 0.1 / 2.0, rel=0.01)


# --- kernels ------------------------------------------------------------------------------------
def moved(support, u, rate):
    """Rails under one axle whose masses are displaced by u and move by the rate."""
    bed = bed_of(support)
    q = np.concatenate([np.zeros(b.STATES), u, rate])
    q[b.Y], q[b.Z] = 0.003, 0.46
    rails, deflection = np.zeros((2, RAIL)), np.zeros((2, 2))
    for rail in rails:
        rail[:9] = Rotation.from_euler("xz", [0.01, 0.02]).as_matrix().ravel()
        rail[D_Y], rail[D_Z] = 0.002, -0.001
    before = rails.copy()
    compiled(mr.move_rails)(q, np.zeros((1, 3)), bed, rails)
    compiled(mr.read_deflection)(q, np.zeros((1, 3)), bed, deflection)
    return q, bed, before, rails, deflection


def test_rails_are_moved_as_rigid_bodies_about_their_seats():
    random = np.random.default_rng(3)
    n = len(bed_of(ROLLING).mass)
    u, rate = 1e-3 * random.normal(size=n), random.normal(size=n)
    _, bed, before, after, deflection = moved(ROLLING, u, rate)
    for wheel in range(2):
        y, z, roll = bed.give[3 * wheel : 3 * wheel + 3] @ u
        A_0, A = (rails[wheel, :9].reshape(3, 3) for rails in (before, after))
        assert pytest.approx(A_0 @ Rotation.from_euler("x", roll).as_matrix(), abs=1e-15) == A
        seat = np.array([0.0, *after[wheel, SEAT : SEAT + 2]])
        was, now = (
            np.array([0.0, *rails[wheel, D_Y : D_Z + 1]]) + axes @ seat
            for rails, axes in ((before, A_0), (after, A))
        )
        assert now[1:] - was[1:] == pytest.approx([y, z], abs=1e-15)
        assert deflection[wheel] == pytest.approx([y, z])
        expected = bed.give[3 * wheel : 3 * wheel + 3] @ rate
        assert after[wheel, RATES : RATES + 3] == pytest.approx(expected)


def test_what_wheels_give_is_what_rails_take():
    """Power of any load on the wheel against the rail's motion is that on the masses below."""
    random = np.random.default_rng(5)
    n = len(bed_of(ROLLING).mass)
    q, bed, _, rails, _ = moved(ROLLING, 1e-3 * random.normal(size=n), random.normal(size=n))
    load, still = random.normal(size=(2, 6)), rails.copy()
    still[:, RATES : RATES + 3] = 0.0
    frames = np.zeros((1, 13))
    frames[0, [0, 4, 8]] = 1.0
    given = 0.0
    for wheel in range(2):
        own, other = (
            compiled(motion_on_rail)(Ground(frames, ground), q, 0, wheel)
            for ground in (rails, still)
        )
        v, omega = np.subtract(other.v, own.v), np.subtract(other.omega, own.omega)
        given -= load[wheel, :3] @ v + load[wheel, 3:] @ omega
    changes = np.zeros_like(q)
    compiled(mr.rates_of_rails)(q, np.zeros((1, 3)), bed, rails, load, changes)
    u, rate, faster = q[b.STATES :][:n], q[-n:], changes[-n:]
    taken = rate @ (bed.mass * faster + bed.stiffness @ u + bed.damping @ rate)
    assert taken == pytest.approx(given, rel=1e-9)
    assert np.array_equal(changes[b.STATES :][:n], rate)


def test_energy_and_heat_are_the_quadratic_forms():
    random = np.random.default_rng(6)
    bed = bed_of(support_named("zhai2004"))
    n = len(bed.mass)
    q, axles = random.normal(size=5 + 4 * n), np.zeros((2, 3))
    parts = q[5:].reshape(2, 2, n)
    energy = sum(0.5 * (v @ (bed.mass * v) + u @ bed.stiffness @ u) for u, v in parts)
    heat = sum(v @ bed.damping @ v for _, v in parts)
    assert compiled(mr.energy_of_rails)(q, axles, bed) == pytest.approx(energy, rel=1e-12)
    assert compiled(mr.heat_of_rails)(q, axles, bed) == pytest.approx(heat, rel=1e-12)


# --- runs ---------------------------------------------------------------------------------------
def test_all_power_is_accounted_for_on_rails_that_give(tmp_path):
    """To 1e-5 of what creep takes, in a rough curve; dampers of the track only take."""
    rough = (
        "irregularities:\n  at: [12 m, 16 m, 20 m, 24 m]\n  lateral: [0, 2 mm, -2 mm, 0]\n"
        "  vertical: [0, -3 mm, 2 mm, 0]\n  cross_level: [0, 2 mm, 0, 0]\n"
        "  gauge: [0, 1 mm, 0, 0]\n"
    )
    curve = "length: 60 m, radius: 600 m, cant: 60 mm, gradient: 0.01"
    track = line(tmp_path, "length: 15 m", "length: 20 m, transition: true", curve, more=rough)
    results = simulate(loads(
        "diagram: 1\nblocks: {w: {type: rail.vehicle, v_0: 20 m/s, support: zhai2004, c: 0, "
        f"track: {track}}}, work: {{type: continuous.integrator}}}}\nwires: [w.powers -> work]\n"
        "solver: {method: ode45, rtol: 1e-7, atol: 1e-8, stop: 1.2 s}\n"
        "log: {signals: [w.energies, work.y], every: 10 ms}\n"
    ))  # fmt: skip
    energies, work = results["w.energies"], results["work.y"]
    stored = energies[:, [0, 1, 3]].sum(axis=1)
    missing = stored - stored[0] - work[:, DRIVES] + work[:, DAMPERS:].sum(axis=1)
    assert np.diff(work[:, [DAMPERS, CREEP, TRACK]], axis=0).min() >= 0.0
    assert work[-1, TRACK] > 1.0
    assert np.abs(missing).max() < 1e-5 * work[-1, CREEP]


def test_without_friction_and_damping_energy_stays(tmp_path):
    """Rails that were hit ring under the vehicle, on springs alone, and shake it."""
    vehicle = written(tmp_path, "loose", LOOSE.replace("cone 1/20", "cylinder"))
    support = written(tmp_path, "springs", SPRINGS)
    track = line(tmp_path, "length: 40 m", more="inclination: 0\n")
    given = {"v_0": "10 m/s", "stop": "1 s", "mu": 0, "c": 0, "rtol": 1e-9, "atol": 1e-11}
    alone = OnTrack(vehicle=vehicle, track=track, support=support, **given)
    alone.q[[-3, -1]] = -0.2  # upright speeds of the last axle's rails
    energies = alone.run()["w.energies"]
    assert np.ptp(energies[:, [1, 3]], axis=0).min() > 1.0
    assert np.abs(energies.sum(axis=1) - energies[0].sum()).max() < 1e-4


def test_left_and_right_curves_are_mirror_images(tmp_path):
    tracks = [
        line(tmp_path, "length: 12 m", f"length: 40 m, radius: 250 m, turn: {turn}")
        for turn in ("left", "right")
    ]
    left, right = (
        run(v_0="12 m/s", track=track, support="zhai2004", stop="2 s", every="20 ms", rtol=1e-7)
        for track in tracks
    )
    swapped = [1, 0, 3, 2, 5, 4, 7, 6]
    assert left["w.y"] == pytest.approx(-right["w.y"], abs=1e-7)
    assert left["w.Q"] == pytest.approx(right["w.Q"][:, swapped], abs=50.0)
    assert left["w.Y"] == pytest.approx(-right["w.Y"][:, swapped], abs=50.0)


def test_small_motions_know_the_track():
    """At rest in rolling; the ballasted track has its own modes, and all are damped."""
    vehicle = RollingVehicle(support="zhai2004")
    q = vehicle.steady(20.0)
    assert np.abs(vehicle.rates(q)[vehicle.moving]).max() < 1e-6
    rigid = RollingVehicle().eigenvalues(20.0)
    eigenvalues = vehicle.eigenvalues(20.0)
    assert len(eigenvalues) == len(rigid) + 4 * 2 * 7
    assert eigenvalues.real.max() < 0.0
