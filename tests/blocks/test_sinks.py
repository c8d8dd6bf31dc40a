"""Sinks: their ports, and the guards that end runs."""

import pytest
from bench import Bench
from railblocks.engine import Simulation, check, loads


@pytest.mark.parametrize("block", ["sinks.scope", "sinks.log"])
def test_recording_sink_has_a_port_of_its_own_unit_and_shape_for_each_signal(block):
    bench = Bench(block, n=3)
    ports = {name: (item.unit, item.shape) for name, item in bench.declaration.inputs.items()}
    assert ports == {"u1": ("?a", "size_u1"), "u2": ("?b", "size_u2"), "u3": ("?c", "size_u3")}
    assert bench.instance.type.recorded


def test_assertion_fails_where_its_input_is_false():
    bench = Bench("sinks.assertion", message="too fast")
    (guard,) = bench.declaration.of_kind("guard")
    assert (guard.action, guard.message) == ("fail", "{message}")
    assert bench.run("guard", u=True)["violation"] < 0.0 < bench.run("guard", u=False)["violation"]


def test_stop_ends_the_run_when_true():
    bench = Bench("sinks.stop")
    (guard,) = bench.declaration.of_kind("guard")
    assert guard.action == "stop"
    assert bench.run("guard", u=False)["stop"] < 0.0 < bench.run("guard", u=True)["stop"]


def outcome(blocks, wires):
    """A simulation that ran to its end, also if that is a failure."""
    text = f"diagram: 1\nblocks: {{{blocks}}}\nwires: [{wires}]\nsolver: {{stop: 1 s}}\n"
    simulation = Simulation(check(loads(text)))
    while not simulation.outcome:
        simulation.advance()
    return simulation


def test_scope_and_log_record_signals_of_any_shape_type_and_unit():
    simulation = outcome(
        "x: {type: sources.constant, value: 2 m}, v: {type: sources.constant, value: [1, 2, 3]},"
        " m: {type: sources.constant, value: [[1, 2], [3, 4]]}, unseen: {type: sources.clock},"
        " on: {type: sources.boolean_constant}, n: {type: sources.integer_constant},"
        " scope: {type: sinks.scope, n: 3}, log: {type: sinks.log, n: 3}",
        "x -> scope.u1, v -> scope.u2, on -> scope.u3, m -> log.u1, n -> log.u2, 'v[1] -> log.u3'",
    )
    shapes = {column.name: (column.shape, column.type) for column in simulation.columns}
    assert shapes == {
        "x.y": ((), float),
        "v.y": ((3,), float),
        "on.y": ((), bool),
        "m.y": ((2, 2), float),
        "n.y": ((), int),
    }


EARLY = "t: {type: sources.clock}, early: {type: logic.compare_to_constant, relation: <, u2: 0.7 s}"


@pytest.mark.parametrize("message", ["too late", "{t} is later than {} or {0}", "100 % \\\\o/"])
def test_assertion_ends_the_run_with_its_message_as_it_was_written(message):
    simulation = outcome(
        f'{EARLY}, claim: {{type: sinks.assertion, message: "{message}"}}', "t -> early -> claim"
    )
    written = message.replace("\\\\", "\\")
    assert simulation.outcome == "failed"
    assert simulation.reason == f"t = 0.7 s: claim: {written}"


def test_assertion_without_a_message_says_so_much():
    simulation = outcome(f"{EARLY}, claim: {{type: sinks.assertion}}", "t -> early -> claim")
    assert simulation.reason == "t = 0.7 s: claim: the assertion does not hold"


def test_stop_tells_which_block_ended_the_run_and_when():
    simulation = outcome(
        f"{EARLY}, late: {{type: logic.not}}, end: {{type: sinks.stop}}",
        "t -> early -> late -> end",
    )
    assert (simulation.outcome, simulation.reason) == ("stopped", "end at t = 0.7 s")
