"""Damaged diagrams, through the commands that read them without running them."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

from corpus import one_block_diagrams, originals
from mutations import SCALARS, damaged_text
from promises import command
from trials import Attack

COMMANDS = (
    ("check", "FILE"), ("check", "FILE", "--set", "a=VALUE"), ("graph", "FILE", "-o", "a.svg"),
    ("graph", "FILE", "--inside", "plant", "-o", "a.svg"), ("show", "a", "--in", "FILE"),
    ("show", "a", "--in", "FILE", "--plot", "a.png"),
    ("show", "a", "--in", "FILE", "--plot", "a.png", "--range", "VALUE", "VALUE"),
    ("run", "FILE", "--stop", "VALUE", "--set", "solver.step=VALUE", "--set", "no.such=VALUE"),
    ("calibrate", "FILE", "--parameter", "no.such", "--measured", "x.csv", "--signal", "a=b"),
)  # fmt: skip


def attempt(random: Random, folder: str) -> str:
    os.chdir(folder)
    text = damaged_text(random, originals(random).text)
    Path("a.yaml").write_text(text, "utf-8", "surrogatepass")
    words = random.choice(COMMANDS)
    values = [value for value in SCALARS if "\0" not in value and not value.startswith("-")]
    return command(
        "a.yaml" if word == "FILE" else word.replace("VALUE", random.choice(values))
        for word in words
    )


ATTACK = Attack(
    "commands",
    "damaged diagrams, through check, graph, show and others",
    attempt,
    count=2_000,
    few=80,
    seconds=20.0,
    prepare=one_block_diagrams,
)
