"""Signals joined, split, chosen and converted."""

import math

import numpy as np
from railblocks.blocks.base.kernels import clip, nearest
from railblocks.blocks.base.variants import signal_type, typed, variant
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
from railblocks.engine.units.table import OFFSET_UNITS


class Mux(Block):
    """Scalars joined into a vector.

    y = (u_1, u_2, ..., u_n)                                               (1)
    """

    symbol = "⊐"
    u = In("?u", "element", many="n")
    y = Out("?u", "vector of the inputs", shape="n")
    n = Param("1", "number of inputs", type=int, default=2, ge=1)

    @out("y")
    def join(u, y):
        for i in range(len(u)):
            y[i] = u[i]


def element(index):
    def take(u):
        return u[index]

    return take


class Demux(Block):
    """A vector split into scalars.

    y_i = u_i,  i = 1, ..., n                                              (1)
    """

    symbol = "⊏"
    u = In("?u", "vector", shape="n")
    y1 = Out("?u", "element 1; outputs y2 to yn follow")
    n = Param("1", "number of elements", type=int, default=2, ge=1)

    @classmethod
    def specialise(cls, values):
        numbers = range(1, values["n"] + 1)
        ports = {f"y{i}": Out("?u", f"element {i}") for i in numbers}
        takes = {f"take_{i}": out(f"y{i}")(element(i - 1)) for i in numbers}
        return variant(cls, **ports, **takes)

    @out("y1")
    def take_1(u):
        return u[0]


class Selector(Block):
    """Chosen elements of a vector, in any order.

    y_i = u[indices_i],  counted from 0                                    (1)
    """

    symbol = "u[i]"
    example = {"n": 3, "indices": [2, 0]}
    u = In("?u", "vector", shape="n")
    y = Out("?u", "chosen elements", shape="k")
    n = Param("1", "number of elements of the input", type=int, ge=1)
    indices = Param("1", "which elements, counted from 0", shape="k", ge=0)

    @validate
    def indices_exist(n, indices):
        for index in np.atleast_1d(indices):
            if index != int(index) or index >= n:
                return f"indices contains {index:g}; expected whole numbers from 0 to {n - 1}"

    @out("y")
    def pick(u, indices, y):
        for i in range(len(y)):
            y[i] = u[int(indices[i])]


class Concatenate(Block):
    """Two vectors, one after the other.

    y = (u1_1, ..., u1_n, u2_1, ..., u2_m)                                 (1)
    """

    symbol = "⊐⊐"
    example = {"n": 2, "m": 3}
    u1 = In("?u", "first vector", shape="n")
    u2 = In("?u", "second vector", shape="m")
    y = Out("?u", "both", shape="size")
    n = Param("1", "number of elements of u1", type=int, ge=1)
    m = Param("1", "number of elements of u2", type=int, ge=1)
    size = Derived("1", "number of elements of y", type=int)

    @derive("size")
    def total(n, m):
        return n + m

    @out("y")
    def join(u1, u2, y):
        for i in range(len(u1)):
            y[i] = u1[i]
        for i in range(len(u2)):
            y[len(u1) + i] = u2[i]


class Switch(Block):
    """One of two inputs, chosen by a truth value; the solver lands on the change.

    y = u1 if control else u2                                              (1)

    Works on events: no stage of a step sees both inputs.
    """

    symbol = "⤳"
    u1 = In("?u", "passed while control is true", shape=EACH)
    control = In("1", "which input is passed", type=bool)
    u2 = In("?u", "passed while control is false", shape=EACH)
    y = Out("?u", "chosen input", shape=EACH)
    signal_type = signal_type()

    @classmethod
    def specialise(cls, values):
        return typed(cls, values, "u1", "u2", "y")

    @guard("first", "both")
    def at_change(control):
        return 0.5 if control else -0.5

    @out("y")
    def choose(u1, u2, first):
        return u1 if first else u2  # (1)


class ThresholdSwitch(Block):
    """One of two inputs, chosen by a number against a threshold; the solver lands on the change.

    y = u1 if control >= threshold else u2                                 (1)

    Works on events: crossing the threshold switches, and no stage of a step sees both inputs.
    """

    symbol = "⤳≥"
    u1 = In("?u", "passed while control >= threshold", shape=EACH)
    control = In("?c", "compared with the threshold")
    u2 = In("?u", "passed while control < threshold", shape=EACH)
    y = Out("?u", "chosen input", shape=EACH)
    threshold = Param("?c", "threshold", default=0.0)

    @guard("first", "both")
    def at_change(control, threshold):
        return control - threshold

    @out("y")
    def choose(u1, u2, first):
        return u1 if first else u2  # (1)


class MultiportSwitch(Block):
    """One of many inputs, chosen by number.

    y = u_i,  i = 1 for index <= 1,  n for index >= n,  else index         (1)
    """

    symbol = "⤳n"
    index = In("1", "number of the input to pass, counted from 1", type=int)
    u = In("?u", "input", shape=EACH, many="n")
    y = Out("?u", "chosen input", shape=EACH)
    n = Param("1", "number of inputs to choose from", type=int, default=3, ge=1)

    @out("y")
    def choose(index, u):
        return u[min(max(index, 1), len(u)) - 1]


class Merge(Block):
    """The first active one of several inputs.

    y = u_i with the least i for which active_i is true, else default      (1)

    Not Simulink's Merge, which gives the input that was computed last and holds it: here each input
    says itself whether it counts, earlier ones win, and `default` holds where none does.
    """

    symbol = "⊃"
    u = In("?u", "input", shape=EACH, many="n")
    active = In("1", "whether the input of the same number counts", type=bool, many="n")
    y = Out("?u", "first active input", shape=EACH)
    n = Param("1", "number of inputs", type=int, default=2, ge=1)
    default = Param("?u", "output while no input is active", default=0.0)

    @out("y")
    def choose(u, active, default):
        for i in range(len(u)):
            if active[i]:
                return u[i]
        return default


