"""Start a diagram with a block of its own and a test."""

from __future__ import annotations

import argparse
import contextlib
import os
import re

from ..errors import DiagramError, Position, Problem

NAME = "new"

DIAGRAM = """\
# Level control of a tank, to start from.
# Run it:  railblocks run {name}.yaml --blocks {name}_blocks.py --plot
diagram: 1
title: Level control of a tank
parameters:
  level: 2 m                                # where the level should be
  k: 0.05 m^2/s                             # flow for each metre of error

blocks:
  reference: {{type: sources.step, time: 5 s, after: level}}
  error:     {{type: math.sum, signs: "+-"}}
  gain:      {{type: math.gain, k: k}}
  pump:      {{type: nonlinear.saturation, lower: 0 m^3/s, upper: 0.05 m^3/s}}
  tank:      {{type: {name}_blocks.tank, A: 0.5 m^2, a: 40 cm^2}}
  scope:     {{type: sinks.scope, n: 2}}

wires:
  - reference -> error.u1
  - error -> gain -> pump -> tank
  - tank -> error.u2, scope.u1
  - pump -> scope.u2

solver: {{method: ode45, rtol: 1e-8, stop: 200 s}}
log: {{signals: [reference.y, tank.h, pump.y], every: 100 ms}}
"""

BLOCKS = '''\
"""Blocks for {name}.yaml."""

import math

from railblocks import Block, In, Out, Param, State, der, out


class Tank(Block):
    """Open tank with a hole at its bottom.

    A h' = q - a sqrt(2 g h),  g = 9.81 m/s^2                              (1)
    """

    q = In("m^3/s", "inflow")
    h = Out("m", "level")
    A = Param("m^2", "area of the surface", gt=0)
    a = Param("m^2", "area of the hole", ge=0)
    h_0 = Param("m", "level at the start", default=0.0, ge=0)
    x = State("m", "level", start="h_0")

    @der("x")
    def balance(x, q, A, a):
        head = x if x > 0.0 else 0.0
        return (q - a * math.sqrt(2.0 * 9.81 * head)) / A                  # (1)

    @out("h")
    def level(x):
        return x
'''

TEST = '''\
"""The tank of {name}.yaml against its closed form."""

import math
from pathlib import Path

from railblocks import load, simulate, standard_blocks

HERE = Path(__file__).parent


def test_level_settles_where_pump_and_hole_balance():
    registry = standard_blocks().copy()
    registry.add_path(HERE / "{name}_blocks.py")
    results = simulate(load(HERE / "{name}.yaml"), registry=registry)
    k, level, c = 0.05, 2.0, 0.004 * math.sqrt(2 * 9.81)
    root = (math.sqrt(c * c + 4 * k * k * level) - c) / (2 * k)  # k (level - h) = c sqrt(h)
    assert abs(results["tank.h"][-1] - root**2) < 1e-4
'''


LIMITS = """\
# What the level control must do; `railblocks test {name}.test.yaml --blocks {name}_blocks.py`
test: 1
diagram: {name}.yaml
tests:
  level settles without overshoot:
    limits:
      - overshoot(tank.h, from=5 s) < 1 %
      - settling_time(tank.h, from=5 s) < 150 s
      - max(pump.y) <= 0.05 m^3/s
  a wider hole lowers the level:
    values: {{tank.a: 80 cm^2}}
    limits: [0.5 m < final(tank.h) < 1.5 m]
  a tank without area is refused:
    values: {{tank.A: 0 m^2}}
    fails: tank.A
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="name of the diagram: letters, digits and _")


def main(options: argparse.Namespace) -> int:
    name = options.name
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name) or name.lower().startswith("test"):
        raise DiagramError(
            f"{name!r} cannot be the name of a diagram and a Python module; expected letters, "
            "digits and _, not starting with test"
        )
    files = {
        f"{name}.yaml": DIAGRAM,
        f"{name}_blocks.py": BLOCKS,
        f"{name}.test.yaml": LIMITS,
        f"test_{name}.py": TEST,
    }
    there = [path for path in files if os.path.lexists(path)]
    if there:
        raise DiagramError(
            [Problem(Position(path), "exists already; choose another name") for path in there]
        )
    written: list[str] = []
    try:
        for path, text in files.items():
            with open(path, "x", encoding="utf-8") as file:
                written.append(path)
                file.write(text.format(name=name))
    except OSError as error:
        for path in written:
            with contextlib.suppress(OSError):
                os.unlink(path)
        raise DiagramError(
            f"the file cannot be written: {error.strerror}", Position(path)
        ) from None
    print("\n".join(files))
    print(f"run it: railblocks run {name}.yaml --blocks {name}_blocks.py --plot")
    print(f"test it: railblocks test {name}.test.yaml --blocks {name}_blocks.py")
    print(f"test the block: pytest test_{name}.py")
    return 0
