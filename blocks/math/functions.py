"""Elementary functions, element by element, and functions given as text."""

import math

from railblocks.blocks.base.variants import letter, variant
from railblocks.engine.declaration import EACH, Block, In, Out, Param, out


class Square(Block):
    """Square of the input.

    y = u^2                                                                (1)
    """

    symbol = "u²"
    u = In("?u", "input", shape=EACH)
    y = Out("?u^2", "square", shape=EACH)

    @out("y")
    def square(u):
        return u * u


class Sqrt(Block):
    """Square root.

    y = sqrt(u),  u >= 0                                                   (1)
    """

    symbol = "√u"
    u = In("?y^2", "input, not negative", shape=EACH, ge=0)
    y = Out("?y", "square root", shape=EACH)

    @out("y")
    def root(u):
        return math.sqrt(u)


class Power(Block):
    """Power with a constant exponent.

    y = u^p                                                                (1)

    u may be negative if p is a whole number, and zero if p is not negative.
    """

    symbol = "uᵖ"
    u = In("1", "base", shape=EACH, ge=0)
    y = Out("1", "power", shape=EACH)
    p = Param("1", "exponent", shape=EACH, default=2.0)

    @out("y")
    def power(u, p):
        return math.pow(u, p)


def cosine(u):
    return math.cos(u)


def tangent(u):
    return math.tan(u)


def arcsine(u):
    return math.asin(u)


def arccosine(u):
    return math.acos(u)


def arctangent(u):
    return math.atan(u)


def hyperbolic_sine(u):
    return math.sinh(u)


def hyperbolic_cosine(u):
    return math.cosh(u)


def hyperbolic_tangent(u):
    return math.tanh(u)


TRIGONOMETRY = {
    "cos": cosine,
    "tan": tangent,
    "asin": arcsine,
    "acos": arccosine,
    "atan": arctangent,
    "sinh": hyperbolic_sine,
    "cosh": hyperbolic_cosine,
    "tanh": hyperbolic_tangent,
}


class Trigonometry(Block):
    """A trigonometric or hyperbolic function; angles in radians.

    y = sin(u), cos(u), tan(u), asin(u), acos(u), atan(u), sinh(u), cosh(u) or tanh(u)   (1)

    asin and acos need |u| <= 1, sinh and cosh |u| <= 710.
    """

    symbol = "sin"
    u = In("1", "input", shape=EACH)
    y = Out("1", "value of the function", shape=EACH)
    function = Param("1", "which function", type=str, default="sin", choices=("sin", *TRIGONOMETRY))

    @classmethod
    def specialise(cls, values):
        function = values["function"]
        if function == "sin":
            return cls
        limit = {"asin": 1.0, "acos": 1.0, "sinh": 710.0, "cosh": 710.0}.get(function)
        least = None if limit is None else -limit
        u = In("1", cls.u.doc, shape=EACH, ge=least, le=limit)
        return variant(cls, u=u, apply=out("y")(TRIGONOMETRY[function]))

    @out("y")
    def apply(u):
        return math.sin(u)


class Exponential(Block):
    """Exponential function.

    y = e^u,  u <= 709                                                     (1)
    """

    symbol = "eᵘ"
    u = In("1", "exponent", shape=EACH, le=709)
    y = Out("1", "exponential", shape=EACH)

    @out("y")
    def exponential(u):
        return math.exp(u)


def common_logarithm(u):
    return math.log10(u)


class Logarithm(Block):
    """Natural or common logarithm.

    y = ln(u)  or  log10(u),  u > 0                                        (1)
    """

    symbol = "ln"
    u = In("1", "input, positive", shape=EACH, gt=0)
    y = Out("1", "logarithm", shape=EACH)
    base = Param("1", "base of the logarithm", type=str, default="e", choices=("e", "10"))

    @classmethod
    def specialise(cls, values):
        return variant(cls, logarithm=out("y")(common_logarithm)) if values["base"] == "10" else cls

    @out("y")
    def logarithm(u):
        return math.log(u)


class Hypot(Block):
    """Length of the hypotenuse, without overflow in between.

    y = sqrt(u1^2 + u2^2)                                                  (1)
    """

    symbol = "hypot"
    u1 = In("?u", "one side", shape=EACH)
    u2 = In("?u", "other side", shape=EACH)
    y = Out("?u", "hypotenuse", shape=EACH)

    @out("y")
    def length(u1, u2):
        a, b = abs(u1), abs(u2)
        long, short = (a, b) if a > b else (b, a)
        if long == 0.0 or long == math.inf:
            return long
        ratio = short / long
        return long * math.sqrt(1.0 + ratio * ratio)


class Atan2(Block):
    """Angle of a point in the plane.

    y = atan2(u1, u2),  -pi <= y <= pi                                     (1)
    """

    symbol = "atan2"
    u1 = In("?u", "ordinate", shape=EACH)
    u2 = In("?u", "abscissa", shape=EACH)
    y = Out("rad", "angle from the axis of u2", shape=EACH)

    @out("y")
    def angle(u1, u2):
        return math.atan2(u1, u2)


class Polynomial(Block):
    """Polynomial, by Horner's scheme.

    y = c_1 u^(n-1) + c_2 u^(n-2) + ... + c_n                              (1)

    Coefficients are plain numbers, for u and y in their SI units.
    """

    symbol = "P(u)"
    example = {"c": [2.0, -1.0, 0.5]}
    u = In("?u", "input", shape=EACH)
    y = Out("?y", "value of the polynomial", shape=EACH)
    c = Param("1", "coefficients, highest power first", shape="n")

    @out("y")
    def horner(u, c):
        y = c[0]
        for i in range(1, len(c)):
            y = y * u + c[i]
        return y


TAKEN = {"y", "expression", "run_seed", "stream_number"}
"""Names that mean something else in `math.expression`."""


class Expression(Block):
    """A function given as text.

    y = f(u_1, u_2, ..., t)                                                (1)

    Every name in the expression is an input port, except t, which is the time; y and expression are
    taken. The operators and functions are those of all expressions in diagrams. Inputs and output
    take any unit; the numbers are those of the connected units.
    """

    symbol = "f(u)"
    example = {"expression": "u1 * sin(u2) + 0.5"}
    y = Out("?y", "value of the expression", shape=EACH)
    expression = Param("1", "what is computed, such as u1 * sin(u2)", type=str)

    @classmethod
    def specialise(cls, values):
        from railblocks.engine.expressions.expression import parse_expression

        expression = parse_expression(values["expression"])
        names = sorted(expression.names)
        if taken := TAKEN & set(names):
            name = min(taken)
            raise ValueError(f"expression = '{expression.text}' uses '{name}'; rename that input")
        ports = {
            name: In(f"?{letter(i)}_in", f"'{name}' of the expression", shape=EACH)
            for i, name in enumerate(names)
            if name != "t"
        }
        kernel = out("y")(expression.function(tuple(names)))
        return variant(cls, evaluate=kernel, further_items=ports)
