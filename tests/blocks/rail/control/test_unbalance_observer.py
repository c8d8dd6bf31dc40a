"""The observer of unbalance: a notch in closed form, tracking, and nothing that jumps or grows."""

import numpy as np
import pytest
from bench import Bench
from railblocks.engine import DiagramBuilder, DiagramError, check, loads, simulate
from railblocks.engine.operating_points.rates import Rates

TURN = 2.0 * np.pi
ZETA = 0.033
KINDS = ["observer", "sampled"]
BENCH = """
diagram: 1
parameters: {start: 150 rad/s, slope: 0 rad/s^2, f_noise: 100 Hz, zeta: 0.033, ratio: 1, stop: 6 s}
blocks:
  speed:    {type: sources.ramp, y_0: start, slope: slope}
  rate:     {type: sources.constant, value: slope}
  angle:    {type: continuous.integrator}
  torque:   {type: math.expression, expression: TORQUE}
  observer: {type: rail.unbalance_observer, J_w: 0, f_noise: f_noise, zeta: zeta, ratio: ratio}
  sampled:  {type: rail.sampled_unbalance_observer, J_w: 0, f_noise: f_noise, zeta: zeta,
             ratio: ratio, every: 0.5 ms}
wires:
  - speed -> angle -> torque.phi
  - speed -> observer.omega_w_hat, sampled.omega_w_hat, torque.w
  - rate -> observer.omega_w_dot_hat, sampled.omega_w_dot_hat
  - torque -> observer.C_tilde, sampled.C_tilde
solver: {stop: stop, rtol: 1.0e-9, atol: 1.0e-11}
log: {every: 1 ms, signals: all}
"""


def run(torque, **values):
    text = BENCH.replace("TORQUE", f"{torque} + 0 * (phi + w)")
    return simulate(loads(text), values)


def low_pass(s, f=100.0):
    p = s / (TURN * f)
    return 1.0 / (p * p + np.sqrt(2.0) * p + 1.0)


def amplitude(t, y, omega):
    """Complex amplitude of y at omega: y = Re(a e^{j omega t}) + mean."""
    basis = np.column_stack([np.ones_like(t), np.cos(omega * t), -np.sin(omega * t)])
    _, real, imag = np.linalg.lstsq(basis, y, rcond=None)[0]
    return real + 1j * imag


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("times", [0.25, 0.9, 0.97, 1.05, 1.5])
def test_about_the_mean_it_is_a_low_pass_and_two_notches(kind, times):
    omega = 150.0 * times
    results = run(f"cos({times} * phi)", stop=8.0)
    late = results.time > 8.0 - 10 * TURN / omega
    ours = amplitude(results.time[late], results[f"{kind}.C_hat"][late], omega)
    s = 1j * omega
    notch = (s * s + 150.0**2) / (s * s + 2.0 * ZETA * 150.0 * s + 150.0**2)
    expected = low_pass(s) * notch * notch
    assert abs(ours - expected) < (2e-3 if kind == "observer" else 0.03)  # samples are held


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("f", [10.0, 16.0, 24.0, 32.0, 40.0])
def test_at_constant_speed_nothing_is_left_of_the_disturbance(kind, f):
    results = run("5 + 0.8 * sin(phi)", start=TURN * f, stop=10.0)
    late = results.time > 8.0
    assert np.max(np.abs(results[f"{kind}.C_hat"][late] - 5.0)) < 1e-3 * 0.8


@pytest.mark.parametrize("kind", KINDS)
def test_it_tells_amplitude_and_phase_of_the_disturbance(kind):
    results = run("5 + 0.8 * sin(phi + 0.3)")
    t, late = results.time, results.time > 5.0
    ours = amplitude(t[late], results[f"{kind}.C_D"][late], 150.0)
    expected = 0.8 * np.exp(1j * (0.3 - np.pi / 2)) * low_pass(150j)
    assert abs(ours - expected) < (1e-4 if kind == "observer" else 0.04)


def test_amplitudes_settle_at_the_rate_of_the_notch():
    """Both lines at one speed leave (1 - zeta omega t) e^{-zeta omega t} of a sine, by the residues
    of s / (s^2 + omega^2) N(s)^2."""
    results = run("cos(phi)", f_noise=900.0)
    t, omega = results.time, 150.0
    turns = [(k, k + 20 * TURN / omega) for k in np.arange(0.1, 0.8, 0.1)]
    for start, stop in turns:
        part = (t >= start) & (t <= stop)
        decay = ZETA * omega * t[part]
        expected = (1.0 - decay) * np.exp(-decay) * np.cos(omega * t[part])
        assert np.max(np.abs(results["observer.C_hat"][part] - expected)) < 0.06


