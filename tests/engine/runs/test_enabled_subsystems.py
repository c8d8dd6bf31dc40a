"""Subsystems that run while a condition holds: what they keep, show and compute."""

import math

import numpy as np
import pytest
from railblocks import DiagramError, check, load, loads, save, simulate
from railblocks.engine.program.interpreter import Interpreter

PART = """\
diagram: 1
parameters: {high: 0.5}
blocks:
  wave: {type: sources.sine, omega: 3 rad/s}
  part:
    enable: wave.y > high
    subsystem:
      inputs: {u: i.u}
      outputs: {y: i.y, z: g.y, s: d.y}
      blocks:
        i: {type: continuous.integrator}
        g: {type: math.gain, k: 2}
        d: {type: discrete.unit_delay, every: 100 ms}
      wires: [i -> g, i -> d]
  after: {type: continuous.integrator}
wires:
  - wave -> part
  - part.z -> after
solver: {stop: 5 s, rtol: 1e-10, atol: 1e-13}
log: {signals: [part.y, part.z, part.s, after.y, part.enable.on, wave.y], every: 50 ms}
"""
RISE, FALL, PERIOD = math.pi / 18.0, 5.0 * math.pi / 18.0, 2.0 * math.pi / 3.0
GAIN = math.sqrt(3.0) / 3.0
"""The integral of sin 3t from RISE to FALL."""


def with_keys(keys, text=PART):
    return loads(text.replace("    enable:", f"    {keys}\n    enable:") if keys else text)


def since_rise(t):
    """How often the part has been enabled, and the integral since it was last."""
    number = np.floor((t - RISE) / PERIOD).astype(int) + 1
    inside = np.mod(t - RISE, PERIOD) + RISE
    own = (math.cos(3.0 * RISE) - np.cos(3.0 * np.minimum(inside, FALL))) / 3.0
    return number, np.where(number > 0, own, 0.0)


def test_states_and_outputs_hold_while_the_condition_does_not():
    run = simulate(with_keys(""))
    number, own = since_rise(run.time)
    closed = np.where(number > 0, (number - 1) * GAIN + own, 0.0)
    assert run["part.i.y"] == pytest.approx(closed, abs=1e-9)
    assert run["part.g.y"] == pytest.approx(2.0 * closed, abs=1e-9)
    assert np.array_equal(run["part.enable.on"], run["wave.y"] > 0.5)


def test_what_reads_a_held_output_sees_the_value_of_the_event():
    run = simulate(with_keys(""))
    t = np.linspace(0.0, 5.0, 200_001)
    number, own = since_rise(t)
    z = 2.0 * np.where(number > 0, (number - 1) * GAIN + own, 0.0)
    area = np.concatenate([[0.0], np.cumsum(0.5 * (z[1:] + z[:-1]) * np.diff(t))])
    assert run["after.y"] == pytest.approx(np.interp(run.time, t, area), abs=1e-8)


def test_states_start_anew_and_outputs_show_their_value():
    run = simulate(with_keys("when_disabled: reset\n    outputs: -0.25"))
    on = run["part.enable.on"]
    _, own = since_rise(run.time)
    assert run["part.g.y"][on] == pytest.approx(2.0 * own[on], abs=1e-9)
    for name in ("part.i.y", "part.g.y", "part.d.y"):
        assert np.all(run[name][~on] == -0.25)


def test_sampled_blocks_inside_are_hit_only_while_the_subsystem_runs():
    run = simulate(with_keys(""))
    t, held, y = run.time, run["part.d.y"], run["part.i.y"]
    hits = [k for k in range(1, len(t)) if round(t[k] * 20) % 2 == 0]
    previous = 0.0
    for k in hits:
        if run["wave.y"][k] > 0.5:
            assert held[k] == previous
            previous = y[k]
        else:
            assert held[k] == held[k - 1]


