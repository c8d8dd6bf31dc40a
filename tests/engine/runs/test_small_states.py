"""Messages about states below their tolerance: where results suffer, and nowhere else."""

import json
import math

import numpy as np
import pytest
from railblocks.engine import Results, loads, simulate
from railblocks.engine.cli import main

W = 2.0 * math.pi * 50.0
BUTTERWORTH = [2.613125929752753, 3.414213562373095, 2.613125929752753, 1.0]
FILTER = f"""
diagram: 1
blocks:
  u: {{type: sources.constant, value: 1.0e-4}}
  sum: {{type: math.sum, signs: "+----"}}
  x1: {{type: continuous.integrator}}
  x2: {{type: continuous.integrator}}
  x3: {{type: continuous.integrator}}
  x4: {{type: continuous.integrator}}
  a1: {{type: math.gain, k: {BUTTERWORTH[0] * W}}}
  a2: {{type: math.gain, k: {BUTTERWORTH[1] * W**2}}}
  a3: {{type: math.gain, k: {BUTTERWORTH[2] * W**3}}}
  a4: {{type: math.gain, k: {BUTTERWORTH[3] * W**4}}}
wires:
  - u.y -> sum.u1
  - sum.y -> x1.u
  - x1.y -> x2.u, a1.u
  - x2.y -> x3.u, a2.u
  - x3.y -> x4.u, a3.u
  - x4.y -> a4.u
  - a1.y -> sum.u2
  - a2.y -> sum.u3
  - a3.y -> sum.u4
  - a4.y -> sum.u5
solver: {{stop: 2 s}}
log: {{signals: [a4.y], every: 1 ms}}
"""  # A Butterworth low-pass drawn with integrators: x4 is u / W^4, 1e-14


def notices(blocks, wires="", solver="stop: 2 s", signals="all", compiled=True):
    text = (
        f"diagram: 1\nblocks: {{{blocks}}}\nwires: [{wires}]\nsolver: {{{solver}}}\n"
        f"log: {{signals: {signals}, every: 0.01}}\n"
    )
    return simulate(loads(text), compiled=compiled).meta["notices"]


@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "interpreted"])
def test_filter_drawn_with_integrators_says_which_state_is_too_small(compiled):
    notices = simulate(loads(FILTER), {"solver.stop": "0.2 s"}, compiled=compiled).meta["notices"]
    (message,) = [text for text in notices if text.startswith("x4.x ")]
    assert "below its absolute tolerance of 1e-09" in message
    assert "a4.y may be wrong; set `solver: {atol: 1e-20}`" in message


def test_what_the_message_says_helps():
    from closed_forms import butterworth_poles, step_response

    results = simulate(loads(FILTER), {"solver.atol": 1e-20})
    expected = 1e-4 * step_response(butterworth_poles(4, W), results.time, gain=W**4)
    assert results.meta["notices"] == []
    assert np.max(np.abs(results["a4.y"] - expected)) < 1e-5 * 1e-4
    without = simulate(loads(FILTER))
    assert np.max(np.abs(without["a4.y"] - expected)) > 0.01 * 1e-4


def test_message_is_in_the_file_the_json_and_on_the_screen(tmp_path, capsys):
    path, output = tmp_path / "filter.yaml", tmp_path / "filter.h5"
    path.write_text(FILTER, encoding="utf-8")
    assert main(["run", str(path), "-o", str(output), "--json"]) == 0
    shown = capsys.readouterr()
    notices = json.loads(shown.out)["notices"]
    assert notices == Results.load(output).meta["notices"] != []
    assert f"note: {notices[0]}" in shown.err


def test_warnings_of_the_check_and_notes_of_the_run_are_both_told(tmp_path, capsys):
    """Neither takes the place of the other: in the JSON, in the file and on the screen."""
    path, output = tmp_path / "both.yaml", tmp_path / "both.h5"
    sine = "  w: {type: sources.sine, omega: 1 Hz}\n"
    path.write_text(FILTER.replace("blocks:\n", f"blocks:\n{sine}", 1), encoding="utf-8")
    assert main(["run", str(path), "-o", str(output), "--json"]) == 0
    shown = capsys.readouterr()
    messages = json.loads(shown.out)["notices"]
    assert messages == Results.load(output).meta["notices"]
    assert "w.omega = 1 Hz is taken as 1 rad/s" in messages[0]
    assert "below its absolute tolerance" in messages[-1]
    for message in messages:
        assert shown.err.count(message) == 1


def test_small_signals_alone_are_told():
    lag = "a: {type: sources.constant, value: 1e-12}, b: {type: continuous.first_order_lag, T: 0.1}"
    (message,) = notices(lag, "a.y -> b.u")
    assert message.startswith("b.x is at most 1e-12, below its absolute tolerance of 1e-09")


@pytest.mark.parametrize(
    ("blocks", "wires"),
    [
        ("a: {type: sources.constant, value: 0}, b: {type: continuous.integrator}", "a.y -> b.u"),
        (
            "a: {type: sources.constant, value: 1e-12}, b: {type: continuous.integrator}, "
            "c: {type: sources.constant, value: 3}, d: {type: math.sum, signs: '++'}",
            "a.y -> b.u, b.y -> d.u1, c.y -> d.u2",
        ),
        (
            "a: {type: sources.constant, value: 1e-16}, b: {type: continuous.pid}, "
            "c: {type: mechanics.pendulum, L: 1, phi_0: 1}",
            "a.y -> b.e",
        ),
        ("a: {type: mechanics.pendulum, L: 1}", ""),
        ("a: {type: mechanics.bouncing_ball, e: 0.5}", ""),
    ],
    ids=["zero all along", "beside a larger part", "rounding", "at rest", "large"],
)
def test_states_that_do_not_matter_are_not_told(blocks, wires):
    signals = "[d.y]" if "d:" in blocks else "all"
    assert notices(blocks, wires, "stop: 1 s", signals) == []


def test_state_that_no_logged_signal_depends_on_is_not_told():
    blocks = (
        "a: {type: sources.constant, value: 1e-12}, b: {type: continuous.integrator}, "
        "c: {type: mechanics.pendulum, L: 1, phi_0: 1e-3}"
    )
    assert notices(blocks, "a.y -> b.u", signals="[c.phi]") == []
    assert len(notices(blocks, "a.y -> b.u", signals="[b.y]")) == 1


def test_fixed_steps_have_no_tolerance_to_be_below():
    lag = "a: {type: sources.constant, value: 1e-12}, b: {type: continuous.first_order_lag, T: 0.1}"
    assert notices(lag, "a.y -> b.u", "method: rk4, step: 1 ms, stop: 1 s") == []
