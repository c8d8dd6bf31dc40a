"""What a vehicle on a track declares: its file, its line, contacts, and the tables from these."""

import numpy as np
from railblocks.blocks.rail.contact.contact_law import ContactLaw
from railblocks.blocks.rail.contact.contact_methods import (
    METHODS,
    ContactMethod,
    searched,
    unlearnt,
)
from railblocks.blocks.rail.contact.normal_contacts import NORMALS
from railblocks.blocks.rail.contact.profiles.pieces import COLUMNS as PIECE_COLUMNS
from railblocks.blocks.rail.contact.records import Profiles
from railblocks.blocks.rail.contact.wheel_contact import SIDES, WheelOverRail, misfit
from railblocks.blocks.rail.multibody.bodies import COLUMNS as BODY_COLUMNS
from railblocks.blocks.rail.multibody.bodies import STATES
from railblocks.blocks.rail.multibody.elements import COLUMNS as ELEMENT_COLUMNS
from railblocks.blocks.rail.multibody.wheeled import AXLE_COLUMNS, Tables
from railblocks.blocks.rail.support.matrices import LOADS, matrices_of
from railblocks.blocks.rail.track.centreline import COLUMNS as LINE_COLUMNS
from railblocks.blocks.rail.track.data_files import names_yaml
from railblocks.blocks.rail.track.files import track_named
from railblocks.blocks.rail.track.irregularities import COLUMNS as DEVIATION_COLUMNS
from railblocks.blocks.rail.vehicle.borne import contradiction, support_under
from railblocks.blocks.rail.vehicle.contacts import PAIR, AlongLine
from railblocks.blocks.rail.vehicle.files import DEFAULT, vehicle_named
from railblocks.blocks.rail.vehicle.frames import S
from railblocks.blocks.rail.vehicle.modes import modes_of_vehicle
from railblocks.blocks.rail.vehicle.moving_rails import Bed
from railblocks.blocks.rail.vehicle.outputs import unknown
from railblocks.blocks.rail.vehicle.picture import draw_named
from railblocks.blocks.rail.vehicle.rails import Ground
from railblocks.blocks.rail.vehicle.readings import READING_COLUMNS
from railblocks.blocks.rail.vehicle.rest import put_under_load, settle, start
from railblocks.blocks.rail.vehicle.start_states import displace
from railblocks.blocks.rail.vehicle.static_loads import static_loads
from railblocks.blocks.rail.vehicle.tables import (
    axle_table,
    body_table,
    element_table,
    reading_table,
)
from railblocks.engine.declaration import (
    Derived,
    Param,
    Record,
    derive,
    guard,
    modes,
    picture,
    validate,
)


def sides_of(made, rails, method, networks):
    """Profile of the wheel, where contacts are looked for, profile of the rail; left and right."""
    return tuple(searched(method, networks, wheel_over(made, rails, side)) for side in SIDES)


def wheel_over(made, rails, side):
    """A wheel of the vehicle over the rail on its side."""
    return WheelOverRail(
        made.profile, rails.rail, made.radius, made.spacing / 2.0, rails.inclination, rails.gauge,
        side=side, smoothing=made.smoothing, depth=rails.depth, rail_smoothing=rails.smoothing,
    )  # fmt: skip


def stacked(made, way, method, networks):
    """Profiles of the wheels; nodes and heads of all pairs of rails, and where each pair lies."""
    sides = [sides_of(made, rails, method, networks) for rails in way.rails]
    pairs = np.zeros((len(sides), PAIR))
    pairs[:, 0] = [rails.start for rails in way.rails]
    tables = []
    for side in range(2):
        tables.append(sides[0][side][0])
        for kind in (1, 2):
            column, parts = 4 * side + 2 * kind - 1, [pair[side][kind] for pair in sides]
            pairs[:, column + 1] = np.cumsum([len(part) for part in parts])
            pairs[1:, column] = pairs[:-1, column + 1]
            tables.append(np.concatenate(parts))
    return *tables, pairs


