"""railblocks: block diagrams that are plain files, compiled and simulated."""

from .builder import DiagramBuilder
from .checking import Checked, check
from .declaration import (
    EACH,
    Block,
    Derived,
    Discrete,
    In,
    Out,
    Param,
    Sample,
    State,
    der,
    derive,
    guard,
    out,
    reset,
    update,
)
from .diagram import Diagram
from .errors import DiagramError, SimulationError
from .reader import load, loads
from .registry import Registry, standard_blocks
from .saving import save
from .simulation import Simulation

__all__ = [
    "EACH", "Block", "Checked", "Derived", "Diagram", "DiagramBuilder", "DiagramError", "Discrete",
    "In", "Out", "Param", "Registry", "Sample", "Simulation", "SimulationError", "State", "check",
    "der", "derive", "guard", "load", "loads", "out", "reset", "save", "standard_blocks", "update",
]  # fmt: skip