@pytest.mark.parametrize("solver", ["ode45", "rk4, step: 1 ms", "radau5", "ode23", "ode853"])
@pytest.mark.parametrize("keys", ["", "when_disabled: reset\n    outputs: 3"])
def test_compiled_and_interpreted_runs_have_the_same_bits(solver, keys):
    text = PART.replace("stop: 5 s, rtol: 1e-10, atol: 1e-13", f"stop: 0.6 s, method: {solver}")
    compiled, interpreted = (simulate(with_keys(keys, text), compiled=c) for c in (True, False))
    for name in compiled.names:
        assert np.array_equal(compiled[name], interpreted[name])


def test_a_subsystem_inside_another_runs_while_both_conditions_hold():
    run = simulate(
        loads("""\
diagram: 1
blocks:
  one: {type: sources.constant, value: 1}
  slow: {type: sources.sine, omega: 1 rad/s}
  outer:
    enable: slow.y > 0
    subsystem:
      inputs: {u: inner.u, fast: []}
      outputs: {y: inner.y}
      blocks:
        inner:
          enable: fast > 0
          when_disabled: reset
          subsystem:
            inputs: {u: i.u}
            outputs: {y: i.y}
            blocks: {i: {type: continuous.integrator}}
  fast: {type: sources.sine, omega: 2 rad/s}
wires: [one -> outer.u, fast -> outer.fast]
solver: {stop: 12 s, rtol: 1e-9}
log: {signals: [outer.y, outer.enable.on, outer.inner.enable.on], every: 100 ms}
""")
    )
    t = run.time
    both = (np.sin(t) > 0.0) & (np.sin(2.0 * t) > 0.0)
    assert np.array_equal(run["outer.inner.enable.on"], both)
    assert run["outer.inner.i.y"][both] == pytest.approx(np.mod(t[both], 2.0 * math.pi), abs=1e-7)


SAMPLED = """\
diagram: 1
blocks:
  wave: {type: sources.square, period: 1 s}
  above: {type: logic.compare_to_constant, relation: ">"}
  hold: {type: discrete.zero_order_hold, every: 0.3 s, signal_type: bool}
  one: {type: sources.constant, value: 1}
  part: {enable: hold, subsystem: {inputs: {u: i.u}, outputs: {y: i.y}, blocks: {
    i: {type: continuous.integrator}}}}
wires: [wave -> above -> hold, one -> part]
solver: {stop: 3 s}
log: {signals: [part.y, wave.y], every: 0.1 s}
"""


def test_a_sampled_truth_value_enables_from_its_hit_on():
    run = simulate(loads(SAMPLED))
    wave = run["wave.y"][::3] > 0.0
    closed = np.concatenate([[0.0], np.cumsum(np.repeat(wave, 3)[: len(run.time) - 1]) * 0.1])
    assert run["part.i.y"] == pytest.approx(closed, abs=1e-9)


EACH = """\
diagram: 1
parameters: {limit: 1.5}
blocks:
  level: {type: sources.constant, value: [1, 2, 3]}
  one: {type: sources.constant, value: [10, 20, 30]}
  parts:
    each: {count: 3, shared: [SHARED]}
    enable: CONDITION
    subsystem: {inputs: {u: i.u}, outputs: {y: i.y}, blocks: {i: {type: continuous.integrator}}}
wires: [one -> parts]
solver: {stop: 1 s}
log: {signals: [parts.y]}
"""


def test_copies_have_conditions_of_their_own_or_share_one():
    own = simulate(loads(EACH.replace("CONDITION", "level.y > limit").replace("SHARED", "")))
    assert [own[f"parts[{k}].i.y"][-1] for k in range(3)] == pytest.approx([0.0, 20.0, 30.0])
    text = EACH.replace("CONDITION", "level.y[0] > limit - index").replace("SHARED", "enable")
    shared = simulate(loads(text))
    assert [shared[f"parts[{k}].i.y"][-1] for k in range(3)] == pytest.approx([0.0, 20.0, 30.0])


