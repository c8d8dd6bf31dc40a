"""Named tuples that the kernels of contacts take."""

from typing import Any, NamedTuple


class Material(NamedTuple):
    """Two bodies in contact: their elasticity, damping and friction, and their law of creep."""

    E_star: float
    """Composite modulus."""
    c: float
    """Damping under compression."""
    t_c: float
    """Damping both ways, over the stiffness of the contact."""
    V_min: float
    """Speed below which creepages are regularised."""
    mu: float
    constants: Any
    """Shear modulus, Poisson's ratio, and what the law of creep forces needs of its own."""
    table: Any
    """Kalker's coefficients."""


class Profiles(NamedTuple):
    """A wheel and what is under it: profile, where contacts are looked for, other profile."""

    tread: Any
    nodes: Any
    head: Any


class AxleMotion(NamedTuple):
    """Where an axle is and how it moves, in the axes of the rail or roller under its wheel."""

    G: Any
    """Middle of the axle."""
    alpha: float
    """Yaw."""
    beta: float
    """Roll."""
    v: Any
    """Velocity of G."""
    omega: Any
    """Angular velocity, with the rotation of the wheels."""
    Omega: float
    """Speed of the roller about its axis; 0 for a rail."""
