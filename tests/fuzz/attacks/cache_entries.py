"""Damaged entries of the cache: the run is as with a sound one, to the last bit."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from random import Random

from mutations import damaged_bytes, flipped_bit
from rows import rows_of
from trials import Attack, Escape

DIAGRAM = """\
diagram: 1
blocks:
  s: {type: sources.square, period: 0.3}
  a: {type: continuous.second_order_lag, omega: 7, zeta: 0.3}
  d: {type: discrete.unit_delay, every: 10 ms}
wires: [s -> a, a -> d]
solver: {stop: 2 s}
log: {signals: all, every: 10 ms}
"""


@cache
def sound() -> tuple[Path, bytes]:
    """A folder with a filled cache, and what the run computes."""
    Path("run.yaml").write_text(DIAGRAM)
    folder = Path("sound").absolute()
    return folder, _rows(folder)


def _rows(cache_folder: Path) -> bytes:
    """The rows of a run with this cache."""
    words = ["run", "run.yaml", "--quiet", "-o", "run.h5"]
    done = subprocess.run(
        [sys.executable, "-m", "railblocks.engine.cli", *words],
        env=os.environ | {"RAILBLOCKS_CACHE": str(cache_folder)},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise Escape(f"the run ended with code {done.returncode}: {done.stderr[-2000:]}")
    return rows_of("run.h5").tobytes()


def attempt(random: Random, folder: str) -> str:
    os.chdir(folder)
    filled, rows = sound()
    damaged = Path(folder) / "damaged"
    shutil.rmtree(damaged, ignore_errors=True)
    shutil.copytree(filled, damaged)
    entries = sorted(path for path in damaged.rglob("*") if path.is_file() and path.suffix)
    programs = [path for path in entries if path.suffix == ".o"]
    chosen = random.choice(programs if programs and random.random() < 0.6 else entries)
    content = chosen.read_bytes()
    match random.randrange(4):
        case 0:
            chosen.write_bytes(damaged_bytes(random, content))
        case 1:
            chosen.write_bytes(random.choice(entries).read_bytes())
        case _:
            chosen.write_bytes(flipped_bit(random, content))
    for time in ("first", "second"):
        if _rows(damaged) != rows:
            raise Escape(f"other rows the {time} time with a damaged {chosen.name}")
    return "equal"


ATTACK = Attack(
    "cache",
    "damaged entries of the cache, two runs each",
    attempt,
    count=60,
    few=2,
    seconds=120.0,
    prepare=sound,
)
