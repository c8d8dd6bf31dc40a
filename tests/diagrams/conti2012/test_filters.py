"""The observer of unbalance in the closed loop, beside the multistate filter.

Goals of this project: half the torque error of the multistate filter in scenario 2, at constant
speed and through its range of 10 to 32 Hz; no bump below; stable from 0 to 40 Hz.
"""

import shutil
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from paper_tables import reproduced
from railblocks.diagrams import conti2012
from railblocks.diagrams.conti2012.runs import (
    FAST,
    FILTERED,
    OBSERVED,
    ObserverRun,
    RigRun,
    run,
)
from railblocks.diagrams.conti2012.speed_range import NO_TORQUE
from railblocks.diagrams.runs import shipped
from railblocks.engine import load, simulate
from railblocks.engine.operating_points.rates import Rates

FOLDER = Path(conti2012.__path__[0])
E_C = "simulator.error.y"
TURN = 2.0 * np.pi
KINKS = "kinks of C_hat where the observer fades in, over those of torque and disturbance"
EQUAL = (
    "scenario 2 with observer, {}: e_c over that of the multistate filter, both low-passes at {} Hz"
)


def rows(*options):
    table = reproduced("conti2012", *options).result.rows
    return {row.quantity: row for row in table}


@cache
def both(speed, *values):
    """Runs of both filters in the plane from a speed on."""
    given = dict(values) | {"omega_init": f"{speed} rad/s", "simulator.train.vehicle.v_max": 200.0}
    return (
        run(FAST + FILTERED, given, kind=RigRun),
        run(FAST + OBSERVED, given, kind=ObserverRun),
    )


def errors(one, start=3.0):
    return one.largest(one.e_c[:, :2], start)


@pytest.mark.parametrize("speed", [70.0, 110.0, 140.0])
def test_its_torque_error_is_half_of_the_multistate_filters(speed):
    filtered, observed = both(speed)
    assert np.all(errors(observed) <= 0.5 * errors(filtered))
    assert np.all(observed.largest(observed.e_omega) < 0.03)


@pytest.mark.parametrize("speed", [110.0, 195.0])
def test_at_constant_speed_nothing_is_left(speed):
    """Multistate filters leave up to 2 sin(1 deg) of the amplitude, 2070 N m at 150 rad/s."""
    _, observed = both(speed, *NO_TORQUE.items())
    assert np.all(errors(observed, 6.0) < 0.01)
    assert np.max(np.abs(observed.C_tilde)) > 0.5 * 2070.0 * (speed / 150.0) ** 2


def test_crossing_10_hz_is_bumpless():
    """Below, the error is the disturbance itself, r m e omega^2; then it vanishes by and by."""
    _, observed = both(45.0)
    held = 3125.0 * 0.092 * 3.2e-4 * observed.omega_w[:, 0] ** 2
    late = observed.window(1.0)
    assert np.all(np.abs(observed.e_c[late, 0]) < 1.2 * held[late] + 100.0)
    bend = np.abs(np.diff(observed.C_hat[late, 0], 2))
    assert np.max(bend) < 1.5 * np.max(held) * (TURN * 11.0 * 1e-3) ** 2 + 40e3 * 1e-3  # corners
    fast = (observed.omega_w[:, 0] > TURN * 10.3) & observed.window(7.0)
    assert np.any(fast)
    assert np.max(np.abs(observed.e_c[fast, 0])) < 0.35 * np.max(held)


@pytest.mark.parametrize("f", [0.1, 5.0, 8.5, 10.0, 16.0, 24.0, 32.0, 40.0])
def test_the_loop_is_stable_from_0_to_40_hz(f):
    """Eigenvalues of the whole simulator in the plane about rolling without torque. Angles,
    position and speed of the train are free; at the speed of the wheel there are the lines."""
    values = {
        "omega_init": f"{TURN * f} rad/s", "me_w": "0 kg*m", "me_r": "0 kg*m",
        "simulator.train.vehicle.v_max": 300.0,
    }  # fmt: skip
    rates = Rates(shipped("conti2012", FAST + OBSERVED, values))
    x = rates.start
    eigenvalues = np.linalg.eigvals(rates.jacobian(x))
    moving = eigenvalues[np.abs(eigenvalues) > 0.01]
    assert len(moving) > 50
    assert np.max(moving.real) < -0.5
    lines = moving[np.abs(moving.imag - TURN * f) < 0.02 * TURN * f]
    assert len(lines) >= 8  # wheel and roller of four axles
    assert np.max(lines.real) < -0.5 * open_loop_rate(f)


