"""What the operators and functions of expressions compute, as data.

Each kernel is a few lines over `a` and `b` that leave `result`; the same lines are inlined into
the functions that `Expression.function` builds and used, one value at a time, by
`Expression.evaluate`, so that evaluated, interpreted and compiled results agree to the last bit.
Kernels are total: where Python would raise (1/0, sqrt(-1), exp(1000)) they give what IEEE 754
gives, as compiled code does. Whoever evaluates decides whether inf or nan is an error.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from .code import Assembler
from .tree import Number, Operation

SMALL_POWER = 16  # largest exponent that becomes products

_FINITE = "{0}(a) if -inf < a < inf else nan"
_UNIT_INTERVAL = "{0}(a) if -1.0 <= a <= 1.0 else nan"

_LINES: dict[str, str] = {
    "neg": "result = -a",
    "+": "result = a + b",
    "-": "result = a - b",
    "*": "result = a * b",
    "/": "result = a / b if b != 0.0 else a * copysign(inf, b)",
    "%": "result = a % b if b != 0.0 else nan",
    **{name: f"result = {_FINITE.format(name)}" for name in ("sin", "cos", "tan")},
    **{name: f"result = {_UNIT_INTERVAL.format(name)}" for name in ("asin", "acos")},
    **{name: f"result = {name}(a)" for name in ("atan", "tanh")},
    "sinh": "result = sinh(a) if -710.475 < a < 710.475 else a * inf",
    "cosh": "result = cosh(a) if -710.475 < a < 710.475 else fabs(a) * inf",
    "exp": "result = exp(a) if not a > 709.782712893384 else inf",
    "log": "result = log(a) if a > 0.0 else -inf if a == 0.0 else nan",
    "log10": "result = log10(a) if a > 0.0 else -inf if a == 0.0 else nan",
    "sqrt": "result = sqrt(a) if a >= 0.0 else nan",
    "abs": "result = fabs(a)",
    "sign": "result = 1.0 if a > 0.0 else -1.0 if a < 0.0 else a",
    "min": "result = b if b < a else a",
    "max": "result = b if b > a else a",
    "floor": "result = floor(a) * 1.0 if -4503599627370496.0 < a < 4503599627370496.0 else a",
    "ceil": "result = ceil(a) * 1.0 if -4503599627370496.0 < a < 4503599627370496.0 else a",
    # Halves go away from zero, as in MATLAB.
    "round": """
        m = fabs(a)
        if m < 4503599627370496.0:
            w = floor(m) * 1.0
            result = copysign(w + 1.0 if m - w >= 0.5 else w, a)
        else:
            result = a
    """,
    "atan2": "result = atan2(a, b)",
    "hypot": """
        p = fabs(a)
        q = fabs(b)
        m = p if p > q else q
        n = q if p > q else p
        if 0.0 < m < inf:
            r = n / m
            result = m * sqrt(1.0 + r * r)
        else:
            result = m + n
    """,
    # a^b = exp(b log a); near overflow as the square of a^(b/2), which cannot raise.
    "^": """
        if 1e-100 < a < 1e100 and -3.0 <= b <= 3.0:
            result = a ** b
        elif b == 0.0 or a == 1.0:
            result = 1.0
        elif a == 0.0:
            result = 0.0 if b > 0.0 else inf if b < 0.0 else nan
        elif not (a > 0.0 or (a < 0.0 and b % 1.0 == 0.0)):
            result = nan
        else:
            m = fabs(a)
            y = b * log(m)
            if y > 709.0:
                h = m ** (0.5 * b) if y < 1400.0 else inf
                r = h * h
            else:
                r = m ** b
            result = -r if a < 0.0 and b % 2.0 == 1.0 else r
    """,
}

_UNARY = frozenset(
    (*("neg", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log"),
     *("log10", "sqrt", "abs", "sign", "floor", "ceil", "round"))
)  # fmt: skip


def kernel_lines(symbol: str, exponent: int | None = None) -> str:
    """The lines of an operator or function; with an exponent, those of that small power."""
    return _LINES[symbol] if exponent is None else _power_lines(exponent)


@lru_cache(maxsize=256)
def kernel(symbol: str, exponent: int | None = None) -> Callable[..., float]:
    """The kernel as a function of one or two floats."""
    count = 1 if exponent is not None or symbol in _UNARY else 2
    assembler = Assembler(("a", "b")[:count])
    operands = [assembler.argument(name) for name in assembler.arguments]
    return assembler.function(assembler.inline(kernel_lines(symbol, exponent), operands))


def small_exponent(node: Operation) -> int | None:
    """n for x^n with a literal integer n up to 16 in size: such powers are products."""
    if node.symbol != "^":
        return None
    exponent = node.operands[1]
    sign = 1
    if isinstance(exponent, Operation) and exponent.symbol == "neg":
        exponent, sign = exponent.operands[0], -1
    if isinstance(exponent, Number) and exponent.value == int(exponent.value):
        n = sign * int(exponent.value)
        return n if abs(n) <= SMALL_POWER else None
    return None


def _power_lines(exponent: int) -> str:
    """a^n by repeated squaring: x^3 = x x x, x^5 = (x^2)^2 x, x^-n = 1/x^n."""
    lines: list[str] = []
    square, product = "a", ""
    n = abs(exponent)
    while n:
        if n & 1:
            product = f"{square} * {product}" if product else square
        n >>= 1
        if n:
            lines.append(f"s{len(lines)} = {square} * {square}")
            square = f"s{len(lines) - 1}"
    if exponent >= 0:
        return "\n".join([*lines, f"result = {product or '1.0'}"])
    return "\n".join(
        [*lines, f"p = {product}", "result = 1.0 / p if p != 0.0 else copysign(inf, p)"]
    )
