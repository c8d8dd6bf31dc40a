"""Pace and speed: what is shown is what is in force, in every document."""

import os
import time

import pytest


def pace_is(window, pace, text):
    assert window.editor.session.pace == pace
    assert window.run_bar.pace.currentText() == text


def test_the_pace_that_is_shown_is_in_force_in_every_document(loop, hand, loop_file, qtbot):
    pace_is(loop, None, "full speed")
    loop.run_bar.pace.setCurrentText("real time")
    loop.run_bar.pace.activated.emit(loop.run_bar.pace.currentIndex())
    pace_is(loop, 1.0, "real time")
    loop.commands["new"].trigger()
    pace_is(loop, 1.0, "real time")
    assert loop.editor.files.open(os.fspath(loop_file))
    pace_is(loop, 1.0, "real time")
    loop.commands["run"].trigger()
    assert loop.editor.session.run.pace == 1.0
    loop.run_bar.pace.setCurrentText("full speed")
    loop.run_bar.pace.activated.emit(loop.run_bar.pace.currentIndex())
    assert loop.editor.session.run.pace is None
    loop.commands["start_page"].trigger()
    loop.leave_start_page()
    pace_is(loop, None, "full speed")
    loop.editor.session.set_pace(2.5)
    pace_is(loop, 2.5, "2.5 x real time")
    assert loop.editor.session.run.pace == 2.5
    loop.commands["new_window"].trigger()
    other = next(w for w in loop.open_windows if w is not loop)
    qtbot.addWidget(other)
    pace_is(other, None, "full speed")
    pace_is(loop, 2.5, "2.5 x real time")


class CountedClock:
    """A clock that goes on by what is slept, and a little with each look."""

    def __init__(self):
        self.now = 0.0

    def perf_counter(self):
        self.now += 1e-5
        return self.now

    def sleep(self, seconds):
        self.now += seconds
        time.sleep(0)  # lets the window have its turn


@pytest.mark.parametrize("pace", [1.0, 0.1, 10.0])
def test_the_speed_of_a_paced_run_is_its_pace(loop, hand, qtbot, monkeypatch, pace):
    clock = CountedClock()
    for module in ("run", "pacer"):
        monkeypatch.setattr(f"railblocks.gui.running.{module}.time", clock)
    hand.fill(loop.run_bar.stop_time, "100000 s")
    session = loop.editor.session
    session.set_pace(pace)
    loop.commands["run"].trigger()
    qtbot.waitUntil(lambda: session.news.time > 5 * pace, timeout=60000)
    shown = loop.run_bar.status.text()
    assert float(shown.rpartition(", ")[2].split()[0]) == pytest.approx(pace, rel=0.25), shown
    session.stop()
    qtbot.waitUntil(lambda: session.run.is_over, timeout=60000)
