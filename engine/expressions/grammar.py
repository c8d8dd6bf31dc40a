"""The grammar of expressions: text to a small tree, and nothing else.

    condition:  or ['if' or 'else' condition]
    or, and, not, comparison chain, sum, product, sign, power     (tighter to the right)
    atom:       number | name | name '(' arguments ')' | '[' items ']' | '(' condition ')'

Powers are `^` or `**`, bind to the right (2^3^2 = 2^9) and tighter than a sign (-2^2 = -4).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..errors import suggestion
from .tree import (
    Comparison,
    ExpressionError,
    Name,
    Number,
    Operation,
    Tree,
    Vector,
)

LARGEST_LENGTH = 4000  # characters
LARGEST_DEPTH = 100


FUNCTIONS: dict[str, tuple[int, int]] = {
    **dict.fromkeys(("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh"), (1, 1)),
    **dict.fromkeys(("exp", "log", "log10", "sqrt", "abs", "sign"), (1, 1)),
    **dict.fromkeys(("floor", "ceil", "round"), (1, 1)),
    **dict.fromkeys(("atan2", "hypot"), (2, 2)),
    **dict.fromkeys(("min", "max"), (2, 50)),
}

_WORD = r"[A-Za-z_][A-Za-z0-9_]*"
SIGNAL = rf"{_WORD}(?:\.{_WORD})*(?:\[[0-9, ]+\])?"


def token_pattern(name: str) -> re.Pattern[str]:
    """The pattern of the tokens of an expression with names of that pattern."""
    return re.compile(
        r"\s*(?:(?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)"
        rf"|(?P<name>{name})"
        r"|(?P<operator>\*\*|<=|>=|==|!=|//|&&|\|\||[-+*/%^()\[\],<>=!&|]))"
    )


_PLAIN, _OF_SIGNALS = token_pattern(_WORD), token_pattern(SIGNAL)
_INSTEAD = {
    "=": "'==' for a comparison",
    "&&": "'and'",
    "&": "'and'",
    "||": "'or'",
    "|": "'or'",
    "!": "'not', or '!='",
    "//": "floor(a / b)",
}
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
KEYWORDS = ("if", "else", "and", "or", "not")
_FORBIDDEN = ("None", "lambda", "for", "in", "is", "import", "yield", "await", "def")


@dataclass(frozen=True, slots=True)
class Token:
    kind: str
    text: str
    column: int


def read_expression(text: str, signals: bool = False) -> Tree:
    """The tree of an expression; raises `ExpressionError`.

    With `signals`, names may be those of signals: `car.v`, `rig.omega[2]`.
    """
    if len(text) > LARGEST_LENGTH:
        raise ExpressionError(f"the expression is longer than {LARGEST_LENGTH} characters")
    parser = Parser(read_tokens(text, _OF_SIGNALS if signals else _PLAIN))
    tree = parser.condition()
    if parser.next.kind != "end":
        raise parser.unexpected("an operator")
    return tree


def read_tokens(text: str, token: re.Pattern[str]) -> list[Token]:
    tokens, position, end = [], 0, len(text.rstrip())
    while position < end:
        match = token.match(text, position)
        if match is None:
            column = end - len(text[position:end].lstrip()) + 1
            character = text[column - 1]
            hint = "; a value inside another is not reachable here" if character == "." else ""
            raise ExpressionError(
                f"{character!r} cannot be used in an expression{hint}; expected numbers, names, "
                "operators and functions",
                column,
            )
        kind = str(match.lastgroup)
        tokens.append(Token(kind, match[kind], match.start(kind) + 1))
        position = match.end()
    tokens.append(Token("end", "", end + 1))
    return tokens


class Parser:
    """Recursive descent; the depth of the tree is bounded, so is the recursion."""

    def __init__(self, tokens: list[Token]):
        self.tokens = tokens
        self.position = 0
        self.level = 0

    @property
    def next(self) -> Token:
        return self.tokens[self.position]

    def take(self) -> Token:
        token = self.tokens[self.position]
        self.position += 1
        return token

    def next_is(self, *texts: str) -> bool:
        token = self.next
        return token.kind != "number" and token.text in texts and token.kind != "end"

    def expect(self, text: str) -> None:
        if not self.next_is(text):
            raise self.unexpected(f"'{text}'")
        self.take()

    def unexpected(self, expected: str) -> ExpressionError:
        token = self.next
        if token.kind == "end":
            return ExpressionError(
                f"the expression ends too early; expected {expected}", token.column
            )
        if token.text in _INSTEAD:
            return ExpressionError(
                f"{token.text!r} is not used; write {_INSTEAD[token.text]}", token.column
            )
        return ExpressionError(f"unexpected {token.text!r}; expected {expected}", token.column)

    def operation(self, symbol: str, operands: tuple[Tree, ...], column: int) -> Operation:
        return Operation(symbol, operands, column, self.depth(operands, column))

    def depth(self, operands: tuple[Tree, ...], column: int) -> int:
        depth = 1 + max((operand.depth for operand in operands), default=0)
        if depth > LARGEST_DEPTH:
            raise ExpressionError(f"the expression is nested deeper than {LARGEST_DEPTH}", column)
        return depth

    def condition(self) -> Tree:
        self.level += 1
        if self.level > LARGEST_DEPTH // 2:
            raise ExpressionError(
                f"the expression is nested deeper than {LARGEST_DEPTH // 2}", self.next.column
            )
        value = self.either()
        if self.next_is("if"):
            column = self.take().column
            test = self.either()
            self.expect("else")
            value = self.operation("if", (test, value, self.condition()), column)
        self.level -= 1
        return value

    def either(self) -> Tree:
        left = self.both()
        while self.next_is("or"):
            column = self.take().column
            left = self.operation("or", (left, self.both()), column)
        return left

    def both(self) -> Tree:
        left = self.negation()
        while self.next_is("and"):
            column = self.take().column
            left = self.operation("and", (left, self.negation()), column)
        return left

    def negation(self) -> Tree:
        columns = []
        while self.next_is("not"):
            columns.append(self.take().column)
        value = self.comparison()
        for column in reversed(columns):
            value = self.operation("not", (value,), column)
        return value

    def comparison(self) -> Tree:
        operands: list[Tree] = [self.sum()]
        symbols: list[str] = []
        column = self.next.column
        while self.next_is(*COMPARISONS):
            symbols.append(self.take().text)
            operands.append(self.sum())
        if not symbols:
            return operands[0]
        chain = tuple(operands)
        return Comparison(tuple(symbols), chain, column, self.depth(chain, column))

    def sum(self) -> Tree:
        left = self.product()
        while self.next_is("+", "-"):
            token = self.take()
            left = self.operation(token.text, (left, self.product()), token.column)
        return left

    def product(self) -> Tree:
        left = self.sign()
        while self.next_is("*", "/", "%"):
            token = self.take()
            left = self.operation(token.text, (left, self.sign()), token.column)
        return left

    def sign(self) -> Tree:
        minus = []
        while self.next_is("+", "-"):
            token = self.take()
            if token.text == "-":
                minus.append(token.column)
        value = self.power()
        for column in reversed(minus):
            value = self.operation("neg", (value,), column)
        return value

    def power(self) -> Tree:
        base = self.atom()
        if not self.next_is("^", "**"):
            return base
        column = self.take().column
        self.level += 1
        if self.level > LARGEST_DEPTH // 2:
            raise ExpressionError(
                f"the expression is nested deeper than {LARGEST_DEPTH // 2}", column
            )
        exponent = self.sign()
        self.level -= 1
        return self.operation("^", (base, exponent), column)

    def atom(self) -> Tree:
        token = self.next
        if token.kind == "number":
            self.take()
            return _number(token)
        if token.kind == "name" and token.text not in KEYWORDS:
            self.take()
            return self.call(token) if self.next_is("(") else _name(token)
        if self.next_is("("):
            self.take()
            value = self.condition()
            self.expect(")")
            return value
        if self.next_is("["):
            self.take()
            items = self.arguments("]")
            return Vector(items, token.column, self.depth(items, token.column))
        raise self.unexpected("a number, a name or '('")

    def call(self, token: Token) -> Tree:
        if token.text not in FUNCTIONS:
            raise ExpressionError(
                f"{token.text!r} is not a function{suggestion(token.text, FUNCTIONS)}"
                f"; known are {', '.join(sorted(FUNCTIONS))}",
                token.column,
            )
        self.expect("(")
        arguments = self.arguments(")")
        least, most = FUNCTIONS[token.text]
        if not least <= len(arguments) <= most:
            count = f"{least}" if least == most else f"at least {least}"
            raise ExpressionError(
                f"{token.text} has {len(arguments)} arguments; expected {count}", token.column
            )
        while len(arguments) > 2:
            pair = self.operation(token.text, arguments[:2], token.column)
            arguments = (pair, *arguments[2:])
        return self.operation(token.text, arguments, token.column)

    def arguments(self, closing: str) -> tuple[Tree, ...]:
        items = [] if self.next_is(closing) else [self.condition()]
        while self.next_is(","):
            self.take()
            items.append(self.condition())
        self.expect(closing)
        return tuple(items)


def _number(token: Token) -> Number:
    value = float(token.text)
    if value == float("inf"):
        raise ExpressionError(
            f"{token.text[:40]} is too large for a number; the largest is 1.8e308", token.column
        )
    return Number(value, token.column)


def _name(token: Token) -> Tree:
    if token.text in ("true", "false", "True", "False"):
        return Number(token.text.lower() == "true", token.column)
    if token.text in _FORBIDDEN:
        raise ExpressionError(f"{token.text!r} cannot be used in an expression", token.column)
    return Name(token.text, token.column)
