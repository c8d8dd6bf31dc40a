"""Damaged measurements, profiles, lines and vehicles, through the commands that read them."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from random import Random

from corpus import ROOT
from mutations import damaged_bytes, damaged_text
from promises import command
from trials import Attack

DIAGRAM = """\
diagram: 1
parameters: {T: 0.5 s}
blocks:
  s: {type: sources.step, time: 0.1 s}
  a: {type: continuous.first_order_lag, T: T}
wires: [s -> a]
solver: {stop: 1 s}
log: {signals: [a.y], every: 0.1 s}
"""
PROFILE = "".join(f"{-0.03 + 0.001 * i} {-2 * (-0.03 + 0.001 * i) ** 2}\n" for i in range(61))
NAMING = {
    "vehicle.yaml": "blocks: {a: {type: rail.vehicle, vehicle: FILE, v_0: 20}}",
    "line.yaml": "blocks: {a: {type: rail.track, track: FILE}}",
    "profile.txt": "blocks: {a: {type: rail.contact_wheel_rail, rail: FILE}}",
    "signal.csv": "blocks: {a: {type: sources.from_file, path: FILE, column: y}}",
}


@cache
def sources() -> dict[str, bytes]:
    """The files as they are before the damage."""
    import numpy as np
    from railblocks.engine import Results

    time = np.linspace(0, 1, 11)
    results = Results.from_arrays(time, {"a.y": 1 - np.exp(-time)}, {"a.y": "1"})
    results.export("measured.csv")
    results.export("measured.mat")
    rail = ROOT / "blocks" / "rail"
    return {
        "measured.csv": Path("measured.csv").read_bytes(),
        "measured.mat": Path("measured.mat").read_bytes(),
        "vehicle.yaml": (rail / "vehicle" / "manchester_wagon.yaml").read_bytes() + TRACK,
        "line.yaml": (rail / "track" / "s_curve.yaml").read_bytes(),
        "profile.txt": PROFILE.encode(),
        "signal.csv": b"t,y\n0,1\n0.5,2\n1,4\n",
    }


TRACK = b"track: {model: moving, rails: {mass: 79 kg, stiffness: [15 MN/m, 40 MN/m]}}\n"
"""What bears the rails, as a vehicle's file may have it beside all that the shipped ones have."""


def prepare() -> None:
    sources()
    Path("run.yaml").write_text(DIAGRAM)
    command(["run", "run.yaml", "--interpret", "--quiet", "-o", "run.h5"])


def attempt(random: Random, folder: str) -> str:
    os.chdir(folder)
    name, content = random.choice(list(sources().items()))
    if name.endswith(".mat"):
        content = damaged_bytes(random, content)
    else:
        content = damaged_text(random, content.decode()).encode("utf-8", "surrogatepass")
        if random.random() < 0.1:
            content = damaged_bytes(random, content or b" ")
    Path(name).write_bytes(content)
    if name in NAMING:
        Path("naming.yaml").write_text("diagram: 1\n" + NAMING[name].replace("FILE", name) + "\n")
        return command(["check", "naming.yaml"])
    if random.random() < 0.8:
        return command(["compare", "run.h5", name, "--signal", "a.y = a.y"])
    fit = ["calibrate", "run.yaml", "--parameter", "T:0.1..2", "--measured", name]
    return command([*fit, "--signal", "a.y = a.y", "--interpret", "--runs", "3", "--quiet"])


ATTACK = Attack(
    "data files",
    "damaged measurements, profiles, lines and vehicles",
    attempt,
    count=2_000,
    few=80,
    seconds=20.0,
    prepare=prepare,
)
