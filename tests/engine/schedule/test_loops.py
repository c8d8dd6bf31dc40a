"""Algebraic loops: solved where they can be, named where they cannot."""

import numpy as np
import pytest
from railblocks.engine import (
    Block,
    DiagramError,
    In,
    Out,
    Param,
    Simulation,
    SimulationError,
    check,
    loads,
    out,
    standard_blocks,
)


def run(text, compiled=True):
    simulation = Simulation(check(loads("diagram: 1\n" + text)), compiled)
    return np.concatenate(list(simulation.chunks())), simulation


LINEAR = """
blocks:
  one: {type: sources.constant, value: 1}
  sum: {type: math.sum, signs: +-}
  k:   {type: math.gain, k: 3}
wires: [one -> sum.u1, sum -> k, k -> sum.u2]
solver: {stop: 1}
log: {signals: [sum.y]}
"""


def test_linear_loop_has_its_closed_form_solution():
    assert run(LINEAR)[0][:, 1] == pytest.approx(0.25, abs=1e-16)  # y = 1 - 3 y


def test_nonlinear_loop_has_its_fixed_point():
    rows, _ = run(
        "blocks: {f: {type: math.trigonometry, function: cos}}\nwires: [f -> f]\nsolver: {stop: 1}"
    )
    assert rows[-1, 1] == pytest.approx(0.7390851332151607, abs=1e-15)  # y = cos y


def test_loop_inside_a_differential_equation_is_solved_at_every_evaluation():
    """x' = u with u = -x - 0.5 u, so x' = -x / 1.5."""
    rows, _ = run(
        """
blocks:
  x:   {type: continuous.integrator, x_0: 1}
  sum: {type: math.sum, signs: --}
  k:   {type: math.gain, k: 0.5}
wires: [x -> sum.u1, sum -> k -> sum.u2, sum -> x]
solver: {stop: 3, rtol: 1.0e-10, atol: 1.0e-12}
log: {signals: [x.y]}
"""
    )
    assert rows[:, 1] == pytest.approx(np.exp(-rows[:, 0] / 1.5), abs=1e-9)


def test_two_coupled_loops_are_solved_together():
    """a = 1 - 2 b + 0.5 a, b = a - b: a = 2/3, b = 1/3."""
    rows, _ = run(
        """
blocks:
  one: {type: sources.constant, value: 1}
  a:   {type: math.sum, signs: +-+}
  b:   {type: math.sum, signs: +-}
  two: {type: math.gain, k: 2}
  half: {type: math.gain, k: 0.5}
wires: [one -> a.u1, b -> two -> a.u2, a -> half -> a.u3, a -> b.u1, b -> b.u2]
solver: {stop: 1}
log: {signals: [a.y, b.y]}
"""
    )
    assert rows[-1, 1:] == pytest.approx([2 / 3, 1 / 3], abs=1e-15)


def test_vector_loop_is_solved_for_every_element():
    rows, _ = run(
        """
blocks:
  c:   {type: sources.constant, value: [1, 2, 3]}
  sum: {type: math.sum, signs: +-}
  k:   {type: math.gain, k: [1, 2, 3]}
wires: [c -> sum.u1, sum -> k -> sum.u2]
solver: {stop: 1}
log: {signals: [sum.y]}
"""
    )
    assert rows[-1, 1:] == pytest.approx([1 / 2, 2 / 3, 3 / 4], abs=1e-15)


def test_loop_without_a_solution_names_the_chain():
    """y = y^2 + 1 has no real solution."""
    with pytest.raises(SimulationError) as caught:
        run(
            """
blocks:
  one: {type: sources.constant, value: 1}
  sq:  {type: math.product}
  sum: {type: math.sum}
wires: [sum -> sq.u1, sum.y -> sq.u2, sq -> sum.u1, one -> sum.u2]
solver: {stop: 1}
log: {signals: [sum.y]}
"""
        )
    message = str(caught.value)
    assert "algebraic loop" in message
    assert "sum.y -> sq.u" in message
    assert "sq.y -> sum.u1" in message
    assert "residual" in message


