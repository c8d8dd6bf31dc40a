"""Records: fields under one name, and the function of items that the engine makes of them."""

from collections import namedtuple
from typing import NamedTuple

import numpy as np
import pytest
from railblocks.engine import (
    EACH,
    Block,
    Derived,
    DiagramError,
    In,
    Out,
    Param,
    Record,
    SimulationError,
    State,
    der,
    derive,
    loads,
    out,
    response,
    simulate,
    standard_blocks,
    validate,
)
from railblocks.engine.functions.functions import fingerprint


class Spring(NamedTuple):
    k: float
    c: float


class Mass(Block):
    """Mass between two springs: m v' = F - (k_1 + k_2) x - (c_1 + c_2) v, with x' = v."""

    F = In("N", "force")
    x = Out("m", "place")
    P = Out("W", "power of the force")
    m = Param("kg", "mass", gt=0)
    k_1 = Param("N/m", "left stiffness")
    k_2 = Param("N/m", "right stiffness", default=1.0)
    c_1 = Param("N*s/m", "left damping", default=0.1)
    c_2 = Param("N*s/m", "right damping", default=0.2)
    w = Derived("rad/s", "circular frequency without damping")
    s = State("m", "place")
    v = State("m/s", "speed")
    left = Record("left spring", Spring, k="k_1", c="c_1")
    right = Record("right spring", Spring, k="k_2", c="c_2")
    motion = Record("place and speed", "v", at="s")
    stiffness = Record("what the frequency needs", "k_1", "k_2", "m")

    @validate
    def is_held(left, right):
        if left.k + right.k <= 0.0:
            return f"k_1 + k_2 = {left.k + right.k:g} N/m; expected more than 0"

    @derive("w")
    def frequency(stiffness):
        return ((stiffness.k_1 + stiffness.k_2) / stiffness.m) ** 0.5

    @der("s", "v")
    def move(F, motion, m, left, right):
        k, c = left.k + right.k, left.c + right.c
        return motion.v, (F - k * motion.at - c * motion.v) / m

    @out("x")
    def position(motion):
        return motion.at

    @out("P")
    def power(F, motion):
        return F * motion.v

    @response
    def bode(j_omega, stiffness):
        k = stiffness.k_1 + stiffness.k_2
        return {"x / F": 1.0 / (k + stiffness.m * j_omega**2)}


class PlainMass(Mass):
    """The same without records."""

    left = right = motion = stiffness = frequency = is_held = position = power = bode = None

    @derive("w")
    def rate(k_1, k_2, m):
        return ((k_1 + k_2) / m) ** 0.5

    @der("s", "v")
    def move(F, v, s, m, k_1, c_1, k_2, c_2):
        k, c = k_1 + k_2, c_1 + c_2
        return v, (F - k * s - c * v) / m

    @out("x")
    def where(s):
        return s

    @out("P")
    def work(F, v):
        return F * v


BLOCKS = standard_blocks().copy()


def added(*blocks):
    registry = BLOCKS.copy()
    for block in blocks:
        registry.add(block)
    return registry


def text_of(block, extra=""):
    return f"""
diagram: 1
blocks:
  u: {{type: sources.sine, amplitude: 2 N, omega: 3 rad/s}}
  b: {{type: {block.declaration.id}, {extra}}}
wires: [u -> b]
solver: {{stop: 5 s, rtol: 1e-9}}
log: {{signals: [b.x, b.P], every: 0.1 s}}
"""


def equation(block, name):
    return next(e for e in block.declaration.equations if e.function.__name__ == name)


def test_the_engine_sees_a_function_of_items():
    assert equation(Mass, "move").arguments == ("F", "v", "s", "m", "k_1", "c_1", "k_2", "c_2")
    assert equation(Mass, "frequency").function(3.0, 1.0, 1.0) == 2.0
    assert equation(Mass, "bode").function(np.array([0.0]), 3.0, 1.0, 1.0)["x / F"] == [0.25]


def test_feedthrough_is_read_off_the_fields():
    assert Mass.declaration.feedthrough("x") == ()
    assert Mass.declaration.feedthrough("P") == ("F",)


@pytest.mark.parametrize("compiled", [True, False])
def test_records_change_no_bit(compiled):
    values = "m: 2 kg, k_1: 3 N/m"
    registry = added(Mass, PlainMass)
    with_records, without = (
        simulate(loads(text_of(block, values)), registry=registry, compiled=compiled)
        for block in (Mass, PlainMass)
    )
    for name in ("b.x", "b.P"):
        assert np.array_equal(with_records[name], without[name])
    assert np.abs(with_records["b.x"]).max() > 0.1


def test_parameters_are_checked_through_records():
    with pytest.raises(DiagramError, match=r"k_1 \+ k_2 = -1 N/m; expected more than 0"):
        simulate(loads(text_of(Mass, "m: 2 kg, k_1: -2 N/m")), registry=added(Mass))


def test_an_item_in_two_records_and_beside_them_comes_once():
    class Sum(Block):
        """y = 3 u."""

        u = In("1", "input")
        y = Out("1", "output")
        one = Record("one", "u")
        two = Record("two", other="u")

        @out("y")
        def add(one, u, two):
            return one.u + u + two.other

    assert equation(Sum, "add").arguments == ("u",)
    assert equation(Sum, "add").function(2.0) == 6.0


