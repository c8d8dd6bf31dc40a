"""Pipes, devices, folders and other special files wherever a diagram or a command names a file."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from random import Random

from promises import command
from trials import Attack

HEAD = "diagram: 1\nsolver: {stop: 0.1}\n"
IN_DIAGRAMS = {
    "sources.from_file": "blocks: {a: {type: sources.from_file, path: FILE, column: u}}",
    "rail.initial_adhesion": (
        "blocks: {s: {type: sources.constant, value: 1 m}, "
        "a: {type: rail.initial_adhesion, path: FILE}}\nwires: [s -> a.s]"
    ),
    "wheel": "blocks: {a: {type: rail.contact_wheel_rail, wheel: FILE}}",
    "rail": "blocks: {a: {type: rail.contact_wheel_rail, rail: FILE}}",
    "networks": "blocks: {a: {type: rail.contact_wheel_rail, networks: FILE, detector: network}}",
    "roller": "blocks: {a: {type: rail.mdm_rig, roller: FILE}}",
    "vehicle": "blocks: {a: {type: rail.vehicle, vehicle: FILE, v_0: 20}}",
    "track": "blocks: {a: {type: rail.track, track: FILE}}",
    "subsystem": "blocks: {a: {subsystem: FILE}}",
    "include": "include: FILE\nblocks: {a: {type: sources.constant, value: 1}}",
    "block include": "blocks: {a: {type: sources.constant, include: FILE}}",
}
ENDINGS = ("", ".yaml", ".csv", ".mat", ".h5", ".npz", ".txt")
COMMANDS = (
    ("check", "FILE"), ("run", "FILE"), ("graph", "FILE"), ("plot", "FILE", "-o", "a.png"),
    ("export", "FILE", "--to", "csv"), ("compare", "FILE", "FILE"),
    ("run", "good.yaml", "-o", "FILE"), ("plot", "good.h5", "-o", "FILE"),
    ("export", "good.h5", "--to", "csv", "-o", "FILE"), ("graph", "good.yaml", "-o", "FILE"),
    ("check", "good.yaml", "--blocks", "FILE"), ("compare", "good.h5", "FILE"),
)  # fmt: skip
GOOD = HEAD + "blocks: {a: {type: sources.sine, omega: 9}}\nlog: {signals: all, every: 10 ms}\n"
KINDS = (
    "pipe", "zero", "random", "null", "folder", "missing", "loop", "unreadable", "sparse",
    "binary", "empty", "socket", "secret",
)  # fmt: skip
SECRET = "root:x:0:0:secret-of-another-file"


def attempt(random: Random, folder: str) -> str:
    place = Path(folder) / f"{random.randrange(10**9)}"
    place.mkdir()
    os.chdir(place)
    Path("good.yaml").write_text(GOOD)
    kind, ending = random.choice(KINDS), random.choice(ENDINGS)
    name = make_special(kind, f"special{ending}")
    if random.random() < 0.5:
        body = random.choice(list(IN_DIAGRAMS.values())).replace("FILE", name)
        Path("names.yaml").write_text(HEAD + body + "\n")
        return command(["check", "names.yaml"])
    arguments = [name if word == "FILE" else word for word in random.choice(COMMANDS)]
    if "good.h5" in arguments:
        command(["run", "good.yaml", "--interpret", "--quiet"])
    if arguments[0] == "run":
        arguments += ["--interpret", "--quiet"]
    return command(arguments)


def make_special(kind: str, name: str) -> str:
    """Makes a file of a kind in the current folder; the name by which it is called."""
    match kind:
        case "pipe":
            os.mkfifo(name)
        case "zero" | "random" | "null":
            os.symlink({"random": "/dev/urandom"}.get(kind, f"/dev/{kind}"), name)
        case "folder":
            os.mkdir(name)
        case "loop":
            os.symlink(name, name)
        case "unreadable":
            Path(name).write_text(GOOD)
            os.chmod(name, 0)
        case "sparse":
            with open(name, "wb") as file:
                file.truncate(2**40)
        case "binary":
            Path(name).write_bytes(bytes(range(256)) * 64)
        case "empty":
            Path(name).touch()
        case "socket":
            import socket

            with contextlib.closing(socket.socket(socket.AF_UNIX)) as made:
                made.bind(name)
        case "secret":
            Path(name).write_text(f"{SECRET}\n" * 3)
    return name


ATTACK = Attack(
    "special files", "pipes, devices, folders and others as files", attempt, count=800, few=60
)
