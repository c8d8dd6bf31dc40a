"""Sinks: their ports, and the guards that end runs."""

import pytest
from bench import Bench


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
