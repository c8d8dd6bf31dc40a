"""Lowering in several processes: each part once, whoever wants it; a killed one leaves no claim."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from railblocks.engine.numba_bridge.numba_lock import AT_WORK
from railblocks.engine.program import lowering_processes, parts
from railblocks.engine.program.lowering_processes import PROCESSES, compiling_text, lower_all
from railblocks.engine.program.parts import Part
from railblocks.engine.program.shipped import Shipped
from railblocks.engine.program.store import Store
from railblocks.engine.schedule.calls import Kernel

LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="forks")


def squared(u):
    return u * u


def halved(u):
    return 0.5 * u


def raised(u):
    return u + 1.0


def refused(u):
    return float(str(u).zfill(10))


def part_of(function):
    return Part.of_kernel(Kernel(function, (0,), (float,), (float,)))


PARTS = [part_of(function) for function in (squared, halved, raised)]


def store_in(folder):
    return Store(folder, Shipped())


@pytest.fixture
def noted(tmp_path, monkeypatch):
    """Which process lowered what, in lines of a file; each takes a moment."""
    original, notes = parts.lowered, tmp_path / "notes"

    def lowered(function, *others):
        with open(notes, "a") as file:
            file.write(f"{os.getpid()} {function.__name__}\n")
        time.sleep(0.2)
        return original(function, *others)

    monkeypatch.setattr(parts, "lowered", lowered)
    notes.touch()
    return lambda: [line.split() for line in notes.read_text().splitlines()]


@LINUX
def test_every_part_is_lowered_once_and_not_here(tmp_path, monkeypatch, noted):
    monkeypatch.setenv(PROCESSES, "2")
    monkeypatch.setattr(lowering_processes, "SMALL_EFFORT", 0)
    reports = []
    lower_all(PARTS, store_in(tmp_path / "cache"), lambda *report: reports.append(report))
    assert sorted(name for _, name in noted()) == ["halved", "raised", "squared"]
    workers = {number for number, _ in noted()}
    assert len(workers) == 2
    assert str(os.getpid()) not in workers
    assert all(part.is_kept(store_in(tmp_path / "cache")) for part in PARTS)
    assert reports[0] == (0, 3)
    assert reports[-1] == (3, 3)
    assert reports == sorted(reports)


def test_one_process_lowers_here(tmp_path, monkeypatch, noted):
    monkeypatch.setenv(PROCESSES, "1")
    monkeypatch.setattr(lowering_processes, "SMALL_EFFORT", 0)
    lower_all(PARTS, store_in(tmp_path / "cache"), lambda *_: None)
    assert {number for number, _ in noted()} == {str(os.getpid())}


def test_little_work_starts_no_process(tmp_path, monkeypatch, noted):
    monkeypatch.setenv(PROCESSES, "8")
    lower_all(PARTS[:1], store_in(tmp_path / "cache"), lambda *_: None)
    assert noted() == [[str(os.getpid()), "squared"]]


@LINUX
def test_a_refused_part_is_no_obstacle(tmp_path, monkeypatch):
    monkeypatch.setenv(PROCESSES, "2")
    monkeypatch.setattr(lowering_processes, "SMALL_EFFORT", 0)
    store = store_in(tmp_path)
    wanted = [part_of(refused), *PARTS]
    lower_all(wanted, store, lambda *_: None)
    assert [bool(part.known_traits(store).refusal) for part in wanted] == [True] + [False] * 3


@LINUX
def test_an_exception_in_the_report_ends_all_processes(tmp_path, monkeypatch, noted):
    monkeypatch.setenv(PROCESSES, "2")
    monkeypatch.setattr(lowering_processes, "SMALL_EFFORT", 0)

    def report(done, total):
        if noted():
            raise KeyboardInterrupt

    store = store_in(tmp_path / "cache")
    with pytest.raises(KeyboardInterrupt):
        lower_all(PARTS, store, report)
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)
    before = len(noted())
    lower_all(PARTS, store_in(tmp_path / "cache"), lambda *_: None)  # no claim is left
    assert all(part.is_kept(store_in(tmp_path / "cache")) for part in PARTS)
    assert len(noted()) - before <= len(PARTS)


@LINUX
def test_children_that_somebody_else_waits_for_are_no_obstacle(tmp_path, monkeypatch):
    monkeypatch.setenv(PROCESSES, "2")
    monkeypatch.setattr(lowering_processes, "SMALL_EFFORT", 0)
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        lower_all(PARTS, store_in(tmp_path), lambda *_: None)
    finally:
        signal.signal(signal.SIGCHLD, before)
    assert all(part.is_kept(store_in(tmp_path)) for part in PARTS)


@LINUX
def test_no_process_is_started_while_another_thread_is_in_numba(tmp_path, monkeypatch, noted):
    """A fork would take the lock along and wait for it for ever."""
    monkeypatch.setenv(PROCESSES, "2")
    monkeypatch.setattr(lowering_processes, "SMALL_EFFORT", 0)
    held, release = threading.Event(), threading.Event()

    def hold():
        with AT_WORK:
            held.set()
            release.wait(60)

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait(60)
    started = lowering_processes._started(PARTS, store_in(tmp_path / "cache"))
    release.set()
    thread.join()
    assert started == lowering_processes.NONE
    lower_all(PARTS, store_in(tmp_path / "cache"), lambda *_: None)
    assert len(noted()) == len(PARTS)


@LINUX
def test_nobody_waits_for_ever_for_a_claim(tmp_path, monkeypatch):
    monkeypatch.setattr(lowering_processes, "PATIENCE_S", 0.5)
    process = holder(tmp_path, PARTS[0].symbol)
    try:
        lower_all(PARTS[:1], store_in(tmp_path), lambda *_: None)
        assert process.poll() is None
    finally:
        process.kill()
        process.wait()
    assert PARTS[0].is_kept(store_in(tmp_path))


HOLDER = """
import sys, time
from pathlib import Path
from railblocks.engine.program.store import Store
with Store(Path(sys.argv[1])).claimed(sys.argv[2]) as ours:
    print(ours, flush=True)
    time.sleep(60)
