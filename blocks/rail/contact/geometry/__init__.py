"""Where a wheel touches a rail or a roller."""

from .conicity import equivalent_conicity, klingel_wavelength
from .pair import Pair
from .rigid import RigidContact, rigid_contact

__all__ = ["Pair", "RigidContact", "equivalent_conicity", "klingel_wavelength", "rigid_contact"]
