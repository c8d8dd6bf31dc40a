"""Adhesion of the rail before a train has touched it: one value, or a profile from a file."""

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
from railblocks.engine.errors import DiagramError
from railblocks.engine.measurements.csv_table import read_csv

NONE, EVERYWHERE = "none", (-1.0, 1.0)


def profile(path, place, column):
    """Positions in metres, and adhesion there, from a CSV file; raises DiagramError."""
    table = read_csv(path)
    return table.quantity(place, "m"), table.quantity(column, "1")


class InitialAdhesion(Block):
    """Adhesion of the untouched rail at given positions.

    mu_0 = the parameter mu, or from a file                                (1)
    mu_0 = mu_i + (mu_{i+1} - mu_i) (x - x_i) / (x_{i+1} - x_i),  x_i <= x < x_{i+1}      (2)

    The file is a CSV file whose first line names its columns, positions with their unit as `x [km]`
    (metres without one); before its first and after its last line their values hold. A default is
    not in Toumi et al. (2019), whose Figure 3 shows a profile: 0.065 is the middle of the 0.05 to
    0.08 that the paper quotes from EN 15595.
    """

    symbol = "µ₀(x)"
    example = {"path": "adhesion.csv"}
    x = In("m", "position on the line", shape=EACH)
    mu_0 = Out("1", "adhesion of the untouched rail", shape=EACH)
    mu = Param("1", "adhesion everywhere, if there is no file", default=0.065, ge=0)
    path = Param(
        "1", "path of a CSV file, or none", type=str, default=NONE, file=lambda text: text != NONE
    )
    place = Param("1", "name of its column of positions", type=str, default="x")
    column = Param("1", "name of its column of adhesion", type=str, default="mu_0")
    points = Derived("m", "places", shape="n")
    values = Derived("1", "adhesion at these positions", shape="n")

    @validate
    def file_is_sound(path, place, column):
        if path == NONE:
            return None
        try:
            points, values = profile(path, place, column)
        except DiagramError as error:
            return str(error)
        if np.size(values) and np.min(values) < 0.0:
            least = np.min(values)
            return f"column '{column}' of {path} goes down to {least:g}; expected 0 or more"
        return not_increasing(f"column '{place}' of {path}", points)

    @derive("points", "values")
    def load(mu, path, place, column):
        return (EVERYWHERE, (mu, mu)) if path == NONE else profile(path, place, column)

    @out("mu_0")
    def look_up(x, points, values):
        x = clip(x, points[0], points[len(points) - 1])
        i = interval(points, x)
        part = (x - points[i]) / (points[i + 1] - points[i])
        return values[i] + part * (values[i + 1] - values[i])  # (2)
