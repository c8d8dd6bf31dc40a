"""Functions given by tables."""

import math

import numpy as np
from railblocks.blocks.base.checks import not_increasing
from railblocks.blocks.base.kernels import clip
from railblocks.blocks.base.search import interval
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

METHODS = ("linear", "cubic")
OUTSIDE = ("clip", "extrapolate")


def pieces(points, values, method):
    """Coefficients c[power, piece] of the polynomials in u - points[piece], highest power first."""
    if method == "cubic":
        from scipy.interpolate import CubicSpline

        return CubicSpline(points, values).c
    steps = np.diff(points).reshape(-1, *[1] * (np.ndim(values) - 1))
    slopes = np.diff(values, axis=0) / steps
    return np.stack([0.0 * slopes, 0.0 * slopes, slopes, values[:-1]])


def reach(points, outside):
    """The interval to which inputs are clipped."""
    return (points[0], points[-1]) if outside == "clip" else (-math.inf, math.inf)


class Lookup1D(Block):
    """Function of one variable through given points.

    y = c_i3 r^3 + c_i2 r^2 + c_i1 r + c_i0,  r = u - p_i,  p_i <= u < p_{i+1}           (1)

    "linear" joins the points by lines; "cubic" is the spline with continuous second derivative
    and not-a-knot ends. Outside, u counts as the nearest point ("clip") or the outer piece goes on
    ("extrapolate"). Simulink's tables extrapolate unless told otherwise, these clip.
    """

    id = "nonlinear.lookup_1d"
    symbol = "1-D"
    example = {"points": [0.0, 1.0, 2.0, 4.0], "values": [0.0, 1.0, 0.5, 2.0]}
    u = In("?u", "input", shape=EACH)
    y = Out("?y", "value of the function", shape=EACH)
    points = Param("?u", "inputs at the points, increasing", shape="n")
    values = Param("?y", "values at the points", shape="n")
    method = Param("1", "between the points", type=str, default="linear", choices=METHODS)
    outside = Param("1", "beyond the points", type=str, default="clip", choices=OUTSIDE)
    c = Derived("?c", "coefficients of each piece, highest power first", shape=("n-1", 4))
    least = Derived("?u", "least input that is not clipped")
    most = Derived("?u", "largest input that is not clipped")

    @validate
    def points_increase(points):
        return not_increasing("points", points)

    @derive("c", "least", "most")
    def prepare(points, values, method, outside):
        return pieces(points, values, method).T, *reach(points, outside)

    @out("y")
    def look_up(u, points, c, least, most):
        u = clip(u, least, most)
        i = interval(points, u)
        r = u - points[i]
        return ((c[i, 0] * r + c[i, 1]) * r + c[i, 2]) * r + c[i, 3]  # (1)


class Lookup2D(Block):
    """Function of two variables through given points on a grid.

    y = sum over k, l of c_ijkl r^k s^l,  r = u1 - p_i,  s = u2 - q_j      (1)

    "linear" is bilinear in each cell; "cubic" is the tensor product of splines with continuous
    second derivatives and not-a-knot ends. Outside, inputs count as the nearest point of the grid
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
    c = Derived("?c", "coefficients of each cell, highest powers first", shape=("cells", 16))
    least_1 = Derived("?a", "least first input that is not clipped")
    most_1 = Derived("?a", "largest first input that is not clipped")
    least_2 = Derived("?b", "least second input that is not clipped")
    most_2 = Derived("?b", "largest second input that is not clipped")

    @validate
    def points_increase(points_1, points_2):
        return not_increasing("points_1", points_1) or not_increasing("points_2", points_2)

    @derive("c", "least_1", "most_1", "least_2", "most_2")
    def prepare(points_1, points_2, values, method, outside):
        along_1 = pieces(points_1, values, method)
        both = pieces(points_2, np.moveaxis(along_1, 2, 0), method)
        cells = both.transpose(3, 1, 2, 0).reshape(-1, 16)
        return cells, *reach(points_1, outside), *reach(points_2, outside)

    @out("y")
    def look_up(u1, u2, points_1, points_2, c, least_1, most_1, least_2, most_2):
        u1, u2 = clip(u1, least_1, most_1), clip(u2, least_2, most_2)
        i, j = interval(points_1, u1), interval(points_2, u2)
        r, s = u1 - points_1[i], u2 - points_2[j]
        cell = i * (len(points_2) - 1) + j
        y = 0.0
        for k in range(0, 16, 4):
            row = ((c[cell, k] * s + c[cell, k + 1]) * s + c[cell, k + 2]) * s + c[cell, k + 3]
            y = y * r + row  # (1)
        return y