@pytest.mark.parametrize("kind", KINDS)
def test_a_centrifugal_force_is_followed_through_all_speeds(kind):
    """Its amplitude grows with the square of the speed, from 10 to 40 Hz in 12 s."""
    slope = TURN * 30.0 / 12.0
    results = run("5 + 1e-4 * w * w * sin(phi)", start=TURN * 10.0, slope=slope, stop=12.0)
    late = results.time > 3.0
    size = 1e-4 * results["speed.y"] ** 2
    left = np.abs(results[f"{kind}.C_hat"] - 5.0) / size
    assert np.max(left[late]) < 0.01


@pytest.mark.parametrize("kind", KINDS)
def test_a_roller_of_another_radius_has_its_own_line(kind):
    results = run("0.5 * sin(phi) + 0.8 * sin(1.25 * phi + 1)", ratio=1.25, stop=10.0)
    assert np.max(np.abs(results[f"{kind}.C_hat"][results.time > 8.0])) < 1e-3


@pytest.mark.parametrize("kind", KINDS)
def test_close_lines_leave_the_square_of_their_distance(kind):
    """Wheel and roller that drift by creep: |N|^2 at 1.002 omega is (2e-3 / zeta)^2."""
    results = run("sin(phi) + sin(1.002 * phi)", stop=12.0)
    left = np.max(np.abs(results[f"{kind}.C_hat"][results.time > 8.0]))
    far = 2e-3 / ZETA
    assert left < 1.3 * (far * far) / (1.0 + far * far)


@pytest.mark.parametrize("kind", KINDS)
def test_a_ramp_of_torque_is_late_by_low_pass_and_notches_only(kind):
    text = BENCH.replace("TORQUE", "3 * r + 0 * (phi + w)")
    text = text.replace("blocks:", "blocks:\n  clock:    {type: sources.ramp, slope: 1 1/s}")
    text = text.replace("wires:", "wires:\n  - clock -> torque.r")
    results = simulate(loads(text))
    late = results.time > 4.0
    delay = np.sqrt(2.0) / (TURN * 100.0) + 2 * 2.0 * ZETA / 150.0
    ours = results.time[late] - results[f"{kind}.C_hat"][late] / 3.0
    assert ours == pytest.approx(delay, abs=1e-5 if kind == "observer" else 0.6e-3)


@pytest.mark.parametrize("kind", KINDS)
def test_below_its_speeds_only_the_low_pass_is_left(kind):
    results = run("5 + 0.8 * sin(phi)", start=TURN * 6.9)
    assert np.all(results[f"{kind}.C_D"] == 0.0)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("start", "stop"), [(4.0, 14.0), (14.0, 4.0)])
def test_fading_in_and_out_is_bumpless(kind, start, stop):
    """The disturbance and what is taken out of it are sines: between 1 ms neither bends more than
    (omega h)^2 of its size, nor does their envelope."""
    slope = TURN * (stop - start) / 6.0
    results = run("5 + 1e-4 * w * w * sin(phi)", start=TURN * start, slope=slope)
    late = results.time > 0.5
    omega = TURN * max(start, stop)
    size = 1e-4 * omega * omega
    for signal in ("C_D", "C_hat"):
        bend = np.abs(np.diff(results[f"{kind}.{signal}"][late], 2))
        assert np.max(bend) < 1.5 * size * (omega * 1e-3) ** 2
    left = np.abs(results[f"{kind}.C_hat"] - 5.0) / (1e-4 * results["speed.y"] ** 2)
    assert np.max(left[late]) < 1.2
    slow = results["speed.y"] < TURN * 7.0
    assert np.all(results[f"{kind}.C_D"][slow & late & (start < stop)] == 0.0)


@pytest.mark.parametrize("kind", KINDS)
def test_from_rest_to_40_hz_and_back_states_stay_bounded(kind):
    for start, slope in ((0.0, 40.0 * TURN / 6.0), (40.0 * TURN, -40.0 * TURN / 6.0)):
        results = run("12 + 1e-4 * w * w * sin(phi)", start=start, slope=slope)
        assert np.max(np.abs(results[f"{kind}.C_hat"])) < 1.5 * (12.0 + 1e-4 * (40.0 * TURN) ** 2)
        late = results.time > (3.0 if start == 0.0 else 1.0)
        fast = results["speed.y"] > TURN * 14.0
        assert np.max(np.abs(results[f"{kind}.C_hat"][late & fast] - 12.0)) < 0.05 * 6.3


