"""Diagrams to start from: one for each block, and those that are shipped."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

ROOT = Path(__file__).parents[2]

RICH = """\
diagram: 1
title: A little of everything
parameters: {k: 2, n: 3, T: 0.5 s, limits: [-1, 1], m: 2 kg, speed: 3 m/s}
blocks:
  sine:   {type: sources.sine, amplitude: 2, omega: 2*pi}
  wide:   {type: sources.constant, value: [1, 2, 3]}
  noise:  {type: sources.gaussian_noise, every: 10 ms, std: 0.1}
  loop:   {type: math.sum, signs: +-}
  half:   {type: math.gain, k: 0.5}
  both:   {type: math.expression, expression: u1 * sin(u2) + exp(-u1^2)}
  mode:
    type: logic.state_machine
    every: 10 ms
    inputs: {T: float}
    states: {idle: {heat: 0}, heating: {heat: 1.5}}
    transitions: [{from: idle, to: heating, when: T < 0.3}, {from: heating, to: idle, when: T > 1}]
  plant:
    gain: k
    T: T
    subsystem:
      inputs: {u: lag.u}
      outputs: {y: lag.y}
      parameters: {gain: 1, T: 1 s}
      blocks:
        lag: {type: continuous.first_order_lag, k: gain, T: T, x_0: 0.5}
  car:    {type: mechanics.mass, m: m, v_0: k^2*speed}
  hold:   {type: discrete.zero_order_hold, every: 10 ms, offset: 1 ms}
  table:  {type: nonlinear.lookup_1d, points: [0, 1, 2], values: [0, 1, 4]}
  push:   {type: sources.constant, value: 1 N}
wires:
  - sine -> loop.u1, hold, table
  - loop -> half -> loop.u2
  - half -> plant.u
  - plant.y -> both.u1, mode.T
  - noise -> both.u2
  - push -> car
solver: {method: ode45, rtol: 1e-6, atol: 1e-9, start: 0 s, stop: 1 s, seed: 7, zeno: hold, dwell: 1 ms}
log: {signals: [sine.y, both.y, "wide.y[1]", plant.y, car.x, mode.heat], every: 10 ms}
layout: {sine: [0, 0], car: [100, 40]}
"""  # noqa: E501


class Original(NamedTuple):
    """A diagram before it is damaged; paths in it start at the folder."""

    text: str
    folder: str


def originals(random: Random) -> Original:
    """Mostly small ones; checking a roller rig takes half a second."""
    chance = random.random()
    if chance < 0.25:
        return Original(RICH, ".")
    if chance < 0.9:
        return random.choice(one_block_diagrams())
    small, large = shipped_diagrams()
    return random.choice(large if chance > 0.998 else small)


@cache
def one_block_diagrams() -> tuple[Original, ...]:
    return tuple(_one_block_diagrams())


def _one_block_diagrams() -> Iterator[Original]:
    """Each block with its example values, its inputs driven; written and read by other names."""
    from railblocks.engine import DiagramBuilder, standard_blocks
    from railblocks.engine.diagram.saving import text_of
    from railblocks.engine.shipping.driven import add_driven, write_example_files

    folder = Path.cwd()
    write_example_files(folder)
    for block in standard_blocks().ids():
        builder = DiagramBuilder("one block")
        add_driven(builder, "a", block, folder)
        builder.solver(stop=0.01)
        builder.log("all")
        yield Original(text_of(builder.build()), str(folder))


@cache
def shipped_diagrams() -> tuple[list[Original], list[Original]]:
    """The small and the large ones."""
    small, large = [], []
    for path in sorted((ROOT / "diagrams").rglob("*.yaml")):
        if path.match("*.test.yaml"):
            continue
        rig = "conti2012" in path.parts or "wheel_on_rail" in path.name
        parts = ("control", "train", "traction")
        group = large if rig and not path.stem.startswith(parts) else small
        group.append(Original(path.read_text("utf-8"), os.path.dirname(path)))
    return small, large
