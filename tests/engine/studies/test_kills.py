"""A study whose process is killed again and again loses no run and repeats none."""

import os
import random
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from railblocks.engine import Study, loads, simulate_many

TEXT = """\
diagram: 1
blocks:
  u:   {type: sources.sine, amplitude: 1, omega: 30}
  lag: {type: continuous.first_order_lag, T: 1 s}
wires: [u -> lag]
solver: {stop: 2 s, max_step: 0.2 ms}
log: {signals: [lag.y], every: 20 ms}
"""
RUNS = 120
SLOWLY = """\
import sys
from railblocks.engine.cli import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture
def diagram(tmp_path):
    path = tmp_path / "lag.yaml"
    path.write_text(TEXT)
    return path


def command(diagram, output):
    return [
        *(sys.executable, "-c", SLOWLY, "sweep", str(diagram), "--vary", f"lag.T=0.1..5:{RUNS}"),
        *("--summary", "end = final(lag.y)", "--keep-signals", "lag.y", "--workers", "2"),
        *("-o", str(output), "--quiet"),
    ]


def ended_in(output):
    return (
        set(np.flatnonzero(Study.load(output)["outcome"] != "waiting"))
        if output.exists()
        else set()
    )


def kill_until_done(diagram, output, kills, seed):
    """Kills the sweep so many times, looking at the file after each; then lets it end."""
    chance, before, made = random.Random(seed), set(), 0
    for _ in range(kills):
        process = subprocess.Popen(command(diagram, output))
        deadline = time.monotonic() + 20.0
        while process.poll() is None and len(ended_in(output)) <= len(before):
            assert time.monotonic() < deadline, "no run has ended"
            time.sleep(0.005)
        time.sleep(chance.random() * 0.05)
        process.send_signal(signal.SIGKILL)
        process.wait()
        now = ended_in(output)
        assert now >= before, "a run was lost"
        made += len(now - before)
        before = now
        if len(now) == RUNS:
            os.remove(output)
            before, made = set(), 0
    assert subprocess.run(command(diagram, output), timeout=120, check=False).returncode == 0
    return before


def check_whole(diagram, output):
    study = Study.load(output)
    assert study.counts == {"done": RUNS}
    whole = simulate_many(
        loads(diagram.read_text()), {"lag.T": f"0.1..5:{RUNS}"}, ["end = final(lag.y)"],
        keep_signals=["lag.y"],
    )  # fmt: skip
    assert np.array_equal(study["end"], whole["end"])
    for run in range(RUNS):
        assert np.array_equal(study.run(run)["lag.y"], whole.run(run)["lag.y"])
        assert np.array_equal(study.run(run).time, whole.run(run).time)


def test_a_study_that_was_killed_goes_on_where_it_was(diagram, tmp_path):
    output = tmp_path / "study.h5"
    before = kill_until_done(diagram, output, 3, seed=1)
    assert before
    check_whole(diagram, output)


@pytest.mark.slow
def test_a_hundred_kills_lose_no_run(diagram, tmp_path):
    output = tmp_path / "study.h5"
    kill_until_done(diagram, output, 100, seed=2)
    check_whole(diagram, output)


def test_ctrl_c_leaves_a_study_that_can_be_read_and_goes_on(diagram, tmp_path):
    output = tmp_path / "study.h5"
    process = subprocess.Popen(command(diagram, output), stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 20.0
    while not ended_in(output) and process.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    _, shown = process.communicate(timeout=30)
    ended = len(ended_in(output))
    if process.returncode == 0:
        pytest.skip("the study was faster than the signal")
    assert process.returncode == 130
    assert f"interrupted; {ended} of {RUNS} runs are in {output}: the same command goes on" in shown
    assert subprocess.run(command(diagram, output), check=False).returncode == 0
    check_whole(diagram, output)