def test_records_hold_for_each_element_and_may_be_filled():
    class Scaled(Block):
        """Each element, and their sum."""

        u = In("1", "input", shape="n")
        y = Out("1", "twice the input", shape="n")
        total = Out("1", "sum")
        results = Record("what is filled in", doubled="y")

        @out("y", "total")
        def double(u, results):
            total = 0.0
            for k in range(len(u)):
                results.doubled[k] = 2.0 * u[k]
                total += u[k]
            return total

    class Each(Block):
        """y = a u + b of each element."""

        u = In("1", "input", shape=EACH)
        y = Out("1", "output", shape=EACH)
        a = Param("1", "slope", shape=EACH, default=2.0)
        b = Param("1", "offset", default=1.0)
        line = Record("a straight line", "a", "b")

        @out("y")
        def follow(u, line):
            return line.a * u + line.b

    text = f"""
diagram: 1
blocks:
  u: {{type: sources.constant, value: [1, 2, 3]}}
  s: {{type: {Scaled.declaration.id}}}
  e: {{type: {Each.declaration.id}, a: [1, 10, 100]}}
wires: [u -> s, s.y -> e]
solver: {{stop: 1 s}}
log: {{signals: [s.y, s.total, e.y], every: 1 s}}
"""
    for compiled in (True, False):
        results = simulate(loads(text), registry=added(Scaled, Each), compiled=compiled)
        assert results["s.y"][-1].tolist() == [2.0, 4.0, 6.0]
        assert results["s.total"][-1] == 6.0
        assert results["e.y"][-1].tolist() == [3.0, 41.0, 601.0]


def made(record, author):
    class Made(Block):
        """A block with a record."""

        u = In("1", "input")
        y = Out("1", "output")
        a = Param("1", "slope", default=1.0)
        b = Param("1", "offset", default=0.0)
        line = record
        follow = out("y")(author)

    return Made.declaration.equations[0].function


def author(u, line):
    return line.a * u + line.b


def other_author(u, line):
    return line.b * u + line.a


def test_the_key_of_a_function_is_that_of_fields_names_and_author():
    function = made(Record("a line", "a", "b"), author)
    keys = {
        fingerprint(f)
        for f in (
            function,
            made(Record("a line", "b", "a"), author),
            made(Record("a line", a="b", b="a"), author),
            made(Record("a line", "a", "b"), other_author),
            author,
        )
    }
    assert len(keys) == 5
    assert fingerprint(made(Record("other words", "a", "b"), author)) == fingerprint(function)


def test_classes_of_named_tuples_are_part_of_the_key():
    def using(kind):
        def kernel(x):
            return kind(x, 1.0)

        return kernel

    kinds = (Spring, namedtuple("Two", "k c"), namedtuple("Two", "c k"))
    assert len({fingerprint(using(kind)) for kind in kinds}) == 3


def declare(**members):
    def read(a):
        return a

    base = {
        "a": Param("1", "a number", default=1.0),
        "y": Out("1", "output"),
        "read": out("y")(read),
    }
    return type("Wrong", (Block,), {"__module__": __name__, "__doc__": "Wrong.", **base, **members})


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (
            Record("r", "aa"),
            "record 'r' has the field 'aa', which is not declared; did you",
        ),
        (Record("r", b="aa"), "record 'r' has the field 'b' for 'aa', which is not declared"),
        (Record("r"), "record 'r' has no fields; name the items that belong to it"),
        (Record("r", "a", "a"), "record 'r' has the field 'a' twice"),
        (Record("r", _b="a"), "record 'r' has the field '_b'; expected names that do not begin"),
        (Record("r", Spring, q="a"), "record 'r' renames 'q', which is not a field of Spring"),
        (Record("r", int), "record 'r' has the field <class 'int'>; expected names, or one class"),
    ],
)
def test_wrong_fields_are_named_when_the_block_is_declared(record, message):
    with pytest.raises(DiagramError, match=r"block \w+\.wrong: ") as error:
        declare(r=record)
    assert message in str(error.value)


def test_records_of_records_are_refused():
    with pytest.raises(DiagramError, match="record 'r' has the field 'q', which is a record; name"):
        declare(q=Record("q", "a"), r=Record("r", "q"))


def test_a_misspelt_record_is_suggested():
    def read(lin):
        return lin.a

    with pytest.raises(DiagramError, match="'lin', which is not declared; did you mean 'line'"):
        declare(line=Record("a line", "a"), read=out("y")(read))


def test_changing_an_array_through_a_record_is_refused():
    def read(given, y):
        given.u[0] = 1.0
        y[0] = 2.0

    members = {"u": In("1", "input", shape=3), "y": Out("1", "output", shape=3)}
    with pytest.raises(DiagramError) as error:
        declare(**members, given=Record("given", "u"), read=out("y")(read))
    assert "function 'read' changes 'given.u'" in str(error.value)
    assert "`u = given.u.copy()`" in str(error.value)


class Fussy(Block):
    """Raises when its input passes the bound."""

    F = In("N", "input")
    x = Out("1", "output")
    P = Out("1", "output")
    bound = Param("N", "largest input", default=1.0)
    limits = Record("limits", "bound")

    @out("x", "P")
    def refuse(F, limits):
        if limits.bound < F:
            raise ValueError("too much")  # the line that a message names
        return 0.0, 0.0


@pytest.mark.parametrize("compiled", [True, False])
def test_failures_name_the_authors_line_and_the_fields(compiled):
    with open(__file__) as file:
        line = next(n for n, text in enumerate(file, 1) if "the line that a message names" in text)
    with pytest.raises(SimulationError) as error:
        simulate(loads(text_of(Fussy)), registry=added(Fussy), compiled=compiled)
    message = str(error.value)
    assert "too much" in message
    assert f"test_records.py:{line}" in message
    assert "bound" in message
