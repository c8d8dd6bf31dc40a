"""A condition becomes a block whose inputs are the signals that it names."""

import pytest
from railblocks.engine.conditions.condition import condition_block, read_condition
from railblocks.engine.expressions.tree import ExpressionError

TEXT = "tank.h > h_max and not pump.on or 0 < x[1] <= 3"


def test_signals_are_inputs_and_parameters_are_parameters():
    condition = read_condition(TEXT)
    assert condition.names == ("tank.h", "h_max", "pump.on", "x[1]")
    parameters = frozenset({"h_max"})
    assert condition.arguments(parameters) == {
        "tank.h": "u1", "pump.on": "u2", "x[1]": "u3", "h_max": "p1",
    }  # fmt: skip
    declaration = condition_block(condition, parameters, nested=True).declaration
    assert {name: item.type for name, item in declaration.inputs.items()} == {
        "u1": object, "u2": bool, "u3": object, "outer": bool,
    }  # fmt: skip
    assert declaration.inputs["u1"].unit == declaration.params["p1"].unit
    assert declaration.inputs["u1"].unit != declaration.inputs["u3"].unit


def test_a_nested_condition_holds_only_while_that_around_it_does():
    block = condition_block(read_condition("a > b"), frozenset(), nested=True)
    (guard,) = block.declaration.of_kind("guard")
    assert guard.function(3.0, 1.0, True) == 1.0
    assert guard.function(3.0, 1.0, False) == -1.0
    assert guard.function(0.0, 1.0, True) == -1.0


def test_equal_conditions_share_one_block_type():
    one, other = read_condition("a > b"), read_condition("a > b")
    assert condition_block(one, frozenset(), False) is condition_block(other, frozenset(), False)


def test_a_name_is_a_truth_value_or_a_number():
    with pytest.raises(ExpressionError, match="'p' is a truth value and a number"):
        read_condition("p and p > 3")
