"""Signals given by points in time, typed in or read from a file."""

from railblocks.blocks.base.checks import not_ascending
from railblocks.blocks.base.search import last_reached
from railblocks.blocks.base.variants import variant
from railblocks.engine.declaration import (
    Block,
    Derived,
    Discrete,
    Out,
    Param,
    derive,
    guard,
    out,
    reset,
    validate,
)
from railblocks.engine.errors import DiagramError
from railblocks.engine.measurements.csv_table import read_csv
from railblocks.engine.units.times import LARGEST_WHOLE, nearest_times

from .instants import over_one_denominator

OUTSIDE = ("hold", "zero", "extrapolate", "repeat")
HOLD, ZERO, EXTRAPOLATE, REPEAT = range(4)
ROUNDED = 4  # periods by which rounding may put a count wrong, at most


def point(k, instants, scale, beyond):
    """Time of point k, counted on through all periods if the table repeats."""
    if beyond != REPEAT:
        return instants[k] / scale
    last = len(instants) - 1
    return (instants[k % last] + (k // last) * (instants[last] - instants[0])) / scale


def points_passed(t, instants, scale, beyond):
    """How many points lie at or before t."""
    last = len(instants) - 1
    if t < point(0, instants, scale, beyond):
        return 0
    low = 0
    if beyond == REPEAT:
        turns = (t * scale - instants[0]) / (instants[last] - instants[0])
        low = last * int(min(turns, LARGEST_WHOLE))
        for _ in range(ROUNDED):
            if low > 0 and point(low, instants, scale, beyond) > t:
                low -= last
        for _ in range(ROUNDED):
            if point(low + last, instants, scale, beyond) <= t:
                low += last
    elif t >= point(last, instants, scale, beyond):
        return last + 1
    return last_reached(is_passed, (instants, scale, beyond), low, low + last, t) + 1


def is_passed(table, k, t):
    """Whether the point number k lies at or before t."""
    instants, scale, beyond = table
    return point(k, instants, scale, beyond) <= t


def clock_of(times, outside):
    """Times of points with the scale that they are multiplied by."""
    return over_one_denominator(times) if outside == "repeat" else (times, 1.0)


class FromTable(Block):
    """A signal through given points.

    y = y_i + (y_{i+1} - y_i) (t - t_i) / (t_{i+1} - t_i),  t_i <= t < t_{i+1}       (1)
    y = y_i with interpolation "hold"                                      (2)

    Outside the table, from its last time on and before its first, y is the nearest value ("hold"),
    zero ("zero"), the line through the nearest two points ("extrapolate"; with (2) as "hold"), or
    the table starts again ("repeat"; before its start "hold"). A time that stands twice makes a
    jump, from which on the second value holds. The solver lands on every point.
    """

    symbol = "t⊞"
    example = {"times": [0.0, 1.0, 2.5], "values": [0.0, 2.0, -1.0]}
    y = Out("?y", "output")
    times = Param("s", "times of the points, increasing, or twice at a jump", shape="n")
    values = Param("?y", "values at the points", shape="n")
    interpolation = Param(
        "1", "between the points", type=str, default="linear", choices=("linear", "hold")
    )
    outside = Param(
        "1", "before the first and after the last point", type=str, default="hold", choices=OUTSIDE
    )
    hold = Derived("1", "whether the value is held between points", type=bool)
    beyond = Derived("1", "number of the choice for outside", type=int)
    instants = Derived("1", "times of the points times scale", shape="n")
    scale = Derived("1", "common denominator of the times of a table that repeats, else 1")
    k = Discrete(
        "1", "number of points passed; -1 before the first event", type=int, start=-1, ge=-1
    )

    @validate
    def times_increase(times):
        return not_ascending("times", times, jumps=True)

    @derive("hold", "beyond")
    def choices(interpolation, outside):
        return interpolation == "hold", OUTSIDE.index(outside)

    @derive("instants", "scale")
    def clock(times, outside):
        return clock_of(times, outside)

    @out("y")
    def read(t, k, instants, scale, values, hold, beyond):
        last = len(instants) - 1
        passed = k if k >= 0 else points_passed(t, instants, scale, beyond)
        outside = passed == 0 or (passed > last and beyond != REPEAT)
        if outside and beyond == ZERO:
            return 0.0
        if outside and (hold or beyond != EXTRAPOLATE):
            return values[0] if passed == 0 else values[last]
        left = min(max(passed, 1), last) - 1 if outside else passed - 1
        i = left % last
        if hold:
            return values[i]  # (2)
        since = (t - point(left, instants, scale, beyond)) * scale
        return values[i] + (values[i + 1] - values[i]) * (since / (instants[i + 1] - instants[i]))

    @guard("point", initial=True)
    def at_point(t, k, instants, scale, beyond):
        if k < 0:
            return 0.0
        to_come = k < len(instants) or beyond == REPEAT
        return t - point(k, instants, scale, beyond) if to_come else -1.0

    @reset("point", "k")
    def next_point(t, instants, scale, beyond):
        k = points_passed(t, instants, scale, beyond)
        if beyond == REPEAT and point(k, instants, scale, beyond) <= t:
            raise ValueError("the times are closer than floats can distinguish; spread them")
        return k


def read_columns(path, time, column):
    """Times and values of a CSV file with a header line, as arrays; raises DiagramError."""
    table = read_csv(path)
    return nearest_times(table.finite(time)), table.finite(column)


class FromFile(FromTable):
    """A signal from two columns of a CSV file.

    y = y_i + (y_{i+1} - y_i) (t - t_i) / (t_{i+1} - t_i),  t_i <= t < t_{i+1}       (1)
    y = y_i with interpolation "hold"                                      (2)

    The first line of the file names the columns, which stand between commas, semicolons or tabs;
    times are in seconds, values in `unit`. The path starts at the folder of the diagram. The file
    is read once, when the diagram is loaded. Everything else is as in `sources.from_table`.
    """

    symbol = "csv"
    example = {"path": "signal.csv", "column": "u"}
    path = Param("1", "path of the CSV file", type=str, file=bool)
    time = Param("1", "name of the column of times", type=str, default="t")
    column = Param("1", "name of the column of values", type=str)
    unit = Param("1", "unit of the column of values", type=str, default="1")
    times = None
    clock = None
    values = Derived("?y", "values at the points", shape="n")

    @classmethod
    def specialise(cls, values):
        unit = values["unit"]
        return variant(
            cls,
            y=Out(unit, "output"),
            values=Derived(unit, "values at the points", shape="n"),
        )

    @validate
    def times_increase(path, time, column):
        try:
            times, _ = read_columns(path, time, column)
        except DiagramError as error:
            return str(error)
        return not_ascending(f"column '{time}' of {path}", times, jumps=True)

    @derive("values", "instants", "scale")
    def load(path, time, column, outside):
        times, values = read_columns(path, time, column)
        return values, *clock_of(times, outside)
