"""The MDM rig where it should not be run: no traceback, no nan, and what physics allows."""

from pathlib import Path

import numpy as np
import pytest
from railblocks.blocks.rail.multibody import bodies as b
from railblocks.blocks.rail.rig.tables import BODIES
from railblocks.engine import DiagramError, load, simulate
from rig_alone import Rig

SCENARIOS = Path(__file__).parents[4] / "diagrams" / "conti2012"
CONTROLLER = "simulator.control.controller"
ROUGH = {"solver.rtol": 1e-6, "solver.atol": 1e-8}
U_MAX = 6.4
WEIGHT = (128.0 + 20.92 + 2 * 14.504) * 9.81


def scenario(stop, name="scenario_1", **values):
    values = {**ROUGH, "solver.stop": stop, **values}
    results = simulate(load(SCENARIOS / f"{name}.yaml"), values)
    assert all(np.all(np.isfinite(results[signal])) for signal in results.names)
    return results


def test_without_control_wheels_run_away_and_the_anti_skid_takes_the_torque():
    results = scenario("3 s", **{f"{CONTROLLER}.u_max": 1e-9})
    assert np.all(np.abs(results["simulator.control.speed_error.y"][-1]) > 2.0)
    assert np.all(3125.0 * results["simulator.traction.device.C_S"][-1] < 100.0)


def test_a_gain_a_hundred_times_too_high_chatters_within_the_limit_of_the_motors():
    results = scenario("2 s", model="printed", **{f"{CONTROLLER}.k": 50.0})
    torque = results[f"{CONTROLLER}.u"][results.time > 1.0, :2]
    assert np.abs(torque).max() == pytest.approx(U_MAX)
    assert torque.min() < 0.0


def test_beyond_the_range_of_the_filter_everything_stays_bounded():
    """230 rad/s, 37 Hz: the last band stays on, and takes out what it should not."""
    results = scenario("1.5 s", "scenario_2_filtered", omega_init="230 rad/s")
    assert np.abs(results[f"{CONTROLLER}.u"]).max() <= U_MAX
    assert results["rig.omega_w"] == pytest.approx(230.0, rel=0.05)


def test_a_bogie_that_would_stand_on_its_flanges_is_refused_with_one_message():
    with pytest.raises(DiagramError, match="displaced by 0 mm and 2 mm, finds no rest") as refused:
        scenario("1 s", dG_y="2 mm")
    assert len(refused.value.problems) == 1


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [("dJ_w", 0.2, "expected less than sqrt"), ("k_p", [-1.0, 0.0, 0.0], "expected >= 0")],
)
def test_inertia_and_springs_that_would_give_energy_are_refused(name, value, message):
    with pytest.raises(DiagramError, match=message):
        scenario("1 s", **{f"rig.{name}": value})


def test_a_rig_that_is_thrown_up_lands_and_carries_its_weight_again():
    rig = Rig(omega_init=50, c_s="[0, 256, 900]", c_p="[120, 16, 300]", stop="1.5 s", rtol=1e-6,
              atol=1e-9, log="rig.N, rig.loads, rig.positions")  # fmt: skip
    for body in range(BODIES):
        rig.q[b.STATES * body + b.V_Z] = 0.3
    results = rig.run()
    assert np.all(results["rig.N"].min(axis=0) == 0.0)
    assert np.all(np.isfinite(results["rig.positions"]))
    late = results["rig.loads"][results["t"] > 1.4, :, 2].sum(axis=1)
    assert late == pytest.approx(np.full_like(late, WEIGHT), rel=5e-3)


def test_from_standstill_a_torque_turns_wheels_and_rollers():
    """omega = C t / (J_w + J_r); explicit methods take steps of a microsecond there."""
    results = Rig(omega_init=0, C_S=(2, 2), stop="0.5 s", method="radau5", rtol=1e-6, atol=1e-8,
                log="rig.omega_w, rig.Omega").run()  # fmt: skip
    expected = np.full(2, 2.0 * 0.5 / (0.03584 + 0.05))
    assert results["rig.omega_w"][-1] == pytest.approx(expected, rel=5e-3)
    assert -results["rig.Omega"][-1] == pytest.approx(expected, rel=5e-3)


def test_a_bogie_that_is_put_beside_the_middle_at_standstill_comes_to_rest():
    """Friction holds it there: up to 524 N, and its secondary springs pull with 1.5 N."""
    results = Rig(omega_init=0, dG_y="0.6 mm", stop="0.3 s", method="radau5", rtol=1e-4, atol=1e-6,
                log="rig.positions, rig.loads").run()  # fmt: skip
    late = results["t"] > 0.25
    lateral = results["rig.positions"][late][:, :2, b.Y]
    assert np.ptp(lateral) < 1e-5
    assert lateral == pytest.approx(np.full_like(lateral, 6e-4), rel=0.05)


def test_a_rig_at_rest_stays_at_rest():
    results = Rig(omega_init=0, stop="0.5 s", method="radau5", rtol=1e-6, atol=1e-8,
                log="rig.positions, rig.omega_w, rig.Omega").run()  # fmt: skip
    moved = results["rig.positions"] - results["rig.positions"][0]
    assert np.abs(moved).max() < 1e-8
    assert np.abs(results["rig.Omega"]).max() < 1e-6
