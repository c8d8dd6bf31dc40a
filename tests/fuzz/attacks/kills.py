"""Killed processes: results are readable and exact, saved diagrams the old or the new one."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from random import Random

from rows import rows_of
from trials import Attack, Escape

DIAGRAM = """\
diagram: 1
blocks:
  s: {type: sources.sine, omega: 9}
  a: {type: continuous.second_order_lag, omega: 7, zeta: 0.3}
wires: [s -> a]
solver: {method: rk4, step: 0.1 ms, stop: STOP}
log: {signals: all, every: 1 ms}
"""
LONG, ROWS = "4000 s", 20_000
SAVING = """\
import sys
from railblocks.engine.diagram.saving import write_text
print("ready", flush=True)
while True:
    for text in ("old\\n" * 5000, "new\\n" * 5000):
        write_text("saved.yaml", text)
"""


@cache
def reference() -> object:
    """The rows of a run that nobody killed, as far as they are compared."""
    stop = f"{ROWS / 1000} s"
    Path("whole.yaml").write_text(DIAGRAM.replace("STOP", stop))
    Path("long.yaml").write_text(DIAGRAM.replace("STOP", LONG))
    _process("run", "whole.yaml", "--quiet", "-o", "whole.h5").wait()
    return rows_of("whole.h5")


def _process(*words: str) -> subprocess.Popen:
    return subprocess.Popen([sys.executable, "-m", "railblocks.engine.cli", *words])


def attempt(random: Random, folder: str) -> str:
    os.chdir(folder)
    return _killed_run(random) if random.random() < 0.7 else _killed_save(random)


def _killed_run(random: Random) -> str:
    import numpy as np

    rows = reference()
    with contextlib.suppress(FileNotFoundError):
        os.unlink("long.h5")
    process = _process("run", "long.yaml", "--quiet", "-o", "long.h5")
    while not os.path.exists("long.h5") and process.poll() is None:
        time.sleep(0.001)
    time.sleep(random.choice((0.0, 0.002, 0.02, 0.2)) * random.random())
    process.kill()
    process.wait()
    read = rows_of("long.h5", len(rows))
    if not np.array_equal(read, rows[: len(read)]):
        raise Escape(f"the {len(read)} rows of a killed run are not those of a whole run")
    return "exact"


def _killed_save(random: Random) -> str:
    process = subprocess.Popen([sys.executable, "-c", SAVING], stdout=subprocess.PIPE)
    process.stdout.readline()
    time.sleep(random.random() * 0.05)
    process.kill()
    process.wait()
    process.stdout.close()
    if os.path.exists("saved.yaml"):
        text = Path("saved.yaml").read_text()
        if text not in ("old\n" * 5000, "new\n" * 5000):
            raise Escape(f"a killed save left {len(text)} characters")
    return "exact"


ATTACK = Attack(
    "kills",
    "runs and saves ended by SIGKILL",
    attempt,
    count=80,
    few=3,
    seconds=60.0,
    prepare=reference,
)
