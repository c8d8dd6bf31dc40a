"""Ports and parameters that blocks of a wheelset at constant speed share.

It has two degrees of freedom, sway y and yaw psi. Its profiles make it roll and lift with y, it
spins as it would roll on the mean of both radii, and it slides a little where its wheels touch.
"""

import math
from typing import NamedTuple

from railblocks.blocks.rail.contact.tangential.creepages import creepages
from railblocks.blocks.rail.contact.tangential.saturation import saturated_creep
from railblocks.blocks.rail.wheelset.shape import SHAPES, TERMS, MisfitError, shape_table
from railblocks.engine.declaration import (
    Derived,
    In,
    Out,
    Param,
    Record,
    State,
    der,
    derive,
    guard,
    out,
    validate,
)

LAWS = ("linear", "saturated")
LEFT, RIGHT = 1.0, -1.0


class Grip(NamedTuple):
    """Creep coefficients of a wheel, the bound of friction, and the least speed."""

    f11: float
    f22: float
    bound: float
    V_min: float


def creep_force(v_x, v_y, V, grip):
    """Force on a wheel that slides at v over the rail: Kalker's linear one, within the bound."""
    xi, eta, _ = creepages(v_x, v_y, 0.0, V, grip.V_min)
    return saturated_creep(xi, eta, grip.f11, grip.f22, grip.bound)


class WheelsetOnTrack:
    """Ports, parameters, states of a wheelset at constant speed; by default the Manchester wagon's.

    f11 and f22 are Kalker's G a b C11 and G a b C22 of a wheel under 54.55 kN.
    """

    V = In("m/s", "speed along the track; its rate is left out")
    F_y = In("N", "further force on the wheelset, along its axle", default=0.0)
    M_z = In("N*m", "further moment on the wheelset, about the vertical", default=0.0)
    y = Out("m", "sway, to the left")
    psi = Out("rad", "yaw, to the left")
    y_dot = Out("m/s", "rate of the sway")
    psi_dot = Out("rad/s", "rate of the yaw")
    y_ddot = Out("m/s^2", "acceleration of the sway")
    psi_ddot = Out("rad/s^2", "acceleration of the yaw")
    T_x = Out("N", "creep forces along the wheelset's heading, left first", shape=(2,))
    T_y = Out("N", "creep forces across it, left first", shape=(2,))
    m = Param("kg", "mass of the wheelset", default=1813.0, gt=0)
    I_z = Param("kg*m^2", "inertia across the axle: roll and yaw", default=1120.0, gt=0)
    I_y = Param("kg*m^2", "inertia about the axle", default=112.0, ge=0)
    r_0 = Param("m", "rolling radius while centred", default=0.46, gt=0)
    b = Param("m", "half of the distance between the contacts", default=0.75, gt=0)
    shape = Param("1", "kind of profiles", type=str, default="conical", choices=SHAPES)
    lam = Param("1", "conicity of linear and conical wheels", default=0.05, ge=-1, le=1)
    gamma = Param("rad", "contact angle of curved profiles", default=0.05, ge=-0.5, le=0.5)
    R_w = Param("m", "radius of hollow wheel profiles, if curved", default=0.42, gt=0, le=1e4)
    R_r = Param("m", "radius of the rail heads, if curved", default=0.3, gt=0)
    W = Param(
        "N", "weight on the axle, against which profiles that roll lift it", default=0.0, ge=0
    )
    f11 = Param("N", "longitudinal creep coefficient of a wheel", default=9.6175e6, ge=0)
    f22 = Param("N", "lateral creep coefficient of a wheel", default=8.6861e6, ge=0)
    law = Param("1", "creep forces", type=str, default="linear", choices=LAWS)
    mu = Param("1", "friction, if saturated", default=0.3, ge=0)
    N_w = Param("N", "load of a wheel, if saturated", default=54546.0, ge=0)
    k_y = Param("N/m", "lateral stiffness to the track's middle", default=0.0, ge=0)
    k_psi = Param("N*m/rad", "yaw stiffness", default=0.0, ge=0)
    c_y = Param("N*s/m", "lateral damping", default=0.0, ge=0)
    c_psi = Param("N*m*s/rad", "yaw damping", default=0.0, ge=0)
    V_min = Param("m/s", "speed below which creepages are regularised", default=0.01, gt=0)
    y_max = Param("m", "sway at which flanges touch and the run ends", default=0.01, gt=0)
    y_0 = Param("m", "sway at the start", default=0.0)
    psi_0 = Param("rad", "yaw at the start", default=0.0)
    y_dot_0 = Param("m/s", "rate of the sway at the start", default=0.0)
    psi_dot_0 = Param("rad/s", "rate of the yaw at the start", default=0.0)
    profile = Derived("1", "roll, height, position and radius over y / y_max", shape=(4, TERMS))
    bound = Derived("N", "most that friction can bear")
    q_y = State("m", "sway", start="y_0")
    q_psi = State("rad", "yaw", start="psi_0")
    u_y = State("m/s", "rate of the sway", start="y_dot_0")
    u_psi = State("rad/s", "rate of the yaw", start="psi_dot_0")
    sway = Record("sway and yaw", "q_y", "q_psi", "u_y", "u_psi")
    grip = Record("how wheels creep", Grip)
    holding = Record(
        "what holds the wheelset, and further loads", "k_y", "k_psi", "c_y", "c_psi", "F_y", "M_z"
    )

    @validate
    def profiles_fit(shape, y_max, r_0, b, lam, gamma, R_w, R_r):
        if shape == "curved" and R_w <= R_r:
            return f"R_w = {R_w:g} m is not above R_r = {R_r:g} m; expected wheels wider than heads"
        if shape == "conical" and lam != 0.0 and abs(b / lam - r_0) < 2.0 * y_max:
            return (
                f"lam = {lam:g} has its roll centre {b / lam - r_0:.3g} m above the axle; "
                f"expected more than 2 y_max = {2.0 * y_max:g} m; give a smaller lam or y_max"
            )
        try:
            shape_table(shape, y_max, r_0, b, lam, gamma, R_w, R_r)
        except MisfitError as error:
            sizes = "R_w - R_r, gamma" if shape == "curved" else "b / lam"
            return f"y_max = {y_max:g} m: {error}; give a smaller y_max, or larger {sizes}"

    @derive("profile", "bound")
    def prepare(shape, y_max, r_0, b, lam, gamma, R_w, R_r, law, mu, N_w):
        profile = shape_table(shape, y_max, r_0, b, lam, gamma, R_w, R_r)
        return profile, mu * N_w if law == "saturated" else math.inf

    @out("y", "psi", "y_dot", "psi_dot")
    def read(q_y, q_psi, u_y, u_psi):
        return q_y, q_psi, u_y, u_psi

    @der("q_y", "q_psi", "u_y", "u_psi")
    def move(u_y, u_psi, y_ddot, psi_ddot):
        return u_y, u_psi, y_ddot, psi_ddot

    @guard("flange", action="fail", message="the sway reached y_max, where flanges touch")
    def at_flange(q_y, y_max):
        return abs(q_y) - y_max
