"""Runs from the window: progress, pause, step, live tuning, failures, results."""

import os

import numpy as np
import pytest
from PySide6.QtCore import QTimer
from railblocks.engine import load, simulate
from railblocks.gui.panels.start_page import shipped_diagrams


def slow(loop, hand, stop="100000 s"):
    """A run in real time that would take a day."""
    hand.fill(loop.run_bar.stop_time, stop)
    loop.run_bar.pace.setCurrentText("real time")
    loop.editor.session.set_pace(1.0)
    loop.commands["run"].trigger()
    hand.qtbot.waitUntil(lambda: loop.editor.session.state == "running", timeout=60000)


RUNNABLE = shipped_diagrams()


def test_results_are_opened_beside_their_diagram(loop, hand, loop_file, tmp_path):
    from railblocks.engine import simulate

    simulate(load(loop_file), output=tmp_path / "loop.h5")
    loop.editor.runs.show_results(os.fspath(tmp_path / "loop.h5"))
    assert set(loop.editor.session.recordings[0].tracks) == {"ref.y", "plant.y"}
    assert loop.editor.workspace.scopes.scopes[0].plan.signals == ["ref.y", "plant.y"]


def test_a_run_gives_what_headless_use_gives(loop, hand, loop_file):
    hand.run()
    assert loop.editor.session.state == "done"
    recording = loop.editor.session.recordings[0]
    expected = simulate(load(loop_file))
    np.testing.assert_array_equal(recording.time, expected.time)
    np.testing.assert_array_equal(recording.values("plant.y"), expected["plant.y"])


def test_a_first_run_shows_what_is_logged_without_changing_the_file(loop, hand):
    hand.run()
    assert loop.editor.workspace.scopes.scopes[0].plan.axes == (("ref.y", "plant.y"),)
    assert loop.editor.document.is_saved
    assert "done" in loop.run_bar.status.text()
    assert loop.run_bar.progress.value() == 1000


def test_pause_step_and_stop(loop, hand, qtbot):
    slow(loop, hand)
    qtbot.waitUntil(lambda: loop.editor.session.news.time > 0.05, timeout=10000)
    loop.commands["run"].trigger()
    qtbot.waitUntil(lambda: loop.editor.session.state == "paused", timeout=5000)
    qtbot.wait(100)
    at = loop.editor.session.news.time
    qtbot.wait(100)
    assert loop.editor.session.news.time == at
    loop.commands["step"].trigger()
    qtbot.waitUntil(lambda: loop.editor.session.news.time > at, timeout=5000)
    assert loop.editor.session.state == "paused"
    loop.commands["stop"].trigger()
    qtbot.waitUntil(lambda: loop.editor.session.state == "cancelled", timeout=5000)


def test_a_parameter_is_tuned_while_the_run_is_under_way(loop, hand, qtbot):
    slow(loop, hand)
    qtbot.waitUntil(lambda: loop.editor.session.news.time > 0.3, timeout=10000)
    run = loop.editor.session.run
    hand.click(hand.block("ref"))
    hand.fill(loop.editor.workspace.inspector.rows["after"].edit, "5")
    qtbot.waitUntil(
        lambda: loop.editor.session.recordings[0].values("ref.y")[-1] == 5, timeout=10000
    )
    assert loop.editor.session.run is run
    assert loop.editor.document.root.blocks["ref"].values["after"].node.text == "5"
    loop.editor.session.stop()


def test_the_window_answers_while_a_compiled_run_is_under_way(loop, hand, qtbot):
    """A timer of the window ticks again and again between two looks at the time of the run."""
    loop.commands["show_settings"].trigger()
    hand.fill(loop.editor.workspace.inspector.rows["max_step"].edit, "1 ms")
    hand.fill(loop.editor.workspace.inspector.rows["every"].edit, "1 s")
    hand.fill(loop.run_bar.stop_time, "100000000 s")
    loop.commands["run"].trigger()
    qtbot.waitUntil(lambda: loop.editor.session.state == "running", timeout=60000)
    seen: list[float] = []
    timer = QTimer()
    timer.setInterval(5)
    timer.timeout.connect(lambda: seen.append(loop.editor.session.news.time))
    timer.start()
    qtbot.waitUntil(lambda: len(set(seen)) > 10, timeout=60000)
    timer.stop()
    assert loop.editor.session.state == "running"
    loop.editor.session.stop()
    assert len(seen) > len(set(seen))


def test_a_failed_run_marks_the_block_and_says_why(window, hand, tmp_path):
    file = tmp_path / "fails.yaml"
    file.write_text(
        "diagram: 1\nblocks:\n  t: {type: sources.ramp, slope: -1 1/s}\n"
        "  root: {type: math.sqrt}\nwires: [t -> root]\n"
        "solver: {stop: 2 s}\n"
    )
    assert window.editor.files.open(os.fspath(file))
    hand.settle()
    if window.editor.problems.problems:
        pytest.fail(str(window.editor.problems.problems))
    hand.run()
    assert window.editor.session.state == "failed"
    assert "root.y became nan" in window.editor.problems.problems[0].message
    assert window.editor.problems.problems[0].block == "root"
    assert "nan" in hand.scene.blocks["root"].problem


def test_a_diagram_built_by_hand_runs_headless_with_the_same_result(window, hand, tmp_path):
    hand.drop("sources.sine", (0, 0))
    hand.drop("continuous.integrator", (200, 0))
    hand.drag(hand.port("sine", "y", "out"), hand.port("integrator", "u", "in"))
    hand.settle()
    assert window.editor.problems.problems == []
    hand.run()
    file = tmp_path / "built.yaml"
    assert window.editor.files.save_as(os.fspath(file))
    expected = simulate(load(file))
    recording = window.editor.session.recordings[0]
    np.testing.assert_array_equal(recording.values("integrator.y"), expected["integrator.y"])


@pytest.mark.slow
@pytest.mark.parametrize("path", RUNNABLE, ids=lambda p: p.stem)
def test_every_shipped_diagram_runs_from_the_editor(window, hand, path):
    assert window.editor.files.open(os.fspath(path))
    hand.settle()
    hand.fill(window.run_bar.stop_time, "20 ms")
    hand.run()
    assert window.editor.session.state == "done", window.editor.session.failure
    assert len(window.editor.session.recordings[0]) > 1
    assert window.editor.session.recordings[0].time[-1] == pytest.approx(0.02)
    window.editor.document.history.mark_saved()
