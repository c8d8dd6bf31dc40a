"""Material and law of creep forces, as blocks with contacts declare them."""

from railblocks.blocks.rail.contact.normal.hertz import composite_modulus
from railblocks.blocks.rail.contact.normal_contacts import NORMALS
from railblocks.blocks.rail.contact.records import Material
from railblocks.blocks.rail.contact.tangential.flexibility import FLEXIBILITIES
from railblocks.blocks.rail.contact.tangential.kalker import kalker_table
from railblocks.blocks.rail.contact.tangential.laws import LAWS
from railblocks.blocks.rail.contact.tangential.records import LocalFriction, PolachFriction
from railblocks.blocks.rail.contact.tangential.strips import BOUNDS
from railblocks.engine.declaration import Derived, Param, Record, derive, validate

USUAL_BOUND = {"fastsim": "parabolic", "local": "elliptic"}
"""Kalker's own bound, with which the simplified theory is nearest to the exact one; and that of
Meacci et al. (2020), who need the pressure of Hertz for the power in each cell."""


class ContactLaw:
    """Parameters of material and creep law, and the numbers that kernels take of them."""

    law = Param("1", "law of creep forces", type=str, default="kalker", choices=tuple(LAWS))
    mu = Param("1", "friction; at rest for polach, mu_cd for local", default=0.3, ge=0)
    E = Param("Pa", "Young's modulus", default=2.1e11, gt=0)
    nu = Param("1", "Poisson's ratio", default=0.3, ge=0, lt=0.5)
    normal = Param(
        "1", "normal contact: ellipses by mean curvatures, or by the gap over the whole patch",
        type=str, default="hertz", choices=tuple(NORMALS),
    )  # fmt: skip
    c = Param("N*s/m", "damping under compression", default=1e5, ge=0)
    t_c = Param("s", "damping both ways, over the contact's stiffness", default=0.0, ge=0)
    V_min = Param("m/s", "speed below which creepages are regularised", default=0.05, gt=0)
    h = Param("m", "curvatures are means over this times scale", default=2e-3, gt=0)
    n_cells = Param("1", "cells a side for fastsim and local", type=int, default=25, ge=3, le=200)
    bound = Param(
        "1", "fastsim, local: pressure of the traction bound; by_law: parabolic, elliptic",
        type=str, default="by_law", choices=("by_law", *BOUNDS),
    )  # fmt: skip
    flexibility = Param(
        "1", "fastsim, local: kind of flexibility", type=str, default="blended",
        choices=FLEXIBILITIES,
    )  # fmt: skip
    falling = Param(
        "1", "fastsim: friction falls with sliding, by A and B", type=bool, default=False
    )
    A = Param("1", "friction at high over that at no sliding", default=0.4, ge=0, le=1)
    B = Param("s/m", "decay of friction with the speed of sliding", default=0.6, ge=0)
    k_A = Param("1", "polach: reduction where the patch adheres", default=1.0, gt=0, le=1)
    k_S = Param("1", "polach: reduction where it slides", default=0.4, gt=0, le=1)
    mu_cr = Param("1", "local: kinetic friction, recovered", default=0.28, gt=0)
    A_d = Param("1", "local: kinetic over static friction, degraded", default=0.4, gt=0, le=1)
    A_r = Param("1", "local: kinetic over static friction, recovered", default=0.4, gt=0, le=1)
    gamma_d = Param("s/m", "local: decay of friction, degraded", default=0.2, ge=0)
    gamma_r = Param("s/m", "local: decay of friction, recovered", default=0.6, ge=0)
    tau = Param("m^2/W", "local: recovery per dissipated power and area", default=0.0, ge=0)
    tau_x = Param("m^2/N", "local: recovery per energy, distance and area", default=0.0, ge=0)
    E_star = Derived("Pa", "composite modulus")
    constants = Derived("1", "what the law needs", shape="own")
    table = Derived("1", "Kalker's coefficients", shape=(19, 4))
    material = Record("what kernels of contacts take of the bodies", Material)
    polach_friction = Record("own numbers of the law polach", PolachFriction)
    local_friction = Record("own numbers of the law local", LocalFriction)

    @validate
    def sliding_is_reduced_more(k_A, k_S):
        if k_S > k_A:
            return f"k_S = {k_S:g} is above k_A = {k_A:g}; expected k_S <= k_A"

    @validate
    def recovery_is_read_in_one_way(tau, tau_x):
        return two_readings(tau, tau_x)

    @derive("E_star", "constants", "table")
    def prepare_material(
        E, nu, law, n_cells, bound, flexibility, falling, polach_friction, local_friction
    ):
        cells = cell_constants(law, n_cells, bound, flexibility)
        if law == "fastsim" and not falling:
            polach_friction = polach_friction._replace(A=1.0)
        own = own_constants(law, cells, polach_friction, local_friction)
        constants = [E / (2.0 * (1.0 + nu)), nu, *map(float, own)]
        return composite_modulus(E, nu), constants, kalker_table(nu)


def two_readings(tau, tau_x):
    """What is wrong if both readings of the recovery are given; None otherwise."""
    if tau > 0.0 and tau_x > 0.0:
        return (
            f"tau = {tau:g} m^2/W and tau_x = {tau_x:g} m^2/N are two readings of one recovery; "
            "expected one of them to be 0"
        )
    return None


def cell_constants(law, n_cells, bound, flexibility):
    """Cells a side, whether the bound is parabolic, and the number of the kind of flexibility."""
    chosen = USUAL_BOUND.get(law) if bound == "by_law" else bound
    return [n_cells, chosen == "parabolic", FLEXIBILITIES.index(flexibility)]


def own_constants(law, cells, polach_friction, local_friction):
    """What a law needs beside friction and elasticity, in the order of `tangential.laws`."""
    return {
        "kalker": [],
        "fastsim": [*cells, polach_friction.A, polach_friction.B],
        "polach": [*polach_friction],
        "local": [*cells, *local_friction],
    }[law]
