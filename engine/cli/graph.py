"""Draw a diagram as SVG."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from ..errors import DiagramError, Position, suggestion
from .inputs import diagram_arguments, diagram_of, output_path, registry_of, stem
from .tables import print_line

if TYPE_CHECKING:
    from ..diagram.diagram import Diagram

NAME = "graph"


def arguments(parser: argparse.ArgumentParser) -> None:
    diagram_arguments(parser)
    parser.add_argument("--inside", metavar="NAME", help="draw a subsystem, as in ctl or ctl.inner")
    parser.add_argument("-o", "--output", metavar="OUT.svg", help="default: NAME.svg; - is stdout")


def main(options: argparse.Namespace) -> int:
    from ..drawing import svg
    from ..files.output_files import output_text

    diagram = diagram_of(options, options.file)
    name = stem(options.file)
    if options.inside:
        diagram = _inner(diagram, options.inside, options.file)
        name += f".{options.inside}"
    drawing = svg(diagram, registry_of(options))
    if options.output == "-":
        sys.stdout.write(drawing)
        return 0
    path = output_path(options.output, f"{name}.svg", ".svg", options.file)
    output_text(path, drawing, "the drawing", (".svg",))
    print_line(path)
    return 0


def _inner(diagram: Diagram, path: str, file: str) -> Diagram:
    """The diagram inside a subsystem, or inside a variant (`plant.full`)."""
    blocks = diagram.blocks
    for name in path.split("."):
        entry = blocks.get(name)
        if entry is not None and entry.variants:
            blocks = entry.variants
            continue
        inner = entry.subsystem.diagram if entry and entry.subsystem else None
        if inner is None:
            known = [n for n, block in blocks.items() if block.diagrams]
            listed = f"; subsystems are {', '.join(known)}" if known else "; there are none here"
            raise DiagramError(
                f"'{name}' is not a subsystem{suggestion(name, known)}{listed}", Position(file)
            )
        diagram, blocks = inner, inner.blocks
    if blocks is not diagram.blocks:
        raise DiagramError(f"'{path}' has variants; name one: {', '.join(blocks)}", Position(file))
    return diagram
