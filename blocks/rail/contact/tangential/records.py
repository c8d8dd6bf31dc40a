"""Named tuples that the laws of creep forces take."""

from typing import NamedTuple


class Creepages(NamedTuple):
    """Longitudinal, lateral and spin creepage of a wheel."""

    xi: float
    eta: float
    phi: float


class LoadedPatch(NamedTuple):
    """Semi-axes along and across the direction of rolling, and the load."""

    a: float
    b: float
    N: float


class Elasticity(NamedTuple):
    """Shear modulus and Kalker's coefficients of a patch."""

    G: float
    C11: float
    C22: float
    C23: float


class Cells(NamedTuple):
    """The grid in a patch: cells along a strip, strips, kind of bound and of flexibility."""

    n_x: int
    n_y: int
    parabolic: bool
    kind: int


class PolachFriction(NamedTuple):
    """How friction falls with sliding, and what a third layer leaves of the stiffness."""

    A: float
    B: float
    k_A: float
    k_S: float


class LocalFriction(NamedTuple):
    """How friction falls with sliding, and recovers with what is dissipated in a cell."""

    mu_cr: float
    A_d: float
    A_r: float
    gamma_d: float
    gamma_r: float
    tau: float
    """Recovery per dissipated power and area."""
    tau_x: float
    """Recovery per dissipated energy, distance of rolling and area."""
