"""Damaged and made-up results files, through every command that reads them."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from mutations import damaged_bytes
from promises import command
from trials import Attack

DIAGRAM = """\
diagram: 1
title: Two sines
blocks: {a: {type: sources.sine, omega: 9}, b: {type: sources.constant, value: [1, 2]}}
solver: {stop: 1 s}
log: {signals: [a.y, b.y], every: 10 ms}
"""
COMMANDS = (
    ("plot", "bad.h5", "-o", "a.png"), ("plot", "bad.h5", "a.y", "-o", "a.svg"),
    ("export", "bad.h5", "--to", "csv", "-o", "a.csv"),
    ("export", "bad.h5", "--to", "mat", "-o", "a.mat"), ("compare", "bad.h5", "good.h5"),
    ("compare", "good.h5", "bad.h5"), ("run", "bad.h5"), ("check", "bad.h5"),
)  # fmt: skip


@cache
def good() -> bytes:
    Path("good.yaml").write_text(DIAGRAM)
    command(["run", "good.yaml", "--interpret", "--quiet", "-o", "good.h5"])
    return Path("good.h5").read_bytes()


def attempt(random: Random, folder: str) -> str:
    os.chdir(folder)
    write_spoilt(random, good())
    return command(random.choice(COMMANDS))


def write_spoilt(random: Random, content: bytes) -> None:
    """Writes bad.h5: damaged bytes, or another structure."""
    Path("bad.h5").unlink(missing_ok=True)
    if random.random() < 0.6:
        Path("bad.h5").write_bytes(damaged_bytes(random, content))
    else:
        Path("bad.h5").write_bytes(content)
        for _ in range(random.choice((1, 1, 2))):
            _change_structure(random, "bad.h5")


def _change_structure(random: Random, path: str) -> None:
    """A file that HDF5 can read and that is none of ours."""
    import h5py

    with h5py.File(path, "r+") as file:
        names: list[str] = []
        file.visit(names.append)
        name = random.choice(names or ["rows"])
        if random.random() < 0.4:
            owner = file if random.random() < 0.5 or name not in file else file[name]
            if owner.attrs and random.random() < 0.8:
                attribute = random.choice(list(owner.attrs))
                del owner.attrs[attribute]
                if random.random() < 0.7:
                    owner.attrs[attribute] = random.choice(_attribute_values())
            return
        if name in file:
            del file[name]
        match random.randrange(8):
            case 0:
                file.create_dataset(name, (10**12, 4), "f8", chunks=(1024, 4))
            case 1:
                file[name] = h5py.SoftLink("/nowhere")
            case 2:
                file[name] = h5py.ExternalLink("/dev/zero", "/rows")
            case 3:
                file.create_group(name)
            case 4:
                pass
            case _:
                file[name] = random.choice(_data_sets())


@cache
def _attribute_values() -> tuple[Any, ...]:
    import numpy as np

    return (
        0, -1, 2**63 - 1, 1.5, float("nan"), "", "\x1b[31m\x07", "x" * 10_000, b"\xff\xfe", True,
        np.zeros((2, 2)), np.array(["a", "b"], dtype="S1"), "{not json", "[1, 2]", "null",
    )  # fmt: skip


@cache
def _data_sets() -> tuple[Any, ...]:
    import numpy as np

    return (
        np.array([b"a", b"b"]), np.zeros(5), np.zeros((3, 0)), np.zeros((0, 4)), np.zeros((5, 2)),
        np.full((5, 4), np.nan), np.zeros((5, 4), dtype="i8"), np.zeros((5, 4), dtype=complex),
        np.zeros((2, 2, 2)), np.float64(3), "text", 10**9, -5, 1.5,
        np.zeros(3, dtype=[("a", "f8"), ("b", "S4")]),
    )  # fmt: skip


ATTACK = Attack(
    "results files", "damaged and made-up results files", attempt, count=2_000, few=80, prepare=good
)