def test_nothing_inside_is_computed_while_the_condition_does_not_hold(monkeypatch):
    calls, call = [], Interpreter.call
    monkeypatch.setattr(
        Interpreter, "call", lambda self, c, *rest: (calls.append(c.block), call(self, c, *rest))
    )
    diagram = loads(PART.replace("wave.y > high", "wave.y > 2 * high").replace("5 s", "0.3 s"))
    simulate(diagram, compiled=False)
    assert {"wave", "part.enable", "after"} <= set(calls)
    assert not {"part.i", "part.g", "part.d"} & set(calls)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("wave.y > high", "wave.y > ", "enable of 'part': the expression ends too early"),
        ("wave.y > high", "wave.y + high", "this is a number; expected a condition"),
        ("wave.y > high", "wave.z > high", "'wave.z' is not a port of wave"),
        ("wave.y > high", "wve.y > high", "'wve' is not a block; did you mean 'wave'"),
        ("wave.y > high", "wave.y", "wave.y is a float but part.enable.u1 takes a bool"),
        ("wave.y > high", "[1, 2]", "enable of 'part' is a list; expected a condition"),
        ("    enable:", "    when_disabled: keep\n    enable:", "'keep'; expected hold or reset"),
        ("    enable:", "    outputs: [1, 2]\n    enable:", "expected hold or one number"),
        ("        i: {", "        enable: {type: math.gain}\n        i: {", "named 'enable'"),
    ],
)  # fmt: skip
def test_mistakes_are_named(old, new, message):
    assert old in PART
    text = PART.replace(old, new, 1)
    with pytest.raises(DiagramError) as caught:
        check(loads(text))
    assert any(message in str(problem) for problem in caught.value.problems), caught.value


LOOP = """\
diagram: 1
blocks:
  wave: {type: sources.sine, omega: 3 rad/s}
  part:
    enable: wave.y > 0.5
    subsystem:
      inputs: {u: s.u1, v: s.u2}
      outputs: {y: s.y, z: k.y}
      blocks: {s: {type: math.sum}, k: {type: math.gain, k: 0.5}}
      wires: [s -> k]
  back: {type: math.gain}
wires: [wave -> part.u, WIRES]
solver: {stop: 3 s}
log: {signals: [wave.y, part.y, part.enable.on], every: 10 ms}
"""


def test_a_loop_inside_is_solved_while_the_subsystem_runs():
    text = LOOP.replace("WIRES", "part.z -> part.v").replace("  back: {type: math.gain}\n", "")
    assert len(check(loads(text)).schedule.program.loops) == 1
    for compiled in (True, False):
        run = simulate(loads(text), compiled=compiled)
        on = run["part.enable.on"]
        assert run["part.s.y"][on] == pytest.approx(2.0 * run["wave.y"][on], abs=1e-9)
        assert run["part.s.y"][-1] == pytest.approx(1.0, abs=1e-6)


def test_a_loop_that_a_condition_would_cut_is_refused():
    with pytest.raises(DiagramError, match="some of it runs only while a subsystem is enabled"):
        check(loads(LOOP.replace("WIRES", "part.z -> back -> part.v")))


def test_sides_of_a_condition_have_one_unit():
    text = """\
diagram: 1
parameters: {limit: 2 kg}
blocks:
  push: {type: sources.constant, value: 1 N}
  body: {type: mechanics.mass, m: 1 kg}
  part: {enable: body.x > limit, subsystem: {blocks: {c: {type: sources.constant}}}}
wires: [push -> body]
"""
    check(loads(text.replace("2 kg", "2 m")))
    with pytest.raises(DiagramError, match=r"part\.enable"):
        check(loads(text))


def test_saving_keeps_the_keys(tmp_path):
    path = tmp_path / "a.yaml"
    keys = "    outputs: -1\n    when_disabled: reset\n    enable: wave.y > high\n"
    path.write_text(PART.replace("    enable: wave.y > high\n", keys))
    diagram = load(path)
    save(diagram.with_values({"high": 0.7}), path)
    assert keys in path.read_text()
    assert load(path) == diagram.with_values({"high": 0.7})
