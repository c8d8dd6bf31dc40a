"""Small motions of vehicles: Klingel's wave, eigenvalues against runs, critical speeds."""

import math
import os

import numpy as np
import pytest
from railblocks.blocks.rail.multibody import bodies as b
from railblocks.blocks.rail.vehicle.files import FOLDER
from railblocks.blocks.rail.vehicle.stability import RollingVehicle, critical_speed
from vehicle_alone import LOOSE, OnTrack, line

HEAD, R_0, B, CONE = 0.3, 0.46, 0.75, 0.05
"""Radius of the middle of a UIC60 head, and sizes of the wheelsets, in metres."""


def test_steady_running_is_steady_and_where_a_vehicle_starts():
    vehicle = RollingVehicle(track="straight_1_20")
    q = vehicle.steady(10.0)
    assert np.abs(vehicle.rates(q)[vehicle.moving]).max() < 1e-6
    assert np.abs(q - vehicle.start)[vehicle.moving].max() < 1e-4


def test_loose_axles_at_walking_speed_roll_with_klingels_wavelength(tmp_path):
    """On cones, with suspension a thousandth of a wagon's; heads are round, so 1 % below Klingel's.

    Contacts move by (b + rho sin g) / b for each y, tan g = cone, in place of 1 on narrow heads.
    """
    vehicle, V = tmp_path / "loose.yaml", 2.0
    vehicle.write_text(LOOSE, encoding="utf-8")
    track = line(tmp_path, "length: 1 m", more=f"endless: true\ninclination: {CONE}\n")
    eigenvalues = RollingVehicle(vehicle=str(vehicle), track=track).eigenvalues(V)
    klingel = 2.0 * math.pi * math.sqrt(R_0 * B / CONE)
    expected = klingel / math.sqrt(1.0 + HEAD * math.sin(math.atan(CONE)) / B)
    waves = 2.0 * math.pi * V / np.abs(eigenvalues.imag[eigenvalues.imag > 0.0])
    near = np.sort(np.abs(waves / expected - 1.0))
    assert near[:2].max() < 4e-3
    assert near[2] > 0.5


def test_the_car_bodys_bounce_has_its_closed_form():
    """Body over bogies over stiff wheelsets; dampers have springs in series: two masses, two x."""
    eigenvalues = RollingVehicle().eigenvalues(20.0)
    for expected in np.linalg.eigvals(bounce_matrix()):
        assert np.abs(eigenvalues - expected).min() < 3e-3 * abs(expected)


# --- modes ---------------------------------------------------------------------------------------
@pytest.fixture(scope="module", name="wagon")
def wagon_on_the_straight():
    return RollingVehicle()


def bounce_matrix():
    """States z_c, z_b, their rates, and x of both dampers."""
    m_c, m_b, k_s, c_s, j_s = 32000.0, 2 * 2615.0, 4 * 430e3, 4 * 20e3, 4 * 6e6
    k_p, c_p, j_p = 8 * 1.22e6, 8 * 4e3, 8 * 1e6
    return np.array([
        [0, 0, 1, 0, 0, 0],
        [0, 0, 0, 1, 0, 0],
        [-(k_s + j_s) / m_c, (k_s + j_s) / m_c, 0, 0, j_s / m_c, 0],
        [(k_s + j_s) / m_b, -(k_s + j_s + k_p + j_p) / m_b, 0, 0, -j_s / m_b, j_p / m_b],
        [j_s / c_s, -j_s / c_s, 0, 0, -j_s / c_s, 0],
        [0, j_p / c_p, 0, 0, 0, -j_p / c_p],
    ])  # fmt: skip


def test_modes_have_the_eigenvalues(wagon):
    modes, values = wagon.modes(20.0), wagon.eigenvalues(20.0)
    both = np.concatenate([modes.eigenvalues, modes.eigenvalues[modes.eigenvalues.imag > 0].conj()])
    assert np.sort_complex(both) == pytest.approx(np.sort_complex(values))
    assert modes.title == "Manchester wagon at 20 m/s"


def test_the_bounce_has_the_shape_of_its_closed_form(wagon):
    modes = wagon.modes(20.0).oscillating()
    values, vectors = np.linalg.eig(bounce_matrix())
    for value, vector in zip(values, vectors.T, strict=True):
        if value.imag > 0.0:
            mode = int(np.argmin(np.abs(modes.eigenvalues - value)))
            bogies = [modes.part(mode, name, "vertical") for name in ("bogie_1", "bogie_2")]
            assert bogies[0] == pytest.approx(bogies[1], rel=1e-3)
            ratio = modes.part(mode, "body", "vertical") / bogies[0]
            assert ratio == pytest.approx(vector[0] / vector[1], rel=1e-2)


def test_shapes_of_a_vehicle_are_symmetric_or_antisymmetric(wagon):
    """From left to right: no mode is lateral and vertical at once."""
    modes = wagon.modes(20.0).between(0.1, 15.0)
    ways = {
        "lateral": 0,
        "roll": 0,
        "yaw": 0,
        "vertical": 1,
        "pitch": 1,
        "longitudinal": 1,
        "spin": 1,
    }
    for mode in range(len(modes)):
        sizes = [0.0, 0.0]
        for (_, way), part in modes.participants(mode, least=0.0).items():
            sizes[ways[way]] = max(sizes[ways[way]], abs(part))
        assert min(sizes) < 1e-4


def test_where_a_vehicle_starts_does_not_change_its_modes(wagon, tmp_path):
    with open(os.path.join(FOLDER, "manchester_wagon.yaml"), encoding="utf-8") as file:
        text = file.read()
    path = tmp_path / "displaced.yaml"
    start = "start: {body: {y: 20 mm, yaw: 5 mrad, omega_z: 0.1 rad/s}, wheelset_2: {y: 4 mm}}\n"
    path.write_text(text + start, encoding="utf-8")
    other = RollingVehicle(vehicle=str(path))
    assert other.start == pytest.approx(wagon.start, abs=1e-15)
    assert other.modes(20.0).eigenvalues == pytest.approx(wagon.modes(20.0).eigenvalues, rel=1e-6)


def growth(v, start=0.3, stop=1.1):
    """Rate in 1/s at which a sideways disturbance of a micrometre grows, by its peaks."""
    wagon = OnTrack(v_0=f"{v} m/s", stop=f"{stop} s", every="2 ms", rtol=1e-7, atol=1e-12)
    for axle in (3, 4):
        wagon.q[b.STATES * axle + b.Y] += 1e-6
    results = wagon.run()
    y, t = np.abs(results["w.y"][:, 0]), results["t"]
    peaks = np.flatnonzero((y[1:-1] > y[:-2]) & (y[1:-1] >= y[2:])) + 1
    peaks = peaks[t[peaks] > start]
    return np.polyfit(t[peaks], np.log(y[peaks]), 1)[0]


def test_the_critical_speed_is_where_disturbances_of_runs_begin_to_grow():
    """The wagon on S1002 and UIC60 at 1/40."""
    expected = critical_speed(low=40.0)
    slow, fast = 0.95 * expected, 1.05 * expected
    rates = [growth(v) for v in (slow, fast)]
    assert rates[0] < 0.0 < rates[1]
    simulated = slow - rates[0] * (fast - slow) / (rates[1] - rates[0])
    assert simulated == pytest.approx(expected, rel=1e-2)


def test_below_its_critical_speed_a_wagon_has_none():
    assert critical_speed(low=20.0, high=40.0) is None
