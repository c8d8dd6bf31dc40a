"""Print the JSON Schema of diagram files, for completion in text editors."""

from __future__ import annotations

import argparse

from .inputs import blocks_argument, registry_of
from .tables import print_json

NAME = "schema"


def arguments(parser: argparse.ArgumentParser) -> None:
    blocks_argument(parser)
    parser.add_argument("--study", action="store_true", help="that of study files instead")


def main(options: argparse.Namespace) -> int:
    from ..analysis.schema import schema
    from ..studies.recipe import schema as study_schema

    if options.study:
        print_json(study_schema())
        return 0
    print_json(schema(registry_of(options)))
    return 0