def open_loop_rate(f):
    """How fast a line settles with the loop open: zeta omega, or below 10 Hz what it forgets by."""
    h = np.clip((f - 7.0) / 3.0, 0.0, 1.0)
    g = 3.0 * h * h - 2.0 * h**3
    return 0.033 * TURN * (f * g * g + 10.0 * (1.0 - g))


def test_a_computer_that_samples_does_as_well(tmp_path):
    shutil.copytree(FOLDER, tmp_path / "conti2012", ignore=shutil.ignore_patterns("*.py"))
    file = tmp_path / "conti2012" / "estimation_observer.yaml"
    text = file.read_text().replace("type: rail.", "every: 0.5 ms, type: rail.sampled_")
    file.write_text(text)
    results = simulate(load(tmp_path / "conti2012" / f"{FAST}{OBSERVED}.yaml"))
    late = results.time > 3.0
    assert np.max(np.abs(results[E_C][late])) < 130.0


@pytest.mark.parametrize(("prefix", "front"), [("", "rig"), (FAST, "front")])
def test_both_filters_have_the_same_rig_around_them(prefix, front):
    one, other = (shipped("conti2012", prefix + name).model.blocks for name in (FILTERED, OBSERVED))
    apart = {name.split(".")[1] for name in set(one) ^ set(other)}
    assert apart == {"estimation"}
    for name in set(one) & set(other):
        for key, value in one[name].values.items():
            assert np.array_equal(value, other[name].values[key]), f"{name}.{key}"
    assert front in one


def test_compiled_equals_interpreted():
    checked = shipped("conti2012", FAST + OBSERVED, {"solver.stop": "20 ms"})
    fast, slow = (simulate(checked, compiled=compiled) for compiled in (True, False))
    for name in fast.names:
        assert np.array_equal(fast[name], slow[name]), name


def test_the_table_says_that_the_goals_are_met():
    table = rows("--fast")
    for words in ("with torque", "at constant speed"):
        row = table[f"e_c of the observer over that of the multistate filter, {words}"]
        assert row.met
        assert row.ours <= 0.5
    for axle in ("front", "rear"):
        assert table[f"scenario 2 with observer, {axle}: torque error e_c"].met
    assert table[KINKS].met


def test_with_the_low_pass_of_the_paper_half_is_out_of_reach_and_the_table_says_so():
    """What that low-pass alone leaves is nearly half already, with nothing unbalanced."""
    table = rows("--fast")
    for axle, ratio, left in (("front", 0.424, 82.0), ("rear", 0.525, 87.0)):
        row = table[EQUAL.format(axle, 50)]
        assert row.ours == pytest.approx(ratio, rel=0.01)
        assert row.met == (ratio <= 0.5)
        assert float(row.note.rpartition(" ")[2]) == pytest.approx(left, abs=1.0)
        assert table[EQUAL.format(axle, 200)].met


def test_noise_of_the_force_grows_as_the_root_of_the_corner():
    """White noise through a Butterworth low-pass of second order has the power pi f / (2 sqrt 2);
    notches take little of it, the wide bands of the multistate filter more."""
    table = rows("--fast")
    ratio = table["noise of C_hat from force sensors, over that with the multistate filter"].ours
    assert ratio == pytest.approx(np.sqrt(200.0 / 50.0), rel=0.15)


@pytest.mark.slow
def test_in_three_dimensions_the_error_is_half_too():
    """In scenario 2 and through the range of speeds; with equal low-passes, only in front."""
    table = rows()
    for axle in ("front", "rear"):
        assert table[f"scenario 2 with observer, {axle}: torque error e_c"].met
    for words in ("with torque", "at constant speed"):
        assert table[f"e_c of the observer over that of the multistate filter, {words}"].met
    assert table["e_c of the observer below and above the range"].ours < 160.0
    assert table[KINKS].met
    assert table["rig with its loop and observer: growth"].met
    page = {("front", 50): 0.512, ("rear", 50): 0.613, ("front", 200): 0.412, ("rear", 200): 0.528}
    for given, ratio in page.items():
        assert table[EQUAL.format(*given)].ours == pytest.approx(ratio, rel=0.01)
