"""Comparisons and gates, without memory."""

from functools import reduce

from railblocks.blocks.base.checks import crossed
from railblocks.blocks.base.variants import SEPARATE, port_names, separated, variant
from railblocks.engine.declaration import EACH, Block, In, Out, Param, guard, out, validate

RELATIONS = ("==", "!=", "<", "<=", ">", ">=")


def equal(u1, u2):
    return u1 == u2


def unequal(u1, u2):
    return u1 != u2


def less(u1, u2):
    return u1 < u2


def at_most(u1, u2):
    return u1 <= u2


def greater(u1, u2):
    return u1 > u2


def above(u1, u2):
    return u1 - u2


def below(u1, u2):
    return u2 - u1


KERNELS = {"==": equal, "!=": unequal, "<": less, "<=": at_most, ">": greater}


class Compare(Block):
    """Whether a relation between two numbers holds; the solver lands on the change.

    y = (u1 relation u2)                                                   (1)
    """

    symbol = "≥"
    u1 = In("?u", "left side", shape=EACH)
    u2 = In("?u", "right side", shape=EACH)
    y = Out("1", "whether the relation holds", shape=EACH, type=bool)
    relation = Param("1", "the relation", type=str, default=">=", choices=RELATIONS)

    @classmethod
    def specialise(cls, values):
        relation = values["relation"]
        if relation == ">=":
            return cls
        gap = below if relation in (">", "<=") else above
        return variant(
            cls, compare=out("y")(KERNELS[relation]), at_change=guard("change", "both")(gap)
        )

    @out("y")
    def compare(u1, u2):
        return u1 >= u2

    @guard("change", "both")
    def at_change(u1, u2):
        return u1 - u2


class CompareToConstant(Compare):
    """Whether a relation between a number and a constant holds; the solver lands on the change.

    y = (u1 relation u2)                                                   (1)
    """

    symbol = "≥c"
    u2 = Param("?u", "right side, a constant", shape=EACH, default=0.0)


class IntervalTest(Block):
    """Whether a number lies between two bounds; the solver lands on the change.

    y = (lower <= u <= upper)                                              (1)
    """

    symbol = "[u]"
    u = In("?u", "number to test", shape=EACH)
    y = Out("1", "whether it lies inside", shape=EACH, type=bool)
    lower = Param("?u", "lower bound", default=-0.5)
    upper = Param("?u", "upper bound", default=0.5)

    @validate
    def bounds_are_ordered(lower, upper):
        return crossed(lower, upper)

    @out("y")
    def test(u, lower, upper):
        return lower <= u <= upper

    @guard("change", "both")
    def at_change(u, lower, upper):
        return min(u - lower, upper - u)


class Not(Block):
    """Negation.

    y = not u                                                              (1)
    """

    symbol = "¬"
    u = In("1", "input", shape=EACH, type=bool)
    y = Out("1", "whether the input is false", shape=EACH, type=bool)

    @out("y")
    def negate(u):
        return not u


def trues(u):
    """How many inputs are true."""
    number = 0
    for i in range(len(u)):
        if u[i]:
            number += 1
    return number


class And(Block):
    """Whether all inputs are true.

    y = u_1 and u_2 and ...                                                (1)
    """

    symbol = "&"
    u = In("1", "input", shape=EACH, type=bool, many="n")
    y = Out("1", "whether all inputs are true", shape=EACH, type=bool)
    n = Param("1", "number of inputs", type=int, default=2, ge=1)

    @staticmethod
    def formula(names):
        return " and ".join(names)

    @classmethod
    def specialise(cls, values):
        n = values["n"]
        return cls if n > SEPARATE else separated(cls, cls.formula(port_names(n)), n, "join")

    @out("y")
    def join(u):
        return trues(u) == len(u)


class Nand(And):
    """Whether not all inputs are true.

    y = not (u_1 and u_2 and ...)                                          (1)
    """

    symbol = "¬&"
    y = Out("1", "whether some input is false", shape=EACH, type=bool)

    @staticmethod
    def formula(names):
        return f"not ({' and '.join(names)})"

    @out("y")
    def join(u):
        return trues(u) != len(u)


class Or(And):
    """Whether some input is true.

    y = u_1 or u_2 or ...                                                  (1)
    """

    symbol = "≥1"
    y = Out("1", "whether some input is true", shape=EACH, type=bool)

    @staticmethod
    def formula(names):
        return " or ".join(names)

    @out("y")
    def join(u):
        return trues(u) > 0


class Nor(And):
    """Whether all inputs are false.

    y = not (u_1 or u_2 or ...)                                            (1)
    """

    symbol = "¬≥1"
    y = Out("1", "whether all inputs are false", shape=EACH, type=bool)

    @staticmethod
    def formula(names):
        return f"not ({' or '.join(names)})"

    @out("y")
    def join(u):
        return trues(u) == 0


class Xor(And):
    """Whether an odd number of inputs is true.

    y = u_1 xor u_2 xor ...                                                (1)
    """

    symbol = "=1"
    y = Out("1", "whether an odd number of inputs is true", shape=EACH, type=bool)

    @staticmethod
    def formula(names):
        return reduce("({} != {})".format, names)

    @out("y")
    def join(u):
        return trues(u) % 2 == 1
