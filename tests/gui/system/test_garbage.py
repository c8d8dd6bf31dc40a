"""Garbage is collected in the window's thread, and not while a run is under way."""

import gc
import threading
import time
import weakref

import pytest
from railblocks.gui.system.garbage import GarbageCollector


class Cycle:
    def __init__(self):
        self.me = self


class Worker:
    is_active = True


@pytest.fixture
def collector(qtbot, monkeypatch):
    gc_was_on = gc.isenabled()
    monkeypatch.setattr("gc.freeze", lambda: None)
    garbage_collector = GarbageCollector()
    garbage_collector._timer.stop()
    yield garbage_collector
    if gc_was_on:
        gc.enable()


def old_garbage():
    """A cycle that looks at young objects do not find any more."""
    cycle = Cycle()
    ghost = weakref.ref(cycle)
    gc.collect(2)
    del cycle
    fill = [[] for _ in range(2000)]
    return ghost, fill


def test_a_look_at_all_objects_waits_for_runs(collector):
    worker = Worker()
    collector._workers.add(worker)
    collector._next_full = 0.0
    ghost, _fill = old_garbage()
    collector.collect()
    assert ghost() is None  # nobody waited that long
    collector._next_full = time.monotonic() - 1
    ghost, _fill = old_garbage()
    collector.collect()
    assert ghost() is not None
    worker.is_active = False
    _more = [[] for _ in range(2000)]
    collector.collect()
    assert ghost() is None


def test_nothing_is_collected_while_llvm_is_at_work(collector):
    from llvmlite.binding import ffi

    cycle = Cycle()
    ghost = weakref.ref(cycle)
    del cycle
    _fill = [[] for _ in range(2000)]
    working, done = threading.Event(), threading.Event()

    def work():
        with ffi.lib._lock:
            working.set()
            done.wait(10)

    thread = threading.Thread(target=work)
    thread.start()
    working.wait()
    collector.collect()
    assert ghost() is not None
    done.set()
    thread.join()
    collector.collect()
    assert ghost() is None


def test_looks_that_take_long_are_seldom(collector, monkeypatch):
    now = [100.0]
    monkeypatch.setattr("railblocks.gui.system.garbage.time.monotonic", lambda: now[0])
    collect = gc.collect

    def slow(*generation):
        now[0] += 0.0 if generation else 0.15
        return collect(*generation)

    monkeypatch.setattr("railblocks.gui.system.garbage.gc.collect", slow)
    collector._next_full = 0.0
    _fill = [[] for _ in range(2000)]
    collector.collect()
    assert collector._next_full == pytest.approx(100.0 + 30.0)
