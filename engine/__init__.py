"""The engine, and the list of what is public: `import railblocks as rb` has the same names.

Names are imported when they are first used, so that the command line starts quickly.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .analysis.checking import Checked, check
    from .checks.data_paths import save
    from .declaration import (
        EACH,
        Block,
        Derived,
        Discrete,
        In,
        Modes,
        Out,
        Param,
        Record,
        Sample,
        State,
        der,
        derive,
        guard,
        modes,
        notice,
        out,
        picture,
        reset,
        response,
        update,
        validate,
    )
    from .declaration.registry import Registry, standard_blocks
    from .diagram.builder import DiagramBuilder
    from .diagram.diagram import Diagram
    from .diagram.reader import load, loads
    from .errors import DiagramError, SimulationError
    from .frequency_responses.respond import respond
    from .linear.linearise import linearise
    from .linear.margins import margins
    from .linear.model import LinearModel
    from .measurements.comparison import compare, read_pair
    from .measurements.reading import load_data
    from .measures.limit import parse_limits
    from .measures.measure import parse_measure
    from .operating_points.point import OperatingPoint
    from .operating_points.point_file import load_point, save_point
    from .operating_points.rates import Rates
    from .operating_points.trim import trim
    from .program.alone import compiled
    from .runs.results import Results
    from .runs.resuming import resume
    from .runs.run import simulate
    from .runs.simulation import Simulation
    from .studies.plan import Sampling
    from .studies.simulate_many import simulate_many
    from .studies.study import Study
    from .text.files import file_bytes, file_text

__all__ = [
    "EACH", "Block", "Checked", "Derived", "Diagram", "DiagramBuilder", "DiagramError",
    "Discrete", "In", "LinearModel", "Modes", "OperatingPoint", "Out", "Param", "Rates",
    "Record", "Registry", "Results", "Sample", "Sampling", "Simulation", "SimulationError",
    "State", "Study", "check", "compare", "compiled", "der", "derive", "file_bytes",
    "file_text", "guard", "linearise", "load", "load_data", "load_point", "loads", "margins",
    "modes", "notice", "out", "parse_limits", "parse_measure", "picture", "read_pair", "reset",
    "respond", "response", "resume", "save", "save_point", "simulate", "simulate_many",
    "standard_blocks", "trim", "update", "validate",
]  # fmt: skip

_HOMES = {
    "diagram.builder": ("DiagramBuilder",),
    "analysis.checking": ("Checked", "check"),
    "declaration": (
        "EACH", "Block", "Derived", "Discrete", "In", "Modes", "Out", "Param", "Record", "Sample",
        "State", "der", "derive", "guard", "modes", "notice", "out", "picture", "reset", "response",
        "update", "validate",
    ),
    "diagram.diagram": ("Diagram",),
    "errors": ("DiagramError", "SimulationError"),
    "diagram.reader": ("load", "loads"),
    "program.alone": ("compiled",),
    "measures.limit": ("parse_limits",),
    "measures.measure": ("parse_measure",),
    "frequency_responses.respond": ("respond",),
    "linear.linearise": ("linearise",),
    "linear.margins": ("margins",),
    "linear.model": ("LinearModel",),
    "measurements.comparison": ("compare", "read_pair"),
    "measurements.reading": ("load_data",),
    "operating_points.point": ("OperatingPoint",),
    "operating_points.point_file": ("load_point", "save_point"),
    "operating_points.trim": ("trim",),
    "declaration.registry": ("Registry", "standard_blocks"),
    "operating_points.rates": ("Rates",),
    "runs.results": ("Results",),
    "runs.resuming": ("resume",),
    "runs.run": ("simulate",),
    "checks.data_paths": ("save",),
    "runs.simulation": ("Simulation",),
    "studies.plan": ("Sampling",),
    "studies.simulate_many": ("simulate_many",),
    "studies.study": ("Study",),
    "text.files": ("file_bytes", "file_text"),
}  # fmt: skip
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_HOME_OF[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
