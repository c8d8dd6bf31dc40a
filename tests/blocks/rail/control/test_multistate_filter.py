"""The multistate filter: what it takes out, how fast, and that it does not jump."""

import numpy as np
import pytest
from bench import Bench
from railblocks.engine import DiagramError, loads, simulate, standard_blocks
from railblocks.engine.responses.response import responses

SWEEP = """
diagram: 1
parameters: {slope: 5 rad/s^2, start: 100 rad/s, phase: 2 deg}
blocks:
  speed:   {type: sources.ramp, y_0: start, slope: slope}
  angle:   {type: continuous.integrator}
  wave:    {type: math.expression, expression: 0.8 * sin(phi) + 2}
  filter:  {type: rail.multistate_filter, phase: phase}
  sampled: {type: rail.sampled_multistate_filter, phase: phase, every: 1 ms}
wires:
  - speed -> angle -> wave.phi
  - wave -> filter.C_tilde, sampled.C_tilde
  - speed -> filter.omega_w_hat, sampled.omega_w_hat
solver: {stop: 8 s, rtol: 1.0e-8, atol: 1.0e-10}
log: {every: 1 ms, signals: all}
"""


def sweep(**values):
    return simulate(loads(SWEEP), values)


@pytest.mark.parametrize(("degrees", "bands"), [(2.0, 148), (10.0, 30)])
def test_default_limits_give_their_number_of_bands(degrees, bands):
    block = Bench("rail.multistate_filter", phase=np.radians(degrees))
    assert len(block.values["edges"]) == pytest.approx(bands, abs=1)


@pytest.mark.parametrize("kind", ["filter", "sampled"])
@pytest.mark.parametrize(("degrees", "left"), [(2.0, 0.05), (10.0, 0.19)])
def test_a_slowly_varying_disturbance_is_taken_out(kind, degrees, left):
    """Constant error of phase phi leaves 2 sin(phi / 2) of the amplitude; 8 s sweep 16 to 22 Hz."""
    results = sweep(phase=np.radians(degrees))
    late = results.time > 1.0
    error = results[f"{kind}.C_hat"][late] - 2.0
    assert np.max(np.abs(error)) < left * 0.8
    assert np.max(np.abs(error)) > 0.2 * 2 * np.sin(np.radians(degrees) / 2) * 0.8


@pytest.mark.parametrize("kind", ["filter", "sampled"])
def test_a_change_of_band_does_not_make_the_output_jump(kind):
    """A bank that is only switched would jump by 2 sin(10 deg) A = 0.28; a change of tuning by dw
    bends C_D by A dw h at most, beside the A (omega h)^2 of the sine itself."""
    results = sweep(phase=np.radians(10.0))
    band = results[f"{kind}.band"]
    assert len(np.unique(band[results.time > 0.01])) >= 8
    bend = np.abs(np.diff(results[f"{kind}.C_D"], 2))[1000:]
    width = Bench("rail.multistate_filter", phase=np.radians(10.0)).values["width"]
    assert np.max(bend) < 0.8 * ((140.0 * 1e-3) ** 2 + 2 * np.pi * width * 1e-3)


def test_bands_follow_the_speed_up_and_down_with_hysteresis():
    up, down = sweep(), sweep(start=140.0, slope=-5.0)
    assert np.all(np.diff(up["filter.band"][5:]) >= 0)
    assert np.all(np.diff(down["filter.band"][5:]) <= 0)
    edges = Bench("rail.multistate_filter").values["edges"]
    for results in (up, down):
        f = (results["speed.y"] / (2 * np.pi))[5:]
        band = results["filter.band"][5:]
        width = Bench("rail.multistate_filter").values["width"]
        assert np.all(f >= edges[band] - 1e-3)
        assert np.all(f <= edges[band] + width + 1e-3)


def test_below_the_bands_the_torque_passes_through_the_low_pass_only():
    results = sweep(start=40.0, slope=0.5)
    assert np.all(results["filter.band"] == -1)
    assert np.all(results["filter.C_D"] == 0.0)
    assert np.all(results["sampled.C_D"] == 0.0)
    wave = results["filter.C_hat"][results.time > 1.0] - 2.0
    assert np.max(wave) == pytest.approx(0.8, rel=0.01)


def test_leaving_the_bands_downwards_is_bumpless_too():
    results = sweep(start=66.0, slope=-2.0)  # 10.5 to 8 Hz
    band, C_D = results["filter.band"], results["filter.C_D"]
    assert band[100] >= 0 > band[-1]
    assert np.max(np.abs(np.diff(C_D[1000:]))) < 0.8 * 66.0 * 1e-3 * 1.1
    assert abs(C_D[-1]) < 0.01


