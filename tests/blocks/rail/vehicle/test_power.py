"""Energy and power of a vehicle: balanced in curves and over irregularities; coasting."""

import numpy as np
import pytest
from railblocks.blocks.rail.vehicle.files import vehicle_named
from railblocks.engine import loads, simulate
from scipy.integrate import cumulative_simpson
from vehicle_alone import LOOSE, line, run

WAGON, MASS, G = vehicle_named("manchester_wagon"), 18000.0 + 2 * 1813.0, 9.81
DRIVES, DAMPERS, CREEP, NORMAL = range(4)
ROUGH = """
irregularities:
  at:          [12 m, 16 m, 20 m, 24 m]
  lateral:     [0, 2 mm, -2 mm, 0]
  vertical:    [0, -3 mm, 2 mm, 0]
  cross_level: [0, 2 mm, 0, 0]
  gauge:       [0, 1 mm, 0, 0]
"""


def with_work(**values):
    """A run that also integrates the vehicle's powers."""
    diagram = loads(
        "diagram: 1\nblocks: {w: {type: rail.vehicle, "
        + ", ".join(f"{name}: {value}" for name, value in values.items())
        + "}, work: {type: continuous.integrator}}\nwires: [w.powers -> work]\n"
        "solver: {method: ode45, rtol: 1e-7, atol: 1e-8, stop: 1.5 s}\n"
        "log: {signals: [w.energies, work.y], every: 10 ms}\n"
    )
    results = simulate(diagram)
    return results["w.energies"], results["work.y"]


@pytest.mark.parametrize("vehicle", ["manchester_wagon", "uic_z1"])
def test_all_power_is_accounted_for_in_a_rough_curve(vehicle, tmp_path):
    """To 1e-5 of what creep takes; what normal forces take is given back. Creep and dampers only
    take. Rails lie still, so nothing comes from them."""
    curve = "length: 60 m, radius: 600 m, cant: 60 mm, gradient: 0.01"
    track = line(tmp_path, "length: 15 m", "length: 20 m, transition: true", curve, more=ROUGH)
    energies, work = with_work(v_0="20 m/s", vehicle=vehicle, track=track, c=0)
    stored = energies[:, :2].sum(axis=1)
    missing = stored - stored[0] - work[:, DRIVES] + work[:, DAMPERS:].sum(axis=1)
    assert np.diff(work[:, [DAMPERS, CREEP]], axis=0).min() >= 0.0
    assert work[-1, CREEP] > 1e3
    assert np.abs(missing).max() < 1e-5 * work[-1, CREEP]
    assert np.abs(work[:, NORMAL]).max() < 0.02 * work[-1, CREEP]


def test_without_friction_and_damping_energy_stays(tmp_path):
    """Uphill, where speed becomes height, on cylinders that nothing turns out of their way."""
    vehicle = tmp_path / "loose.yaml"
    vehicle.write_text(LOOSE.replace("cone 1/20", "cylinder"), encoding="utf-8")
    segments = "length: 6 m", "length: 10 m, transition: true", "length: 40 m, gradient: 0.02"
    track = line(tmp_path, *segments, more="inclination: 0\n")
    results = run(v_0="10 m/s", vehicle=vehicle, track=track, stop="3 s", mu=0, c=0, rtol=1e-8)
    total = results["w.energies"].sum(axis=1)
    slowed = 0.5 * MASS * (10.0**2 - results["w.v"][-1] ** 2)
    height = MASS * G * 0.02 * (results["w.s"][-1].mean() - 11.0)
    assert slowed == pytest.approx(height, rel=0.02)
    assert np.abs(total - total[0]).max() < 1e-6 * height


# --- coasting ----------------------------------------------------------------------------------
def test_without_friction_coasting_loses_no_speed():
    results = run(v_0="30 m/s", stop="2 s", every="0.1 s", mu=0)
    assert np.abs(results["w.v"] - 30.0).max() < 1e-9


@pytest.mark.parametrize("track", ["straight", "straight_1_20"])
def test_coasting_loses_the_speed_that_creep_takes(track):
    """At 1/40 wheels touch in two points, one of which slides; at 1/20 there is spin alone."""
    results = run(v_0="30 m/s", track=track, stop="2 s", every="1 ms")
    taken = cumulative_simpson(results["w.powers"][:, CREEP], x=results["t"], initial=0.0)
    inertia = WAGON.mass + 4 * 112.0 / 0.46**2
    lost = 30.0 - results["w.v"]
    late = slice(1000, None)
    rate = np.polyfit(results["t"][late], lost[late], 1)[0]
    power = np.polyfit(results["t"][late], taken[late], 1)[0]
    assert rate * inertia * 30.0 == pytest.approx(power, rel=0.02)
    assert lost[-1] < 1e-3
