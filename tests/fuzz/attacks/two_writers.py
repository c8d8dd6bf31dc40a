"""Runs at the same time with the same output: one file, exact, and every other run refused."""

from __future__ import annotations

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
parameters: {k: 1}
blocks: {s: {type: sources.sine, omega: 9, amplitude: k}}
solver: {method: rk4, step: 0.02 ms, stop: 200 s}
log: {signals: all, every: 1 ms}
"""


@cache
def references() -> tuple[bytes, ...]:
    """The rows of each run alone."""
    Path("run.yaml").write_text(DIAGRAM)
    alone = []
    for k in (1, 2, 3):
        _run(k, f"alone_{k}.h5").wait()
        alone.append(rows_of(f"alone_{k}.h5").tobytes())
    return tuple(alone)


def _run(k: int, output: str) -> subprocess.Popen:
    words = ["run", "run.yaml", "--set", f"k={k}", "--quiet", "-o", output]
    return subprocess.Popen(
        [sys.executable, "-m", "railblocks.engine.cli", *words], stderr=subprocess.PIPE, text=True
    )


def attempt(random: Random, folder: str) -> str:
    os.chdir(folder)
    alone = references()
    processes = []
    for k in (1, 2, 3):
        processes.append(_run(k, "same.h5"))
        time.sleep(random.choice((0.0, 0.01, 0.3)) * random.random())
    codes = []
    for process in processes:
        _, errors = process.communicate()
        codes.append(process.returncode)
        if process.returncode == 2 and "same.h5" not in errors:
            raise Escape(f"the refusal does not name the file: {errors}")
    if 0 not in codes or set(codes) - {0, 2}:
        raise Escape(f"exit codes {codes}")
    winners = [rows for rows, code in zip(alone, codes, strict=True) if code == 0]
    if rows_of("same.h5").tobytes() not in winners:
        raise Escape(f"the rows are of none of the runs that ended well; exit codes {codes}")
    return "one refused" if 2 in codes else "one after the other"


ATTACK = Attack(
    "two writers",
    "three runs with one output file",
    attempt,
    count=20,
    few=1,
    seconds=120.0,
    prepare=references,
)
