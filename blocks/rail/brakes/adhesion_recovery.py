"""Adhesion that axles leave behind them on the rail, for those that follow."""

import math

import numpy as np
from railblocks.blocks.base.kernels import floor
from railblocks.engine.declaration import (
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
from railblocks.engine.model.sizes import LARGEST_STATE

PER = ("wheel", "axle")
MAX_SPEED = 150.0
"""Speed in m/s for which the window has room between two samples."""


def slot(c, m):
    """Where the cell of number c lies in a window of m cells that goes round."""
    return int(c - m * floor(c / m))


def dissipated(i, x, D, dx):
    """Power that axles before axle i have dissipated at x, between centres of cells."""
    if i == 0:
        return 0.0
    m = D.shape[1]
    place = x / dx - 0.5
    c = floor(place)
    part = place - c
    return (1.0 - part) * D[i - 1, slot(c, m)] + part * D[i - 1, slot(c + 1.0, m)]


def recovered(mu_0, total, mu_max, P_0):
    """Adhesion after that much dissipated power."""
    if not mu_0 < mu_max:
        return mu_0
    return mu_max + (mu_0 - mu_max) * math.exp(-total / P_0)  # (1)


def pass_over(i, a, b, p, S, dx, D):
    """Axle i goes from a to b with power p and S in its cell so far; gives S of its new cell."""
    m = D.shape[1]
    c, last = floor(a / dx), floor(b / dx)
    if c < last - m:
        c, S = last - m, 0.0
        a = c * dx
    for _ in range(m):
        if not c < last:
            break
        edge, k = (c + 1.0) * dx, slot(c, m)
        before = D[i - 1, k] if i > 0 else 0.0
        D[i, k] = before + (S + p * (edge - a)) / dx  # (2)
        S, a, c = 0.0, edge, c + 1.0
    return S + p * (b - a) if b > a else S


def window_cells(places, dx, every):
    """Cells between two axles, and of the way that the train may go in a sample time."""
    longest = np.max(np.diff(places), initial=0.0) + MAX_SPEED * every
    return math.ceil(longest / dx) + 3


class AdhesionRecovery(Block):
    """Adhesion seen by each axle of a train, with what the axles before it have cleaned.

    mu(x) = mu_max + (mu_0(x) - mu_max) exp(-D_i(x) / P_0)                 (1)
    D_i(x) = sum over axles j before i of P_j at their passage of x        (2)

    Each axle adds its power once at every position, when it leaves a cell: the mean of P over the
    cell. So the result depends neither on the step nor on the mesh, as it would if P were summed
    over steps (Eq. 5 as printed). Row i of the window holds the rail behind axle i up to the next
    axle; what is older is written over, so that memory does not grow. Between centres of cells D is
    a straight line; powers between samples are the mean of both ends. mu_left is mu behind each
    axle. Where mu_0 >= mu_max nothing changes. "wheel" takes P of one wheel, half that of the axle:
    the paper does not say. Source: Toumi et al. (2019), Eqs 4 and 5, with Table 2's values.
    """

    symbol = "µ(x,t)"
    example = {"places": [0.0, 2.6, 12.8, 15.4], "every": 0.005}
    x = In("m", "position of the first axle")
    P = In("W", "powers dissipated by the axles", shape="n", ge=0)
    mu_0 = In("1", "adhesion of the untouched rail at the positions of the axles", shape="n", ge=0)
    mu = Out("1", "adhesion that each axle sees", shape="n")
    mu_left = Out("1", "adhesion behind each axle", shape="n")
    places = Param("m", "distances of the axles behind the first, increasing", shape="n")
    mu_max = Param("1", "largest adhesion that is reached", default=0.15, gt=0)
    P_0 = Param("W", "power that recovers all but 1/e", default=20.0e3, gt=0)
    per = Param("1", "whose power counts", type=str, default="wheel", choices=PER)
    dx = Param("m", "length of a cell", default=0.25, ge=0.01, le=10)
    share = Derived("1", "part of an axle's power that counts")
    rail = Derived("W", "the window at the start: untouched rail", shape=("n", "m"))
    D = Discrete("W", "power up to each axle, in cells", shape=("n", "m"), start="rail", ge=0)
    S = Discrete("W*m", "power in the cell of each axle, along it", shape="n", ge=0)
    P_old = Discrete("W", "powers at the last sample", shape="n", ge=0)
    x_old = Discrete("m", "position at the last sample")
    begun = Discrete("1", "1 after the first sample", type=int, ge=0, le=1)
    last = Record("what is known from the last sample", "D", "S", "P_old", "x_old", "begun")
    every = Sample()

    @validate
    def cells_fit_between_axles(places, dx, every):
        gaps = np.diff(places)
        if np.size(gaps) and np.min(gaps) < 2.0 * dx:
            return (
                f"axles follow each other by {np.min(gaps):g} m with cells of {dx:g} m; expected "
                "increasing positions, at least two cells apart: choose a smaller dx"
            )
        cells = np.size(places) * window_cells(places, dx, every)
        if cells > LARGEST_STATE:
            return (
                f"the window would have {cells:.3g} cells, for a sample time of {every:g} s at "
                f"{MAX_SPEED:g} m/s; expected at most {LARGEST_STATE}: choose a larger dx or a "
                "smaller sample time"
            )

    @derive("share", "rail")
    def prepare(places, per, dx, every):
        window = np.zeros((np.size(places), window_cells(places, dx, every)))
        return (0.5 if per == "wheel" else 1.0), window

    @out("mu")
    def see(x, mu_0, D, places, dx, mu_max, P_0, mu):
        for i in range(len(places)):
            total = dissipated(i, x - places[i], D, dx)
            mu[i] = recovered(mu_0[i], total, mu_max, P_0)

    @out("mu_left")
    def leave(x, P, mu_0, D, places, dx, mu_max, P_0, share, mu_left):
        for i in range(len(places)):
            total = dissipated(i, x - places[i], D, dx) + share * P[i]
            mu_left[i] = recovered(mu_0[i], total, mu_max, P_0)

    @update("D", "S", "P_old", "x_old", "begun")
    def clean(x, P, last, places, dx, share, next_D, next_S, next_P_old):
        for i in range(len(places)):
            next_P_old[i] = P[i]
            for k in range(last.D.shape[1]):
                next_D[i, k] = last.D[i, k]
            p = 0.5 * share * (last.P_old[i] + P[i])
            a = (last.x_old if last.begun == 1 else x) - places[i]
            next_S[i] = pass_over(i, a, x - places[i], p, last.S[i], dx, next_D)
        return x, 1