"""


def holder(folder, name):
    command = [sys.executable, "-c", HOLDER, str(folder), name]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "True\n"
    return process


@LINUX
def test_a_claim_is_exclusive_and_ends_with_its_process(tmp_path):
    store = store_in(tmp_path)
    process = holder(tmp_path, "a")
    try:
        with store.claimed("a") as ours, store.claimed("b") as other:
            assert not ours
            assert other
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    with store.claimed("a") as ours:
        assert ours


@LINUX
def test_what_a_killed_process_was_at_is_lowered_by_the_one_that_waits(tmp_path):
    process = holder(tmp_path, PARTS[0].symbol)
    reports = []

    def report(done, total):
        reports.append(done)
        if len(reports) > 3:
            process.kill()

    lower_all(PARTS[:1], store_in(tmp_path), report)
    process.wait()
    assert reports[-1] == 1
    assert len(reports) > 3, "it did not wait"
    assert PARTS[0].is_kept(store_in(tmp_path))


MANY = """
import os, sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[3])
import test_lowering_processes as t
original = t.parts.lowered
def lowered(function, *others):
    with open(sys.argv[2], "a") as file:
        file.write(function.__name__ + "\\n")
    return original(function, *others)
t.parts.lowered = lowered
t.lower_all(t.PARTS, t.store_in(Path(sys.argv[1])), lambda *_: None)
assert all(part.is_kept(t.store_in(Path(sys.argv[1]))) for part in t.PARTS)
"""


@LINUX
def test_several_programs_that_want_the_same_lower_it_once(tmp_path):
    notes = tmp_path / "notes"
    arguments = [str(tmp_path / "cache"), str(notes), str(Path(__file__).parent)]
    environment = {**os.environ, PROCESSES: "1"}
    running = [
        subprocess.Popen([sys.executable, "-c", MANY, *arguments], env=environment)
        for _ in range(4)
    ]
    assert [process.wait(120) for process in running] == [0, 0, 0, 0]
    assert sorted(notes.read_text().split()) == ["halved", "raised", "squared"]


def test_the_text_of_a_report():
    assert compiling_text(12, 44) == "compiling 12 of 44 kernels"
    assert compiling_text(44, 44) == "linking the program"