def test_without_bank_the_disturbance_stays():
    results = simulate(loads(SWEEP.replace("phase: phase}", "phase: phase, bank: false}")))
    late = results.time > 1.0
    assert np.max(results["filter.C_hat"][late] - 2.0) == pytest.approx(0.8, rel=0.05)
    assert np.all(results["filter.C_D"] == 0.0)


def test_a_torque_below_the_bands_is_kept():
    """A slow torque comes through with the delay of the low-pass: sqrt(2) / (2 pi 50 Hz)."""
    text = SWEEP.replace("0.8 * sin(phi) + 2", "sin(phi / 20)").replace("stop: 8 s", "stop: 4 s")
    results = simulate(loads(text), {"slope": 1e-9})
    late = results.time > 1.0
    delay = np.sqrt(2) / (2 * np.pi * 50)
    expected = np.sin(100.0 * (results.time - delay) / 20)[late]
    assert np.max(np.abs(results["filter.C_hat"][late] - expected)) < 0.05


def test_continuous_and_sampled_filters_agree():
    results = sweep(phase=np.radians(5.0))
    late = results.time > 1.0
    difference = results["filter.C_hat"][late] - results["sampled.C_hat"][late]
    assert np.max(np.abs(difference)) < 0.03


def test_noise_above_the_bands_is_damped_by_the_low_pass():
    text = SWEEP.replace("0.8 * sin(phi) + 2", "sin(20 * phi)")
    results = simulate(loads(text), {"slope": 1e-9})
    late = results.time > 1.0
    f = 20 * 100.0 / (2 * np.pi)
    size = 1 / np.sqrt(1 + (f / 50) ** 4)
    assert np.max(np.abs(results["filter.C_hat"][late])) == pytest.approx(size, rel=0.05)


KINDS = ("rail.multistate_filter", "rail.sampled_multistate_filter", "rail.filter_bank")


def unsmoothed(text, bank="true", compiled=True, **values):
    """The sweep with all three filters, none of which has its low-pass."""
    blocks = "  bank: {type: rail.filter_bank, phase: phase}\nwires:\n"
    wires = "C_tilde, bank.C_tilde\n  - speed -> bank.omega_w_hat, filter.omega_w_hat,"
    text = text.replace("wires:\n", blocks, 1).replace(
        "C_tilde\n  - speed -> filter.omega_w_hat,", wires
    )
    text = text.replace("phase: phase", f"phase: phase, low_pass: false, bank: {bank}")
    return simulate(loads(text), values, compiled=compiled)


def test_without_low_pass_compiled_is_interpreted():
    text = SWEEP.replace("8 s", "30 ms")
    fast, slow = (unsmoothed(text, compiled=how, phase=np.radians(10.0)) for how in (True, False))
    for name in fast.names:
        assert np.array_equal(fast[name], slow[name]), name


def test_with_neither_low_pass_nor_bank_the_torque_is_as_it_was():
    results = unsmoothed(SWEEP.replace("8 s", "0.5 s"), bank="false")
    assert np.array_equal(results["filter.C_hat"], results["wave.y"])
    assert np.array_equal(results["bank.C_hat"], results["wave.y"])
    samples = results["sampled.C_hat"][results.time > 1e-3]
    assert np.array_equal(samples, results["wave.y"][results.time > 1e-3])


def test_without_low_pass_bands_take_out_the_disturbance_and_let_the_rest_through():
    """Far above a band 1 - H is nearly 1, and nothing is late: 2 % of the elliptic stopband."""
    text = SWEEP.replace("0.8 * sin(phi) + 2", "0.8 * sin(phi) + 2 + 0.1 * sin(20 * phi)")
    results = unsmoothed(text.replace("8 s", "2 s"), phase=np.radians(10.0), slope=1e-9)
    late = results.time > 1.0
    rest = 2.0 + 0.1 * np.sin(20.0 * 100.0 * results.time[late])
    for name in ("filter", "sampled", "bank"):
        left = 0.8 * 2.0 * np.sin(np.radians(10.0) / 2.0)
        assert np.max(np.abs(results[f"{name}.C_hat"][late] - rest)) < left + 0.1 * 0.02, name


@pytest.mark.parametrize("kind", KINDS)
def test_without_low_pass_there_is_none_in_its_response(kind):
    declaration = standard_blocks().get(kind).declaration
    for low_pass, names in ((True, {"low-pass", "band"}), (False, {"band"})):
        instance = Bench(kind, low_pass=low_pass, phase=np.radians(10.0)).instance
        assert set(responses(instance, declaration, (5.0, 50.0)).values) == names


def test_a_sample_time_that_is_too_long_is_refused():
    with pytest.raises(DiagramError, match="sample faster"):
        Bench("rail.sampled_multistate_filter", every=0.01)
