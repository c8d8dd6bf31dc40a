"""What the MDM rig is made of: parameters, and the tables that follow from them."""

import math

import numpy as np
from railblocks.blocks.rail.contact.geometry.nodes import COLUMNS as NODE_COLUMNS
from railblocks.blocks.rail.contact.normal.hertz import composite_modulus
from railblocks.blocks.rail.contact.profiles.naming import names_points
from railblocks.blocks.rail.contact.profiles.pieces import COLUMNS as PIECE_COLUMNS
from railblocks.blocks.rail.contact.records import Material, Profiles
from railblocks.blocks.rail.contact.tangential.kalker import kalker_table
from railblocks.blocks.rail.contact.wheel_contact import SIDES, WheelOverRail, misfit, prepared
from railblocks.blocks.rail.multibody.bodies import COLUMNS as BODY_COLUMNS
from railblocks.blocks.rail.multibody.elements import COLUMNS as ELEMENT_COLUMNS
from railblocks.blocks.rail.multibody.wheeled import AXLE_COLUMNS, Tables
from railblocks.blocks.rail.rig.bogie import BogieData
from railblocks.blocks.rail.rig.load_cells import Supports
from railblocks.blocks.rail.rig.rollers import Rollers
from railblocks.blocks.rail.rig.tables import (
    BODIES,
    axle_table,
    body_table,
    element_table,
    start_states,
)
from railblocks.engine.declaration import Derived, Param, Record, derive, validate

STOP = (
    np.array([0.0, 0.025, 0.030, 0.035, 0.040, 0.045, 0.050, 0.055, 0.060, 0.065]),
    np.array([0.0, 0.0, 600.0, 1760.0, 3730.0, 6870.0, 11580.0, 17170.0, 29200.0, 230000.0]),
)
"""Lateral bump stop of the Manchester wagon: displacement in m, force in N, at full scale."""


