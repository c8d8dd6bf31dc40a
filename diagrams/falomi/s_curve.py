"""The S-curve of falomi, section 5: the Manchester wagon by all methods of contact detection.

The paper shows curves without numbers (Figures 8 to 10) and the time of a step (Table 4). Forces
are shown as they are, and below 20 Hz (a Butterworth filter of order 4, forth and back), as the
forces of vehicles on track are judged.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from railblocks.blocks.rail.contact.contact_methods import METHODS
from railblocks.diagrams.runs import Tell, run_checked, shipped
from railblocks.engine.reproduction.result import Figure, Row
from railblocks.engine.runs.results import Results

MILLISECONDS = {"SIMPACK": 14.2, "MATLAB": 6.2}  # Table 4
GOAL = 0.25
"""What we want of a step, in ms."""
CUTOFF = 20.0
CURVE = (72.0, 80.0)
"""Places of the first axle while the whole wagon is in the first curve, in m."""
FLANGE = np.radians(70.0)  # of S1002
COLOURS = {"table": "#cc79a7", "network": "#009e73", "dist": "#d55e00", "diff": "#0072b2"}


@dataclass(frozen=True)
class Run:
    """Signals of a run over the S-curve."""

    results: Results
    v: float
    mu: float

    @cached_property
    def t(self) -> np.ndarray:
        return self.results.time

    @cached_property
    def s(self) -> np.ndarray:
        """Place of the first axle."""
        return self.results["wagon.s"][:, 0]

    @cached_property
    def y(self) -> np.ndarray:
        """Lateral displacement of the car body."""
        return self.results["wagon.body_y"]

    def slow(self, signal: str) -> np.ndarray:
        """A signal of all wheels below the cut-off."""
        from scipy.signal import butter, sosfiltfilt

        rate = 1.0 / (self.t[1] - self.t[0])
        filtering = butter(4, CUTOFF, fs=rate, output="sos")
        return sosfiltfilt(filtering, self.results[f"wagon.{signal}"], axis=0)

    @property
    def in_curve(self) -> np.ndarray:
        return (self.s >= CURVE[0]) & (self.s <= CURVE[1])

    @property
    def step(self) -> float:
        """Time of a step on the clock, in ms."""
        statistics = self.results.statistics
        return 1e3 * statistics.wall / statistics.steps


def runs(tell: Tell) -> dict[str, Run]:
    """By each method with fixed steps, and by DIFF with steps of ode45."""
    found = {method: _run(method, {"wagon.method": method}, tell) for method in METHODS}
    return found | {"ode45": _run("ode45", {}, tell, "s_curve_ode45")}


def _run(name: str, values: Mapping[str, Any], tell: Tell, diagram: str = "s_curve") -> Run:
    tell(f"S-curve, {name}: compiling")
    checked = shipped("falomi", diagram, values)
    wagon = checked.model.blocks["wagon"].values
    results = run_checked(checked, f"S-curve, {name}", tell)
    return Run(results, float(wagon["v_0"]), float(wagon["mu"]))


def rows(found: Mapping[str, Run]) -> list[Row]:
    diff = found["diff"]
    kept = []
    for model, paper in MILLISECONDS.items():
        note = f"Table 4: {model}, Pentium 4 at 3 GHz; ours: one core of this machine"
        kept.append(
            Row("step of the S-curve, DIFF", paper, diff.step, "ms", diff.step < paper, note)
        )
    for method in METHODS:
        step = found[method].step
        note = "a goal of this project" if method == "diff" else ""
        name = f"step of the S-curve, {method.upper()}"
        kept.append(Row(name, f"goal {GOAL:g}", step, "ms", step <= GOAL, note))
    for method in (*[name for name in METHODS if name != "diff"], "ode45"):
        kept += _against(diff, found[method], method)
    ratio = float(diff.slow("ratio").max())
    tan = np.tan(FLANGE)
    nadal = (tan - diff.mu) / (1.0 + diff.mu * tan)
    note = f"below {CUTOFF:g} Hz; Nadal's limit for a flange of 70 degrees"
    kept.append(Row("largest Y/Q", f"below {nadal:.2f}", ratio, "", ratio < nadal, note))
    return kept


def _against(diff: Run, other: Run, name: str) -> list[Row]:
    """How far a method is from DIFF: the paper sees two codes agree in Figure 8."""
    s = np.linspace(max(diff.s[0], other.s[0]), min(diff.s[-1], other.s[-1]), 4000)
    y = np.abs(np.interp(s, diff.s, diff.y) - np.interp(s, other.s, other.y)).max()
    part = y / np.abs(diff.y).max()
    title = f"{name} against DIFF: "
    kept = [
        Row(
            title + "y of the car body", "good accordance", 100.0 * part, "%", part < 0.02, "Fig. 8"
        )
    ]
    for signal, number in (("Q", 9), ("Y", 10)):
        one, two = (run.slow(signal)[run.in_curve, 0].mean() for run in (diff, other))
        note = (
            f"Fig. {number}: mean in the first curve, first left wheel, {one / 1e3:.1f} kN by DIFF"
        )
        part = 100.0 * abs(two - one) / abs(one)
        kept.append(Row(f"{title}{signal}", None, part, "%", None, note))
    return kept


def figures(found: Mapping[str, Run]) -> tuple[Figure, ...]:
    fields = (
        ("figure_8", "Figure 8: lateral displacement of the car body's centre of mass", draw_y),
        ("figure_9", "Figure 9: vertical force Q, first wheelset, left wheel", _force("Q")),
        ("figure_10", "Figure 10: lateral force Y, first wheelset, left wheel", _force("Y")),
    )
    lines = f"; lines: below {CUTOFF:g} Hz, grey: as computed by DIFF."
    return tuple(
        Figure(name, text + ("." if name == "figure_8" else lines), _drawn(draw, found), (8.4, 4.0))
        for name, text, draw in fields
    )


def _drawn(draw: Any, found: Mapping[str, Run]) -> Any:
    return lambda figure: draw(figure, found)


def draw_y(figure: Any, found: Mapping[str, Run]) -> None:
    axes = figure.subplots()
    for method, colour in COLOURS.items():
        axes.plot(
            found[method].s, 1e3 * found[method].y, color=colour, lw=1.2, label=method.upper()
        )
    _finish(axes, "y (mm)")


def _force(signal: str) -> Any:
    def draw(figure: Any, found: Mapping[str, Run]) -> None:
        axes = figure.subplots()
        raw = found["diff"].results[f"wagon.{signal}"][:, 0] / 1e3
        axes.plot(found["diff"].s, raw, color="#bbbbbb", lw=0.5)
        for method, colour in COLOURS.items():
            run = found[method]
            slow = run.slow(signal)[:, 0] / 1e3
            axes.plot(run.s, slow, color=colour, lw=1.2, label=method.upper())
        _finish(axes, f"{signal} (kN)")

    return draw


def _finish(axes: Any, label: str) -> None:
    axes.set_xlabel("place of the first axle (m)")
    axes.set_ylabel(label)
    axes.grid(True, alpha=0.3)
    axes.margins(x=0.0)
    axes.legend()
