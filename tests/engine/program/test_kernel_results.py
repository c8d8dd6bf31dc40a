"""What a block's function returns instead of the numbers that it declares: told by its name."""

import pytest
from railblocks.engine import (
    Block,
    Derived,
    DiagramError,
    In,
    Out,
    Param,
    Simulation,
    SimulationError,
    State,
    check,
    der,
    derive,
    loads,
    out,
    standard_blocks,
)

TEXT = """diagram: 1
blocks: {c: {type: sources.clock}, b: {type: test.wrong}}
wires: [c -> b]
solver: {method: rk4, step: 0.5, stop: 1}
log: {signals: all}
"""


def too_many(u):
    return u, u, u


def text(u):
    return "3"


def nothing(u):
    return None


def array(u):
    return [u, u]


def imaginary(u):
    return u * 1j + 1.0


def block(function, *targets):
    members = {t: Out("1", "output") for t in targets}
    body = {"id": "test.wrong", "u": In("s", "input"), "compute": out(*targets)(function)}
    return type("Wrong", (Block,), body | members)


def run(kind, compiled):
    registry = standard_blocks().copy()
    registry.add(kind)
    simulation = Simulation(check(loads(TEXT), registry), compiled)
    return list(simulation.chunks())


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize(
    ("function", "targets", "message"),
    [
        (too_many, ("y",), "3 values are returned where 1 are declared"),
        (too_many, ("y", "z"), "3 values are returned where 2 are declared"),
        (text, ("y",), "'3' is returned, which is not a number"),
        (text, ("y", "z"), "1 values are returned where 2 are declared"),
        (nothing, ("y",), "None is returned, which is not a number"),
        (array, ("y",), "is returned, which is not a number"),
        (imaginary, ("y",), "is returned, which is not a number"),
    ],
)
def test_a_wrong_result_names_block_and_function(function, targets, message, compiled):
    with pytest.raises(SimulationError, match=message) as caught:
        run(block(function, *targets), compiled)
    assert "t = 0 s: b: " in str(caught.value)
    assert f"'{function.__name__}'" in str(caught.value)


class Cut(Block):
    """A whole number from a quotient."""

    id = "test.wrong"
    u = In("s", "input")
    y = Out("1", "whole number", type=int)

    @out("y")
    def cut(u):
        return 3.75 * u + 1.5


@pytest.mark.parametrize("compiled", [True, False])
def test_a_whole_number_is_cut_off_alike_compiled_and_interpreted(compiled):
    rows = run(Cut, compiled)[0]
    assert rows[:, 2].tolist() == [1.0, 3.0, 5.0]


class Three(Block):
    """Three numbers in every kind of item, declared by a number."""

    id = "test.three"
    u = In("1", "input", shape=3)
    y = Out("1", "output", shape=3)
    k = Param("1", "gains", shape=3, default=(1.0, 2.0, 3.0))
    x = State("1", "integrals", shape=3)

    @der("x")
    def integrate(u, k, der_x):
        for i in range(3):
            der_x[i] = k[i] * u[i]

    @out("y")
    def show(x, y):
        for i in range(3):
            y[i] = x[i]


@pytest.mark.parametrize("compiled", [True, False])
def test_a_shape_of_three_is_a_vector_in_every_item(compiled):
    """x_i = i t for the input 1."""
    registry = standard_blocks().copy()
    registry.add(Three)
    diagram = """diagram: 1
blocks: {c: {type: sources.constant, value: [1, 1, 1]}, b: {type: test.three}}
wires: [c -> b]
solver: {stop: 2}
log: {signals: [b.y]}
"""
    rows = list(Simulation(check(loads(diagram), registry), compiled).chunks())[-1]
    assert rows[-1, 1:].tolist() == pytest.approx([2.0, 4.0, 6.0])


@pytest.mark.parametrize("shape", [2.5, -1, True, None, "n n", ("n", 1.5)])
def test_a_shape_that_is_none_is_refused_at_its_declaration(shape):
    with pytest.raises(DiagramError, match=r"shape of 'u' is .*expected"):
        type("Bad", (Block,), {"id": "test.bad", "u": In("1", "input", shape=shape)})


@pytest.mark.parametrize(
    ("result", "message"),
    [
        ((1.0, 2.0, 3.0), r"'prepare' returns 3 values; expected 2: a, b"),
        (1.0, r"'prepare' returns 1 values; expected 2: a, b"),
        (("x", 2.0), r"'a' is 'x'; expected float"),
        ((None, 2.0), r"'a' is 'None'; expected float"),
    ],
)
def test_a_wrong_derived_value_names_block_and_function(result, message):
    class Prepared(Block):
        """Derived values."""

        id = "test.prepared"
        y = Out("1", "output")
        a = Derived("1", "first")
        b = Derived("1", "second")

        @derive("a", "b")
        def prepare():
            return result

        @out("y")
        def show(a, b):
            return a + b

    registry = standard_blocks().copy()
    registry.add(Prepared)
    with pytest.raises(DiagramError, match=message) as caught:
        check(loads("diagram: 1\nblocks:\n  p: {type: test.prepared}\n"), registry)
    assert caught.value.problems[0].position.line == 3
