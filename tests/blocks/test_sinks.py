"""Sinks: their ports, and the guards that end runs."""

import pytest
from bench import Bench


@pytest.mark.parametrize("block", ["sinks.scope", "sinks.log"])
def test_recording_sink_has_a_port_of_its_own_unit_for_each_signal(block):
    bench = Bench(block, n=3)
    assert {name: item.unit for name, item in bench.declaration.inputs.items()} == {
        "u1": "?a",
        "u2": "?b",
        "u3": "?c",
    }
    assert bench.instance.type.recorded


def test_assertion_fails_with_its_message():
    bench = Bench("sinks.assertion", message="too fast")
    (guard,) = bench.declaration.of_kind("guard")
    assert (guard.action, guard.message) == ("fail", "too fast")
    assert bench.run("guard", u=True)["violation"] < 0.0 < bench.run("guard", u=False)["violation"]


def test_stop_ends_the_run_when_true():
    bench = Bench("sinks.stop")
    (guard,) = bench.declaration.of_kind("guard")
    assert guard.action == "stop"
    assert bench.run("guard", u=False)["stop"] < 0.0 < bench.run("guard", u=True)["stop"]
