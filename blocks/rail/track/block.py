"""The block of a railway line."""

import math

from railblocks.blocks.base.search import row_of
from railblocks.blocks.rail.track.data_files import names_yaml
from railblocks.engine.declaration import Block, Derived, In, Out, Param, derive, out, picture

from .along import value_along
from .centreline import COLUMNS, alignment_at, track_at
from .files import track_named
from .irregularities import COLUMNS as PIECE_COLUMNS
from .irregularities import DEVIATIONS, deviation_at
from .picture import draw_line


class TrackLine(Block):
    """A railway line: its course, rails, friction and irregularities at given positions.

    dpsi/ds = kappa,  d(x, y)/ds = (cos psi, sin psi),  dz/ds = g          (1)
    R = R_z(psi) R_y(-atan g) R_x(phi),  cant = -base sin phi              (2)
    friction is linear in s between its rows, constant outside             (3)
    irregularities are cubic splines between theirs, or straight           (4)

    s is the length along the line in plan; before its start and beyond its end the line goes on
    straight. Curvature is positive to the left, the gradient uphill, the cant where the right rail
    is the higher one: where it suits the curvature it has its sign. The columns of R are the axes
    of the rails: forward along the line, to the left along the sleepers, up from them. Source:
    falomi, section 2, for the frames; the line is a file of segments.
    """

    id = "rail.track"
    symbol = "track"
    example = {"track": "branch_line"}
    s = In("m", "positions along the line", shape="n")
    kappa = Out("1/m", "curvature, positive to the left", shape="n")
    cant = Out("m", "height of the right rail above the left one", shape="n")
    gradient = Out("1", "rise for each metre in plan", shape="n")
    psi = Out("rad", "heading, positive to the left", shape="n")
    r = Out("m", "middle between the rails in space", shape=("n", 3))
    R = Out("1", "axes of the rails in space, as columns", shape=("n", 3, 3))
    mu = Out("1", "friction", shape="n")
    gauge = Out("m", "gauge of the rails, with its irregularity", shape="n")
    incline = Out("1", "laying angle of the rails, towards the middle", shape="n")
    deviation = Out("m", "lateral, vertical, cross level and gauge", shape=("n", len(DEVIATIONS)))
    track = Param("1", "name or file of the line", type=str, file=names_yaml)
    mu_0 = Param("1", "friction of lines whose files give none", default=0.3, ge=0)
    line = Derived("1", "pieces of the line", shape=("pieces", COLUMNS))
    base = Derived("m", "distance over which cant lies")
    rails = Derived("1", "start, inclination and gauge of rails", shape=("pairs", 3))
    friction = Derived("1", "positions and friction", shape=("places", 2))
    table = Derived("1", "pieces of irregularities", shape=("rows", PIECE_COLUMNS))

    @derive("line", "base", "rails", "friction", "table")
    def read(track):
        way = track_named(track)
        return way.line, way.base, way.rails_table, way.friction, way.deviations

    @picture
    def drawing(figure, track):
        draw_line(figure, track_named(track))

    @out("kappa", "cant", "gradient", "psi", "r", "R")
    def course(s, line, base, kappa, cant, gradient, psi, r, R):
        for i in range(len(s)):
            _, _, _, psi[i], kappa[i], gradient[i], phi = alignment_at(line, s[i])
            cant[i] = -base * math.sin(phi)  # (2)
            origin, axes, _, _ = track_at(line, s[i])  # (1)
            for k in range(3):
                r[i, k] = origin[k]
            for k in range(9):
                R[i, k // 3, k % 3] = axes[k]

    @out("mu", "gauge", "incline", "deviation")
    def state(s, mu_0, rails, friction, table, mu, gauge, incline, deviation):
        for i in range(len(s)):
            mu[i] = value_along(friction, 1, s[i], mu_0)  # (3)
            for k in range(deviation.shape[1]):
                deviation[i, k], _ = deviation_at(table, k, s[i])  # (4)
            pair = row_of(rails, s[i])
            incline[i] = rails[pair, 1]
            gauge[i] = rails[pair, 2] + deviation[i, 3]
