"""Functions given by tables."""

import math

import numpy as np
from railblocks.blocks.base.checks import not_ascending, not_increasing
from railblocks.blocks.base.kernels import clip
from railblocks.blocks.base.search import interval, last_reached, point_reached
from railblocks.blocks.base.variants import variant
from railblocks.engine.declaration import (
    EACH,
    Block,
    Derived,
    Discrete,
    In,
    Out,
    Param,
    derive,
    guard,
    out,
    reset,
    validate,
)

METHODS = ("linear", "nearest", "cubic")
OUTSIDE = ("clip", "extrapolate")


def pieces(points, values, method):
    """Where pieces begin and end, and their polynomials in the distance from their beginning.

    c[power, piece], the highest power first.
    """
    if method == "nearest":
        values = np.asarray(values)
        middles = 0.5 * (np.asarray(points)[:-1] + points[1:])
        grid = np.concatenate([points[:1], middles, points[-1:]])
        return grid, np.stack([0.0 * values, 0.0 * values, 0.0 * values, values])
    if method == "cubic":
        from scipy.interpolate import CubicSpline

        return points, CubicSpline(points, values).c
    if method == "akima":
        from scipy.interpolate import Akima1DInterpolator

        return points, Akima1DInterpolator(points, values).c
    steps = np.diff(points)
    kept = steps > 0.0
    slopes = np.diff(values, axis=0)[kept] / steps[kept].reshape(-1, *[1] * (np.ndim(values) - 1))
    grid = np.append(np.asarray(points)[:-1][kept], points[-1])
    return grid, np.stack([0.0 * slopes, 0.0 * slopes, slopes, np.asarray(values)[:-1][kept]])


def edges_of(points, method):
    """Numbers of the pieces that begin with a jump."""
    if method == "nearest":
        return np.arange(1, len(points))
    return np.searchsorted(np.unique(points), np.asarray(points)[1:][np.diff(points) == 0.0])


def jumps_passed(u, grid, edges):
    """How many jumps lie at or below u."""
    k = 0
    while k < len(edges) and u >= grid[int(edges[k])]:
        k += 1
    return k


def above(u, k, grid, edges):
    """The guard of the next jump upwards; fires at the start of a run, where k is -1."""
    if k < 0:
        return 0.0
    return u - grid[int(edges[k])] if k < len(edges) else -1.0


def below(u, k, grid, edges):
    """The guard of the next jump downwards."""
    return u - grid[int(edges[min(k, len(edges)) - 1])] if k > 0 else 1.0


def on_one_side(u, k, grid, c, edges, least, most):
    """(1) of Lookup1D by the pieces between the jumps on both sides; no step sees beyond one."""
    u = clip(u, least, most)
    i = interval(grid, u)
    if 0 <= k < len(edges):
        i = min(i, int(edges[k]) - 1)
    if k > 0:
        i = max(i, int(edges[min(k, len(edges)) - 1]))
    return cubic(c, i, u - grid[i])


def cubic(c, i, r):
    return ((c[i, 0] * r + c[i, 1]) * r + c[i, 2]) * r + c[i, 3]


def at_jump(u, jumps):
    """A function of u that changes its sign at every jump, and is as far from 0 as that is."""
    k = last_reached(point_reached, jumps, 0, len(jumps), u)
    if u < jumps[0]:
        return u - jumps[0]
    distance = u - jumps[k]
    if k + 1 < len(jumps):
        distance = min(distance, jumps[k + 1] - u)
    return distance if k % 2 == 0 else -distance


def reach(points, outside):
    """The interval to which inputs are clipped."""
    return (points[0], points[-1]) if outside == "clip" else (-math.inf, math.inf)


class Lookup1D(Block):
    """Function of one variable through given points.

    y = c_i3 r^3 + c_i2 r^2 + c_i1 r + c_i0,  r = u - p_i,  p_i <= u < p_{i+1}           (1)

    "linear" joins the points by lines; two equal ones make a jump, at which the second value holds.
    "nearest" takes the value of the nearest point, half-way that of the larger one. "cubic" is the
    spline with continuous second derivative and not-a-knot ends; "akima" that of Akima (1970),
    which does not swing beside steps. Outside, u counts as the nearest point ("clip") or the outer
    piece goes on ("extrapolate"). The solver lands on jumps; no stage of a step sees both sides.
    Simulink's tables extrapolate unless told otherwise, these clip.
    """

    id = "nonlinear.lookup_1d"
    symbol = "1-D"
    example = {"points": [0.0, 1.0, 2.0, 4.0], "values": [0.0, 1.0, 0.5, 2.0]}
    u = In("?u", "input", shape=EACH)
    y = Out("?y", "value of the function", shape=EACH)
    points = Param("?u", "inputs at the points, increasing", shape="n")
    values = Param("?y", "values at the points", shape="n")
    method = Param(
        "1", "between the points", type=str, default="linear", choices=(*METHODS, "akima")
    )
    outside = Param("1", "beyond the points", type=str, default="clip", choices=OUTSIDE)
    grid = Derived("?u", "where pieces begin and end", shape="k")
    c = Derived("?c", "coefficients of each piece, highest power first", shape=("k-1", 4))
    least = Derived("?u", "least input that is not clipped")
    most = Derived("?u", "largest input that is not clipped")

    @classmethod
    def specialise(cls, values):
        if len(edges_of(np.atleast_1d(values["points"]), values["method"])) == 0:
            return cls
        return variant(
            cls,
            edges=Derived("1", "numbers of the pieces that begin with a jump", shape="j"),
            find_edges=derive("edges")(edges_of),
            k=Discrete("1", "number of jumps below u", shape=EACH, type=int, start=-1, ge=-1),
            look_up=out("y")(on_one_side),
            at_jump_above=guard("above", initial=True)(above),
            at_jump_below=guard("below", "falling")(below),
            rise=reset("above", "k")(jumps_passed),
            fall=reset("below", "k")(jumps_passed),
        )

    @validate
    def points_increase(points, method):
        return not_ascending("points", points, jumps=method == "linear")

    @derive("grid", "c", "least", "most")
    def prepare(points, values, method, outside):
        grid, c = pieces(points, values, method)
        return grid, c.T, *reach(points, outside)

    @out("y")
    def look_up(u, grid, c, least, most):
        u = clip(u, least, most)
        i = interval(grid, u)
        return cubic(c, i, u - grid[i])  # (1)


