"""What a wheel on a rail and a wheel on a roller have in common as blocks.

Frames are right-handed, x forward, y to the left, z up. The origin of the track's frame lies in
the middle between the rails, at their top; that of the rollers' on their axis. The axle's middle is
displaced from r_0 above the rails, or R_0 + r_0 above the rollers' axis.
"""

from functools import lru_cache
from typing import NamedTuple

from railblocks.blocks.rail.contact.contact_law import ContactLaw
from railblocks.blocks.rail.contact.geometry.contacts import MAX_ROWS
from railblocks.blocks.rail.contact.geometry.nodes import MAX_STEP_M, nodes_of
from railblocks.blocks.rail.contact.profiles.files import KEPT
from railblocks.blocks.rail.contact.profiles.naming import names_points, profile_named
from railblocks.blocks.rail.contact.profiles.pieces import COLUMNS as PIECE_COLUMNS
from railblocks.blocks.rail.contact.profiles.rails import GAUGE_DEPTH_M, in_track
from railblocks.blocks.rail.contact.records import Profiles
from railblocks.blocks.rail.contact.wheel_forces import COLUMNS, DELTA, LOAD, T_X, T_Y
from railblocks.engine.declaration import Derived, In, Out, Param, Record

SIDES = ("left", "right")
MAX_HEIGHT_M = 0.005
"""Profiles are at most so high, in metres, at y = 0."""


class WheelContact(ContactLaw):
    """What a contact block declares: motion in, forces out, profiles; material and law."""

    dG = In("m", "displacement of the axle's middle", shape=(3,), ge=-0.01, le=0.01)
    alpha = In("rad", "yaw of the axle, positive to the left", default=0.0, ge=-0.2, le=0.2)
    beta = In("rad", "roll of the axle, positive with left up", default=0.0, ge=-0.2, le=0.2)
    v = In("m/s", "velocity of the axle's middle", shape=(3,))
    omega = In("rad/s", "angular velocity of the wheel, with its rotation", shape=(3,))
    F = Out("N", "force on the wheel", shape=(3,))
    M = Out("N*m", "moment on the wheel about the axle's middle", shape=(3,))
    n = Out("1", "number of contacts", type=int)
    delta = Out("m", "approach in each contact", shape="n_max")
    N = Out("N", "normal force in each contact", shape="n_max")
    T_x = Out("N", "longitudinal creep force in each contact", shape="n_max")
    T_y = Out("N", "lateral creep force in each contact", shape="n_max")
    contacts = Out("1", "all numbers of each contact, in SI units", shape=(MAX_ROWS, COLUMNS))
    wheel = Param(
        "1", "profile of the wheel: name or file of points", type=str, default="s1002",
        file=names_points,
    )  # fmt: skip
    r_0 = Param("m", "radius of the wheel at the running circle", default=0.46, gt=0)
    y_0 = Param("m", "half of the distance between the running circles", default=0.75, gt=0)
    cant = Param("1", "inclination of the rail towards the middle", default=0.025, ge=-0.2, le=0.2)
    gauge = Param("m", "track gauge, at `depth` below the top", default=1.435, gt=0)
    depth = Param("m", "where the gauge is, times scale", default=GAUGE_DEPTH_M, gt=0, lt=0.05)
    scale = Param("1", "factor for the lengths of both profiles", default=1.0, ge=0.01, le=100)
    smoothing = Param("m", "root mean square that files of points may miss", default=0.0, ge=0)
    side = Param("1", "which wheel of the axle", type=str, default="left", choices=SIDES)
    n_max = Param("1", "how many contacts the vectors show", type=int, default=4, ge=1, le=16)
    tread = Derived("1", "pieces of the wheel's profile", shape=("pieces", PIECE_COLUMNS))
    nodes = Derived("1", "where contacts are looked for", shape=("places", "numbers"))
    head = Derived("1", "pieces of the other profile", shape=("parts", PIECE_COLUMNS))
    pose = Record("where the axle is and how it moves", "dG", "alpha", "beta", "v", "omega")
    profiles = Record("profiles of the wheel and of the other body", Profiles)
    results = Record("what is filled in", "F", "M", "delta", "N", "T_x", "T_y", "contacts")


class WheelOverRail(NamedTuple):
    """A wheel and the rail or roller under it: profiles, sizes, and where they lie.

    `WheelContact` and its blocks have the words; R_0 is 0 for a rail. `smoothing` is for both
    profiles, unless the rail has its own.
    """

    wheel: str
    rail: str
    r_0: float
    y_0: float
    cant: float
    gauge: float
    scale: float = 1.0
    side: str = "left"
    smoothing: float = 0.0
    R_0: float = 0.0
    depth: float = GAUGE_DEPTH_M
    rail_smoothing: float | None = None


def placed(pair):
    """Profiles of a wheel about its axle's middle and of the other body; raises ValueError.

    `pair` is a `WheelOverRail`. Files are read each time; what is made of them is kept.
    """
    tread = profile_named(pair.wheel, smoothing=pair.smoothing)
    head = profile_named(pair.rail, smoothing=_smoothing_of_rail(pair))
    return _placed(tread, head, pair)


def _smoothing_of_rail(pair):
    return pair.smoothing if pair.rail_smoothing is None else pair.rail_smoothing


@lru_cache(KEPT)
def _placed(tread, head, pair):
    scale, y_0 = pair.scale, pair.y_0
    for name, profile in (("wheel", tread), ("rail or roller", head)):
        height = float(profile.height(0.0))
        if not abs(height) < MAX_HEIGHT_M:
            raise ValueError(
                f"profile '{profile.name}' of the {name} is {height:g} m high at y = 0; expected 0 "
                "there, on the running circle or the crown; r_0 and R_0 are added to it"
            )
    tread = _joined(tread, pair.smoothing).scaled(scale).moved(dy=y_0, dz=pair.r_0)
    head = in_track(head.scaled(scale), pair.cant, pair.gauge, pair.depth * scale, y_0)
    head = _joined(head, _smoothing_of_rail(pair) * scale).moved(dz=pair.R_0)
    if tread.reach[0] > head.reach[1] or tread.reach[1] < head.reach[0]:
        raise ValueError(
            f"the wheel reaches from y = {tread.reach[0]:g} to {tread.reach[1]:g} m, the other "
            f"body from {head.reach[0]:g} to {head.reach[1]:g} m; check y_0, gauge and scale"
        )
    return (tread, head) if pair.side == "left" else (tread.mirrored(), head.mirrored())


def _joined(profile, smoothing):
    """A profile with fewer pieces where it may miss its points anyway, by a thousandth of that."""
    return profile.joined(1e-3 * smoothing) if smoothing > 0.0 else profile


def misfit(pair):
    """What is wrong with the profiles, or None."""
    try:
        placed(pair)
    except ValueError as error:
        return str(error)
    return None


def prepared(pair):
    """Table and nodes of the wheel's profile, and table of the other."""
    tread, head = placed(pair)
    return tread.table, _nodes(tread, head, MAX_STEP_M * pair.scale), head.table


_nodes = lru_cache(KEPT)(nodes_of)


def read_contacts(results):
    """Columns of the table of contacts as signals."""
    contacts = results.contacts
    for k in range(len(results.delta)):
        results.delta[k], results.N[k] = contacts[k, DELTA], contacts[k, LOAD]
        results.T_x[k], results.T_y[k] = contacts[k, T_X], contacts[k, T_Y]