@pytest.mark.parametrize("f", [0.0, 5.0, 8.0, 9.0, 10.0, 20.0, 32.0, 40.0])
def test_eigenvalues_at_constant_speed_are_those_of_the_notches(f):
    omega = TURN * f
    builder = DiagramBuilder("alone")
    builder.add("zero", "sources.constant", value="0 N*m")
    builder.add("speed", "sources.constant", value=f"{omega!r} rad/s")
    builder.add("still", "sources.constant", value="0 rad/s^2")
    builder.add("it", "rail.unbalance_observer", f_noise="100 Hz")
    builder.connect("zero", "it.C_tilde").connect("speed", "it.omega_w_hat")
    builder.connect("still", "it.omega_w_dot_hat")
    builder.solver(stop=1)
    builder.log("it.C_hat")
    rates = Rates(check(builder.build()))
    ours = np.sort_complex(np.linalg.eigvals(rates.jacobian(rates.start)))
    h = np.clip((f - 7.0) / 3.0, 0.0, 1.0)
    g = 3.0 * h * h - 2.0 * h**3
    k, w_n = TURN * 10.0 * ZETA * (1.0 - g), TURN * 100.0
    line = np.roots([1.0, 2.0 * k + 2.0 * ZETA * omega * g * g,
                     k * k + 2.0 * ZETA * omega * g * g * k + omega * omega])  # fmt: skip
    low = np.roots([1.0, np.sqrt(2.0) * w_n, w_n * w_n])
    expected = np.concatenate([line, line, low])
    assert np.max(expected.real) < 0.0
    for value in expected:  # a double eigenvalue moves by the root of what numbers are off
        assert np.min(np.abs(ours - value)) < 1e-3 * max(1.0, abs(value))


@pytest.mark.parametrize("kind", KINDS)
def test_the_lag_of_the_estimators_derivative_is_made_good(kind):
    """C = r T + J omega' with a force that jumps while the acceleration jumps back: C stays 0, and
    so does what is made of it, whatever lag the estimator's derivative has."""
    text = """
diagram: 1
blocks:
  force:    {type: sources.step, time: 1 s, before: 0, after: 2}
  rate:     {type: sources.step, time: 1 s, before: 0 rad/s^2, after: -40 rad/s^2}
  speed:    {type: continuous.integrator, x_0: 20 rad/s}
  lagged:   {type: LAGGED}
  torque:   {type: math.expression, expression: F + 0.05 * a}
  it:       {type: rail.unbalance_observer, J_w: 0.05, T_f: 3 ms, f_noise: 100}
  sampled:  {type: rail.sampled_unbalance_observer, J_w: 0.05, T_f: 3 ms, f_noise: 100,
             every: 0.1 ms}
wires:
  - rate -> speed -> lagged, it.omega_w_hat, sampled.omega_w_hat
  - force -> torque.F
  - lagged -> torque.a, it.omega_w_dot_hat, sampled.omega_w_dot_hat
  - torque -> it.C_tilde, sampled.C_tilde
solver: {stop: 1.4 s, rtol: 1.0e-9}
log: {signals: all, every: 1 ms}
""".replace("LAGGED", "continuous.filtered_derivative, T: 3 ms, x_0: 20 rad/s")
    results = simulate(loads(text))
    name = "it" if kind == "observer" else kind
    assert np.max(np.abs(results["torque.y"])) > 1.5
    one_sample = 2.0 * 1e-4 * TURN * 100.0 * np.exp(-np.pi / 4)  # of the jump, after the low-pass
    assert np.max(np.abs(results[f"{name}.C_hat"])) < (1e-6 if kind == "observer" else one_sample)


def test_continuous_and_sampled_observers_agree():
    results = run("5 + 1e-4 * w * w * sin(phi)", start=60.0, slope=20.0)
    difference = results["observer.C_hat"] - results["sampled.C_hat"]
    assert np.max(np.abs(difference[results.time > 1.0])) < 0.02


def test_it_turns_the_other_way_as_well():
    """With speed, torque and angle mirrored, so is what comes out."""
    one = run("1e-4 * w * w * sin(phi) + w / 100", start=60.0, slope=10.0)
    other = run("-1e-4 * w * w * sin(-phi) + w / 100", start=-60.0, slope=-10.0)
    for kind in KINDS:
        assert np.allclose(one[f"{kind}.C_hat"], -other[f"{kind}.C_hat"], atol=1e-9)


def test_wrong_limits_are_refused():
    with pytest.raises(DiagramError, match="expected less than f_low"):
        Bench("rail.unbalance_observer", f_off=12.0)
    with pytest.raises(DiagramError, match="sample faster"):
        Bench("rail.sampled_unbalance_observer", f_noise=150.0, every=0.004)
