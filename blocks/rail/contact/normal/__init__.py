"""The normal problem: load, approach and patch."""

from .hertz import composite_modulus, hertz_constants, normal_force, patch, relative_curvatures
from .line import line_force, line_patch

__all__ = [
    "composite_modulus",
    "hertz_constants",
    "line_force",
    "line_patch",
    "normal_force",
    "patch",
    "relative_curvatures",
]
