"""A wheel on a rail or on a roller as one block: where it touches, and with which forces."""

from functools import cache

from railblocks.blocks.base.variants import variant
from railblocks.blocks.rail.contact.contact_methods import (
    METHODS,
    ContactMethod,
    searched,
    unlearnt,
)
from railblocks.blocks.rail.contact.geometry.detection import rail_diff, roller_dist
from railblocks.blocks.rail.contact.normal_contacts import NORMALS, spread_contacts
from railblocks.blocks.rail.contact.profiles.naming import names_points
from railblocks.blocks.rail.contact.records import AxleMotion
from railblocks.blocks.rail.contact.tangential.laws import LAWS, kalker_law
from railblocks.blocks.rail.contact.touching import touch_wheel
from railblocks.blocks.rail.contact.wheel_contact import (
    WheelContact,
    WheelOverRail,
    misfit,
    prepared,
    read_contacts,
)
from railblocks.engine.declaration import Block, In, Out, Param, Record, derive, out, validate


@cache
def touch_rail(detect, normal, law):
    """The equation of a wheel on a rail, for one method, normal contact and law."""

    @out("F", "M", "n", "delta", "N", "T_x", "T_y", "contacts")
    def touch(pose, r_0, profiles, h, scale, material, results):
        G = (pose.dG[0], pose.dG[1], pose.dG[2] + r_0)
        axle = AxleMotion(G, pose.alpha, pose.beta, pose.v, pose.omega, 0.0)
        n, _ = touch_wheel(
            detect, normal, law, axle, profiles, False, h * scale, material,
            results.contacts, results.F, results.M,
        )  # fmt: skip
        read_contacts(results)
        return n

    return touch


@cache
def touch_roller(normal, law):
    """The equation of a wheel on a roller, for one normal contact and one law."""

    @out("F", "M", "M_r", "n", "delta", "N", "T_x", "T_y", "contacts")
    def touch(pose, Omega, r_0, R_0, profiles, h, scale, material, results):
        G = (pose.dG[0], pose.dG[1], pose.dG[2] + r_0 + R_0)
        axle = AxleMotion(G, pose.alpha, pose.beta, pose.v, pose.omega, Omega)
        n, M_r = touch_wheel(
            roller_dist, normal, law, axle, profiles, True, h * scale, material,
            results.contacts, results.F, results.M,
        )  # fmt: skip
        read_contacts(results)
        return M_r, n

    return touch


class ContactWheelRail(ContactMethod, WheelContact, Block):
    """A wheel on a rail: contact points, normal and creep forces, summed over all contacts.

    F_i(y_w) = 0 for each contact, by DIFF or DIST; or positions known before (1)
    N = E* k delta^1.5 + c delta' under compression, at each contact       (2)
    F = sum of N n + T_x t_x + T_y t_y,  M = sum of (P_w - G) x F + M_sp n (3)

    All contacts in three dimensions, with Hertz's ellipse (or a line between straight
    pieces) and a law of creep forces: "kalker" (linear, saturated), "fastsim", "polach" (without
    spin) or "local" (degraded adhesion). "diff" makes the difference of heights stationary, "dist"
    the distance; "network" takes positions from trained networks, "table" from a table of DIFF's,
    both within 10 mm, 1 degree of yaw and 0.75 of roll. Creepages are taken over sqrt(V^2 +
    V_min^2), from the velocities of both surfaces as they are without load: a wheel that turns at
    v / r does not creep. Curvatures are means over h to each side, and what two contacts have in
    common counts once. A lifted wheel has no forces.
    Sources: falomi, conti2012 section 3.1.2, meacci2020. The columns of `contacts` are listed in
    geometry/contacts.py and wheel_forces.py.
    """

    symbol = "W/R"
    rail = Param(
        "1", "profile of the rail: a name or a file of points", type=str, default="uic60",
        file=names_points,
    )  # fmt: skip
    sizes = Record(
        "the wheel over the rail",
        "wheel", "rail", "r_0", "y_0", "cant", "gauge", "scale", "side", "smoothing", "depth",
    )  # fmt: skip
    touch = touch_rail(rail_diff, spread_contacts, kalker_law)

    @classmethod
    def specialise(cls, values):
        detect, normal = METHODS[values["method"]], NORMALS[values["normal"]]
        return variant(cls, touch=touch_rail(detect, normal, LAWS[values["law"]]))

    @validate
    def profiles_fit(method, networks, sizes):
        pair = WheelOverRail(**sizes._asdict())
        return misfit(pair) or unlearnt(method, networks, pair)

    @derive("tread", "nodes", "head")
    def prepare_profiles(method, networks, sizes):
        return searched(method, networks, WheelOverRail(**sizes._asdict()))


class ContactWheelRoller(WheelContact, Block):
    """A wheel on a roller: contact points, normal and creep forces, summed over all contacts.

    F_i(y_w) = 0 for each contact, by the reduction for two surfaces of revolution        (1)
    N = E* k delta^1.5 + c delta' under compression, at each contact       (2)
    F = sum of N n + T_x t_x + T_y t_y,  M = sum of (P_w - G) x F + M_sp n (3)
    M_r = -sum of (P x F + M_sp n)_y                                       (4)

    The roller turns about the y axis with Omega and has the profile of a rail on the radius R_0.
    Everything else is as in `rail.contact_wheel_rail`. When the wheel turns as for running forward,
    omega_y > 0, the roller turns with Omega < 0. Source: conti2012, Eqs. 1-21 in corrected form.
    """

    symbol = "W/roller"
    example = {"R_0": 0.46}
    Omega = In("rad/s", "angular velocity of the roller about the y axis")
    M_r = Out("N*m", "torque on the roller about its axis")
    roller = Param(
        "1", "profile of the roller: name or file of points", type=str, default="uic60",
        file=names_points,
    )  # fmt: skip
    R_0 = Param("m", "radius of the roller at its top", gt=0)
    sizes = Record(
        "the wheel over the roller",
        "wheel", "r_0", "y_0", "cant", "gauge", "scale", "side", "smoothing", "R_0", "depth",
        rail="roller",
    )  # fmt: skip
    touch = touch_roller(spread_contacts, kalker_law)

    @classmethod
    def specialise(cls, values):
        normal, law = NORMALS[values["normal"]], LAWS[values["law"]]
        return variant(cls, touch=touch_roller(normal, law))

    @validate
    def profiles_fit(sizes):
        return misfit(WheelOverRail(**sizes._asdict()))

    @derive("tread", "nodes", "head")
    def prepare_profiles(sizes):
        return prepared(WheelOverRail(**sizes._asdict()))
