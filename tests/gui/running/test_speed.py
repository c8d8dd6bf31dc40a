"""The speed of a run."""

import pytest
from railblocks.gui.running.speed import SpeedMeter


def test_speed_leaves_pauses_out():
    meter = SpeedMeter()
    meter.note(0.0, 0.0, 0.0)
    meter.note(2.0, 4.0, 0.5)
    assert meter.recent == meter.overall == 2.0
    assert meter.load == 0.25
    meter.pause()
    meter.note(100.0, 4.0, 0.5)
    meter.note(101.0, 10.0, 1.0)
    assert meter.recent == 6.0
    assert meter.overall == pytest.approx(10 / 3)
    meter.restart()
    assert meter.overall == 0.0


def test_recent_speed_is_that_of_the_last_second():
    meter = SpeedMeter()
    for step in range(100):
        meter.note(step * 0.1, min(step, 50) * 0.1, 0.0)
    assert meter.recent == 0.0
    assert meter.overall == pytest.approx(5.0 / 9.9)
