"""Adhesion of the rail before a train has touched it: given, from a file, or from measurements."""

import numpy as np
from railblocks.blocks.base.checks import not_increasing
from railblocks.blocks.base.kernels import clip
from railblocks.blocks.base.search import interval
from railblocks.engine.declaration import (
    EACH,
    Block,
    Derived,
    Discrete,
    In,
    Out,
    Param,
    Record,
    Sample,
    derive,
    out,
    update,
    validate,
)
from railblocks.engine.errors import DiagramError
from railblocks.engine.measurements.csv_table import read_csv

NONE, EVERYWHERE = "none", (-1.0, 1.0)


def profile(path, place, column):
    """Places in metres and adhesion there; DiagramError."""
    table = read_csv(path)
    return table.quantity(place, "m"), table.quantity(column, "1")


class InitialAdhesion(Block):
    """Adhesion of the untouched rail at given places.

    mu_0 = the parameter mu, or from a file                                (1)
    mu_0 = mu_i + (mu_{i+1} - mu_i) (x - x_i) / (x_{i+1} - x_i),  x_i <= x < x_{i+1}      (2)

    The file is a CSV file whose first line names its columns, places with their unit as `x [km]`
    (metres without one); before its first and after its last line their values hold. A default is
    not in Toumi et al. (2019), whose Figure 3 shows a profile: 0.065 is the middle of the 0.05 to
    0.08 that the paper quotes from EN 15595.
    """

    symbol = "µ₀(x)"
    example = {"path": "adhesion.csv"}
    x = In("m", "place on the line", shape=EACH)
    mu_0 = Out("1", "adhesion of the untouched rail", shape=EACH)
    mu = Param("1", "adhesion everywhere, if there is no file", default=0.065, ge=0)
    path = Param(
        "1", "path of a CSV file, or none", type=str, default=NONE, file=lambda text: text != NONE
    )
    place = Param("1", "name of its column of places", type=str, default="x")
    column = Param("1", "name of its column of adhesion", type=str, default="mu_0")
    points = Derived("m", "places", shape="n")
    values = Derived("1", "adhesion at these places", shape="n")

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


class AdhesionEstimate(Block):
    """Adhesion from measured torques and the deceleration of a sliding axle.

    mu_0 = (C_ED + C_bs + J omega') / (r N)  while (v - r omega) / v > s, else as before  (1)
    omega' = (omega_k - omega_{k-1}) / every,  torques the mean of both samples            (2)

    Only an axle that slides fully tells the adhesion: one that rolls gives what it needs. omega is
    positive forwards, so that J omega' counts with the sign of (1); Eq. 3 of Toumi et al. (2019),
    which counts decelerations, prints the opposite. N = 2 Q_0 is the load of the axle. mu_0 over
    place, kept as CSV, is a file for `rail.initial_adhesion`.
    """

    symbol = "µ̂₀"
    example = {"N": 133773.0, "every": 0.01}
    C_ED = In("N*m", "measured electrodynamic torque", shape=EACH, default=0.0)
    C_bs = In("N*m", "measured torque of the brake shoes", shape=EACH)
    omega = In("rad/s", "measured angular speed of the axle", shape=EACH)
    v = In("m/s", "measured speed of the train", shape=EACH)
    mu_0 = Out("1", "estimated adhesion", shape=EACH, before="mu_start")
    slides = Out("1", "whether the estimate is new", shape=EACH, type=bool)
    J = Param("kg*m^2", "inertia about the axle", default=130.0, gt=0)
    r = Param("m", "radius of the wheels", default=0.43, gt=0)
    N = Param("N", "load of the axle", gt=0)
    s = Param("1", "slip from which on an axle slides fully", default=0.02, gt=0, lt=1)
    mu_start = Param("1", "estimate before the axle slides", default=0.065, ge=0)
    last = Discrete("1", "last estimate", shape=EACH, start="mu_start", ge=0)
    omega_old = Discrete("rad/s", "angular speed at the last sample", shape=EACH)
    C_old = Discrete("N*m", "torque at the last sample", shape=EACH)
    slid = Discrete("1", "1 if the axle slid at the last sample", shape=EACH, type=int, ge=0, le=1)
    before = Record("what the last sample left", "last", "omega_old", "C_old", "slid")
    every = Sample()

    @out("mu_0", "slides")
    def estimate(C_ED, C_bs, omega, v, J, r, N, s, every, before):
        if before.slid == 0 or v - r * omega <= s * v:
            return before.last, False
        C = 0.5 * (C_ED + C_bs + before.C_old)
        return max((C + J * (omega - before.omega_old) / every) / (r * N), 0.0), True  # (1), (2)

    @update("last", "omega_old", "C_old", "slid")
    def keep(mu_0, omega, C_ED, C_bs, v, r, s):
        return mu_0, omega, C_ED + C_bs, 1 if v - r * omega > s * v else 0
