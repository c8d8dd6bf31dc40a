"""All that can be lowered ahead: kernels of shipped diagrams and of every block, and the solvers.

A block is taken with its example values, and with each choice of each of its parameters in turn.
What depends on the user's text, such as expressions, is lowered when it is used.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..analysis.checking import check
from ..declaration.registry import Registry, standard_blocks
from ..diagram.builder import DiagramBuilder
from ..diagram.diagram import Diagram
from ..diagram.reader import load
from ..errors import DiagramError
from ..plugins import DIAGRAMS
from ..program.compiler import parts_of
from ..program.newton import solve_loop
from ..program.parts import Part
from ..program.solver_functions import SOLVER_SIGNATURES, solver_functions
from ..solvers.methods import METHODS
from .driven import add_driven, write_example_files


def library_parts() -> dict[str, Part]:
    """Every part by its symbol."""
    parts = [*_solver_parts(), *_kernel_parts()]
    return {part.symbol: part for part in parts if part.rules == "C"}


def shipped_diagrams() -> list[Path]:
    """The files of all shipped diagrams that run by themselves."""
    root = importlib.import_module(DIAGRAMS)
    files = [path for folder in root.__path__ for path in sorted(Path(folder).rglob("*.yaml"))]
    return [path for path in files if "\nsolver:" in path.read_text(encoding="utf-8")]


def _solver_parts() -> Iterator[Part]:
    functions = {("solve_loop", solve_loop)}
    for method in METHODS.values():
        functions |= set(solver_functions(method).items())
    for name, function in functions:
        yield Part.of_solver(function, *SOLVER_SIGNATURES[name])


def _kernel_parts() -> Iterator[Part]:
    for path in shipped_diagrams():
        yield from _parts_of(load(path))
    with TemporaryDirectory() as folder:
        write_example_files(Path(folder))
        registry = standard_blocks()
        for block in registry.ids():
            for values in _choices(block, registry):
                try:
                    builder = DiagramBuilder(block)
                    add_driven(builder, "block", block, Path(folder), values)
                    yield from _parts_of(builder.build())
                except DiagramError:
                    if not values:
                        raise  # a choice may need other values beside it, an example may not


def _choices(block: str, registry: Registry) -> Iterator[Mapping[str, Any]]:
    kind = registry.get(block)
    assert kind is not None
    yield {}
    for name, param in kind.declaration.params.items():
        for choice in param.choices or ():
            yield {name: choice}


def _parts_of(diagram: Diagram) -> Iterator[Part]:
    checked = check(diagram)
    kernels, _ = parts_of(checked.schedule.program, checked.settings.solver)
    yield from kernels.values()
