"""A trolley with everything that files can say, in runs: energy, the mirror, welded or not."""

import numpy as np
import pytest
from railblocks.engine import loads, simulate
from vehicle_alone import line, run

TROLLEY = """\
vehicle: 1
title: Trolley
wheels: {{radius: 0.46 m, spacing: 1.5 m, profile: s1002}}
bodies:
  frame:  {{mass: 9 t, inertia: [9 t*m^2, 60 t*m^2, 64 t*m^2], place: [0, 0, 1.1]}}
  engine: {{mass: 2 t, inertia: [800, 2000, 2200], place: [1.5, {engine}, 1.6], welded: frame}}
  axle_1: {{mass: 1300 kg, inertia: [800, 110, 800], place: [3, 0, 0.46]}}
  axle_2: {{mass: 1300 kg, inertia: [800, 110, 800], place: [-3, 0, 0.46]}}
  disc:   {{mass: 90 kg, inertia: [3, 6, 3], place: [-3, {disc}, 0.46], welded: axle_2}}
wheelsets: {{axle_1: frame, axle_2: frame}}
elements:
  spring:
    joins: {{axle_1: frame, axle_2: frame}}
    side: 1 m
    height: 0.46 m
    stiffness: [2 MN/m, 1.5 MN/m, 900 kN/m]
  damper:
    joins: {{axle_1: frame, axle_2: frame}}
    side: 1.1 m
    height: 0.46 m
    damping: [0, 0, 20 kN*s/m]
    blow_off: [0, 0, 600 N]
    blow_off_damping: [0, 0, 2 kN*s/m]
    series: [0, 0, 4 MN/m]
  brace:
    joins: {{axle_1: frame}}
    y: {brace} m
    height: 0.46 m
    damper_axis: y
    damper_speed: [0, 20 mm/s, 0.2 m/s]
    damper_force: [0, 1.5 kN, 2 kN]
  pull:
    joins: {{axle_2: frame}}
    height: 0.46 m
    stiffness: [0, 9 kN/m, 40 kN/m]
    preload: {{y: {pull} N, z: -1 kN}}
start:
  frame:  {{y: {start} mm, z: 4 mm, roll: {start} mrad, omega_z: {start} mrad/s, v_z: 0.1 m/s}}
  axle_1: {{y: {start} mm}}
"""
SIDES = {"engine": 0.1, "disc": 0.5, "brace": 0.4, "pull": 700.0, "start": 2.0}
DRIVES, DAMPERS, CREEP = range(3)
KNEE = 600.0


def trolley(folder, side=1.0):
    """The file of the trolley, or of its mirror image."""
    path = folder / f"trolley_{side:g}.yaml"
    text = TROLLEY.format(**{name: side * value for name, value in SIDES.items()})
    path.write_text(text, encoding="utf-8")
    return str(path)


def curve(folder, turn):
    last = f"length: 80 m, radius: 400 m, turn: {turn}, cant: 50 mm, gradient: 0.01"
    return line(folder, "length: 8 m", "length: 25 m, transition: bloss", last)


def test_all_power_is_accounted_for_and_dampers_only_take(tmp_path):
    files = f"vehicle: {trolley(tmp_path)}, track: {curve(tmp_path, 'left')}"
    diagram = loads(
        f"diagram: 1\nblocks: {{w: {{type: rail.vehicle, {files}, v_0: 15, c: 0}}, "
        "work: {type: continuous.integrator}}\n"
        "wires: [w.powers -> work]\nsolver: {method: ode45, rtol: 1e-8, atol: 1e-9, stop: 2 s}\n"
        "log: {signals: [w.energies, work.y, w.forces], every: 10 ms}\n"
    )
    results = simulate(diagram)
    stored, work = results["w.energies"][:, :2].sum(axis=1), results["work.y"]
    missing = stored - stored[0] - work[:, DRIVES] + work[:, DAMPERS:].sum(axis=1)
    assert np.diff(work[:, [DAMPERS, CREEP]], axis=0).min() >= 0.0
    assert work[-1, DAMPERS] > 10.0
    assert np.abs(missing).max() < 2e-5 * work[-1, DAMPERS:].sum()
    assert np.abs(results["w.forces"][:, 4:8, 2]).max() > KNEE


def test_a_trolley_and_its_mirror_image_run_alike(tmp_path):
    one = run(v_0="15 m/s", vehicle=trolley(tmp_path), track=curve(tmp_path, "left"))
    other = run(v_0="15 m/s", vehicle=trolley(tmp_path, -1.0), track=curve(tmp_path, "right"))
    assert other["w.y"] == pytest.approx(-one["w.y"], abs=2e-6)
    swapped = other["w.Q"].reshape(-1, 2, 2)[:, :, ::-1].reshape(-1, 4)
    assert swapped == pytest.approx(one["w.Q"], abs=20.0)
    flip = np.array([1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1])
    engine = slice(0, 12)
    there = other["w.motions"][:, 3, engine]
    assert there == pytest.approx(flip * one["w.motions"][:, 3, engine], abs=2e-4)
    assert np.abs(one["w.y"]).max() > 1e-3
