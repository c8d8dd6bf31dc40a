"""Parameter values: what they may be, in which scope, and what goes wrong."""

import numpy as np
import pytest
from railblocks.engine.diagram.assignments import Assignment, ParameterScope
from railblocks.engine.errors import DiagramError
from railblocks.engine.text.source import read_text
from railblocks.engine.units.quantity import Quantity
from railblocks.engine.units.unit import parse_unit


def scope_of(text, outer=None, hidden=()):
    """A scope of the parameters in a YAML text."""
    own = {}
    scope = ParameterScope(own, outer, hidden)
    for name, entry in read_text(text, "f.yaml").entries.items():
        own[name] = Assignment(entry.node, scope, entry.node.position)
    scope.evaluate_all()
    return scope


def problems(text, **options):
    return [str(problem) for problem in scope_of(text, **options).problems]


@pytest.mark.parametrize(
    ("text", "quantity"),
    [
        ("a: 3", Quantity(3.0)),
        ("a: 1e-3", Quantity(0.001)),
        ("a: true", Quantity(True)),
        ("a: 3 mm", Quantity(3.0, parse_unit("mm"))),
        ("a: '3 mm'", Quantity(3.0, parse_unit("mm"))),
        ("a: 2^3", Quantity(8.0)),
        ("a: 'min(1, 2)'", Quantity(1.0)),
        ("a: [1, 2]", Quantity(np.array([1.0, 2.0]))),
        ("a: [1, 2^2, 'max(1, 7)']", Quantity(np.array([1.0, 4.0, 7.0]))),
        ("a: [1 m, 20 cm, 0]", Quantity(np.array([1.0, 0.2, 0.0]), parse_unit("m"))),
        ("a: [[1, 2], [3, 4]]", Quantity(np.array([[1.0, 2.0], [3.0, 4.0]]))),
        ("a: [true, false]", Quantity(np.array([1.0, 0.0]))),
        ("a: .inf", Quantity(np.inf)),
        ("a: inf", Quantity(np.inf)),
    ],
)
def test_a_value_is_a_number_a_unit_a_list_or_an_expression(text, quantity):
    assert scope_of(text)["a"] == quantity


def test_parameters_refer_to_each_other_in_any_order():
    scope = scope_of("c: a + b\nb: 2 * a\na: 3 m\n")
    assert scope["c"] == Quantity(9.0, parse_unit("m"))


def test_chains_of_parameters_may_be_long():
    lines = [f"p{i}: p{i + 1} + 1" for i in range(3000)]
    scope = scope_of("\n".join([*lines, "p3000: 0"]))
    assert scope["p0"].value == 3000.0
    assert not scope.problems


def test_an_outer_scope_is_seen_and_can_be_hidden_by_own_names():
    outer = scope_of("k: 2\nm: 5\n")
    inner = scope_of("k: 3\nn: k * m\n", outer=outer)
    assert inner["n"].value == 15.0
    assert set(inner) == {"k", "m", "n"}
    assert len(inner) == 3


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("a: b + 1", ["f.yaml:1:4: in 'b + 1': 'b' is not known"]),
        ("al: 1\nb: 2 * all", ["f.yaml:2:8: in '2 * all': 'all' is not known; did you mean 'al'?"]),
        ("a: 3 quux", ["f.yaml:1:4: '3 quux': unit 'quux' is not known"]),
        ("a: 1 +", ["f.yaml:1:7: in '1 +': the expression ends too early; expected a number, a "
                    "name or '('"]),
        ("a: '1 / 0'", ["f.yaml:1:7: in '1 / 0': 1 / 0 is a division by zero"]),
        ("a: [1, 2 m]", ["f.yaml:1:4: the list mixes a number without unit with a length (m)"]),
        ("a: [1, [2]]", ["f.yaml:1:4: the rows of the matrix have different lengths"]),
        ("a: []", ["f.yaml:1:4: the list is empty; expected at least one number"]),
        ("a: [1, x]", ["f.yaml:1:8: in 'x': 'x' is not known"]),
        ("a: a + 1", ["f.yaml:1:4: parameters depend on each other: a -> a; break the circle"]),
        (
            "a: b\nb: c\nc: a\n",
            ["f.yaml:1:4: parameters depend on each other: a -> b -> c -> a; break the circle"],
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_place(text, messages):
    assert problems(text) == messages


def test_what_depends_on_a_broken_parameter_is_not_reported_again():
    assert problems("a: nix\nb: a + 1\nc: b\n") == ["f.yaml:1:4: in 'nix': 'nix' is not known"]
    assert len(problems("x: a\na: b\nb: a\ny: x + b\n")) == 1


def test_independent_problems_are_all_reported():
    assert len(problems("a: nix\nb: nox\nc: 3 quux\nd: d\n")) == 4


def test_a_broken_parameter_raises_its_problem_when_asked_for():
    scope = scope_of("a: nix\nb: a + 1\n")
    with pytest.raises(DiagramError, match="'nix' is not known"):
        scope["b"]


def test_two_circles_are_told_apart():
    mistakes = problems("x: a + c\na: x\nc: d\nd: c\n")
    assert mistakes == [
        "f.yaml:3:4: parameters depend on each other: c -> d -> c; break the circle",
        "f.yaml:1:4: parameters depend on each other: x -> a -> x; break the circle",
    ]


def test_long_circles_are_shown_by_their_ends():
    lines = [f"p{i}: p{(i + 1) % 100}" for i in range(100)]
    (message,) = problems("\n".join(lines))
    assert "p0 -> p1 -> p2 -> p3 -> p4 -> ... -> p96 -> p97 -> p98 -> p99 -> p0" in message


def test_names_outside_a_file_are_explained():
    (message,) = problems("a: 2 * mu", hidden={"mu"})
    assert message.endswith(
        "'mu' is not known; a subsystem from a file sees only its own parameters: "
        "add it to its `parameters` and pass it"
    )


def test_quoted_words_are_text_for_those_who_ask_for_text():
    scope = scope_of('shape: "square wave"\nmode: "fast"\nk: 3\n')
    assert not scope.problems
    node = read_text("a: shape\nb: mode\nc: other\nd: k", "g").entries

    def text(name):
        return Assignment(node[name].node, scope, node[name].node.position).text()

    assert [text(name) for name in "abcd"] == ["square wave", "fast", "other", "k"]


def test_text_is_an_error_where_a_number_is_needed():
    scope = scope_of('mode: "fast"\nk: 2 * mode\n')
    assert [str(p) for p in scope.problems] == ["f.yaml:1:8: in 'fast': 'fast' is not known"]


def test_text_and_data_of_a_value():
    entries = read_text("a: linear\nb: {x: [1, t > 2]}\nc: 3\n", "f").entries
    values = {n: Assignment(e.node, {}, e.node.position) for n, e in entries.items()}
    assert values["a"].text() == "linear"
    assert values["a"].data() == "linear"
    assert values["b"].data() == {"x": [1.0, "t > 2"]}
    assert values["c"].text() == "3"
    assert values["c"].data() == 3.0
    with pytest.raises(DiagramError, match="f:2:4: the value is a mapping; expected text"):
        values["b"].text()
    with pytest.raises(DiagramError, match="the value is a mapping; expected a number or a list"):
        values["b"].quantity()


def test_assignments_compare_without_places():
    one, other = (read_text(t, "f").entries["a"].node for t in ("a: 3", "\na:  3"))
    scope = ParameterScope({})
    assert Assignment(one, scope, one.position) == Assignment(other, scope, other.position)
