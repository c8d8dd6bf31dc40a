"""Blocks that jump, bend or switch at a point are named, those that are smooth are not."""

import pytest
from railblocks.engine import linearise, loads

HEAD = (
    "diagram: 1\nblocks:\n  x: {type: continuous.first_order_lag, T: 1 s, x_0: START}\n  f: BLOCK\n"
)
TAIL = "wires: [x -> f, f -> x]\nsolver: {stop: 1}\n"


def model(block, start):
    return linearise(loads((HEAD + TAIL).replace("START", str(start)).replace("BLOCK", block)))


@pytest.mark.parametrize(
    ("block", "start", "words"),
    [
        ("{type: math.sign}", 0.0, ["f (math.sign)"]),
        ("{type: math.abs}", 0.0, ["f (math.abs)"]),
        ("{type: nonlinear.saturation, lower: -1, upper: 1}", 1.0, ["f (nonlinear.saturation)"]),
        ("{type: math.round}", 0.5, ["f (math.round)"]),
        ("{type: math.expression, expression: abs(u - 2)}", 2.0, ["f (math.expression) bends"]),
        ("{type: math.expression, expression: 1 if u > 2 else 0}", 2.0, ["f (math.expression)"]),
        (
            "{type: nonlinear.lookup_1d, points: [0, 1, 2], values: [0, 1, 5]}",
            1.0,
            ["f (nonlinear"],
        ),
    ],
)
def test_jumps_and_kinks_at_the_point_are_warned_of(block, start, words):
    found = model(block, start)
    assert found.warnings
    assert all(any(word in text for text in found.warnings) for word in words)


@pytest.mark.parametrize(
    ("block", "start"),
    [
        ("{type: math.sign}", 1.0),
        ("{type: math.abs}", -3.0),
        ("{type: math.expression, expression: sin(u) * u ^ 3}", 0.0),
        ("{type: math.expression, expression: exp(u) / (1 + u ^ 2)}", 0.3),
        ("{type: math.square}", 0.0),
        ("{type: math.gain, k: 1e9}", 1e-6),
        ("{type: math.bias, b: 1e9}", 1e-6),
    ],
)
def test_smooth_points_are_not_warned_of(block, start):
    assert model(block, start).warnings == ()


@pytest.mark.parametrize(
    ("block", "start"),
    [
        ("{type: nonlinear.saturation, lower: -1, upper: 1}", 5.0),
        ("{type: nonlinear.relay, switch_on: 1, switch_off: -1, high: 1, low: 0}", 0.0),
        ("{type: continuous.transport_delay, delay: 1 s}", 0.0),
        ("{type: math.round}", 0.2),
    ],
)
def test_what_a_model_keeps_as_it_is_is_noted(block, start):
    found = model(block, start)
    assert any(text.startswith("f (") for text in found.notes)
    assert found.A[0, 0] == -1.0
