"""Profiles of wheels, rails and rollers."""

from .files import from_points, read_profile
from .naming import profile_named
from .profile import Profile
from .rails import left_rail, uic60
from .wheels import conical, cylindrical, s1002

__all__ = [
    "Profile",
    "conical",
    "cylindrical",
    "from_points",
    "left_rail",
    "profile_named",
    "read_profile",
    "s1002",
    "uic60",
]
