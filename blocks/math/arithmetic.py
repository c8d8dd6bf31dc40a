"""Sums, products and roundings, element by element."""

import math

from railblocks.blocks.base.kernels import dot, floor, nearest
from railblocks.blocks.base.variants import (
    SEPARATE,
    function_of,
    letter,
    port_names,
    separated,
    variant,
)
from railblocks.engine.declaration import (
    EACH,
    Block,
    Derived,
    In,
    Out,
    Param,
    derive,
    guard,
    out,
    validate,
)


class Sum(Block):
    """Sum and difference of inputs.

    y = s_1 u_1 + s_2 u_2 + ...,  s_i = +1 or -1                           (1)
    """

    symbol = "Σ"
    u = In("?u", "input, added or subtracted", shape=EACH, many="signs")
    y = Out("?u", "sum", shape=EACH)
    signs = Param("1", "one + or - for each input", type=str, default="++")
    s = Derived("1", "the signs as numbers", shape="n")

    @classmethod
    def specialise(cls, values):
        signs = values["signs"]
        if len(signs) > SEPARATE:
            return cls
        terms = zip(signs, port_names(len(signs)), strict=True)
        text = "0" + "".join(sign + name for sign, name in terms)
        return separated(cls, text, len(signs), "add", s=None, numbers=None)

    @validate
    def signs_are_signs(signs):
        if not signs or set(signs) - set("+-"):
            return f"signs = '{signs}'; expected one + or - for each input, such as '+-'"

    @derive("s")
    def numbers(signs):
        return [1.0 if sign == "+" else -1.0 for sign in signs]

    @out("y")
    def add(u, s):
        return dot(s, u)  # (1)


class Gain(Block):
    """Input times a constant, element by element.

    y = k u                                                                (1)
    """

    symbol = "k"
    u = In("?u", "input", shape=EACH)
    y = Out("?k*?u", "output", shape=EACH)
    k = Param("?k", "gain", shape=EACH, default=1.0)

    @out("y")
    def scale(u, k):
        return k * u


class Bias(Block):
    """Input plus a constant.

    y = u + b                                                              (1)
    """

    symbol = "u+b"
    u = In("?u", "input", shape=EACH)
    y = Out("?u", "output", shape=EACH)
    b = Param("?u", "constant", shape=EACH, default=0.0)

    @out("y")
    def shift(u, b):
        return u + b


class Product(Block):
    """Product and quotient of inputs.

    y = u_1^(+-1) u_2^(+-1) ...,  from left to right                       (1)

    Each input has its own unit. y is infinite where a divisor is zero.
    """

    symbol = "u*v"
    u = In("?u", "input, multiplied or divided by", shape=EACH, many="operations")
    y = Out("?y", "product", shape=EACH)
    operations = Param("1", "one * or / for each input", type=str, default="**")

    @classmethod
    def specialise(cls, values):
        operations = values["operations"]
        names = port_names(len(operations))
        units = [f"?{letter(i)}" for i in range(len(operations))]

        def joined(factors):
            return "1" + "".join(map("".join, zip(operations, factors, strict=True)))

        ports = {
            name: In(unit, cls.u.doc, shape=EACH) for name, unit in zip(names, units, strict=True)
        }
        product = function_of(joined(names).removeprefix("1*"), names)
        y = Out(joined(units), cls.y.doc, shape=EACH)
        return variant(cls, u=None, y=y, multiply=out("y")(product), **ports)

    @validate
    def operations_are_operations(operations):
        if not operations or set(operations) - set("*/"):
            return f"operations = '{operations}'; expected one * or / for each input, such as '*/'"

    @out("y")
    def multiply(u):
        product = 1.0
        for i in range(len(u)):
            product *= u[i]
        return product


class Divide(Block):
    """Quotient of two inputs.

    y = u1 / u2                                                            (1)

    y is infinite, or nan for 0/0, where u2 = 0.
    """

    symbol = "÷"
    u1 = In("?a", "dividend", shape=EACH)
    u2 = In("?b", "divisor, not zero", shape=EACH)
    y = Out("?a/?b", "quotient", shape=EACH)

    @out("y")
    def divide(u1, u2):
        return u1 / u2


