"""Subsystems that run once at each event of a signal."""

import math

import numpy as np
import pytest
from railblocks import DiagramError, check, load, loads, save, simulate

TEXT = """\
diagram: 1
parameters: {level: 0.5}
blocks:
  wave: {type: sources.sine, omega: 3 rad/s}
  time: {type: sources.clock}
  count:
    trigger: rising wave.y > level
    subsystem:
      inputs: {u: held.u}
      outputs: {n: add.y, t: held.y}
      blocks:
        one: {type: sources.constant, value: 1}
        add: {type: math.sum}
        last: {type: discrete.unit_delay}
        held: {type: math.gain}
      wires: [one -> add.u1, add -> last -> add.u2]
  sampled: {type: discrete.unit_delay, every: 0.1 s}
wires:
  - time -> count
  - count.n -> sampled
solver: {stop: 5 s, max_step: 50 ms}
log: {signals: [wave.y, count.n, count.t, sampled.y], every: 10 ms}
"""
RISE, FALL, PERIOD = math.pi / 18.0, 5.0 * math.pi / 18.0, 2.0 * math.pi / 3.0


def events(*firsts):
    return np.sort(np.concatenate([np.arange(first, 5.0, PERIOD) for first in firsts]))


@pytest.mark.parametrize(
    ("word", "firsts"),
    [("rising", (RISE,)), ("falling", (FALL,)), ("either", (RISE, FALL))],
)
def test_it_runs_once_at_each_event_and_holds_in_between(word, firsts):
    run = simulate(loads(TEXT.replace("trigger: rising", f"trigger: {word}")))
    times = events(*firsts)
    number = np.searchsorted(times, run.time, side="right")
    assert np.array_equal(run["count.add.y"], number)
    last = np.concatenate([[0.0], times])[number]
    assert run["count.held.y"] == pytest.approx(last, abs=1e-9)


def test_sampled_blocks_outside_go_on_at_their_own_times():
    run = simulate(loads(TEXT))
    hits = np.floor(run.time / 0.1 + 1e-9) * 0.1
    previous = np.searchsorted(events(RISE), hits - 0.1, side="right")
    assert np.array_equal(run["sampled.y"], np.where(hits > 0.05, previous, 0))


COINCIDING = """\
diagram: 1
blocks:
  tick: {type: sources.free_running_counter, most: 3, every: 0.1 s}
  sum: {type: math.sum}
  total: {type: discrete.unit_delay, every: 0.1 s}
  two: {type: sources.constant, value: 1}
  taken:
    trigger: rising tick.y >= 2
    subsystem: {inputs: {u: g.u}, outputs: {y: g.y}, blocks: {g: {type: math.gain}}}
  again:
    trigger: either taken.y > 5
    subsystem: {inputs: {u: g.u}, outputs: {y: g.y}, blocks: {g: {type: math.gain, k: 10}}}
wires:
  - two -> sum.u1
  - total -> sum.u2
  - sum -> total
  - sum -> taken -> again
solver: {stop: 2 s}
log: {signals: [sum.y, taken.y, again.y], every: 0.1 s}
"""


def test_an_event_at_a_sample_hit_sees_its_outputs_and_moves_no_sample_twice():
    run = simulate(loads(COINCIDING))
    k = np.arange(len(run.time))
    assert np.array_equal(run["sum.y"], k + 1)
    fired = _rises(run)
    taken = np.array([max([i + 1 for i in fired if i <= j], default=0) for j in k])
    assert np.array_equal(run["taken.g.y"], taken)
    first = next(i for i in fired if i + 1 > 5)
    assert np.array_equal(run["again.g.y"], np.where(k >= first, 10 * (first + 1), 0))


def _rises(run):
    """The hits at which a counter from 0 to its largest count, 4 samples, comes to 2."""
    counter = [i % 4 for i in range(len(run.time))]
    return [i for i in range(1, len(counter)) if counter[i] >= 2 > counter[i - 1]]


@pytest.mark.parametrize("text", [TEXT, COINCIDING], ids=["waves", "samples"])
@pytest.mark.parametrize("solver", ["ode45", "rk4, step: 1 ms", "radau5"])
def test_compiled_and_interpreted_runs_have_the_same_bits(text, solver):
    text = text.replace("stop: 5 s", "stop: 1 s").replace("max_step: 50 ms", f"method: {solver}")
    if "method" not in text:
        text = text.replace("{stop: 2 s}", f"{{stop: 1 s, method: {solver}}}")
    text = text.replace("every: 10 ms", "every: 50 ms")
    compiled, interpreted = (simulate(loads(text), compiled=c) for c in (True, False))
    for name in compiled.names:
        assert np.array_equal(compiled[name], interpreted[name])


def test_inside_an_enabled_subsystem_it_waits():
    text = TEXT.replace("  count:\n", "  gate: {type: sources.step, time: 2 s}\n  count:\n")
    text = text.replace("    trigger:", "    enable: gate.y > 0.5\n    trigger:")
    run = simulate(loads(text))
    times = events(RISE)
    number = np.searchsorted(times[times > 2.0], run.time, side="right")
    assert np.array_equal(run["count.add.y"], number)


def test_copies_are_triggered_one_by_one():
    text = TEXT.replace("    trigger: rising wave.y", "    each: 2\n    trigger: rising phases.y")
    text = text.replace("  time:", "  phases: {type: math.gain, k: [1, -1]}\n  time:")
    wires = "- wave -> phases.u\n  - time -> count.u[0]\n  - time -> count.u[1]\n"
    text = text.replace("- time -> count\n", wires)
    text = text.replace("- count.n -> sampled", "- count.n[1] -> sampled")
    run = simulate(loads(text))
    for k, first in enumerate((RISE, RISE + 0.5 * PERIOD)):
        number = np.searchsorted(events(first), run.time, side="right")
        assert np.array_equal(run[f"count[{k}].add.y"], number)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("{type: math.gain}", "{type: continuous.integrator}", "has continuous states, but"),
        ("{type: math.gain}", "{type: nonlinear.relay}", "acts on events of its own"),
        ("{type: discrete.unit_delay}", "{type: discrete.unit_delay, every: 1 s}", "a sample time"),
        ("{type: discrete.unit_delay}", "{type: discrete.integrator}", "with its sample time"),
        ("rising wave.y", "up wave.y", "expected rising, falling or either, and a condition"),
        ("rising wave.y > level", "rising", "expected rising, falling or either, and a condition"),
        ("rising wave.y > level", "[a]", "trigger of 'count' is a list; expected for example"),
        ("rising wave.y > level", "rising wave.y >", "trigger of 'count': the expression ends too"),
        ("wave.y > level", "wave.q > level", "'wave.q' is not a port of wave"),
    ],
)  # fmt: skip
def test_mistakes_are_named(old, new, message):
    assert old in TEXT
    with pytest.raises(DiagramError) as caught:
        check(loads(TEXT.replace(old, new, 1)))
    assert any(message in str(problem) for problem in caught.value.problems), caught.value


def test_saving_keeps_the_key(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text(TEXT)
    save(load(path).with_values({"level": 0.25}), path)
    assert path.read_text() == TEXT.replace("level: 0.5", "level: 0.25")
