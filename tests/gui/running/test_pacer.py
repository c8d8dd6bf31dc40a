"""The pace of a run."""

import time

from railblocks.gui.running.pacer import Pacer


def test_a_new_pace_does_not_catch_up_for_the_time_before(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(time, "perf_counter", lambda: clock[0])
    pacer = Pacer()
    assert not pacer.is_ahead(0.0, 1.0)
    clock[0] = 100.0
    assert not pacer.is_ahead(100.0, 1.0)
    assert not pacer.is_ahead(100.0, 10.0)
    clock[0] = 101.0
    assert pacer.is_ahead(110.5, 10.0)
    assert not pacer.is_ahead(109.5, 10.0)
