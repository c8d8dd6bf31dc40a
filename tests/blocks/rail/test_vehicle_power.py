"""Energy and power of a vehicle: balanced in curves and over irregularities; coasting."""

import numpy as np
import pytest
from railblocks.blocks.rail.vehicles.files import vehicle_named
from scipy.integrate import cumulative_simpson
from vehicle_alone import LOOSE, line, run

WAGON, MASS, G = vehicle_named("manchester_wagon"), 18000.0 + 2 * 1813.0, 9.81
DRIVES, RAILS, DAMPERS, CREEP, NORMAL = range(5)
ROUGH = """
irregularities:
  at:          [12 m, 16 m, 20 m, 24 m]
  lateral:     [0, 2 mm, -2 mm, 0]
  vertical:    [0, -3 mm, 2 mm, 0]
  cross_level: [0, 2 mm, 0, 0]
  gauge:       [0, 1 mm, 0, 0]
"""


def balance(found):
    """Stored energy less work in and plus work out, and the works, over time."""
    stored = found["w.energies"][:, :2].sum(axis=1)
    work = cumulative_simpson(found["w.powers"], x=found["t"], axis=0, initial=0.0)
    given = work[:, [DRIVES, RAILS]].sum(axis=1) - work[:, DAMPERS:].sum(axis=1)
    return stored - stored[0] - given, work


@pytest.mark.parametrize("vehicle", ["manchester_wagon", "uic_z1"])
def test_all_power_is_accounted_for_in_a_rough_curve(vehicle, tmp_path):
    """To 3e-4 of what creep takes, by powers of each half millisecond; what normal forces take is
    given back. Creep and dampers only take."""
    curve = "length: 60 m, radius: 600 m, cant: 60 mm, gradient: 0.01"
    track = line(tmp_path, "length: 15 m", "length: 20 m, transition: true", curve, more=ROUGH)
    found = run(v_0="20 m/s", vehicle=vehicle, track=track, stop="1.5 s", every="0.5 ms", c=0)
    left, work = balance(found)
    assert found["w.powers"][:, [DAMPERS, CREEP]].min() >= 0.0
    assert work[-1, CREEP] > 1e3
    assert np.abs(work[:, RAILS]).max() > 50.0
    assert np.abs(left).max() < 3e-4 * work[-1, CREEP]
    assert np.abs(work[:, NORMAL]).max() < 0.01 * work[-1, CREEP]


def test_without_friction_and_damping_energy_stays(tmp_path):
    """Uphill, where speed becomes height, on cylinders that nothing turns out of their way."""
    vehicle = tmp_path / "loose.yaml"
    vehicle.write_text(LOOSE.replace("cone 1/20", "cylinder"), encoding="utf-8")
    segments = "length: 6 m", "length: 10 m, transition: true", "length: 40 m, gradient: 0.02"
    track = line(tmp_path, *segments, more="inclination: 0\n")
    found = run(v_0="10 m/s", vehicle=vehicle, track=track, stop="3 s", mu=0, c=0, rtol=1e-8)
    total = found["w.energies"].sum(axis=1)
    slowed = 0.5 * MASS * (10.0**2 - found["w.v"][-1] ** 2)
    height = MASS * G * 0.02 * (found["w.s"][-1].mean() - 11.0)
    assert slowed == pytest.approx(height, rel=0.02)
    assert np.abs(total - total[0]).max() < 1e-6 * height


# --- coasting ----------------------------------------------------------------------------------
def test_without_friction_coasting_loses_no_speed():
    found = run(v_0="30 m/s", stop="2 s", every="0.1 s", mu=0)
    assert np.abs(found["w.v"] - 30.0).max() < 1e-9


@pytest.mark.parametrize("track", ["straight", "straight_1_20"])
def test_coasting_loses_the_speed_that_creep_takes(track):
    """At 1/40 wheels touch in two points, one of which slides; at 1/20 there is spin alone."""
    found = run(v_0="30 m/s", track=track, stop="2 s", every="1 ms")
    _, work = balance(found)
    inertia = WAGON.mass + 4 * 112.0 / 0.46**2
    lost = 30.0 - found["w.v"]
    late = slice(1000, None)
    rate = np.polyfit(found["t"][late], lost[late], 1)[0]
    taken = np.polyfit(found["t"][late], work[late, CREEP], 1)[0]
    assert rate * inertia * 30.0 == pytest.approx(taken, rel=0.02)
    assert lost[-1] < 1e-3
