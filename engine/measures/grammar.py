"""The grammar of measures: that of expressions, with measures of signals and units of numbers.

    measure:   name '(' signal {',' option} ')'        max(motor.i, from=1 s)
    signal:    an expression of signals                motor.i    car.v - 0.445 m*axle.omega
    option:    value | name '=' (value | word)         direction=rising
    quantity:  number unit                             10 A    2 %    3 N*m/s^2

A measure and a quantity become names in the tree of the expression, and are kept beside it under
these names. `max` and `min` of two or more values are functions, as in every expression.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ..errors import suggestion
from ..expressions.expression import CONSTANTS
from ..expressions.grammar import (
    COMPARISONS,
    FUNCTIONS,
    KEYWORDS,
    LARGEST_LENGTH,
    SIGNAL,
    Parser,
    Token,
    read_tokens,
    token_pattern,
)
from ..expressions.tree import ExpressionError, Name, Number, Tree, walk
from ..units.quantity import Quantity
from ..units.table import symbol_scale
from ..units.times import written
from ..units.unit import UnitError, parse_unit
from .table import KINDS, WINDOW, Kind, Option

_TOKEN = token_pattern(rf"(?:{SIGNAL}|[°µμΩ][A-Za-z]*)")
_FACTOR = re.compile(
    r"\s*(?P<join>[*/])?\s*(?P<symbol>[A-Za-zµμΩ°%]+)(?P<power>\s*\^\s*(?:-?[0-9]+|\(-?[0-9/]+\)))?"
    r"(?![A-Za-z0-9_.(\[])"
)
_PERCENT = re.compile(r"\s*%(?!\s*[A-Za-z0-9_.(\[])|\s*%(?=\s*(?:and|or|if|else)\b)")


@dataclass(frozen=True)
class Call:
    """A measure of a signal, with its options as they were written."""

    kind: Kind
    signal: Tree
    options: dict[str, Tree | str]
    text: str
    column: int


@dataclass
class Parts:
    """What stands for names in the tree of an expression: measures, quantities, signals."""

    calls: dict[str, Call] = field(default_factory=dict)
    quantities: dict[str, Quantity] = field(default_factory=dict)
    signals: set[str] = field(default_factory=set)


def read_measures(text: str) -> tuple[Tree, Parts]:
    """The tree of an expression of measures, and what its names are; raises `ExpressionError`."""
    if len(text) > LARGEST_LENGTH:
        raise ExpressionError(f"the measure is longer than {LARGEST_LENGTH} characters")
    parser = _MeasureParser(text)
    tree = parser.condition()
    if parser.next.kind != "end":
        raise parser.unexpected("an operator")
    for node in parser.signals_in(tree):
        raise ExpressionError(
            f"{node.name!r} is a signal; expected a measure of it, as in final({node.name})",
            node.column,
        )
    return tree, parser.parts


def read_sides(text: str) -> list[str]:
    """The texts between the relations of a comparison that can be read."""
    sides, start, depth = [], 0, 0
    for token in read_tokens(text, _TOKEN):
        depth += (token.text in ("(", "[")) - (token.text in (")", "]"))
        if depth == 0 and token.text in COMPARISONS:
            sides.append(text[start : token.column - 1].strip())
            start = token.column - 1 + len(token.text)
    return [*sides, text[start:].strip()]


class _MeasureParser(Parser):
    """Reads measures and quantities where an expression has functions and numbers."""

    def __init__(self, text: str):
        super().__init__(read_tokens(text, _TOKEN))
        self.text = text
        self.parts = Parts()

    # --- numbers with units --------------------------------------------------------------------
    def atom(self) -> Tree:
        token = self.next
        node = super().atom()
        if token.kind == "number" and isinstance(node, Number):
            return self.quantity(token, float(node.value))
        if isinstance(node, Name) and node.name == token.text and token.text not in CONSTANTS:
            self.parts.signals.add(token.text)
        return node

    def quantity(self, token: Token, value: float) -> Tree:
        """The number, or the name of the quantity that it makes with the unit behind it."""
        start = token.column - 1 + len(token.text)
        end = self.unit_end(start)
        if end == start:
            return Number(value, token.column)
        unit = self.text[start:end].strip()
        try:
            quantity = Quantity(value, parse_unit(unit), written(value))
        except UnitError as error:
            raise ExpressionError(str(error), token.column) from None
        name = f"{token.text} {unit}"
        self.parts.quantities[name] = quantity
        while self.next.kind != "end" and self.next.column <= end:
            self.take()
        return Name(name, token.column)

    def unit_end(self, start: int) -> int:
        """Where the unit ends that begins at `start`; `start` if there is none."""
        percent = _PERCENT.match(self.text, start)
        if percent is not None:
            return self.text.index("%", start) + 1
        if self.next.kind == "name" and symbol_scale(self.next.text) is None:
            if re.fullmatch(r"[A-Za-zµμΩ°]+", self.next.text) and self.next.text not in KEYWORDS:
                raise ExpressionError(f"{self.next.text!r} is not a unit", self.next.column)
            return start
        end = start
        while match := _FACTOR.match(self.text, end):
            first = end == start
            if bool(match["join"]) == first or match["symbol"] == "%":
                break
            if symbol_scale(match["symbol"]) is None:
                break
            end = match.end()
        return end

    # --- measures ------------------------------------------------------------------------------
    def call(self, token: Token) -> Tree:
        kind = KINDS.get(token.text)
        if kind is None or (token.text in FUNCTIONS and self.has_several_values()):
            if token.text not in FUNCTIONS:
                known = {*FUNCTIONS, *KINDS}
                raise ExpressionError(
                    f"{token.text!r} is not a measure{suggestion(token.text, known)}; "
                    f"known are {', '.join(sorted(KINDS))}",
                    token.column,
                )
            return super().call(token)
        self.expect("(")
        signal = self.condition()
        if not self.signals_in(signal):
            raise ExpressionError(
                f"{kind.name} measures no signal; expected for example {kind.name}(motor.i)",
                token.column,
            )
        options = self.options(kind)
        start, end = token.column - 1, self.next.column
        self.expect(")")
        text = self.text[start:end]
        self.parts.calls[text] = Call(kind, signal, options, text, token.column)
        return Name(text, token.column)

    def signals_in(self, tree: Tree) -> list[Name]:
        """The signals of a tree, but for those inside its measures."""
        return [n for n in walk(tree) if isinstance(n, Name) and n.name in self.parts.signals]

    def has_several_values(self) -> bool:
        """Whether the call that opens here has a second value, rather than an option, inside."""
        depth = 0
        for index in range(self.position, len(self.tokens)):
            text = self.tokens[index].text
            depth += (text in ("(", "[")) - (text in (")", "]"))
            if depth == 0:
                return False
            if depth == 1 and text == ",":
                return not self.is_option(index + 1)
        return False

    def is_option(self, index: int) -> bool:
        following = self.tokens[index : index + 2]
        return len(following) == 2 and following[0].kind == "name" and following[1].text == "="

    def options(self, kind: Kind) -> dict[str, Tree | str]:
        known = {option.name: option for option in (*kind.options, *WINDOW)}
        given: dict[str, Tree | str] = {}
        while self.next_is(","):
            self.take()
            token = self.next
            if self.is_option(self.position):
                self.take(), self.take()
                option = known.get(token.text)
                if option is None:
                    raise ExpressionError(
                        f"{kind.name} has no option {token.text!r}"
                        f"{suggestion(token.text, known)}; it has {', '.join(known)}",
                        token.column,
                    )
            else:
                option = self.positional(kind, given, token)
            if option.name in given:
                raise ExpressionError(f"{option.name!r} is given twice", token.column)
            given[option.name] = self.value(option)
        missing = [o.name for o in kind.options if o.required and o.name not in given]
        if missing:
            raise ExpressionError(
                f"{kind.name} needs a {missing[0]}, as in {kind.name}(motor.i, "
                f"{'0.5 s' if missing[0] == 'time' else '5 A'})",
                self.next.column,
            )
        return given

    def positional(self, kind: Kind, given: dict[str, Tree | str], token: Token) -> Option:
        for option in kind.options:
            if option.name not in given:
                return option
        raise ExpressionError(
            f"{kind.name} takes no further values; options are written as from=1 s", token.column
        )

    def value(self, option: Option) -> Tree | str:
        if not option.choices:
            tree = self.condition()
            for node in self.signals_in(tree):
                raise ExpressionError(
                    f"{option.name} has the signal {node.name!r}; expected a value, or a measure "
                    f"as in final({node.name})",
                    node.column,
                )
            return tree
        token = self.take()
        if token.text not in option.choices:
            raise ExpressionError(
                f"{option.name} = {token.text!r}; expected {' or '.join(option.choices)}"
                f"{suggestion(token.text, option.choices)}",
                token.column,
            )
        return token.text
