"""The anti-skid device: criteria, memory and ramps."""

import numpy as np
import pytest
from bench import Bench
from diagram_runs import both, run

ROLLING = {"omega_w": 100.0, "omega_w_dot": 0.0, "x_dot": 46.0, "x_ddot": 0.0}
GUARDS = ("lost", "regained", "caught")


def fires(block, **signals):
    """Whether `lost`, `regained` and `caught` have passed zero."""
    guards = {}
    for guard in block.declaration.of_kind("guard"):
        if guard.guard in GUARDS:
            guards |= block.call(guard, **{"C": 4.0, **ROLLING, **signals})
    result = guards["lost"] >= 0.0, guards["regained"] < 0.0, guards["caught"] >= 0.0
    return tuple(map(bool, result))


@pytest.mark.parametrize(
    ("signals", "lost"),
    [
        ({}, False),
        ({"omega_w": 46.99 / 0.46}, False),
        ({"omega_w": 47.01 / 0.46}, True),
        ({"omega_w_dot": 1.49 / 0.46}, False),
        ({"omega_w_dot": 1.51 / 0.46}, True),
        ({"omega_w_dot": 3.0 / 0.46, "x_ddot": 2.0}, False),
        ({"omega_w": 60.0, "x_dot": 28.0, "omega_w_dot": 5.0}, True),
        ({"omega_w": 50.0, "omega_w_dot": -5.0}, False),
    ],
)
def test_speed_or_acceleration_tells_that_adhesion_is_lost(signals, lost):
    assert fires(Bench("rail.anti_skid"), **signals)[0] is lost


def test_it_works_in_traction_only():
    block = Bench("rail.anti_skid")
    assert not fires(block, omega_w=200.0, C=0.0)[0]
    assert not fires(block, omega_w=200.0, C=-3.0)[0]
    for phase in (0, 1, 2):
        assert block.out(C=-3.0, C_m=1.0, phase=phase)["C_S"] == -3.0


def test_torque_is_never_above_what_is_asked_for():
    block = Bench("rail.anti_skid")
    rng = np.random.default_rng(1)
    for C, C_m, phase in zip(
        rng.uniform(-5, 5, 100), rng.uniform(-1, 9, 100), rng.integers(0, 3, 100), strict=True
    ):
        assert block.out(C=C, C_m=C_m, phase=int(phase))["C_S"] <= C


def test_critical_torque_is_remembered_from_the_start_of_a_loss():
    block = Bench("rail.anti_skid")
    block.fire("lost", C=4.0)
    assert (block.states["C_crit"], block.states["C_m"], block.states["phase"]) == (4.0, 4.0, 1)
    assert not fires(block, omega_w=60.0)[0]  # while it lasts, it is not remembered anew
    block.fire("regained")
    block.states["C_m"] = 3.0
    block.fire("lost", C=5.0)
    assert block.states["C_crit"] == 3.0


def test_adhesion_is_regained_below_the_thresholds_by_the_release():
    block = Bench("rail.anti_skid", release=0.8)
    block.fire("lost", C=4.0)
    assert not fires(block, omega_w=46.81 / 0.46)[1]
    assert fires(block, omega_w=46.79 / 0.46)[1]
    assert not fires(block, omega_w=46.5 / 0.46, omega_w_dot=1.3 / 0.46)[1]


@pytest.mark.parametrize(
    ("part", "rate"), [(0.05, 4.0), (0.2, 0.4), (0.6, 0.4), (0.8, 0.15), (0.95, 0.15)]
)
def test_ramps_are_parts_of_the_critical_torque_per_second(part, rate):
    block = Bench("rail.anti_skid")
    rising = block.run("der", C_m=part * 4.0, C_crit=4.0, phase=2)["C_m"]
    falling = block.run("der", C_m=part * 4.0, C_crit=4.0, phase=1)["C_m"]
    assert rising == pytest.approx(4.0 * rate)
    assert falling == pytest.approx(-4.0)


CYCLE = """
blocks:
  wish:   {type: sources.constant, value: [4 N*m, 4 N*m, 2 N*m]}
  wheel:  {type: sources.from_table, times: [0, 1, 2.5], values: [100, 105, 100],
           interpolation: hold}
  still:  {type: sources.constant, value: 0 rad/s^2}
  train:  {type: sources.constant, value: 46 m/s}
  steady: {type: sources.constant, value: 0 m/s^2}
  device: {type: rail.anti_skid, up_4: [UP]}
wires:
  - wish -> device.C
  - wheel -> device.omega_w
  - still -> device.omega_w_dot
  - train -> device.x_dot
  - steady -> device.x_ddot
log: {every: 0.01 s, signals: all}"""


@both
def test_a_cycle_of_loss_and_return_has_its_closed_form(compiled):
    """Lost from 1 to 2.5 s: down to 0 at 2 s; then 4/s, 0.4/s, 0.15/s at 10, 70 and 90 %."""
    text = CYCLE.replace("[UP]", "0.5 1/s")
    results = run(text, compiled, "solver: {rtol: 1.0e-9, atol: 1.0e-11, stop: 7 s}")
    t, C = results.time, results["device.C_S"]
    down = np.where(t < 1, 1.0, np.maximum(0.0, 1.0 - (t - 1.0)))
    ends = 2.5 + np.cumsum([0.0, 0.1 / 4, 0.6 / 0.4, 0.2 / 0.15, 0.1 / 0.5])
    up = np.interp(t, ends, [0.0, 0.1, 0.7, 0.9, 1.0])
    part = np.where(t < 2.5, down, up)
    at_events = np.isclose(t, 1.0) | np.isclose(t, 2.5)
    assert np.allclose(C[~at_events] / [4.0, 4.0, 2.0], part[~at_events, None], atol=1e-6)
    assert np.array_equal(results["device.state"][(t > 1.001) & (t < 2.499), 0], np.ones(149))


def test_torque_that_was_lost_at_zero_comes_back():
    block = Bench("rail.anti_skid")
    block.fire("lost", C=1e-9)
    block.fire("regained")
    assert block.run("der")["C_m"] > 0.0


@pytest.mark.parametrize(("phase", "C_m", "slope"), [(1, 3.0, -1.0), (2, 0.2, 4.0), (2, 2.0, 0.4)])
def test_ramps_are_parts_of_the_critical_torque_or_of_a_given_one(phase, C_m, slope):
    signals = {"C_crit": 4.0, "C_m": C_m, "phase": phase}
    parts = Bench("rail.anti_skid").run("der", **signals)["C_m"]
    absolute = Bench("rail.anti_skid", C_ramp="1 N*m").run("der", **signals)["C_m"]
    assert parts == pytest.approx(4.0 * slope)
    assert absolute == pytest.approx(slope)