def test_loop_through_a_sampled_block_is_refused_with_the_cure():
    with pytest.raises(DiagramError, match=r"sampled block z: .*put discrete.unit_delay"):
        run(
            """
blocks:
  z: {type: discrete.zero_order_hold, every: 0.1 s}
  k: {type: math.gain, k: 0.5}
wires: [z -> k -> z]
solver: {stop: 1}
"""
        )


def test_a_block_without_feedthrough_breaks_a_loop():
    checked = check(
        loads(
            """
diagram: 1
blocks:
  x: {type: continuous.integrator, x_0: 1}
  k: {type: math.gain, k: -1}
wires: [x -> k -> x]
"""
        )
    )
    assert checked.schedule.program.loops == ()


@pytest.mark.parametrize("stop", [1.0])
def test_loops_are_equal_compiled_and_interpreted(stop):
    assert np.array_equal(run(LINEAR)[0], run(LINEAR, compiled=False)[0])


MATRIX = """
blocks:
  c: {type: sources.constant, value: [1, 2]}
  s: {type: math.sum, signs: +-}
  m: {type: math.matrix_gain, K: [[1, 2], [3, 4]]}
wires: [c -> s.u1, m -> s.u2, s -> m]
solver: {stop: 1}
log: {signals: [s.y, m.y], every: 0.5}
"""


@pytest.mark.parametrize("compiled", [True, False])
def test_loop_through_a_vector_function_has_its_closed_form_solution(compiled):
    """(I + K) s = c."""
    rows, _ = run(MATRIX, compiled)
    expected = np.linalg.solve(np.eye(2) + np.array([[1, 2], [3, 4]]), [1, 2])
    assert rows[-1, 1:3] == pytest.approx(expected, abs=1e-14)


ROOTS = """
blocks:
  p: {{type: math.expression, expression: sqrt(4 - q^2)}}
  q: {{type: math.reciprocal}}
wires: [p -> q, q -> p.q]
solver: {{stop: 1, {}}}
log: {{signals: [p.y, q.y]}}
"""
LARGE, SMALL = 2.0 * np.sin(np.pi * 5.0 / 12.0), 2.0 * np.sin(np.pi / 12.0)


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize(
    ("guess", "p", "q"),
    [
        ("p.y: 1.9", LARGE, SMALL),
        ("p.y: 0.6", SMALL, LARGE),
        ("q.y: 0.1", LARGE, SMALL),
        ("q.y: 1.9", SMALL, LARGE),
        ("q.y: [0.1]", LARGE, SMALL),
        ("p.y: 2 - 0.1", LARGE, SMALL),
    ],
)
def test_a_start_value_chooses_the_solution(guess, p, q, compiled):
    """p^2 + q^2 = 4 and p q = 1: p = 2 sin 75 deg, q = 2 sin 15 deg, or the other way round.

    Newton's full step leaves the domain of the root from several of these, and is shortened.
    """
    rows, _ = run(ROOTS.format(f"guess: {{{guess}}}"), compiled)
    assert rows[-1, 1:] == pytest.approx([p, q], abs=1e-14)


def test_newton_does_not_leave_the_domain_of_a_logarithm():
    """y = log(y) / 4 + 2 from y = 0.1, where the full step would be to y = -0.78."""
    rows, _ = run(
        """
blocks: {f: {type: math.expression, expression: log(u) / 4 + 2}}
wires: [f -> f]
solver: {stop: 1, guess: {f.y: 0.1}}
"""
    )
    y = rows[-1, 1]
    assert 4.0 * (y - 2.0) == pytest.approx(np.log(y), abs=1e-12)


