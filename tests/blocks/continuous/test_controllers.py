"""The PID controller with all of its choices, against closed forms and its own equations."""

import itertools
import math

import numpy as np
import pytest
from bench import Bench
from diagram_runs import both, run
from railblocks.engine import DiagramError

GAINS = {"K_p": 2.0, "K_i": 3.0, "K_d": 0.5, "N": 40.0}


@pytest.mark.parametrize(("b", "c"), [(1.0, 1.0), (0.4, 0.0), (0.0, 1.0)])
def test_setpoint_counts_b_times_and_c_times(b, c):
    """y = (K_p + K_i/s + D) e + (K_p (b - 1) + (c - 1) D) r,  D = K_d N s / (s + N)."""
    bench = Bench("continuous.pid", **GAINS, b=b, c=c)
    columns = [
        bench.run("der", e=0.0, r=0.0, x_i=x_i, x_d=x_d) for x_i, x_d in ((1.0, 0.0), (0.0, 1.0))
    ]
    A = np.array([[column[n] for column in columns] for n in ("x_i", "x_d")])
    C = np.array([bench.y(e=0.0, r=0.0, x_i=1.0), bench.y(e=0.0, r=0.0, x_d=1.0)])
    for e, r in ((1.0, 0.0), (0.0, 1.0)):
        rates = bench.run("der", e=e, r=r)
        B = np.array([rates["x_i"], rates["x_d"]])
        for s in 1j * np.logspace(-2, 2, 9):
            D = 0.5 * 40.0 * s / (s + 40.0)
            expected = (2 + 3 / s + D) * e + (2 * (b - 1) + (c - 1) * D) * r
            response = C @ np.linalg.solve(s * np.eye(2) - A, B) + bench.y(e=e, r=r)
            assert response == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("weights", "needed"), [({}, False), ({"b": 0.5}, True), ({"c": 0.0}, True)]
)
def test_setpoint_is_an_input_where_it_counts(weights, needed):
    assert ("r" in Bench("continuous.pid", **weights).declaration.inputs) == needed


def test_a_plain_controller_has_one_input():
    for block in ("continuous.pid", "discrete.pid", "discrete.integrator"):
        assert len(Bench(block).declaration.inputs) == 1
        assert "trigger" in Bench(block, edge="falling").declaration.inputs


def test_only_tracking_has_a_signal_to_track():
    for choice in ("back_calculation", "clamping", "tracking"):
        inputs = Bench("continuous.pid", anti_windup=choice).declaration.inputs
        assert ("u_t" in inputs) == (choice == "tracking")


def integral_rate(choice, v, e, u_t, lower, upper, layer):
    """x_i' from (4) to (6), K_i = 3 and K_b = 5."""
    y = min(max(v, lower), upper)
    if choice == "back_calculation":
        return 3.0 * e + 5.0 * (y - v)
    if choice == "tracking":
        return 3.0 * e + 5.0 * (u_t - v)
    pushed = v - upper if e > 0 else lower - v
    return 3.0 * e * (1.0 - min(max(pushed / layer, 0.0), 1.0))


@pytest.mark.parametrize(
    ("choice", "edge", "b", "c"),
    list(
        itertools.product(
            ["back_calculation", "tracking", "clamping"],
            ["rising", "either"],
            [1.0, 0.3],
            [1.0, 0.0],
        )
    ),
)
def test_all_choices_together_follow_their_equations(choice, edge, b, c):
    limits = {"lower": -1.0, "upper": 2.0, "layer": 0.5}
    bench = Bench(
        "continuous.pid",
        **GAINS,
        **limits,
        K_b=5.0,
        b=b,
        c=c,
        anti_windup=choice,
        edge=edge,
        y_0=0.7,
    )
    rng = np.random.default_rng(7)
    for e, r, u_t, x_i, x_d in rng.normal(size=(60, 5)):
        signals = {"e": e, "r": r, "x_i": x_i, "x_d": 0.02 * x_d}
        if choice == "tracking":
            signals["u_t"] = u_t
        D = 40.0 * (0.5 * (e + (c - 1) * r) - 0.02 * x_d)
        v = 2.0 * (e + (b - 1) * r) + x_i + D
        assert bench.y(**signals) == pytest.approx(min(max(v, -1.0), 2.0), abs=1e-12)
        rates = bench.run("der", **signals)
        assert rates["x_d"] == pytest.approx(D, abs=1e-12)
        expected = integral_rate(choice, v, e, u_t, -1.0, 2.0, 0.5)
        assert rates["x_i"] == pytest.approx(expected, abs=1e-11)
    bench.fire("trigger")
    assert bench.states == {"x_i": 0.7, "x_d": 0.0}


