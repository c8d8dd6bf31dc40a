"""Rows "paper / ours" of the S-curve of falomi: time of a step, methods against each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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
FIGURES = {"Q": "Figure 9", "Y": "Figure 10"}
"""Where the paper draws a force, without numbers."""
OPEN = "band over what bears the rails, also if they do not give, and damping of contacts"


def rows(runs: Mapping[str, WagonRun], variants: Mapping[str, WagonRun]) -> list[Row]:
    """All rows of the runs by method, and by other readings of what the paper leaves open."""
    diff = runs["diff"]
    others = [*(name for name in METHODS if name != "diff"), "ode45"]
    compared = [row for name in others for row in _against(diff, runs[name], name)]
    read = [diff, *variants.values()]
    return [*_steps(runs), *compared, *_forces(read), _safety(read)]


def _steps(runs: Mapping[str, WagonRun]) -> list[Row]:
    table = []
    for model, paper in TABLE_4.items():
        ours = runs["diff"].step
        note = f"{model}, Pentium 4 at 3 GHz; ours: one core of this machine, on rails that give"
        table.append(
            Row(
                "step of the S-curve, DIFF", paper, ours, "ms", ours < paper, note, source="Table 4"
            )
        )
    for method in METHODS:
        name = f"step of the S-curve, {method.upper()}"
        table.append(Row.goal(name, GOAL_MS, runs[method].step, "ms", ""))
    return table


def _against(diff: WagonRun, other: WagonRun, name: str) -> list[Row]:
    """Rows of a method against DIFF: the paper sees two codes agree in Figure 8."""
    s = np.linspace(max(diff.s[0], other.s[0]), min(diff.s[-1], other.s[-1]), 4000)
    y = np.abs(np.interp(s, diff.s, diff.y) - np.interp(s, other.s, other.y)).max()
    part = y / np.abs(diff.y).max()
    title = f"{name} against DIFF: "
    met = part < ACCORDANCE
    name = f"{title}y of the car body"
    table = [Row(name, "good accordance", 100.0 * part, "%", met, source="section 5, Figure 8")]
    for signal, figure in FIGURES.items():
        one, two = (run.mean_in_curve(signal) for run in (diff, other))
        part = 100.0 * abs(two - one) / abs(one)
        note = "mean in the first curve, first left wheel"
        table.append(Row.not_compared(f"{title}{signal}", part, "%", note, source=figure))
    return table


def _forces(read: Sequence[WagonRun]) -> list[Row]:
    """Rows of forces with their bands over all readings, the shipped one first."""
    table = []
    for signal, figure in FIGURES.items():
        mean = [run.mean_in_curve(signal) / 1e3 for run in read]
        table.append(_banded(f"{signal}, mean", mean, "first left wheel, first curve", figure))
        peak = [run.peak(signal) / 1e3 for run in read]
        note = f"first left wheel, below {CUTOFF_HZ:g} Hz"
        table.append(_banded(f"{signal}, largest", peak, note, figure))
    note = "first left wheel, as computed, 7 to 18 m into the first curve"
    restless = [run.restlessness / 1e3 for run in read]
    return [*table, _banded("Q, standard deviation", restless, note, "Figure 9")]


def _banded(name: str, values: Sequence[float], note: str, figure: str) -> Row:
    """A force in kN for which the paper has no number, and its band."""
    band, note = (min(values), max(values)), f"{note}; {OPEN}"
    return Row.not_compared(name, values[0], "kN", note, band=band, source=figure)


def _safety(read: Sequence[WagonRun]) -> Row:
    ratios, tan, mu = [run.largest("ratio") for run in read], np.tan(FLANGE), read[0].mu
    nadal = (tan - mu) / (1.0 + mu * tan)
    note = f"all wheels, below {CUTOFF_HZ:g} Hz; {OPEN}"
    return Row(
        "largest Y/Q", None, ratios[0], "", ratios[0] < nadal, note,
        reference=f"below {nadal:.2f}", band=(min(ratios), max(ratios)),
        source="closed form: Nadal's limit for a flange of 70 degrees",
    )  # fmt: skip
