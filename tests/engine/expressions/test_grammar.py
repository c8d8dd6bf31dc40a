"""The grammar lets arithmetic in and nothing else, whatever the length."""

import pytest
from railblocks.engine.expressions import parse_expression
from railblocks.engine.expressions.grammar import read_expression
from railblocks.engine.expressions.tree import Comparison, ExpressionError, Name, Number, Operation
from work import work_up_to


def test_powers_bind_to_the_right_and_tighter_than_signs():
    tree = read_expression("-a^b^c")
    assert isinstance(tree, Operation)
    assert tree.symbol == "neg"
    (power,) = tree.operands
    assert power.symbol == "^"
    assert power.operands[0] == Name("a", 2)
    assert power.operands[1].symbol == "^"


def test_a_comparison_chain_is_one_node():
    tree = read_expression("1 < x <= 3")
    assert isinstance(tree, Comparison)
    assert tree.symbols == ("<", "<=")
    assert tree.operands == (Number(1.0, 1), Name("x", 5), Number(3.0, 10))


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("__import__('os')", 12, '"\'" cannot be used in an expression'),
        ("__import__(os)", 1, "'__import__' is not a function; known are abs, acos"),
        ("open(x)", 1, "'open' is not a function"),
        ("flor(x)", 1, "'flor' is not a function; did you mean 'floor'?"),
        (
            "x.real",
            2,
            "'.' cannot be used in an expression; a value inside another is not reachable",
        ),
        ("x[0]", 2, "unexpected '['; expected an operator"),
        ("(x)(y)", 4, "unexpected '('; expected an operator"),
        ("lambda x", 1, "'lambda' cannot be used in an expression"),
        ("[x for x in y]", 4, "unexpected 'for'; expected ']'"),
        ("{x}", 1, "'{' cannot be used in an expression"),
        ("x := 3", 3, "':' cannot be used in an expression"),
        ("'a'", 1, '"\'" cannot be used in an expression'),
        ('f"{x}"', 2, "'\"' cannot be used in an expression"),
        ("*x", 1, "unexpected '*'; expected a number, a name or '('"),
        ("sin(*x)", 5, "unexpected '*'"),
        ("sin(x=1)", 6, "'=' is not used; write '==' for a comparison"),
        ("None", 1, "'None' cannot be used in an expression"),
        ("1_000", 2, "unexpected '_000'; expected an operator"),
        ("0x10", 2, "unexpected 'x10'; expected an operator"),
        ("1j", 2, "unexpected 'j'; expected an operator"),
        ("x; y", 2, "';' cannot be used in an expression"),
        ("x\\y", 2, "cannot be used in an expression"),
        ("é", 1, "'é' cannot be used in an expression"),
        ("a = 3", 3, "'=' is not used; write '==' for a comparison"),
        ("a && b", 3, "'&&' is not used; write 'and'"),
        ("a | b", 3, "'|' is not used; write 'or'"),
        ("!a", 1, "'!' is not used; write 'not', or '!='"),
        ("a // b", 3, "'//' is not used; write floor(a / b)"),
        ("1 +", 4, "the expression ends too early; expected a number, a name or '('"),
        ("", 1, "the expression ends too early"),
        ("(1", 3, "the expression ends too early; expected ')'"),
        ("1)", 2, "unexpected ')'; expected an operator"),
        ("[1, 2", 6, "the expression ends too early; expected ']'"),
        ("1 if 2", 7, "the expression ends too early; expected 'else'"),
        ("sin", 4, ""),
        ("sin()", 1, "sin has 0 arguments; expected 1"),
        ("sin(1, 2)", 1, "sin has 2 arguments; expected 1"),
        ("min(1)", 1, "min has 1 arguments; expected at least 2"),
        ("1e999", 1, "1e999 is too large for a number; the largest is 1.8e308"),
        ("2 x", 3, "unexpected 'x'; expected an operator"),
    ],
)
def test_everything_else_is_refused_with_column_and_remedy(text, column, message):
    if not message:
        assert read_expression(text) == Name("sin", 1)
        return
    with pytest.raises(ExpressionError) as caught:
        read_expression(text)
    assert message in caught.value.message
    assert caught.value.column == column


@pytest.mark.parametrize(
    "text",
    [
        "(" * 1999,
        "[" * 1999,
        "-" * 3998 + "1",
        "not " * 999 + "1",
        "2^" * 1999 + "2",
        "1+" * 1999 + "1",
        "sin(" * 999,
        "1 if 1 else " * 333 + "1",
        "max(" + "1," * 1000 + "1)",
        "x" * 100_000,
        "(" * 1_000_000,
    ],
)
def test_long_and_deep_expressions_are_refused_at_once(text):
    expected = r"nested deeper|longer than|expected at least"
    with work_up_to(100_000), pytest.raises(ExpressionError, match=expected):
        read_expression(text)


def test_a_long_sum_of_eighty_terms_is_fine():
    assert read_expression("+".join(["x"] * 80)).depth == 80


def test_names_of_signals_are_read_where_they_are_asked_for():
    expression = parse_expression("ctl.v - r*rig.omega[0]/m[1, 2]", signals=True)
    assert expression.names == {"ctl.v", "r", "rig.omega[0]", "m[1, 2]"}
    for text in ("v[-1]", "v[0:2]", "v.", "v .x"):
        with pytest.raises(ExpressionError):
            parse_expression(text, signals=True)
    with pytest.raises(ExpressionError):
        parse_expression("ctl.v")
