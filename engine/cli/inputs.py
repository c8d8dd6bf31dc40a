"""Arguments that several commands share: diagrams with values and blocks, and output files."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..errors import DiagramError, Place

if TYPE_CHECKING:
    from ..diagram.diagram import Diagram
    from ..registry import Registry

# endings that belong to other kinds of files
FOREIGN = {
    ".h5": (".yaml", ".yml", ".py", ".csv", ".mat", ".parquet", ".png", ".svg", ".pdf", ".json"),
    ".svg": (".yaml", ".yml", ".py", ".h5", ".csv", ".png", ".pdf", ".jpg"),
}


def diagram_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="diagram file (YAML)")
    values_argument(parser)
    blocks_argument(parser)


def values_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--set",
        metavar="PATH=VALUE",
        action="append",
        default=[],
        help="another value for a parameter, as in --set motor.J='2 g*m^2' (repeatable)",
    )


def blocks_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--blocks",
        metavar="PATH",
        action="append",
        default=[],
        help="Python file or folder with custom blocks; it is run (repeatable)",
    )


def registry_of(options: argparse.Namespace) -> Registry:
    """The blocks that ship with railblocks and those of `--blocks`."""
    from ..registry import standard_blocks

    registry = standard_blocks()
    if options.blocks:
        registry = registry.copy()
        for path in options.blocks:
            registry.add_path(path)
    return registry


def diagram_of(
    options: argparse.Namespace, path: str, settings: dict[str, str] | None = None
) -> Diagram:
    """The diagram with the values of `--set` and with settings, by their option (`--stop`)."""
    from ..diagram.reader import load
    from ..diagram.values import text_node

    diagram = with_values(load(path), options.set)
    given = {
        SETTINGS[option]: text_node(value, Place(f"--{option}"))
        for option, value in (settings or {}).items()
    }
    return diagram.with_values(given) if given else diagram


def with_values(diagram: Diagram, assignments: Sequence[str]) -> Diagram:
    """The diagram with values written as PATH=VALUE."""
    from ..diagram.values import text_node

    values = {}
    for given in assignments:
        name, equals, value = given.partition("=")
        if not equals or not name.strip():
            raise DiagramError(
                f"{given!r} is no assignment; expected PATH=VALUE, as in motor.J=0.02",
                Place("--set"),
            )
        values[name.strip()] = text_node(value.strip(), Place(f"--set {given}"))
    return diagram.with_values(values)


SETTINGS = {
    "stop": "solver.stop",
    "solver": "solver.method",
    "rtol": "solver.rtol",
    "atol": "solver.atol",
    "step": "solver.step",
    "seed": "solver.seed",
}


def stem(path: str) -> str:
    """The name of a file without folder and ending."""
    return os.path.splitext(os.path.basename(path))[0]


def output_path(given: str | None, default: str, ending: str, source: str) -> str:
    """Where to write; refuses the source itself and files that are meant for something else."""
    path = given or default
    if os.path.splitext(path)[1].lower() in FOREIGN.get(ending, ()):
        raise DiagramError(
            f"has the ending of another kind of file; expected {ending}", Place(path)
        )
    if os.path.exists(path) and os.path.exists(source) and os.path.samefile(path, source):
        raise DiagramError("is the file that is read; choose another output", Place(path))
    return path
