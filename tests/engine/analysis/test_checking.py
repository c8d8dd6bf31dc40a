"""Every class of mistake in a diagram has a message with place, expectation and next step."""

import pytest
from railblocks.engine import DiagramError, check, loads


def problems(blocks, wires="[]", rest=""):
    with pytest.raises(DiagramError) as caught:
        check(loads(f"diagram: 1\nblocks:\n{blocks}\nwires: {wires}\n{rest}", file="d.yaml"))
    return [str(problem) for problem in caught.value.problems]


def one(blocks, wires="[]", rest=""):
    mistakes = problems(blocks, wires, rest)
    assert len(mistakes) == 1, mistakes
    return mistakes[0]


C = "  c: {type: sources.constant}\n"
G = "  g: {type: math.gain}\n"


def test_unknown_block_type():
    assert one("  g: {type: math.gian}") == (
        "d.yaml:3:3: 'math.gian' is not a known block type; did you mean 'math.gain'?"
    )


def test_unknown_block_type_far_from_all():
    assert one("  g: {type: zzzzzz}").endswith("see `railblocks list`")


def test_unknown_parameter():
    message = one("  c: {type: sources.constant, valeu: 3}")
    assert message == (
        "d.yaml:3:38: 'valeu' is not a parameter of c (sources.constant); did you mean 'value'?"
    )


def test_missing_parameter():
    message = one("  c: {type: sources.constant}\n  m: {type: mechanics.mass}", "[c -> m]")
    assert message.startswith("d.yaml:4:3: m (mechanics.mass) needs a value for 'm'")
    assert "kg" in message


def test_value_out_of_range():
    message = one(C + "  m: {type: mechanics.mass, m: -2 kg}", "[c -> m]")
    assert message == "d.yaml:4:32: m.m = -2 is out of range; expected > 0"


def test_value_of_another_dimension():
    message = one(C + "  m: {type: mechanics.mass, m: 2 s}", "[c -> m]")
    assert message.startswith("d.yaml:4:32: m.m = 2.0 s has unit s; expected a mass (kg)")


def test_value_with_a_unit_is_converted():
    text = "diagram: 1\nblocks:\n  c: {type: sources.constant}\n  m: {type: mechanics.mass, m: 2 g}"
    model = check(loads(text + "\nwires: [c -> m]")).model
    assert model.blocks["m"].values["m"] == pytest.approx(2e-3)


def test_text_where_a_number_belongs():
    assert "d.yaml:3:" in one("  c: {type: sources.constant, value: fast}")


def test_fraction_where_a_whole_number_belongs():
    message = one(C + "  d: {type: discrete.delay, every: 1 s, n: 2.5}", "[c -> d]")
    assert "d.n = 2.5 is not a whole number" in message


def test_truth_value_where_a_number_belongs():
    assert "is a truth value; expected a number" in one(
        "  c: {type: sources.constant, value: true}"
    )


def test_wrong_choice():
    message = one(C + "  f: {type: math.trigonometry, function: sinus}", "[c -> f]")
    assert "f.function = 'sinus' is not one of sin, " in message


def test_unconnected_input():
    assert one(G) == (
        "d.yaml:3:3: input g.u of math.gain is not connected; add a wire `... -> g.u`"
    )


def test_input_driven_twice():
    message = one(C + "  k: {type: sources.constant}\n" + G, "[c -> g, k -> g]")
    assert "input g.u is driven twice, by c.y and k.y" in message


def test_unknown_port():
    message = one(C + "  s: {type: math.sum}", "[c -> s.u1, c.y -> s.u2, c.yy -> s.u1]")
    assert "'c.yy' is not a port of c (sources.constant); did you mean 'c.y'?" in message


def test_unknown_block_in_a_wire():
    mistakes = problems(C + G, "[d -> g]")
    assert any("'d' is not a block" in message for message in mistakes)


def test_input_used_as_a_source():
    mistakes = problems(C + G, "[c -> g, g.u -> g.u]")
    assert any("'g.u' is an input of g (math.gain)" in message for message in mistakes)


def test_port_must_be_named_where_there_are_several():
    message = problems(C + "  s: {type: math.sum}", "[c -> s]")[0]
    assert "s (math.sum) has 2 inputs (u1, u2); name the port" in message


def test_the_one_input_that_must_be_connected_needs_no_name():
    text = (
        "diagram: 1\nblocks:\n"
        + C
        + "  i: {type: discrete.integrator, every: 1 s}\nwires: [c -> i]"
    )
    assert list(check(loads(text)).model.drivers) == [("i", "u")]
    message = problems(
        C + "  n: {type: logic.counter}\n  m: {type: routing.merge}", "[c -> n -> m]"
    )
    assert any("m (routing.merge) has 4 inputs" in text for text in message)


def test_types_must_agree():
    message = one(C + "  n: {type: logic.not}", "[c -> n]")
    assert "c.y is a float but n.u takes a bool; put routing.float_to_bool in between" in message


