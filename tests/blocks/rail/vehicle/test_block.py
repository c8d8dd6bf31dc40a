"""Vehicles on a line: files, static loads, straight running, curving."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from bench import Bench, interpreted
from railblocks.blocks.rail.multibody import bodies as b
from railblocks.blocks.rail.vehicle.files import read_vehicle, vehicle_named
from railblocks.blocks.rail.vehicle.static_loads import axle_loads, static_loads
from railblocks.engine import DiagramError, loads, simulate

WAGON = vehicle_named("manchester_wagon")
WEIGHT = 44482 * 9.81


def run(stop, every, log, **values):
    fields = ", ".join(f"{name}: {value}" for name, value in values.items())
    text = (
        f"diagram: 1\nblocks: {{wagon: {{type: rail.vehicle, {fields}}}}}\n"
        f"solver: {{method: ode45, rtol: 1e-6, atol: 1e-8, stop: {stop}}}\n"
        f"log: {{signals: [{log}], every: {every}}}\n"
    )
    return simulate(loads(text))


def test_a_wagon_has_seven_bodies_and_the_mass_of_the_benchmark():
    assert len(WAGON.bodies) * 6 == 42
    assert WAGON.mass == 44482.0
    assert len(WAGON.elements) == 8 + 4 + 2 + 2 + 2 + 2


def test_static_loads_are_shared_as_the_closed_form_says():
    assert axle_loads(WAGON, 9.81) == pytest.approx(np.array([[WEIGHT / 4, 0.0]] * 4), abs=1e-6)
    static = dict(
        zip([e.name for e in WAGON.elements], static_loads(WAGON, 9.81).forces[:, 2], strict=True)
    )
    assert static["primary_1_l"] == pytest.approx(-(16000 + 2615) * 9.81 / 4)
    assert static["secondary_2_r"] == pytest.approx(-32000 * 9.81 / 4)


def test_at_rest_nothing_moves():
    """Without friction and speed, all accelerations are below a millionth of gravity."""
    bench = Bench("rail.vehicle", v_0=0.0, mu=0.0)
    outs = {}
    for equation in bench.declaration.of_kind("out"):
        outs |= bench.call(equation, interpreted, C=np.zeros(4), **outs)
    move = bench.declaration.of_kind("der")[0]
    rates = bench.call(move, interpreted, C=np.zeros(4), **outs)
    assert np.abs(next(iter(rates.values()))).max() < 1e-5
    assert outs["Q"] == pytest.approx(np.full(8, WEIGHT / 8), rel=1e-9)


def test_a_straight_run_stays_straight():
    results = run("0.5 s", "20 ms", "wagon.y, wagon.Q, wagon.s", v_0="30 m/s")
    assert np.abs(results["wagon.y"]).max() < 1e-12
    assert results["wagon.Q"][-1].sum() == pytest.approx(WEIGHT, rel=2e-3)
    assert results["wagon.s"][-1, 0] - results["wagon.s"][0, 0] == pytest.approx(15.0, rel=1e-3)


def test_a_broken_file_is_refused_with_all_problems(tmp_path):
    path = tmp_path / "wagon.yaml"
    path.write_text(
        "vehicle: 1\nwheels: {radius: 0.46 s}\nbodies: {body: {mass: 1 t, inertia: [1, 2],"
        " place: [0, 0, 1]}}\nwheelsets: {axle: body}\nelements:\n  spring: {joins: {body: boddy},"
        " height: 1 m, stifness: [1, 2, 3],"
        " series: [0, 0, 5]}\n",
        encoding="utf-8",
    )
    with pytest.raises(DiagramError) as refused:
        read_vehicle(path)
    text = str(refused.value)
    for part in (
        "wagon.yaml:2:18: 0.46 s has unit s; expected a length (m)",
        "wagon.yaml:3:37: inertia is 2 values; expected a list of 3 values",
        "'axle' is not a body",
        "along z there is a series stiffness but no damper",
        "'stifness' is not a field here; did you mean 'stiffness'?",
        "'boddy' is not a body; did you mean 'body'?",
    ):
        assert part in text


def test_a_body_that_nothing_carries_is_refused():
    free = replace(WAGON, elements=tuple(e for e in WAGON.elements if e.second != "body"))
    with pytest.raises(DiagramError, match="Manchester wagon: body is not carried"):
        static_loads(free, 9.81)


def test_states_are_those_of_bodies_and_of_dampers_in_series():
    bench = Bench("rail.vehicle", v_0=20.0)
    dampers = 8 * 3 + 4 * 1 + 2 * 1
    assert len(bench.values["q_0"]) == 7 * b.STATES + dampers


def test_compiled_equals_interpreted():
    text = (
        "diagram: 1\nblocks: {w: {type: rail.vehicle, v_0: 20 m/s, track: s_curve, s_0: 45 m}}\n"
        "solver: {method: rk4, step: 0.2 ms, stop: 2 ms}\nlog: {signals: [w.Q, w.world]}\n"
    )
    fast, slow = (simulate(loads(text), compiled=how) for how in (True, False))
    for name in fast.names:
        assert np.array_equal(fast[name], slow[name]), name
