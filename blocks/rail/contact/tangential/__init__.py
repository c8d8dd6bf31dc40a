"""The tangential problem: creep forces."""

from .adhesion_curve import adhesion_curve
from .creepages import creepages
from .fastsim import fastsim
from .full_sliding import full_sliding
from .kalker import kalker, kalker_table
from .local_adhesion import local_adhesion
from .polach import DRY, WET, polach
from .records import Cells, Creepages, Elasticity, LoadedPatch, LocalFriction, PolachFriction
from .saturation import saturated_kalker

__all__ = [
    "DRY",
    "WET",
    "Cells",
    "Creepages",
    "Elasticity",
    "LoadedPatch",
    "LocalFriction",
    "PolachFriction",
    "adhesion_curve",
    "creepages",
    "fastsim",
    "full_sliding",
    "kalker",
    "kalker_table",
    "local_adhesion",
    "polach",
    "saturated_kalker",
]
