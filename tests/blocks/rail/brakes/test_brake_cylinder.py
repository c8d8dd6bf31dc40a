"""Torque of brakes: exponentials with their start values, parts, demand."""

import math

import numpy as np
import pytest
from bench import Bench
from diagram_runs import at, both, run
from railblocks.engine import DiagramError, check, loads

SCHEDULE = """
blocks:
  train: {type: sources.constant, value: 10 m/s}
  axle:  {type: sources.from_table, times: [0, 0.45, 0.75, 1.15], interpolation: hold,
          values: [10 m/s, 8.8 m/s, 7 m/s, 10 m/s]}
  wsp:   {type: rail.wsp, every: 0.1 s}
  brake: {type: rail.brake_cylinder, C_bs_lim: 4 kN*m, C_ED_lim: 2 kN*m}
wires: [train -> wsp.v, axle -> wsp.v_a, wsp.valve -> brake.valve]
log: {every: 0.1 s, signals: all}"""


@both
def test_filling_and_venting_are_exact_exponentials_from_where_they_start(compiled):
    """Fill to 0.5 s, hold to 0.8 s, vent to 1.2 s, hold to 1.3 s, then fill again."""
    results = run(SCHEDULE, compiled, "solver: {rtol: 1e-11, atol: 1e-9, stop: 2 s}")
    filled = 6000.0 * (1.0 - math.exp(-0.5 / 0.4))
    vented = filled * math.exp(-0.4 / 0.15)
    again = 6000.0 - (6000.0 - vented) * math.exp(-0.7 / 0.4)
    expected = {0.0: 0.0, 0.5: filled, 0.8: filled, 1.2: vented, 1.3: vented, 2.0: again}
    for t, C in expected.items():
        assert at(results, "brake.C", t) == pytest.approx(C, rel=1e-9, abs=1e-6), t
    assert np.allclose(results["brake.C_bs"], 2.0 * results["brake.C_ED"])
    assert np.allclose(results["brake.C_bs"] + results["brake.C_ED"], results["brake.C"])


def test_demand_scales_the_limit_and_takes_torque_back():
    brake = Bench("rail.brake_cylinder", C_bs_lim=6000.0, T_oi=0.5)
    rate = brake.run("der", torque=3000.0, valve=1, u=0.25)["torque"]
    assert rate == pytest.approx((0.25 * 6000.0 - 3000.0) / 0.5)
    assert brake.run("der", torque=3000.0, valve=2, u=0.0)["torque"] == 0.0


@both
def test_every_axle_fills_to_its_own_torques(compiled):
    """Three axles, of which the second has a motor beside its shoes and the third a motor only."""
    text = """
blocks:
  fill:  {type: sources.integer_constant, value: 1}
  brake: {type: rail.brake_cylinder, axles: 3, C_bs_lim: [4000, 4000, 0], C_ED_lim: [0, 2000, 500]}
wires: [fill -> brake.valve]
log: {every: 0.1 s, signals: all}"""
    results = run(text, compiled, "solver: {rtol: 1e-11, atol: 1e-9, stop: 1 s}")
    filled = 1.0 - math.exp(-1.0 / 0.4)
    for name, limits in {"C_bs": [4000.0, 4000.0, 0.0], "C_ED": [0.0, 2000.0, 500.0]}.items():
        expected = filled * np.array(limits)
        assert results[f"brake.{name}"][-1] == pytest.approx(expected, rel=1e-9, abs=1e-6)


@pytest.mark.parametrize("name", ["C_bs_lim", "C_ED_lim", "C_0"])
def test_a_list_that_does_not_fit_the_axles_is_refused(name):
    torques = {"C_bs_lim": "[1000, 1000, 1000]", name: "[1000, 1000]"}
    given = ", ".join(f"{key}: {value}" for key, value in torques.items())
    text = f"""
diagram: 1
blocks:
  fill:  {{type: sources.integer_constant, value: 1}}
  brake: {{type: rail.brake_cylinder, axles: 3, {given}}}
wires: [fill -> brake.valve]"""
    with pytest.raises(DiagramError, match=f"{name} has 2 torques for 3 axles; give one number"):
        check(loads(text))


def test_an_axle_without_a_brake_has_no_torque():
    brake = Bench("rail.brake_cylinder", C_bs_lim=0.0)
    assert brake.run("der", torque=0.0, valve=1, u=1.0)["torque"] == 0.0
    assert brake.out(torque=0.0) == {"C": 0.0, "C_bs": 0.0, "C_ED": 0.0}