def test_a_loop_that_is_not_finite_where_it_starts_asks_for_a_start_value():
    with pytest.raises(SimulationError, match=r"no finite value .*guess: \{p.y: \.\.\.\}"):
        run(ROOTS.format("rtol: 1.0e-6"))


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize(
    "text",
    [
        "blocks: {a: {type: math.gain, k: 1}}\nwires: [a -> a]",
        "blocks: {a: {type: math.gain, k: 4}, b: {type: math.gain, k: 0.25}}\n"
        "wires: [a -> b, b -> a]",
    ],
)
def test_a_loop_that_any_value_solves_is_an_error_with_its_chain(text, compiled):
    with pytest.raises(SimulationError, match=r"algebraic loop: a.y -> .*any value of a.y"):
        run(text, compiled)


@pytest.mark.parametrize(
    ("guess", "message"),
    [
        ("3", "not a mapping"),
        ("{p.x: 1}", "'p.x' is not an output of the diagram; did you mean 'p.y'"),
        ("{p.y: [1, 2]}", "p.y has 1 elements"),
        ("{p.y: .inf}", "one finite number"),
        ("{c.y: 1}", "c.y is in no algebraic loop"),
        ("{p.y: true}", "p.y is a truth value; expected a number"),
        ("{p.y: 1.9, q.y: 0.1}", "has no effect: its loop is cut elsewhere"),
    ],
)
def test_start_values_are_checked(guess, message):
    text = ROOTS.format(f"guess: {guess}").replace("blocks:", "blocks:\n  c: {type: sources.clock}")
    with pytest.raises(DiagramError, match=message):
        check(loads("diagram: 1\n" + text))


def test_start_values_have_the_unit_of_their_signal():
    text = LINEAR.replace("value: 1}", "value: 1 m}")
    rows, _ = run(text.replace("stop: 1", "stop: 1, guess: {sum.y: 300 mm}"))
    assert rows[-1, 1] == pytest.approx(0.25)
    with pytest.raises(DiagramError, match=r"sum.y = 2 s has unit s; expected a length"):
        run(text.replace("stop: 1", "stop: 1, guess: {sum.y: 2 s}"))


def test_a_solution_stays_sharp_while_it_is_solved_again_and_again():
    """The first try, with differences over a unit step, must not spoil what Newton polished."""
    rows, _ = run(ROOTS.format("guess: {q.y: 1.9}").replace("stop: 1", "stop: 1, max_step: 0.001"))
    assert np.max(np.abs(rows[:, 2] - LARGE)) < 1e-14


def of_expression(text, solver="stop: 1"):
    return (
        f"blocks: {{a: {{type: math.expression, expression: '{text}'}}}}\n"
        f"wires: [a -> a]\nsolver: {{{solver}}}"
    )


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("digits", [11, 13, 15, 17])
def test_a_loop_whose_gain_is_nearly_1_is_an_error_with_its_chain(digits, compiled):
    """x = (1 - 1e-n) x + 1: rounding of f(x) - x, 1e-16 x, is more than a millionth of the 1."""
    message = r"t = 0 s: algebraic loop: a.y -> a.u -> a.y: it does not determine a.y"
    with pytest.raises(SimulationError, match=message):
        run(of_expression(f"(1 - 1e-{digits}) * u + 1"), compiled)


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("digits", [1, 3, 6, 8])
def test_a_loop_of_high_gain_is_right_within_its_condition(digits, compiled):
    """x = 1e n, of which rounding takes n digits."""
    rows, _ = run(of_expression(f"(1 - 1e-{digits}) * u + 1"), compiled)
    assert rows[-1, 1] == pytest.approx(10.0**digits, rel=4e-16 * 10.0**digits)


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize(
    ("text", "guess"),
    [("u + 1", 0.0), ("sqrt(u * u)", 2.3), ("u + 3 * sin(u) - 3 * sin(u)", 2.3), ("u", 5.0)],
)
def test_a_nonlinear_loop_that_determines_nothing_is_an_error_too(text, guess, compiled):
    with pytest.raises(SimulationError, match=r"algebraic loop: a.y -> a.u -> a.y: "):
        run(of_expression(text, f"stop: 1, guess: {{a.y: {guess}}}"), compiled)


