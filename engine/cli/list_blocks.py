"""List the blocks that diagrams can use."""

from __future__ import annotations

import argparse

from ..errors import DiagramError, suggestion
from .inputs import blocks_argument, registry_of
from .tables import print_json, print_table

NAME = "list"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("family", metavar="FAMILY", nargs="?", help="only this family: math, ...")
    blocks_argument(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON array")


def main(options: argparse.Namespace) -> int:
    registry = registry_of(options)
    families: dict[str, list] = {}
    for block in registry:
        families.setdefault(block.declaration.id.partition(".")[0], []).append(block)
    if options.family is not None:
        if options.family not in families:
            known = ", ".join(families)
            near = suggestion(options.family, families)
            raise DiagramError(
                f"'{options.family}' is not a family of blocks{near}; known are {known}"
            )
        families = {options.family: families[options.family]}
    declarations = [block.declaration for blocks in families.values() for block in blocks]
    if options.json:
        print_json(
            [
                {
                    "id": d.id,
                    "summary": d.summary,
                    "inputs": list(d.inputs),
                    "outputs": list(d.outputs),
                    "parameters": list(d.params),
                    "sampled": d.sampled is not None,
                }
                for d in declarations
            ]
        )
        return 0
    print_table(("block", "what it does"), [(d.id, d.summary) for d in declarations])
    return 0
