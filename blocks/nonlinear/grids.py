"""Functions of many variables given by tables."""

import ast

import numpy as np
from railblocks.blocks.base.checks import not_a_number, not_increasing
from railblocks.blocks.base.kernels import clip
from railblocks.blocks.base.search import last_reached, point_reached
from railblocks.blocks.base.variants import letter, port_names, variant
from railblocks.engine.declaration import (
    EACH,
    Block,
    Derived,
    In,
    Out,
    Param,
    derive,
    out,
    validate,
)
from railblocks.engine.functions.local_array import local_array
from railblocks.engine.functions.maker import Origin, call, make_function, read

from .lookups import OUTSIDE

ORIGIN = Origin(__name__, "<table>")
LARGEST = 8
"""Inputs of a table, of which each doubles the corners of a cell."""
TABLE = ("grid", "starts", "table", "clipped", "nearest")


def at_corners(u, grid, starts, table, clipped, nearest):
    """(1) of LookupND; `starts` are where the points of each input begin in `grid`."""
    places, parts = local_array(LARGEST), local_array(LARGEST)
    n = len(starts) - 1
    for d in range(n):
        first, last = int(starts[d]), int(starts[d + 1]) - 1
        i = last_reached(point_reached, grid, first, last, u[d])
        r = (u[d] - grid[i]) / (grid[i + 1] - grid[i])
        r = clip(r, 0.0, 1.0) if clipped else r
        parts[d] = (1.0 if r >= 0.5 else 0.0) if nearest else r
        places[d] = i - first
    y = 0.0
    for corner in range(2**n):
        weight, index, rest = 1.0, 0, corner
        for d in range(n):
            upper = rest % 2
            rest = rest // 2
            weight *= parts[d] if upper == 1 else 1.0 - parts[d]
            index = index * int(starts[d + 1] - starts[d]) + int(places[d]) + upper
        if weight != 0.0:
            y += weight * table[index]  # (1)
    return y


class LookupND(Block):
    """Function of many variables through given points on a grid.

    y = sum over the 2^n corners of the cell of values[corner] w_1 ... w_n               (1)
    w_i = r_i at the upper points of input i, 1 - r_i at the lower ones    (2)
    r_i = (u_i - p) / (p' - p),  p <= u_i < p' of `points[i]`              (3)

    `values` is nested as `points` are: the last input runs along the innermost lists. "nearest"
    rounds r to 0 or 1, halves up. Outside, inputs count as the nearest point ("clip") or the outer
    cells go on ("extrapolate"). Points and values are plain numbers, in SI units. At most 8 inputs;
    for splines, and to have units checked, take `lookup_1d` and `lookup_2d`.
    """

    id = "nonlinear.lookup_nd"
    symbol = "n-D"
    example = {
        "points": [[0.0, 1.0], [0.0, 2.0, 3.0], [-1.0, 1.0]],
        "values": [[[0.0, 1.0], [2.0, 3.0], [4.0, 6.0]], [[1.0, 0.0], [1.0, 5.0], [2.0, 2.0]]],
    }
    u1 = In("?a", "first input; inputs u2 to un follow", shape=EACH)
    y = Out("?y", "value of the function", shape=EACH)
    points = Param("1", "a list of increasing numbers for each input", type=object)
    values = Param("1", "values at the points, lists in lists", type=object)
    method = Param(
        "1", "between the points", type=str, default="linear", choices=("linear", "nearest")
    )
    outside = Param("1", "beyond the points", type=str, default="clip", choices=OUTSIDE)
    grid = Derived("1", "points of all inputs", shape="m")
    starts = Derived("1", "where those of each input begin, and the end", shape="n")
    table = Derived("1", "values at all points", shape="k")
    clipped = Derived("1", "whether inputs are clipped", type=bool)
    nearest = Derived("1", "whether the nearest point counts", type=bool)

    @classmethod
    def specialise(cls, values):
        names = port_names(len(values["points"]))
        ports = {
            name: In(f"?{letter(i)}_in", f"input {i + 1}", shape=EACH)
            for i, name in enumerate(names)
        }
        inputs = ast.Tuple([read(name) for name in names], ast.Load())
        body = [ast.Return(call("_at_corners", [inputs, *map(read, TABLE)]))]
        scope = {"_at_corners": at_corners}
        look_up = make_function("look_up", [*names, *TABLE], body, scope, ORIGIN)
        return variant(cls, **ports, look_up=out("y")(look_up))

    @validate
    def table_is_sound(points, values):
        return points_problem(points) or values_problem(values, [len(p) for p in points])

    @derive("grid", "starts", "table", "clipped", "nearest")
    def prepare(points, values, method, outside):
        starts = np.cumsum([0, *map(len, points)])
        table = np.ravel(np.array(values, dtype=float))
        return np.concatenate(points), starts, table, outside == "clip", method == "nearest"

    @out("y")
    def look_up(u1, grid, starts, table, clipped, nearest):
        return at_corners((u1,), grid, starts, table, clipped, nearest)


def points_problem(points):
    """What is wrong with the points of all inputs, or None."""
    if not isinstance(points, list | tuple) or not 1 <= len(points) <= LARGEST:
        return f"points = {points}; expected 1 to {LARGEST} lists, one for each input"
    for i, along in enumerate(points, 1):
        if not isinstance(along, list | tuple):
            return f"entry {i} of points is {along}; expected a list of increasing numbers"
        for number in along:
            if message := not_a_number(f"a point of input {i}", number):
                return message
        if message := not_increasing(f"entry {i} of points", along):
            return message


def values_problem(values, sizes, place="values"):
    """What is wrong with lists in lists of these sizes, or None."""
    if not sizes:
        return not_a_number(place, values)
    if not isinstance(values, list | tuple) or len(values) != sizes[0]:
        given = f"{len(values)} entries" if isinstance(values, list | tuple) else f"{values}"
        return f"{place} is {given}; expected a list of {sizes[0]}, one for each point of its input"
    for i, inner in enumerate(values):
        if message := values_problem(inner, sizes[1:], f"{place}[{i}]"):
            return message