def controlled(controller, error, more="", wires=""):
    return f"""
blocks:
  e:   {{type: sources.step, {error}}}
  pid: {{type: continuous.pid, {controller}}}
{more}
wires: [e -> pid.e{wires}]
log: {{signals: [pid.y], every: 0.01 s}}"""


@both
def test_clamped_integral_rests_in_its_layer_and_leaves_with_the_error(compiled):
    """x = t until 1 s, then 1 + 0.01 (1 - exp(-(t - 1) / 0.01)); from 2 s on it falls as fast."""
    text = controlled(
        "K_p: 0, K_i: 1, upper: 1, anti_windup: clamping, layer: 0.01",
        "time: 2 s, before: 1, after: -1",
    )
    results = run(text, compiled, "solver: {rtol: 1e-9, atol: 1e-11, stop: 4 s}")
    t, y = results.time, results["pid.y"]
    x = np.where(t < 2.0, t, 1.01 - (t - 2.0))
    assert np.allclose(y, np.minimum(x, 1.0), atol=1e-8)


@both
def test_clamping_lets_an_error_that_shrinks_come_off_the_limit(compiled):
    """e = 2 - t: at the limit v = e + x would rise and fall around it without the layer."""
    text = """
blocks:
  e:   {type: sources.ramp, delay: 0 s, y_0: 2, slope: -1}
  pid: {type: continuous.pid, K_p: 1, K_i: 1, upper: 2.2, anti_windup: clamping, layer: 0.02}
wires: [e -> pid.e]
log: {signals: [pid.y], every: 0.01 s}"""
    results = run(text, compiled, "solver: {rtol: 1e-9, atol: 1e-11, stop: 2 s}")
    t, y = results.time, results["pid.y"]
    begin = 1.0 - math.sqrt(1.0 - 0.4)  # v = 2 - t + 2 t - t^2 / 2 = 2.2
    early = t < begin
    assert np.allclose(y[early], 2.0 + t[early] - 0.5 * t[early] ** 2, atol=1e-8)
    assert np.all(y[(t > begin + 1e-6) & (t < 1.0)] == 2.2)
    # From t = 1 s on K_i e < 1 = -e', and v falls along 2.2 + s - s^2 / 2 - ..., with s = t - 1.
    after = y[t > 1.3]
    assert np.all(np.diff(after) < 0.0)
    assert after[-1] == pytest.approx(2.2 - 0.5, abs=0.03)


@both
def test_tracking_of_its_own_output_is_back_calculation(compiled):
    error = "time: 1 s, before: 2, after: -1"
    gains = "K_p: 1, K_i: 3, K_b: 5, upper: 4, lower: -0.5"
    own = run(
        controlled(f"{gains}, anti_windup: tracking", error, wires=", pid -> pid.u_t"), compiled
    )
    plain = run(controlled(gains, error), compiled)
    assert np.allclose(own["pid.y"], plain["pid.y"], rtol=0, atol=1e-9)
    assert plain["pid.y"].max() == 4.0


@both
def test_tracking_leads_the_integral_to_a_manual_signal(compiled):
    """x_i' = K_b (u_t - x_i)."""
    text = controlled(
        "K_b: 2, anti_windup: tracking", "before: 0, after: 0",
        "  hand: {type: sources.constant, value: 3}", ", hand -> pid.u_t",
    )  # fmt: skip
    results = run(text, compiled)
    assert np.allclose(results["pid.y"], 3.0 * (1.0 - np.exp(-2.0 * results.time)), atol=1e-8)


@both
@pytest.mark.parametrize("choice", ["back_calculation", "clamping"])
def test_controller_starts_anew_at_an_edge_also_while_it_is_limited(choice, compiled):
    """y = min(K_p + y_0 + K_i s, upper) from the start and from the edge on, at the limit."""
    text = controlled(
        f"K_p: 1, K_i: 1, upper: 3, y_0: 0.5, layer: 0.01, edge: rising, anti_windup: {choice}",
        "before: 1, after: 1, time: 9 s",
        "  when: {type: sources.step, time: 2 s}\n  on: {type: routing.float_to_bool}",
        ", when -> on -> pid.trigger",
    )
    results = run(text, compiled, "solver: {rtol: 1e-9, atol: 1e-11, stop: 4 s}")
    apart = np.abs(results.time - 2.0) > 1e-9
    t = results.time[apart]
    s = np.where(t < 2.0, t, t - 2.0)
    assert np.allclose(results["pid.y"][apart], np.minimum(1.5 + s, 3.0), rtol=0, atol=1e-7)


def test_clamping_without_a_layer_is_refused():
    with pytest.raises(DiagramError, match="clamping without `layer`; expected the height"):
        Bench("continuous.pid", anti_windup="clamping", layer=0.0)
