"""Going on from an earlier time: the very time, the values that are shown, and the whole plot."""

import os

import numpy as np
import pytest
from railblocks.engine.runs.simulation import Simulation

DECAY = """diagram: 1
parameters: {rate: 1 1/s}
blocks:
  k: {type: math.gain, k: -rate}
  x: {type: continuous.integrator, x_0: 1}
wires: [x -> k -> x]
solver: {rtol: 1e-10, atol: 1e-12, stop: 4 s}
log: {signals: [x.y]%s}
"""
EVERY = ", every: 10 ms"


@pytest.fixture(params=[EVERY, ""], ids=["rows every 10 ms", "rows every step"])
def decay(window, hand, tmp_path, request):
    """A fast run that has ended: x = exp(-t)."""
    file = tmp_path / "decay.yaml"
    file.write_text(DECAY % request.param)
    assert window.editor.files.open(os.fspath(file))
    hand.settle()
    hand.run()
    assert window.editor.session.state == "done"
    return window


def rows(window):
    recording = window.editor.session.recordings[0]
    return np.array(recording.time), np.array(recording.values("x.y"))


def go_on(window, qtbot, action, at=1.2):
    """Scrub to a time, go on from there, and wait for the end."""
    endings = window.editor.session.news.endings
    time, _ = rows(window)
    window.run_bar.slider.setValue(round(1000 * at / time[-1]))
    assert window.editor.session.shown_time == pytest.approx(at, abs=1e-9)
    assert f"looking at t = {at:g}" in window.run_bar.status.text()
    action.trigger()
    qtbot.waitUntil(lambda: window.editor.session.news.endings > endings, timeout=20000)
    return at


def set_rate(window, hand, text):
    window.editor.workspace.inspector.show_level(())
    hand.fill(window.editor.workspace.inspector.rows["rate"].edit, text)


def test_it_goes_on_from_the_very_time_with_the_value_that_is_shown(decay, hand, qtbot):
    """x(t) = exp(-t) until t0, then x(t0) exp(-3 (t - t0))."""
    time, before = rows(decay)
    set_rate(decay, hand, "3 1/s")
    t0 = go_on(decay, qtbot, decay.commands["go_on"])
    assert decay.editor.session.state == "done"
    after, x = rows(decay)
    kept = time <= t0
    np.testing.assert_array_equal(after[: kept.sum()], time[kept])
    np.testing.assert_array_equal(x[: kept.sum()], before[kept])
    assert t0 in after
    assert (np.diff(after) > 0).all()
    assert after[-1] == 4.0
    expected = np.where(after <= t0, np.exp(-after), np.exp(-t0 - 3 * (after - t0)))
    np.testing.assert_allclose(x, expected, rtol=1e-6)
    assert decay.editor.session.shown_time is None
    assert decay.run_bar.slider.value() == 1000
    drawn = decay.editor.workspace.scopes.scopes[0].axes[0].plot.listDataItems()[0].getData()[1]
    assert drawn[-1] == pytest.approx(np.exp(-t0 - 3 * (4 - t0)), rel=1e-6)


def test_the_values_of_then_are_an_explicit_choice_and_are_shown(decay, hand, qtbot):
    set_rate(decay, hand, "3 1/s")
    go_on(decay, qtbot, decay.commands["go_on_with_earlier_values"])
    time, x = rows(decay)
    np.testing.assert_allclose(x, np.exp(-time), rtol=1e-6)
    assert decay.editor.document.root.parameters["rate"].node.text == "1 1/s"
    assert decay.editor.workspace.inspector.rows["rate"].edit.text() == "1 1/s"
    assert "Values of t = 1.2 s" in decay.commands["undo"].text()
    decay.commands["undo"].trigger()
    assert decay.editor.document.root.parameters["rate"].node.text == "3 1/s"


def test_going_on_again_and_again(decay, hand, qtbot):
    """Rates 1, 2 from 3 s on, then 4 from 1.2 s on: what was changed later is forgotten."""
    set_rate(decay, hand, "2 1/s")
    go_on(decay, qtbot, decay.commands["go_on"], 3.0)
    time, x = rows(decay)
    assert x[-1] == pytest.approx(np.exp(-3 - 2), rel=1e-6)
    set_rate(decay, hand, "4 1/s")
    go_on(decay, qtbot, decay.commands["go_on"], 1.2)
    time, x = rows(decay)
    expected = np.where(time <= 1.2, np.exp(-time), np.exp(-1.2 - 4 * (time - 1.2)))
    np.testing.assert_allclose(x, expected, rtol=1e-6)
    go_on(decay, qtbot, decay.commands["go_on_with_earlier_values"], 0.4)
    time, x = rows(decay)
    np.testing.assert_allclose(x, np.exp(-time), rtol=1e-6)


