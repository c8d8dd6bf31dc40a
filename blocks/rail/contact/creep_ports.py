"""What laws of creep forces share as blocks: creepages and patch, elasticity, a grid of cells."""

from railblocks.blocks.rail.contact.tangential.flexibility import FLEXIBILITIES
from railblocks.blocks.rail.contact.tangential.kalker import kalker_table
from railblocks.blocks.rail.contact.tangential.records import Cells, Creepages, LoadedPatch
from railblocks.blocks.rail.contact.tangential.strips import BOUNDS
from railblocks.engine.declaration import Derived, In, Param, Record, derive


class Patch:
    """Creepages, the patch and its load, and Kalker's coefficients for the material."""

    xi = In("1", "longitudinal creepage")
    eta = In("1", "lateral creepage", default=0.0)
    phi = In("1/m", "spin creepage", default=0.0)
    a = In("m", "semi-axis of the patch along the direction of rolling", ge=0)
    b = In("m", "semi-axis of the patch across", ge=0)
    N = In("N", "normal force")
    G = Param("Pa", "shear modulus", default=8.0e10, gt=0)
    nu = Param("1", "Poisson's ratio", default=0.3, ge=0, le=0.5)
    table = Derived("1", "Kalker's coefficients", shape=(19, 4))
    creepages = Record("creepages", Creepages)
    patch = Record("the patch and its load", LoadedPatch)

    @derive("table")
    def coefficients(nu):
        return kalker_table(nu)


class PatchOfCells(Patch):
    """A patch that is cut into strips and cells."""

    n_x = Param("1", "cells along a strip", type=int, default=25, ge=1, le=200)
    n_y = Param("1", "strips", type=int, default=25, ge=1, le=200)
    bound = Param("1", "pressure of the bound", type=str, default="parabolic", choices=BOUNDS)
    flexibility = Param("1", "kind", type=str, default="blended", choices=FLEXIBILITIES)
    parabolic = Derived("1", "whether the bound is a paraboloid", type=bool)
    kind = Derived("1", "number of the kind of flexibility", type=int)
    cells = Record("the grid in the patch", Cells)

    @derive("parabolic", "kind")
    def prepare(bound, flexibility):
        return bound == "parabolic", FLEXIBILITIES.index(flexibility)