def plain_unit(name):
    """The unit of a wire: none for a temperature with an offset."""
    return "1" if name in OFFSET_UNITS else name


def scale_and_offset(name):
    """(number + offset) scale is the number in SI units; fractions where they are known."""
    from railblocks.engine.units.unit import parse_unit

    if name in OFFSET_UNITS:
        return OFFSET_UNITS[name]
    unit = parse_unit(name)
    return (unit.scale if unit.ratio is None else unit.ratio), 0


def offset_between(from_unit, to_unit):
    (scale, offset), (to_scale, to_offset) = map(scale_and_offset, (from_unit, to_unit))
    return float(offset * scale / to_scale - to_offset)


def with_offset(u, factor, offset):
    return factor * u + offset  # (2) of UnitConverter


class UnitConverter(Block):
    """The same quantity as a number in another unit.

    y = factor u,  factor = (1 from_unit) / (1 to_unit)                    (1)

    As rad = 1, hertz (cycles) and rad/s or rpm (angles) would differ by a wrong factor: between
    them stands a math.gain of 2 pi. degC and degF have an offset and are temperatures, never
    differences of them; on their side the wire has a plain number, since no unit has an offset:
    y = factor u + offset,  0 degC = 32 degF = 273.15 K                    (2)
    """

    symbol = "m→km"
    example = {"from_unit": "km/h", "to_unit": "m/s"}
    u = In("?u", "quantity in from_unit", shape=EACH)
    y = Out("?y", "quantity in to_unit", shape=EACH)
    from_unit = Param("1", "unit of the input, such as km/h", type=str)
    to_unit = Param("1", "unit of the output, such as m/s", type=str)
    factor = Derived("?y/?u", "what 1 from_unit is in to_unit")

    @classmethod
    def specialise(cls, values):
        source, target = plain_unit(values["from_unit"]), plain_unit(values["to_unit"])
        members = {}
        if {values["from_unit"], values["to_unit"]} & OFFSET_UNITS.keys():
            offset = Derived(target, "what 0 from_unit is in to_unit")
            members = {"offset": offset, "shift": derive("offset")(offset_between)}
            members["convert"] = out("y")(with_offset)
        return variant(
            cls,
            u=In(source, cls.u.doc, shape=EACH),
            y=Out(target, cls.y.doc, shape=EACH),
            factor=Derived(f"({target})/({source})", cls.factor.doc),
            **members,
        )

    @validate
    def same_dimension(from_unit, to_unit):
        from railblocks.engine.units.unit import mixes_cycles_and_angles, parse_unit

        source, target = (
            parse_unit("K" if name in OFFSET_UNITS else name) for name in (from_unit, to_unit)
        )
        if mixes_cycles_and_angles(source, target):
            gain = "2 * pi" if source.in_cycles else "1 / (2 * pi)"
            return (
                f"from_unit = {from_unit} and to_unit = {to_unit}: one counts cycles, the other "
                "angles, and with rad = 1 their ratio lacks the 2 pi of a cycle; put math.gain "
                f"(k: {gain}) there, and convert between units of one kind (Hz and kHz, rad/s and "
                "rpm)"
            )
        if not source.same_dimension(target):
            return (
                f"from_unit = {from_unit} is {source.describe()}, to_unit = {to_unit} is "
                f"{target.describe()}; expected two units of the same quantity"
            )

    @derive("factor")
    def ratio(from_unit, to_unit):
        return float(scale_and_offset(from_unit)[0] / scale_and_offset(to_unit)[0])

    @out("y")
    def convert(u, factor):
        return factor * u


class FloatToBool(Block):
    """A number as a truth value.

    y = (u != 0)                                                           (1)
    """

    symbol = "→bool"
    u = In("1", "number", shape=EACH)
    y = Out("1", "whether it is not zero", shape=EACH, type=bool)

    @out("y")
    def convert(u):
        return u != 0.0


class BoolToFloat(Block):
    """A truth value as a number.

    y = 1 if u else 0                                                      (1)
    """

    symbol = "→float"
    u = In("1", "truth value", shape=EACH, type=bool)
    y = Out("1", "1 for true, 0 for false", shape=EACH)

    @out("y")
    def convert(u):
        return 1.0 if u else 0.0


class FloatToInt(Block):
    """The nearest whole number as an integer; the solver lands on the jumps.

    y = round(u) with halves away from zero,  limited to |y| <= 2^53       (1)
    """

    symbol = "→int"
    u = In("1", "number", shape=EACH)
    y = Out("1", "nearest integer", shape=EACH, type=int)

    @out("y")
    def convert(u):
        return int(nearest(clip(u, -9007199254740992.0, 9007199254740992.0)))

    @guard("jump", "both")
    def at_jump(u):
        return math.cos(math.pi * u)


class IntToFloat(Block):
    """An integer as a number.

    y = u                                                                  (1)
    """

    symbol = "→float"
    u = In("1", "integer", shape=EACH, type=int)
    y = Out("1", "the same number", shape=EACH)

    @out("y")
    def convert(u):
        return float(u)


class BoolToInt(Block):
    """A truth value as an integer.

    y = 1 if u else 0                                                      (1)
    """

    symbol = "→int"
    u = In("1", "truth value", shape=EACH, type=bool)
    y = Out("1", "1 for true, 0 for false", shape=EACH, type=int)

    @out("y")
    def convert(u):
        return 1 if u else 0