def test_values_on_wires_are_those_of_the_time_that_is_shown(decay, qtbot):
    """k.y is not recorded: it is found by repeating the run up to that time."""
    decay.run_bar.slider.setValue(300)
    shown = lambda: decay.editor.session.value_text(decay.editor.document, (), ("k", "y"))  # noqa: E731
    qtbot.waitUntil(lambda: "=" in shown(), timeout=5000)
    assert float(shown().split()[1]) == pytest.approx(-np.exp(-1.2), rel=1e-5)
    decay.run_bar.slider.setValue(600)
    qtbot.waitUntil(lambda: "=" in shown(), timeout=5000)
    assert float(shown().split()[1]) == pytest.approx(-np.exp(-2.4), rel=1e-5)


def test_a_value_taken_back_by_undo_is_in_force(window, hand, qtbot, tmp_path):
    file = tmp_path / "decay.yaml"
    file.write_text(DECAY % EVERY)
    assert window.editor.files.open(os.fspath(file))
    window.editor.session.set_pace(1.0)
    window.commands["run"].trigger()
    qtbot.waitUntil(lambda: window.editor.session.news.time > 0.2, timeout=60000)
    set_rate(window, hand, "0 1/s")
    run = window.editor.session.run
    in_force = lambda: float(run._simulation.values_at(run._simulation.checkpoint())["k", "y"][0])  # noqa: E731
    window.editor.session.toggle()
    qtbot.waitUntil(lambda: window.editor.session.state == "paused")
    qtbot.waitUntil(lambda: abs(in_force()) == 0, timeout=5000)
    window.commands["undo"].trigger()
    qtbot.waitUntil(lambda: in_force() < -0.1, timeout=5000)
    window.commands["redo"].trigger()
    qtbot.waitUntil(lambda: abs(in_force()) == 0, timeout=5000)
    window.editor.session.stop()


def test_a_run_goes_on_after_it_was_stopped_and_after_it_failed(window, hand, qtbot, tmp_path):
    file = tmp_path / "fails.yaml"
    file.write_text(
        "diagram: 1\nblocks:\n  t: {type: sources.ramp, slope: 1 1/s}\n"
        "  less: {type: math.bias, b: 1}\n  gain: {type: math.gain, k: -1}\n"
        "  root: {type: math.sqrt}\nwires: [t -> gain -> less -> root]\n"
        "solver: {stop: 2 s}\nlog: {signals: [root.y], every: 10 ms}\n"
    )
    assert window.editor.files.open(os.fspath(file))
    hand.settle()
    assert not window.editor.problems.problems
    hand.run()
    assert window.editor.session.state == "failed"
    assert window.editor.problems.problems[0].block == "root"
    window.editor.workspace.inspector.show_block((), "gain")
    hand.fill(window.editor.workspace.inspector.rows["k"].edit, "1")
    window.run_bar.slider.setValue(500)
    t0 = window.editor.session.shown_time
    window.commands["go_on"].trigger()
    qtbot.waitUntil(lambda: window.editor.session.state == "done", timeout=10000)
    assert window.editor.problems.problems == []
    recording = window.editor.session.recordings[0]
    time, y = np.array(recording.time), np.array(recording.values("root.y"))
    np.testing.assert_allclose(y, np.sqrt(1 + np.where(time <= t0, -time, time)), atol=1e-9)


def test_a_changed_structure_is_told(decay, hand, qtbot):
    messages = []
    decay.editor.session.message.connect(messages.append)
    hand.drop("sources.step", (0, 300))
    set_rate(decay, hand, "3 1/s")
    go_on(decay, qtbot, decay.commands["go_on"])
    assert "start a new run" in messages[0]
    assert rows(decay)[1][-1] == pytest.approx(np.exp(-1.2 - 3 * 2.8), rel=1e-6)


def test_the_memory_of_a_checkpoint_is_a_copy(monkeypatch):
    from railblocks.engine import check, loads

    simulation = Simulation(check(loads(DECAY % EVERY)), compiled=False)
    kept = simulation.checkpoint()
    simulation.advance()
    assert kept.time == 0.0