class Reciprocal(Block):
    """One over the input.

    y = 1 / u                                                              (1)
    """

    symbol = "1/u"
    u = In("?u", "input, not zero", shape=EACH)
    y = Out("1/?u", "reciprocal", shape=EACH)

    @out("y")
    def invert(u):
        return 1.0 / u


class Abs(Block):
    """Absolute value; the solver lands on the kink.

    y = |u|                                                                (1)
    """

    symbol = "|u|"
    u = In("?u", "input", shape=EACH)
    y = Out("?u", "absolute value", shape=EACH)

    @out("y")
    def magnitude(u):
        return abs(u)

    @guard("kink", "both")
    def at_kink(u):
        return u


class Sign(Block):
    """Sign of the input; the solver lands on the jump.

    y = -1 for u < 0,  0 for u = 0,  1 for u > 0                           (1)

    Works on events: no stage of a step sees both signs.
    """

    symbol = "sgn"
    u = In("?u", "input", shape=EACH)
    y = Out("1", "sign", shape=EACH)

    @guard("positive", "both")
    def at_jump(u):
        return u

    @out("y")
    def sign(u, positive):
        return 0.0 if u == 0.0 else (1.0 if positive else -1.0)  # (1)


def largest(u):
    y = u[0]
    for i in range(1, len(u)):
        y = u[i] if u[i] > y else y
    return y


def difference(u1, u2):
    return u1 - u2


class MinMax(Block):
    """Smallest or largest of the inputs; with two of them the solver lands on the kink.

    y = min(u_1, u_2, ...)  or  max(u_1, u_2, ...)                         (1)
    """

    symbol = "min max"
    u = In("?u", "input", shape=EACH, many="n")
    y = Out("?u", "smallest or largest input", shape=EACH)
    function = Param("1", "which one", type=str, default="min", choices=("min", "max"))
    n = Param("1", "number of inputs", type=int, default=2, ge=1)

    @classmethod
    def specialise(cls, values):
        function, n = values["function"], values["n"]
        if n > SEPARATE:
            return variant(cls, choose=out("y")(largest)) if function == "max" else cls
        text = f"{function}({', '.join(port_names(n))})" if n > 1 else "u1"
        kink = {"at_kink": guard("kink", "both")(difference)} if n == 2 else {}
        return separated(cls, text, n, "choose", **kink)

    @out("y")
    def choose(u):
        y = u[0]
        for i in range(1, len(u)):
            y = u[i] if u[i] < y else y
        return y


class Modulo(Block):
    """Remainder of a division, with the sign of the divisor; the solver lands on the jumps.

    y = u - m floor(u / m),  0 <= y <= m                                   (1)
    """

    symbol = "mod"
    u = In("?u", "input", shape=EACH)
    y = Out("?u", "remainder", shape=EACH)
    m = Param("?u", "divisor", shape=EACH, default=1.0, gt=0)

    @out("y")
    def remainder(u, m):
        return u % m

    @guard("jump", "both")
    def at_jump(u, m):
        return math.sin(math.pi * (u / m))


def rounded(u):
    return nearest(u)


def ceiling(u):
    return -floor(-u)


def truncated(u):
    return floor(u) if u >= 0.0 else -floor(-u)


def half_way(u):
    return math.cos(math.pi * u)


class Round(Block):
    """Whole number near the input; the solver lands on the jumps.

    y = floor(u), ceil(u), round(u) with halves away from zero, or fix(u) towards zero   (1)
    """

    symbol = "⌊u⌋"
    u = In("1", "input", shape=EACH)
    y = Out("1", "whole number", shape=EACH)
    function = Param(
        "1", "which one", type=str, default="round", choices=("floor", "ceil", "round", "fix")
    )

    @classmethod
    def specialise(cls, values):
        kernels = {"ceil": ceiling, "round": rounded, "fix": truncated}
        if values["function"] == "floor":
            return cls
        members = {"whole": out("y")(kernels[values["function"]])}
        if values["function"] == "round":
            members["at_jump"] = guard("jump", "both")(half_way)
        return variant(cls, **members)

    @out("y")
    def whole(u):
        return floor(u)

    @guard("jump", "both")
    def at_jump(u):
        return math.sin(math.pi * u)