def vector_loop(matrix, constant):
    return f"""
blocks:
  c: {{type: sources.constant, value: {constant}}}
  s: {{type: math.sum}}
  m: {{type: math.matrix_gain, K: {matrix}}}
wires: [c -> s.u1, m -> s.u2, s -> m]
solver: {{stop: 1}}
log: {{signals: [s.y]}}
"""


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("scale", [1.0, 1e12, 1e-12])
def test_a_vector_loop_with_one_open_direction_is_an_error(scale, compiled):
    """K has the eigenvalue 1 for (scale, 1, 0), whatever the units of the first signal are."""
    matrix = [[0.3, 0.7 * scale, 0.0], [0.2 / scale, 0.8, 0.0], [0.0, 0.0, 5.0]]
    with pytest.raises(SimulationError, match=r"algebraic loop: s.y -> m.u .* does not determine"):
        run(vector_loop(matrix, [1.0, 2.0, 3.0]), compiled)


@pytest.mark.parametrize("compiled", [True, False])
def test_signals_of_very_different_sizes_are_no_open_direction(compiled):
    """s = c + K s with entries of 1e13 and 1e-14: s_1 = (1 + 2e13) / 0.9, s_2 = 2 + 1e-14 s_1."""
    rows, _ = run(vector_loop([[0.0, 1e13], [1e-14, 0.0]], [1.0, 2.0]), compiled)
    first = (1.0 + 2e13) / 0.9
    assert rows[-1, 1:] == pytest.approx([first, 2.0 + 1e-14 * first], rel=1e-12)


AT_ONE_TIME = """
blocks:
  t: {{type: sources.clock}}
  a: {{type: math.expression, expression: u * c + 1}}
wires: [t -> a.c, a -> a.u]
solver: {{method: rk4, step: {}, stop: 2}}
log: {{signals: [a.y]}}
"""


@pytest.mark.parametrize("compiled", [True, False])
def test_a_loop_that_is_singular_at_one_time_fails_there_and_only_there(compiled):
    """y = t y + 1: 1 / (1 - t), with nothing at t = 1."""
    with pytest.raises(SimulationError, match=r"t = 1 s: algebraic loop: a.y -> a.u -> a.y"):
        run(AT_ONE_TIME.format(0.5), compiled)
    rows, _ = run(AT_ONE_TIME.format(0.4), compiled)
    assert rows[:, 1] == pytest.approx(1.0 / (1.0 - rows[:, 0]), rel=1e-12)


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("fails", [True, False])
def test_a_vector_that_a_block_feeds_to_itself_is_a_loop(fails, compiled):
    """y = K y + c with a function that fills y while it reads it as u."""

    class Affine(Block):
        """K u + c, summed up in place."""

        id = "test.affine"
        u = In("1", "input", shape=2)
        y = Out("1", "output", shape=2)
        k = Param("1", "coupling")

        @out("y")
        def affine(u, k, y):
            y[0] = 1.0
            y[0] += 0.5 * u[0] + k * u[1]
            y[1] = 2.0
            y[1] += k * u[0] + 0.5 * u[1]

    registry = standard_blocks().copy()
    registry.add(Affine)
    text = "diagram: 1\nblocks: {b: {type: test.affine, k: %s}}\nwires: [b -> b]\nsolver: {stop: 1}"
    checked = check(loads(text % (0.5 if fails else 0.25)), registry)
    simulation = Simulation(checked, compiled)
    if fails:
        with pytest.raises(SimulationError, match=r"algebraic loop: b.y -> b.u -> b.y"):
            list(simulation.chunks())
        return
    rows = list(simulation.chunks())[-1]
    expected = np.linalg.solve([[0.5, -0.25], [-0.25, 0.5]], [1.0, 2.0])
    assert rows[-1, 1:] == pytest.approx(expected, rel=1e-12)