class RigData(BogieData):
    """Parameters of the rig, by default the Manchester wagon scaled by 5 after Iwnicki.

    What the paper leaves open is proposed: inertia of the rollers (two steel discs with shaft and
    rotor), damping of contacts, cant of the profile (1/20, at which the bogie runs stably).
    """

    y_0 = Param("m", "half of the distance between the running circles", default=0.15, gt=0)
    gauge = Param("m", "gauge of the rollers", default=0.287, gt=0)
    scale = Param("1", "factor for the lengths of the profiles", default=0.2, gt=0)
    cant = Param("1", "inclination of the rollers' profile", default=0.05, ge=-0.2, le=0.2)
    wheel = Param("1", "profile of the wheels", type=str, default="s1002", file=names_points)
    roller = Param("1", "profile of the rollers", type=str, default="uic60", file=names_points)
    J_wx = Param("kg*m^2", "inertia of a wheelset across its axis", default=0.3584, gt=0)
    J_bx = Param("kg*m^2", "roll inertia of the bogie", default=0.55104, gt=0)
    J_bz = Param("kg*m^2", "yaw inertia of the bogie", default=0.98144, gt=0)
    b_p = Param("m", "half of the lateral distance of axle boxes", default=0.2, gt=0)
    b_s = Param("m", "half of the lateral distance of secondary springs", default=0.2, gt=0)
    h_s = Param("m", "height of the middle of the secondary springs", default=0.1655, gt=0)
    h_c = Param("m", "height of the car body's centre of mass", default=0.36, gt=0)
    k_ps = Param(
        "N/m", "stiffness in series with an axle box's dampers; 0 is rigid", shape=(3,),
        default=[0, 0, 0], ge=0,
    )  # fmt: skip
    k_s = Param(
        "N/m", "stiffness of a secondary spring", shape=(3,), default=[1280, 1280, 3440], ge=0
    )
    c_s = Param("N*s/m", "damping of a secondary spring", shape=(3,), default=[0, 256, 160], ge=0)
    k_roll = Param("N*m/rad", "stiffness of the anti-roll bar", default=300.8, ge=0)
    k_bend = Param("N*m/rad", "roll stiffness of a secondary spring", default=3.36, ge=0)
    mu = Param("1", "friction between wheels and rollers", default=0.3, ge=0)
    E = Param("Pa", "Young's modulus", default=2.1e11, gt=0)
    nu = Param("1", "Poisson's ratio", default=0.3, ge=0, lt=0.5)
    c = Param("N*s/m", "damping of a contact under compression", default=800.0, ge=0)
    t_c = Param("s", "damping of a contact both ways, over its stiffness", default=0.0, ge=0)
    V_min = Param("m/s", "speed below which creepages are regularised", default=0.01, gt=0)
    h = Param("m", "curvatures are means over this times scale", default=2e-3, gt=0)
    omega_init = Param("rad/s", "speed of the wheels at the start", default=150.0)
    dG_x = Param("m", "longitudinal offset of the bogie at the start", default=0.0)
    dG_y = Param("m", "lateral offset of the bogie at the start", default=0.0)
    me_w = Param("kg*m", "unbalance of a wheelset: mass times eccentricity", default=0.0, ge=0)
    dJ_w = Param("kg*m^2", "product of inertia of a wheelset by unbalance", default=0.0)
    me_r = Param("kg*m", "unbalance of a roller axle", default=0.0, ge=0)
    dJ_r = Param("kg*m^2", "product of inertia of a roller axle by unbalance", default=0.0)
    y_c = Param("m", "half of the distance of a roller axle's load cells", default=0.2, gt=0)
    phase_w = Param("rad", "position of the wheelsets' unbalance", shape=(2,), default=[0, 1])
    phase_r = Param("rad", "position of the rollers' unbalance", shape=(2,), default=[2, 3])
    q_0 = Derived("1", "states at the start", shape=("states",))
    bodies = Derived("1", "table of bodies", shape=(BODIES, BODY_COLUMNS))
    elements = Derived("1", "table of force elements", shape=("links", ELEMENT_COLUMNS))
    stop = Derived("1", "table of the lateral stop", shape=("points", 2))
    axles = Derived("1", "table of axles", shape=(2, AXLE_COLUMNS))
    tread_l = Derived("1", "profile of left wheels", shape=("pieces", PIECE_COLUMNS))
    nodes_l = Derived("1", "its nodes", shape=("places", NODE_COLUMNS))
    head_l = Derived("1", "profile of left rollers", shape=("parts", PIECE_COLUMNS))
    tread_r = Derived("1", "profile of right wheels", shape=("pieces", PIECE_COLUMNS))
    nodes_r = Derived("1", "its nodes", shape=("places", NODE_COLUMNS))
    head_r = Derived("1", "profile of right rollers", shape=("parts", PIECE_COLUMNS))
    E_star = Derived("Pa", "composite modulus")
    constants = Derived("1", "shear modulus and Poisson's ratio", shape=(2,))
    table = Derived("1", "Kalker's coefficients", shape=(19, 4))
    tables = Record("what the rig is made of", Tables, curves="stop")
    rollers = Record("what its wheels stand on", Rollers)
    supports = Record("what load cells feel of the rollers", Supports)
    material = Record("wheels and rollers in contact", Material)
    left = Record(
        "left wheels on left rollers", Profiles, tread="tread_l", nodes="nodes_l", head="head_l"
    )
    right = Record(
        "right wheels on right rollers", Profiles, tread="tread_r", nodes="nodes_r", head="head_r"
    )
    masses = Record(
        "mass, inertia and unbalance of bodies",
        "m_w", "J_wx", "J_wy", "me_w", "dJ_w", "phase_w", "m_b", "J_bx", "J_by", "J_bz", "m_c",
    )  # fmt: skip
    dimensions = Record("radii and positions", "r_0", "R_0", "a", "b_p", "b_s", "h_b", "h_s", "h_c")
    suspension = Record("suspension", "k_p", "c_p", "k_ps", "k_s", "c_s", "k_roll", "k_bend")
    begin = Record("how the rig starts", "omega_init", "dG_x", "dG_y", "phase_r")
    sizes = Record(
        "a wheel over a roller",
        "wheel", "r_0", "R_0", "y_0", "cant", "gauge", "scale", rail="roller",
    )  # fmt: skip

    @validate
    def profiles_fit(sizes):
        return misfit(WheelOverRail(**sizes._asdict()))

    @validate
    def can_be_unbalanced(dJ_w, J_wx, J_wy):
        if dJ_w * dJ_w >= J_wx * J_wy:
            most = math.sqrt(J_wx * J_wy)
            return f"dJ_w = {dJ_w:g} kg*m^2; expected less than sqrt(J_wx J_wy) = {most:g}"

    @validate
    def dampers_give(k_ps, c_p):
        if any(k > 0.0 and c == 0.0 for k, c in zip(k_ps, c_p, strict=True)):
            return (
                f"k_ps = {list(k_ps)} has a stiffness in series with a damper of c_p = {list(c_p)} "
                "that is 0; expected 0 there, or some damping"
            )

    @derive("E_star", "constants", "table")
    def prepare_material(E, nu):
        constants = [E / (2.0 * (1.0 + nu)), nu]
        return composite_modulus(E, nu), constants, kalker_table(nu)

    @derive("tread_l", "nodes_l", "head_l", "tread_r", "nodes_r", "head_r")
    def prepare_profiles(sizes):
        left, right = (WheelOverRail(**sizes._asdict(), side=side) for side in SIDES)
        return *prepared(left), *prepared(right)

    @derive("bodies", "elements", "stop", "axles", "q_0")
    def prepare_tables(
        masses, dimensions, suspension, begin, g, reaction, scale, h, E_star, left, right
    ):
        stop = np.column_stack([STOP[0] * scale, STOP[1] * scale**4])
        elements = element_table(masses, dimensions, suspension, g, stop)
        dampers = 4 * np.count_nonzero(suspension.k_ps)
        q_0 = start_states(masses, dimensions, begin, dampers, g, h * scale, E_star, (left, right))
        return body_table(masses), elements, stop, axle_table(reaction), q_0