def test_shapes_must_agree():
    message = one(
        "  a: {type: sources.constant, value: [1, 2]}\n"
        "  b: {type: sources.constant, value: [1, 2, 3]}\n  s: {type: math.sum}",
        "[a -> s.u1, b -> s.u2]",
    )
    assert "elements" in message
    assert "s" in message


def test_a_vector_does_not_fit_a_scalar_port():
    message = one(
        "  a: {type: sources.constant, value: [1, 2]}\n"
        "  m: {type: mechanics.dc_motor, R: 1, L: 1, K: 1, J: 1}",
        "[a -> m.V]",
    )
    assert "a.y has 2 elements but m.V takes one element; pick elements with [i]" in message


def test_an_index_out_of_range():
    mistakes = problems("  a: {type: sources.constant, value: [1, 2]}\n" + G, '["a.y[5] -> g.u"]')
    assert any("out of range" in message for message in mistakes)


def test_elements_of_vectors_can_be_wired_one_by_one():
    text = """
diagram: 1
blocks:
  a: {type: sources.constant, value: [1, 2, 3]}
  b: {type: sources.constant, value: 7}
  n: {type: math.norm}
wires:
  - a.y[0:2] -> n.u[1:3]
  - b.y -> n.u[0]
"""
    model = check(loads(text)).model
    assert [(p.start, p.source.path, p.first, p.count) for p in model.drivers["n", "u"]] == [
        (0, "b.y", 0, 1),
        (1, "a.y", 0, 2),
    ]


def test_an_element_that_is_not_driven():
    message = one(
        C + "  g: {type: math.matrix_gain, K: [[1, 2, 3]]}", '["c.y -> g.u[0]", "c.y -> g.u[2]"]'
    )
    assert "input g.u has 3 elements, but [1] are not driven" in message


def test_unknown_setting_of_the_solver():
    message = one(C, rest="solver: {rtoll: 1e-3}")
    assert message == "d.yaml:6:17: 'rtoll' is not a setting of solver; did you mean 'rtol'?"


def test_unknown_method():
    assert "solver.method = 'ode54' is not one of ode45" in one(C, rest="solver: {method: ode54}")


def test_fixed_step_method_needs_a_step():
    assert "rk4 has a fixed step; give `step: ...`" in one(C, rest="solver: {method: rk4}")


def test_variable_step_method_takes_no_step():
    assert "solver.step has no meaning for ode45" in one(C, rest="solver: {step: 1 ms}")


def test_stop_that_never_comes():
    assert "expected a finite time" in one(C, rest="solver: {stop: inf}")


def test_stop_before_start():
    assert "is not after start" in one(C, rest="solver: {start: 2 s, stop: 1 s}")


def test_unknown_signal_to_log():
    message = one(C, rest="log: {signals: [c.z]}")
    assert "'c.z' is not a port of c (sources.constant)" in message


def test_an_empty_diagram():
    with pytest.raises(DiagramError, match="the diagram has no blocks"):
        check(loads("diagram: 1\nblocks: {}"))


def test_absurd_numbers_of_ports_are_refused():
    assert "number of ports; expected 1 to 10000" in one("  s: {type: sinks.scope, n: 1000000000}")


def test_absurd_sizes_are_refused():
    message = one(C + "  d: {type: discrete.delay, every: 1 s, n: 1000000000000}", "[c -> d]")
    assert "number of elements; expected 0 to" in message


def test_all_problems_are_told_at_once_in_the_order_of_the_file():
    mistakes = problems(
        "  a: {type: math.gian}\n  b: {type: sources.constant, valeu: 1}\n"
        "  m: {type: mechanics.mass, m: -1}\n",
        "[b -> m]",
        "solver: {method: ode54, stop: 3 kg}",
    )
    lines = [int(message.split(":")[1]) for message in mistakes]
    assert len(mistakes) == 5
    assert lines == sorted(lines)


def test_an_element_of_a_vector_can_be_logged():
    text = """
diagram: 1
blocks: {a: {type: sources.constant, value: [1, 2, 3]}}
log: {signals: ["a.y[1]", "a.y[0:2]", a.y]}
"""
    logged = check(loads(text)).logged
    assert [(s.name, s.elements, s.shape) for s in logged] == [
        ("a.y[1]", (1,), ()),
        ("a.y[0:2]", (0, 1), (2,)),
        ("a.y", (0, 1, 2), (3,)),
    ]


def test_a_logged_element_out_of_range():
    message = one(C, rest='log: {signals: ["c.y[7]"]}')
    assert "'c.y[7]' is out of range: c.y has 1 elements; indices start at 0" in message


def test_problems_of_names_and_of_blocks_are_told_together():
    mistakes = problems("  a: {type: math.gian}\n  c: {type: sources.constant, value: k + 1}")
    assert any("'math.gian'" in message for message in mistakes)
    assert any("'k'" in message for message in mistakes)
