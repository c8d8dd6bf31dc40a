"""Nothing holds a run for ever: times that stand still, sources without end, endless functions."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from railblocks.engine import Simulation, SimulationError, check, load, loads
from railblocks.engine.runs.results import Results

METHODS = (
    "method: ode45",
    "method: ode23",
    "method: ode853",
    "method: radau5",
    *(f"method: {name}, step: 0.1" for name in ("euler", "heun", "rk4", "ode5")),
)


def failure(text, compiled):
    simulation = Simulation(check(loads("diagram: 1\n" + text)), compiled)
    with pytest.raises(SimulationError) as caught:
        list(simulation.chunks())
    return str(caught.value)


# --- time that stands still --------------------------------------------------------------------
@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("solver", METHODS)
def test_a_time_that_does_not_advance_ends_the_run(solver, compiled):
    """Neighbours of 1e16 are 2 s apart: a step of 0.1 s, or at most 0.1 s, leads nowhere."""
    limit = "" if "step" in solver else ", max_step: 0.1"
    message = failure(
        f"""
blocks: {{c: {{type: sources.constant}}, x: {{type: continuous.integrator}}}}
wires: [c -> x]
solver: {{start: 1.0e+16, stop: 1.00001e+16, {solver}{limit}}}
log: {{signals: [x.y]}}
""",
        compiled,
    )
    assert message.startswith("t = 1e+16 s: time no longer advances: a step of 0.1 s is too short")
    assert "2 s apart; start the run nearer to 0 s" in message


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("method", ["ode45", "radau5"])
def test_a_variable_step_is_long_enough_to_be_seen(method, compiled):
    """x' = 1 from 1e16 s on: the integral is the time that passed, whatever the first step is."""
    simulation = Simulation(
        check(
            loads(
                f"""
diagram: 1
blocks: {{c: {{type: sources.constant}}, x: {{type: continuous.integrator}}}}
wires: [c -> x]
solver: {{start: 1.0e+16, stop: 1.0000000001e+16, method: {method}}}
log: {{signals: [x.y]}}
"""
            )
        ),
        compiled,
    )
    rows = np.concatenate(list(simulation.chunks()))
    assert np.all(np.diff(rows[:, 0]) > 0.0)
    assert rows[:, 1] == pytest.approx(rows[:, 0] - 1e16, abs=4.0)


@pytest.mark.parametrize("compiled", [True, False])
def test_sample_times_that_cannot_be_told_apart_end_the_run(compiled):
    message = failure(
        """
blocks: {c: {type: sources.constant}, d: {type: discrete.unit_delay, every: 0.1}}
wires: [c -> d]
solver: {start: 1.0e+16, stop: 1.00001e+16}
log: {signals: [d.y]}
""",
        compiled,
    )
    assert "time no longer advances: a sample time of 0.1 s is too short" in message


@pytest.mark.parametrize("compiled", [True, False])
def test_log_times_that_cannot_be_told_apart_end_the_run(compiled):
    message = failure(
        """
blocks: {c: {type: sources.constant}}
solver: {start: 1.0e+16, stop: 1.00001e+16}
log: {signals: [c.y], every: 0.1}
""",
        compiled,
    )
    assert "time no longer advances: a log period of 0.1 s is too short" in message


# --- sources -----------------------------------------------------------------------------------
SOURCES = (
    "{type: sources.square, period: 1.0e-300}",
    "{type: sources.pulse, period: 1.0e-300}",
    "{type: sources.triangle, period: 1.0e-300}",
    "{type: sources.sawtooth, period: 1.0e-300}",
    "{type: sources.square, period: 1.0e-20, delay: -1}",
    "{type: sources.from_table, times: [0, 1.0e-300], values: [0, 1], outside: repeat}",
)


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("source", SOURCES)
def test_a_source_that_is_too_fast_ends_the_run_and_is_named(source, compiled):
    message = failure(
        f"blocks: {{s: {source}}}\nsolver: {{stop: 1}}\nlog: {{signals: [s.y]}}", compiled
    )
    assert "s: ValueError: the " in message or "of s fires again and again" in message


