"""Damaged and made-up files of studies, through every command that reads them."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from random import Random

from promises import command
from trials import Attack

from .results_files import write_spoilt

DIAGRAM = """\
diagram: 1
title: A lag
blocks: {u: {type: sources.constant, value: 1}, lag: {type: continuous.first_order_lag, T: 1 s}}
wires: [u -> lag]
solver: {stop: 1 s}
log: {signals: [lag.y], every: 50 ms}
"""
SWEEP = (
    *("sweep", "lag.yaml", "--vary", "lag.T=1,2,3", "--vary", "u.value=1,2", "--summary"),
    *("end=final(lag.y)", "--keep-signals", "lag.y", "--interpret", "--quiet", "-o"),
)
COMMANDS = (
    ("show", "bad.h5"), ("plot", "bad.h5", "-o", "a.png"),
    ("plot", "bad.h5", "--kind", "families", "-o", "a.png"),
    ("plot", "bad.h5", "--kind", "scatter", "-o", "a.svg"),
    ("plot", "bad.h5", "--kind", "tornado", "-o", "a.png"), ("run", "bad.h5"),
    ("export", "bad.h5", "--to", "csv", "-o", "a.csv"), (*SWEEP, "bad.h5"),
)  # fmt: skip


@cache
def good() -> bytes:
    Path("lag.yaml").write_text(DIAGRAM)
    command([*SWEEP, "good.h5"])
    return Path("good.h5").read_bytes()


def attempt(random: Random, folder: str) -> str:
    os.chdir(folder)
    write_spoilt(random, good())
    return command(random.choice(COMMANDS))


ATTACK = Attack(
    "study files", "damaged and made-up files of studies", attempt, count=1_000, few=40,
    prepare=good,
)  # fmt: skip
