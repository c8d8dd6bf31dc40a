"""`make bench`: measures everything, prints ratios and writes build/bench.json."""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import chain_speed
import contact_speed
import engine_speed
import linear_speed
import peers
import rig_speed
import start_up
import study_speed
import trainset_speed
import vehicle_speed
from rich.console import Console
from rich.table import Table


def main() -> int:
    wanted = sys.argv[1:]
    rows = []
    for benchmark in (
        *engine_speed.ALL,
        *start_up.ALL,
        *contact_speed.ALL,
        *rig_speed.ALL,
        *trainset_speed.ALL,
        *vehicle_speed.ALL,
        *chain_speed.ALL,
        *study_speed.ALL,
        *linear_speed.ALL,
        *peers.ALL,
    ):
        if not wanted or benchmark.__name__ in wanted:
            print(f"... {benchmark.__name__}", file=sys.stderr, flush=True)
            rows += benchmark()
    table = Table("what", "value", "against", "ratio", "goal", "met")
    for row in rows:
        ratio = f"{row.ratio:.3g}x" if row.ratio is not None else ""
        met = {True: "yes", False: "NO", None: ""}[row.met]
        table.add_row(row.name, f"{row.value:.4g} {row.unit}", row.reference, ratio, row.goal, met)
    Console(width=130).print(table)
    folder = Path("build")
    folder.mkdir(exist_ok=True)
    (folder / "bench.json").write_text(json.dumps([row.as_dict() for row in rows], indent=1))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