class VehicleData(ContactMethod, ContactLaw):
    """Parameters of a vehicle on a line."""

    vehicle = Param("1", "name or file of the vehicle", type=str, default=DEFAULT, file=names_yaml)
    track = Param("1", "name or file of the line", type=str, default="straight", file=names_yaml)
    support = Param(
        "1", "name or file of what bears the rails; without one, as the vehicle's file says",
        type=str, default="", file=names_yaml,
    )  # fmt: skip
    v_0 = Param("m/s", "speed at the start")
    s_0 = Param("m", "position of the vehicle's middle on the line at the start", default=0.0)
    g = Param("m/s^2", "gravity", default=9.81, gt=0)
    watch = Param("1", "bodies and elements with outputs of their own", type=str, default="")
    derailed = Param("m", "an axle that shifts by more has left the rails", default=0.02, gt=0)
    line = Derived("1", "pieces of the line", shape=("line_pieces", LINE_COLUMNS))
    end = Derived("m", "where the line ends")
    deviations = Derived("1", "irregularities along the line", shape=("spots", DEVIATION_COLUMNS))
    base = Derived("m", "distance over which cant and cross-level lie")
    friction = Derived("1", "friction along the line", shape=("grips", 2))
    bodies = Derived("1", "table of bodies", shape=("bodies_n", BODY_COLUMNS))
    elements = Derived("1", "table of force elements", shape=("links", ELEMENT_COLUMNS))
    curves = Derived("1", "points of bump-stops and dampers", shape=("points", 2))
    readings = Derived("1", "what motions are read of", shape=("readings_n", READING_COLUMNS))
    axles = Derived("1", "table of axles", shape=("n", AXLE_COLUMNS))
    Q_0 = Derived("N", "static force of each wheel", shape=("wheels",))
    q_0 = Derived("1", "states at the start", shape=("states",))
    touched = Derived("m", "where wheels at rest touch the rails, from the middle of the track")
    bed_mass = Derived("1", "masses and inertias that bear the rails, SI", shape="gives")
    bed_stiffness = Derived("1", "springs between them, SI", shape=("gives", "gives"))
    bed_damping = Derived("1", "dampers between them, SI", shape=("gives", "gives"))
    bed_give = Derived("1", "motion of both rails by those of the masses", shape=(LOADS, "gives"))
    seat = Derived("m", "half of the distance of the rails' seats, and their height", shape=(2,))
    tread_l = Derived("1", "profile of left wheels", shape=("pieces", PIECE_COLUMNS))
    nodes_l = Derived("1", "where contacts are looked for", shape=("places", "numbers"))
    heads_l = Derived("1", "profiles of left rails", shape=("parts", PIECE_COLUMNS))
    tread_r = Derived("1", "profile of right wheels", shape=("pieces", PIECE_COLUMNS))
    nodes_r = Derived("1", "where contacts are looked for", shape=("places", "numbers"))
    heads_r = Derived("1", "profiles of right rails", shape=("parts", PIECE_COLUMNS))
    pairs = Derived("1", "where pairs of rails lie, and their rows", shape=("pairs_n", PAIR))
    tables = Record("what the vehicle is made of", Tables)
    ground = Record("the rails under it", Ground)
    along = Record("what changes along the line", AlongLine)
    bed = Record(
        "what bears the rails", Bed, mass="bed_mass", stiffness="bed_stiffness",
        damping="bed_damping", give="bed_give",
    )  # fmt: skip
    left = Record(
        "left wheels on left rails", Profiles, tread="tread_l", nodes="nodes_l", head="heads_l"
    )
    right = Record(
        "right wheels on right rails", Profiles, tread="tread_r", nodes="nodes_r", head="heads_r"
    )

    drawing = picture(draw_named)
    small_motions = modes(modes_of_vehicle)

    @validate
    def names_are_known(vehicle, watch):
        return unknown(watch, vehicle_named(vehicle))

    @validate
    def rails_are_borne_once(vehicle, support):
        return contradiction(vehicle_named(vehicle), support)

    @validate
    def profiles_fit(method, networks, vehicle, track):
        made = vehicle_named(vehicle)
        for rails in track_named(track).rails:
            pair = wheel_over(made, rails, SIDES[0])
            if problem := misfit(pair) or unlearnt(method, networks, pair):
                return f"from s = {rails.start:g} m on, {problem}"

    @guard("at_the_end", action="stop", message="the line ends at s = {end:g} m")
    def reaches_the_end(q, axles, end):
        first = q[STATES * int(axles[0, 0]) + S]
        for k in range(1, len(axles)):
            first = max(first, q[STATES * int(axles[k, 0]) + S])
        return first - end

    @derive("line", "end", "base", "deviations", "friction")
    def prepare_line(track):
        way = track_named(track)
        return way.line, way.end, way.base, way.deviations, way.friction

    @derive("tread_l", "nodes_l", "heads_l", "tread_r", "nodes_r", "heads_r", "pairs")
    def prepare_profiles(vehicle, track, method, networks):
        return stacked(vehicle_named(vehicle), track_named(track), method, networks)

    @derive("bed_mass", "bed_stiffness", "bed_damping", "bed_give", "seat")
    def prepare_support(vehicle, support):
        made = matrices_of(support_under(vehicle_named(vehicle), support))
        return made.mass, made.stiffness, made.damping, made.rails, made.seat

    @derive("bodies", "elements", "curves", "axles", "readings", "Q_0", "q_0", "touched")
    def prepare_tables(vehicle, track, support, method, networks, normal, g, h, v_0, s_0, E_star):
        made, find = vehicle_named(vehicle), (METHODS[method], NORMALS[normal])
        left, right = sides_of(made, track_named(track).rails[0], method, networks)
        bodies, (elements, curves) = body_table(made), element_table(made)
        under = matrices_of(support_under(made, support))
        rest = settle(*find, made, g, h, E_star, (left, right), under)
        axles, readings = axle_table(made), reading_table(made)
        q_0 = start(made, elements, rest, v_0, s_0)
        put_under_load(bodies, elements, q_0, static_loads(made, g))
        displace(made, bodies, elements, q_0)
        return bodies, elements, curves, axles, readings, rest.Q, q_0, rest.touched
