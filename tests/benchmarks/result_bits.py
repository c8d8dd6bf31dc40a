"""Digests of all results: what must stay the same to the last bit while code is moved.

`make bits` writes them to `build/bits.json`; `make bits AGAINST=FILE` says what differs from an
earlier file of the same machine. Digests of other machines differ: libraries of mathematics do.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS / "engine"), str(TESTS / "blocks")]

from railblocks.engine import (
    DiagramBuilder,
    DiagramError,
    Simulation,
    SimulationError,
    check,
    load,
    loads,
    standard_blocks,
)
from railblocks.engine.shipping.driven import add_driven, write_example_files
from random_diagrams import flat_text, random_plan

DIAGRAMS = TESTS.parent / "diagrams"
SEEDS = range(120)
STEP = {"method": "rk4", "step": 0.01, "stop": 0.25}
FAST_STEP = {"method": "rk4", "step": 2e-5, "stop": 0.002}
FAST = {"rail.vehicle", "rail.denoc_wheelset", "rail.free_wheelset", "rail.mdm_rig"}


def digest(diagram: Any, compiled: bool = True) -> str:
    """A hash of all rows of a run, and of the message that ended it, if any."""
    hashed = hashlib.sha256()
    try:
        simulation = Simulation(check(diagram), compiled)
        for rows in simulation.chunks():
            hashed.update(np.ascontiguousarray(rows).tobytes())
    except (DiagramError, SimulationError) as error:
        hashed.update(str(error).encode())
    return hashed.hexdigest()[:24]


def shipped() -> dict[str, str]:
    """Every diagram that runs by itself, to its end."""
    digests = {}
    for path in sorted(DIAGRAMS.rglob("*.yaml")):
        if "\nsolver:" in path.read_text():
            name = path.relative_to(DIAGRAMS).as_posix()
            print(f"... {name}", file=sys.stderr, flush=True)
            digests[name] = digest(load(path))
    return digests


def random_diagrams() -> dict[str, str]:
    """Random diagrams of fixed seeds, compiled and interpreted."""
    digests = {}
    for seed in SEEDS:
        diagram = loads(flat_text(random_plan(Random(seed))))
        for how in ("compiled", "interpreted"):
            digests[f"seed {seed}, {how}"] = digest(diagram, how == "compiled")
    return digests


def examples() -> dict[str, str]:
    """Every block with its example values, its inputs driven, compiled."""
    digests = {}
    with TemporaryDirectory() as folder:
        write_example_files(Path(folder))
        for kind in standard_blocks():
            block = kind.declaration.id
            builder = DiagramBuilder(block)
            add_driven(builder, "block", block, Path(folder))
            builder.solver(**(FAST_STEP if block in FAST else STEP))
            builder.log("all")
            digests[block] = digest(builder.build())
    return digests


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--write", default="build/bits.json", metavar="FILE")
    options.add_argument("--against", metavar="FILE")
    given = options.parse_args()
    digests = shipped() | random_diagrams() | examples()
    Path(given.write).parent.mkdir(exist_ok=True)
    Path(given.write).write_text(json.dumps(digests, indent=1))
    if not given.against:
        print(f"{len(digests)} digests: {given.write}")
        return 0
    before = json.loads(Path(given.against).read_text())
    different = [n for n in before.keys() | digests.keys() if before.get(n) != digests.get(n)]
    for name in sorted(different):
        print(f"differs: {name}")
    print(f"{len(digests) - len(different)} of {len(digests)} are the same to the last bit")
    return 1 if different else 0


if __name__ == "__main__":
    raise SystemExit(main())
