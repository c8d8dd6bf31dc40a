"""Rows "paper / ours" of the S-curve of falomi: time of a step, methods against each other."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from railblocks.blocks.rail.contact.contact_methods import METHODS
from railblocks.diagrams.falomi.runs import CUTOFF_HZ, WagonRun
from railblocks.engine.reproduction.result import Row

TABLE_4 = {"SIMPACK": 14.2, "MATLAB": 6.2}  # ms for a step
GOAL_MS = 0.25
"""What we want of a step, in ms."""
ACCORDANCE = 0.02
"""What counts as the paper's "good accordance"."""
FLANGE = np.radians(70.0)  # of S1002


def rows(runs: Mapping[str, WagonRun]) -> list[Row]:
    """All rows of the runs, by method."""
    diff = runs["diff"]
    others = [*(name for name in METHODS if name != "diff"), "ode45"]
    compared = [row for name in others for row in _against(diff, runs[name], name)]
    return [*_steps(runs), *compared, _safety(diff)]


def _steps(runs: Mapping[str, WagonRun]) -> list[Row]:
    table = []
    for model, paper in TABLE_4.items():
        ours = runs["diff"].step
        note = f"Table 4: {model}, Pentium 4 at 3 GHz; ours: one core of this machine"
        table.append(Row("step of the S-curve, DIFF", paper, ours, "ms", ours < paper, note))
    for method in METHODS:
        name = f"step of the S-curve, {method.upper()}"
        note = "a goal of this project" if method == "diff" else ""
        table.append(Row.goal(name, GOAL_MS, runs[method].step, "ms", note))
    return table


def _against(diff: WagonRun, other: WagonRun, name: str) -> list[Row]:
    """Rows of a method against DIFF: the paper sees two codes agree in Figure 8."""
    s = np.linspace(max(diff.s[0], other.s[0]), min(diff.s[-1], other.s[-1]), 4000)
    y = np.abs(np.interp(s, diff.s, diff.y) - np.interp(s, other.s, other.y)).max()
    part = y / np.abs(diff.y).max()
    title = f"{name} against DIFF: "
    met = part < ACCORDANCE
    body = Row(f"{title}y of the car body", "good accordance", 100.0 * part, "%", met, "Fig. 8")
    table = [body]
    for signal, number in (("Q", 9), ("Y", 10)):
        one, two = (run.mean_in_curve(signal) for run in (diff, other))
        note = f"Fig. {number}: mean in the first curve, first left wheel, "
        note += f"{one / 1e3:.1f} kN by DIFF"
        part = 100.0 * abs(two - one) / abs(one)
        table.append(Row.not_compared(f"{title}{signal}", part, "%", note))
    return table


def _safety(diff: WagonRun) -> Row:
    ratio, tan = float(diff.slow("ratio").max()), np.tan(FLANGE)
    nadal = (tan - diff.mu) / (1.0 + diff.mu * tan)
    note = f"below {CUTOFF_HZ:g} Hz; Nadal's limit for a flange of 70 degrees"
    return Row("largest Y/Q", f"below {nadal:.2f}", ratio, "", ratio < nadal, note)