def test_the_edges_of_a_square_wave_are_counted_as_before():
    """Edges at every 0.5e-3 s: over 1 s the sign changes 2000 times, and none is lost."""
    text = """
diagram: 1
blocks: {s: {type: sources.square, period: 1.0e-3}}
solver: {start: 1000000, stop: 1000000.1}
log: {signals: [s.y], every: 1.0e-4}
"""
    rows = np.concatenate(list(Simulation(check(loads(text))).chunks()))
    inside = np.arange(len(rows)) % 5 != 0
    expected = np.where(np.arange(len(rows)) % 10 < 5, 1.0, -1.0)
    assert rows[inside, 1].tolist() == expected[inside].tolist()


# --- functions without end ---------------------------------------------------------------------
BLOCKS = '''
from railblocks.engine import *

class Spin(Block):
    """Its input, or nothing for ever from 0.5 on."""
    id = "own.spin"
    u = In("1", "input")
    y = Out("1", "output")

    @out("y")
    def spin(u):
        LINE
        x = u
        while u >= 0.5:
            x += 1.0
        return x
'''
DIAGRAM = """
diagram: 1
blocks: {r: {type: sources.ramp, slope: 1}, b: {type: own.spin}}
wires: [r -> b]
solver: {stop: 1, method: euler, step: 0.01}
log: {signals: [b.y], every: 0.1}
"""


def command(folder, *options):
    (folder / "d.yaml").write_text(DIAGRAM)
    words = [sys.executable, "-m", "railblocks.engine.cli", "run", "d.yaml", "-o", "d.h5"]
    words += ["--blocks", "own_blocks.py", *options]
    return subprocess.Popen(words, cwd=folder, stderr=subprocess.PIPE, text=True)


def wait_for(condition, process):
    for _ in range(2400):
        if condition():
            return
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.05)
    raise TimeoutError("what was waited for did not happen in two minutes")


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize(
    ("line", "options"),
    [("pass", ()), ("pass", ("--interpret",)), ("import json; json.dumps(1)", ())],
    ids=["compiled", "interpreted", "by callback"],
)
def test_two_interruptions_end_a_function_without_end_and_name_it(tmp_path, line, options):
    (tmp_path / "own_blocks.py").write_text(BLOCKS.replace("LINE", line))
    with command(tmp_path, *options) as process:
        wait_for((tmp_path / "d.h5").exists, process)
        time.sleep(1.0)
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
    assert process.returncode == 130
    lines = [text for text in errors.splitlines() if not text.startswith("note:")]
    assert len(lines) == 1
    assert "interrupted in b: function 'spin'; the results so far are in d.h5" in lines[0]
    results = Results.load(tmp_path / "d.h5")
    assert results.meta["outcome"] == "cancelled"
    assert results["b.y"].tolist() == pytest.approx([0.0, 0.1, 0.2, 0.3, 0.4])


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_an_interruption_while_compiling_ends_the_command(tmp_path, monkeypatch):
    monkeypatch.setenv("RAILBLOCKS_CACHE", str(tmp_path / "cache"))
    (tmp_path / "own_blocks.py").write_text(BLOCKS.replace("LINE", "pass"))
    with command(tmp_path) as process:
        wait_for((tmp_path / "cache").exists, process)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors.strip() == "interrupted"


@pytest.mark.parametrize("compiled", [True, False])
def test_a_run_that_is_cancelled_ends_after_the_step_at_work(compiled):
    simulation = Simulation(check(load("diagrams/dc_motor.yaml")), compiled)
    simulation.cancel()
    simulation.advance(10**9)
    assert simulation.outcome == "cancelled"
    assert simulation.statistics.steps <= 1
    simulation.reset()
    simulation.advance(10)
    assert simulation.outcome == ""
    assert simulation.statistics.steps == 10
