"""State machines and other structured parameters, and units, through whole diagrams."""

import numpy as np
import pytest
from diagram_runs import at, both, run
from railblocks.engine import DiagramError, check, loads


def test_state_machine_runs_from_yaml():
    text = """
blocks:
  clock: {type: sources.clock}
  mode:
    type: logic.state_machine
    every: 0.1 s
    inputs: {t_now: float}
    states: {wait: {y: 0}, go: {y: 2.5}, rest: {y: -1}}
    transitions:
      - {from: wait, to: go, when: t_now >= 1}
      - {from: go, to: rest, when: t_now >= 2}
  log: {type: sinks.log, n: 2}
wires: [clock.y -> mode.t_now, mode.y -> log.u1, mode.state -> log.u2]"""
    results = run(text + "\nlog: {every: 0.05 s}")
    assert [at(results, "mode.y", t) for t in (0.95, 1.0, 1.95, 2.0, 4.0)] == [0, 2.5, 2.5, -1, -1]
    assert at(results, "mode.state", 4.0) == 2


@both
def test_state_machine_of_200_transitions_counts_its_samples(compiled):
    names = ", ".join(f"s{i}: {{}}" for i in range(200))
    ways = ", ".join(
        f"{{from: s{i}, to: s{(i + 1) % 200}, when: {('go', 'not off')[i % 2]}}}"
        for i in range(199)
    )
    text = f"""
blocks:
  go:  {{type: sources.boolean_constant}}
  off: {{type: sources.boolean_constant, value: false}}
  mode: {{type: logic.state_machine, every: 10 ms, inputs: {{go: bool, off: bool}},
         states: {{{names}}}, transitions: [{ways}]}}
wires: [go.y -> mode.go, off.y -> mode.off]
log: {{every: 10 ms, signals: [mode.state]}}"""
    results = run(text, compiled, "solver: {stop: 3 s}")
    assert np.array_equal(results["mode.state"], np.minimum(np.arange(301) + 1, 199))


@pytest.mark.parametrize(
    ("block", "message"),
    [
        ("continuous.zero_pole_gain, poles: [-2*pi]", "entry 1 of poles is '-2*pi'"),
        ("continuous.zero_pole_gain, poles: [[-1, 3 rad/s]]", "entry 1 of poles is '3 rad/s'"),
        (
            "logic.state_machine, every: 1 s, inputs: {}, states: {on: {y: 3 N}}, transitions: []",
            "y of state 'on' is '3 N'",
        ),
    ],
)
def test_formulas_and_units_inside_structured_parameters_are_refused_with_their_place(
    block, message
):
    with pytest.raises(DiagramError) as caught:
        check(loads(f"diagram: 1\nblocks:\n  b: {{type: {block}}}\n"))
    message = next(str(p) for p in caught.value.problems if "expected a plain number" in str(p))
    assert message.startswith("<text>:3:")
    assert message in message
    assert message.endswith("expected a plain number, without unit, name or formula")


def test_units_are_solved_through_generic_blocks_and_mismatches_are_named():
    text = """
blocks:
  v:    {type: sources.constant, value: 36 km/h}
  x:    {type: continuous.integrator}
  hyp:  {type: math.hypot}
wires: [v.y -> x.u, x.y -> hyp.u1, v.y -> hyp.u2]"""
    with pytest.raises(DiagramError, match="hyp"):
        run(text)


def test_product_multiplies_units():
    text = """
blocks:
  F: {type: sources.constant, value: 3 N}
  v: {type: sources.constant, value: 2 m/s}
  P: {type: math.product}
  E: {type: continuous.integrator}
wires: [F.y -> P.u1, v.y -> P.u2, P.y -> E.u]"""
    results = run(text)
    assert results["E.y"][-1] == pytest.approx(24)
    from railblocks.engine.units.unit import parse_unit

    assert parse_unit(results.unit("E.y")).same(parse_unit("J"))
