"""Arguments that several commands share: diagrams with values and blocks, and output files."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..errors import DiagramError, Position

if TYPE_CHECKING:
    from ..analysis.checking import Checked
    from ..declaration.registry import Registry
    from ..diagram.diagram import Diagram
    from ..operating_points.point import OperatingPoint
    from ..units.quantity import Quantity

LONGEST_SHOWN = 60
MOST_DIGITS = 15

KINDS = {
    ".yaml": (".yaml", ".yml"),
    ".h5": (".h5", ".hdf5"),
    ".csv": (".csv", ".tsv", ".txt"),
    ".mat": (".mat",),
    ".parquet": (".parquet", ".pq"),
    ".svg": (".svg",),
    ".png": (".png", ".svg", ".pdf", ".jpg"),
    ".py": (".py",),
    ".json": (".json",),
    ".npz": (".npz",),
    ".html": (".html",),
    ".xml": (".xml",),
}
"""Kinds of files around a diagram, and the endings that each may have."""


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


def measurement_arguments(parser: argparse.ArgumentParser, required: bool = False) -> None:
    """Adds the options that say which signals are compared, and between which times."""
    parser.add_argument(
        "--signal",
        metavar="RUN=MEASURED",
        action="append",
        default=[],
        required=required,
        help="signals to compare, by name or expression, as in 'car.v - r*axle.omega = slide' "
        f"(repeatable{'' if required else '; default: all that have one name in both'})",
    )
    parser.add_argument(
        "--let",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="a value for the expressions of --signal, as in --let r='445 mm' (repeatable)",
    )
    parser.add_argument("--from", dest="start", metavar="TIME", help="first time, as in 2s")
    parser.add_argument("--to", dest="end", metavar="TIME", help="last time")


def shortened(text: str) -> str:
    """A value of the command line as messages repeat it."""
    return text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 3]}..."


def count_of(text: str) -> int:
    """A whole number from 1 on, of an option."""
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS and int(text) > 0):
        raise argparse.ArgumentTypeError(
            f"{shortened(text)!r} is not a number of times; expected a whole number from 1 on"
        )
    return int(text)


def quantity_of(text: str, option: str) -> Quantity:
    """A number with or without unit, as an option gives it."""
    from ..diagram.assignments import read_quantity

    return read_quantity(text, Position(option))


def seconds_of(text: str | None, option: str) -> float | None:
    """A time in seconds."""
    from ..units.unit import UnitError, parse_unit

    if text is None:
        return None
    try:
        return float(quantity_of(text, option).to(parse_unit("s")))
    except (UnitError, TypeError) as error:
        raise DiagramError(str(error), Position(option)) from None


def assignment(text: str, option: str, example: str) -> tuple[str, str]:
    """The two sides of NAME=VALUE."""
    name, equals, value = (part.strip() for part in text.partition("="))
    if not equals or not name:
        raise DiagramError(f"{text!r} is not an assignment; expected {example}", Position(option))
    return name, value


def given_values(options: argparse.Namespace) -> dict[str, Quantity]:
    """The values of `--let`."""
    pairs = [assignment(text, "--let", "NAME=VALUE, as in r=0.445") for text in options.let]
    return {name: quantity_of(value, f"--let {name}={value}") for name, value in pairs}


def registry_of(options: argparse.Namespace) -> Registry:
    """The blocks that ship with railblocks and those of `--blocks`."""
    from ..declaration.registry import standard_blocks

    registry = standard_blocks()
    if options.blocks:
        registry = registry.copy()
        for path in options.blocks:
            registry.add_path(path)
    return registry


def diagram_of(
    options: argparse.Namespace,
    path: str,
    settings: dict[str, str] | None = None,
    found: dict[str, str] | None = None,
) -> Diagram:
    """The diagram with the values of `--set` and with settings, by their option (`--stop`).

    `found` are values beneath those of `--set`.
    """
    from ..diagram.reader import load
    from ..diagram.values import text_node

    diagram = with_values(load(path).with_values(found or {}), options.set)
    given = {
        SETTINGS[option]: text_node(value, Position(f"--{option}"))
        for option, value in (settings or {}).items()
    }
    return diagram.with_values(given) if given else diagram


def diagram_and_point(
    options: argparse.Namespace, path: str | None, settings: dict[str, str] | None = None
) -> tuple[Checked, OperatingPoint | None]:
    """The checked diagram of `options.file` and an operating point in it, if there is a file.

    Parameters that were found with the point have their values, unless `--set` gives others.
    """
    from ..analysis.checking import check
    from ..operating_points.point_file import read_point_file

    stored = read_point_file(path) if path is not None else None
    found = stored.parameters if stored is not None else None
    diagram = diagram_of(options, options.file, settings, found)
    checked = check(diagram, registry_of(options))
    return checked, stored.of(checked) if stored is not None else None


def with_values(diagram: Diagram, assignments: Sequence[str]) -> Diagram:
    """The diagram with values written as PATH=VALUE."""
    from ..diagram.values import text_node

    values = {}
    for given in assignments:
        name, value = assignment(given, "--set", "PATH=VALUE, as in motor.J=0.02")
        values[name] = text_node(value, Position(f"--set {name}={shortened(value)}"))
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


def refuse_other_yaml(path: str, diagram: Diagram) -> None:
    """A diagram replaces diagrams, but none of the files that it is made of."""
    from ..text.files import file_text
    from ..text.source import read_named

    if not os.path.exists(path):
        return
    if any(os.path.samefile(path, file.path) for file in diagram.files):
        raise DiagramError(
            "is a file that the diagram reads; choose another output", Position(path)
        )
    try:
        read_named(file_text(path), path, ("diagram",), "a diagram")
    except DiagramError as error:
        raise DiagramError(
            f"the file exists and is not a diagram ({error.problems[0].message}); choose another "
            "name, or delete the file",
            Position(path),
        ) from None


def output_path(given: str | None, default: str, ending: str, source: str) -> str:
    """Where to write; refuses the source itself and files that are meant for something else."""
    path = given or default
    if os.path.exists(path) and os.path.exists(source) and os.path.samefile(path, source):
        raise DiagramError("is the file that is read; choose another output", Position(path))
    own = os.path.splitext(path)[1].lower()
    if own not in KINDS[ending] and any(own in endings for endings in KINDS.values()):
        raise DiagramError(
            f"has the ending of another kind of file; expected {ending}", Position(path)
        )
    return path