class Lookup2D(Block):
    """Function of two variables through given points on a grid.

    y = sum over k, l of c_ijkl r^k s^l,  r = u1 - p_i,  s = u2 - q_j      (1)

    "linear" is bilinear in each cell; "nearest" takes the value of the nearest point, of the larger
    one half-way; "cubic" is the tensor product of splines with continuous second derivatives and
    not-a-knot ends. Outside, inputs count as the nearest point of the grid
    ("clip") or the outer cells go on ("extrapolate"). Simulink's tables extrapolate unless told
    otherwise, these clip.
    """

    id = "nonlinear.lookup_2d"
    symbol = "2-D"
    example = {
        "points_1": [0.0, 1.0, 3.0],
        "points_2": [-1.0, 0.0, 1.0, 2.0],
        "values": [[0.0, 1.0, 2.0, 0.5], [1.0, 0.0, 1.0, 1.5], [2.0, 3.0, 0.0, -1.0]],
    }
    u1 = In("?a", "first input, along the rows of the table", shape=EACH)
    u2 = In("?b", "second input, along the columns of the table", shape=EACH)
    y = Out("?y", "value of the function", shape=EACH)
    points_1 = Param("?a", "first inputs, increasing, one for each row", shape="n")
    points_2 = Param("?b", "second inputs, increasing, one for each column", shape="m")
    values = Param("?y", "values at the points", shape=("n", "m"))
    method = Param("1", "between the points", type=str, default="linear", choices=METHODS)
    outside = Param("1", "beyond the points", type=str, default="clip", choices=OUTSIDE)
    grid_1 = Derived("?a", "where cells begin and end along the rows", shape="k")
    grid_2 = Derived("?b", "where cells begin and end along the columns", shape="l")
    c = Derived("?c", "coefficients of each cell, highest powers first", shape=("cells", 16))
    least_1 = Derived("?a", "least first input that is not clipped")
    most_1 = Derived("?a", "largest first input that is not clipped")
    least_2 = Derived("?b", "least second input that is not clipped")
    most_2 = Derived("?b", "largest second input that is not clipped")

    @classmethod
    def specialise(cls, values):
        if values["method"] != "nearest":
            return cls
        return variant(
            cls,
            at_row=guard("row", "both")(lambda u1, grid_1: at_jump(u1, grid_1[1:-1])),
            at_column=guard("column", "both")(lambda u2, grid_2: at_jump(u2, grid_2[1:-1])),
        )

    @validate
    def points_increase(points_1, points_2):
        return not_increasing("points_1", points_1) or not_increasing("points_2", points_2)

    @derive("grid_1", "grid_2", "c", "least_1", "most_1", "least_2", "most_2")
    def prepare(points_1, points_2, values, method, outside):
        grid_1, along_1 = pieces(points_1, values, method)
        grid_2, both = pieces(points_2, np.moveaxis(along_1, 2, 0), method)
        cells = both.transpose(3, 1, 2, 0).reshape(-1, 16)
        return grid_1, grid_2, cells, *reach(points_1, outside), *reach(points_2, outside)

    @out("y")
    def look_up(u1, u2, grid_1, grid_2, c, least_1, most_1, least_2, most_2):
        u1, u2 = clip(u1, least_1, most_1), clip(u2, least_2, most_2)
        i, j = interval(grid_1, u1), interval(grid_2, u2)
        r, s = u1 - grid_1[i], u2 - grid_2[j]
        cell = i * (len(grid_2) - 1) + j
        y = 0.0
        for k in range(0, 16, 4):
            row = ((c[cell, k] * s + c[cell, k + 1]) * s + c[cell, k + 2]) * s + c[cell, k + 3]
            y = y * r + row  # (1)
        return y
