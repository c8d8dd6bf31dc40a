"""The multistate filter of Conti et al. (2012) beside a bank of bands and an observer of unbalance.

Filter and observer run scenario 2, with the low-pass that each has and with those of each other:
a faster low-pass is part of what the observer gains. Both run through the range of speeds. The
bank, which is the filter as the paper draws it, and the filter run on a slow ramp of speed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from railblocks.blocks.rail.control.elliptic_bank import band_response, low_pass_response
from railblocks.blocks.rail.control.unbalance_line import notch_response
from railblocks.diagrams.conti2012.runs import (
    FAST,
    FILTERED,
    OBSERVED,
    STEADY_FROM_S,
    ObserverRun,
    RigRun,
    run,
)
from railblocks.diagrams.conti2012.speed_range import HALF, SpeedRange, through_speeds
from railblocks.diagrams.figures import BLUE, GREY, RED, label_axes, legend_above
from railblocks.diagrams.runs import Run, Tell, shipped
from railblocks.engine.plots.plotting import reduced
from railblocks.engine.reproduction.result import Figure, Row

BANK = "filter_bank"
FILTER, OBSERVER = "simulator.estimation.filter_1", "simulator.estimation.observer"
THIS_RUN = "this run"
SETTLED_FROM_S = 1.0
"""When bands have settled on the ramp of speed, in s."""
BALANCED = {"me_w": "0 kg*m", "me_r": "0 kg*m"}
LINES_OFF = {f"{OBSERVER}.f_low": "300 Hz", f"{OBSERVER}.f_off": "200 Hz"}
"""The observer begins where no wheel comes, so that its low-pass is all that is left of it."""
AXLES = ("front", "rear")
NOTHING = 0.05
"""Amplitude below which no delay is drawn."""
TURN = 2.0 * np.pi


@dataclass(frozen=True)
class Comparison:
    """Runs of both filters, and largest torque errors of both over the speed at the start."""

    filtered: RigRun
    observed: RigRun
    observed_late: RigRun  # with the low-pass of the paper
    filtered_early: RigRun  # with the low-pass of the observer
    low_pass: RigRun  # that of the paper alone, and nothing unbalanced
    speeds: SpeedRange
    banked: Run  # bank and filter on a ramp of speed

    @cached_property
    def rows(self) -> list[Row]:
        table = [row for axle in range(2) for row in self._errors(axle)]
        table += [*self.speeds.rows, *noise_rows(self.filtered, self.observed)]
        return [*table, *bank_rows(self.banked)]

    def _errors(self, axle: int) -> list[Row]:
        """Rows of the errors of scenario 2 with the observer."""
        name = f"{self.observed.title}, {AXLES[axle]}"
        pairs = ((self.observed_late, self.filtered), (self.observed, self.filtered_early))
        ours, theirs = (_largest(one, axle) for one in (self.observed, self.filtered))
        early, late = corner(self.observed), corner(self.filtered)
        note = f"largest from {STEADY_FROM_S:g} s on; goal: half of {theirs:.0f} with the "
        note += f"multistate filter, whose low-pass is at {late:g} Hz, this one's at {early:g}"
        e_omega, slower = (
            float(one.largest(one.e_omega[:, axle])) for one in (self.observed, self.filtered)
        )
        return [
            Row.goal(f"{name}: torque error e_c", HALF * theirs, ours, "N m", note),
            *(self._equal(name, axle, *pair) for pair in pairs),
            Row.not_compared(
                f"{name}: speed error e_omega", e_omega, "rad/s",
                f"largest from {STEADY_FROM_S:g} s on; with the multistate filter {slower:.2g}",
                source=THIS_RUN,
            ),
        ]  # fmt: skip

    def _equal(self, name: str, axle: int, observed: RigRun, filtered: RigRun) -> Row:
        """Row of the error over that of the filter where both have the same low-pass."""
        ours, theirs, rest = (_largest(one, axle) for one in (observed, filtered, self.low_pass))
        f = corner(observed)
        note = f"{ours:.0f} of {theirs:.0f} N m"
        if f == corner(self.low_pass):
            note += f"; the low-pass alone, with nothing unbalanced, leaves {rest:.0f}"
        name = f"{name}: e_c over that of the multistate filter, both low-passes at {f:g} Hz"
        return Row.goal(name, HALF, ours / theirs, "", note)

    @property
    def figures(self) -> tuple[Figure, ...]:
        return (
            Figure("filters_errors", ERRORS, self.draw_errors, (8.4, 5.4)),
            Figure("filters_speeds", f"{OVER_SPEED}, {self.speeds.where}: with the driver's "
                   "torque, and at constant speed without any.", self.speeds.draw, (8.4, 3.4)),
            Figure("filters_responses", RESPONSES, self.draw_responses, (8.4, 5.0)),
        )  # fmt: skip

    def draw_errors(self, figure: Any) -> None:
        axes = figure.subplots(2, 1, sharex=True, sharey=True)
        for axle, ax in enumerate(axes):
            for one, colour, name in (
                (self.filtered, GREY, "multistate filter"),
                (self.observed, BLUE, "observer"),
            ):
                part = one.window(0.5)
                t, e_c = one.t[part], one.e_c[part, axle]
                kept = reduced(t, e_c, 700)
                ax.plot(t[kept], e_c[kept], color=colour, lw=0.9, label=f"{name}, {AXLES[axle]}")
            label_axes(ax, "time / s" if axle else "", "$e_c$ / N m")
            legend_above(ax)

    def draw_responses(self, figure: Any) -> None:
        upper, lower = figure.subplots(2, 1, sharex=True)
        f = np.linspace(0.5, 60.0, 4001)
        for name, H, colour in (
            ("multistate filter", filter_response(self.filtered, f), GREY),
            ("observer", observer_response(self.observed, f), BLUE),
            ("observer, low-pass of the paper", observer_response(self.observed_late, f), RED),
        ):
            upper.plot(f, np.abs(H), color=colour, lw=1.0, label=name)
            delay = -np.gradient(np.unwrap(np.angle(H)), TURN * f)
            delay[np.abs(H) < NOTHING] = np.nan  # where nothing comes through, nothing is late
            lower.plot(f, 1e3 * delay, color=colour, lw=1.0)
        lower.set_ylim(-10.0, 30.0)
        label_axes(upper, "", r"$|\hat C / C_S|$")
        label_axes(lower, "frequency of the torque / Hz", "delay / ms")
        legend_above(upper, 3)


ERRORS = "Torque errors of scenario 2 with the multistate filter and with the observer."
OVER_SPEED = "Largest torque errors over the speed at which wheels start"
RESPONSES = "What both let through of a torque, with wheels at 150 rad/s: amplitude and delay."


def compare_filters(
    filtered: RigRun, values: Mapping[str, Any], tell: Tell, keep: str | None
) -> Comparison:
    """Runs the observer beside a run with the multistate filter."""
    prefix = "" if filtered.spatial else FAST
    name = prefix + OBSERVED
    observed = run(name, values, tell, keep, ObserverRun)
    late, early = ({**values, "f_noise": f"{corner(one)!r} Hz"} for one in (filtered, observed))
    balanced = {**BALANCED, "dJ": "0 kg*m^2"} if filtered.spatial else BALANCED
    return Comparison(
        filtered,
        observed,
        run(name, late, tell, kind=ObserverRun),
        run(prefix + FILTERED, early, tell),
        run(name, {**late, **balanced, **LINES_OFF}, tell, kind=ObserverRun),
        through_speeds(filtered.spatial, values, tell),
        Run.of(shipped("conti2012", BANK), BANK, tell),
    )


def corner(run: RigRun) -> float:
    """Corner of the low-pass of a run, in Hz."""
    return float(run.blocks[OBSERVER if OBSERVER in run.blocks else FILTER]["f_noise"])


def _largest(run: RigRun, axle: int) -> float:
    return float(run.largest(run.e_c[:, axle]))


def filter_response(run: RigRun, f: np.ndarray, speed: float = 150.0) -> np.ndarray:
    """C_hat over C_tilde of the multistate filter, with the band of this speed."""
    v, s = run.blocks[FILTER], 1j * TURN * f
    w = v["w"][int(np.searchsorted(v["edges"], speed / TURN)) - 1]
    band = band_response(s, v["A"], v["b"], v["c"], w, TURN * v["W"])
    return low_pass_response(s, v["f_noise"]) * (1.0 - band)


def observer_response(run: RigRun, f: np.ndarray, speed: float = 150.0) -> np.ndarray:
    """C_hat over the torque of the observer, at this speed."""
    v, s = run.blocks[OBSERVER], 1j * TURN * f
    lines = (notch_response(s, w, v["zeta"]) for w in (speed, v["ratio"] * speed))
    return low_pass_response(s, v["f_noise"]) * np.prod(list(lines), axis=0)


def noise_rows(filtered: RigRun, observed: RigRun) -> list[Row]:
    """Rows of the price: how much more noise of the sensors arrives in C_hat."""
    f = np.linspace(0.0, 20000.0, 400001)[1:]
    s = 1j * TURN * f
    T_f = filtered.blocks["simulator.estimation.estimator"]["T_f"]
    theirs, ours = filter_response(filtered, f), observer_response(observed, f)
    table = []
    for name, before, after in (
        ("force", theirs, ours),
        ("speed", theirs * s / (1.0 + T_f * s), ours * s),
    ):
        ratio = float(np.linalg.norm(after) / np.linalg.norm(before))
        note = "white noise, root mean square, at 150 rad/s: the price of less lag"
        words = f"noise of C_hat from {name} sensors, over that with the multistate filter"
        table.append(Row.not_compared(words, ratio, "", note, source="closed form: responses"))
    return table


def bank_rows(run: Run) -> list[Row]:
    """Rows of the bank against the retuned filter: their difference, and their states."""
    bank = run.blocks["bank"]
    part, limit = run.window(SETTLED_FROM_S), 2.0 * np.sin(bank["phase"])
    apart = float(np.max(np.abs(run["bank.C_D"] - run["filter.C_D"])[part]))
    number = len(bank["edges"])
    f = run["speed.y"][part] / TURN
    note = f"over the amplitude, from {f[0]:.1f} to {f[-1]:.1f} Hz on a slow ramp; both may be off "
    note += "by the phase limit, one ahead and one behind"
    name = "filter bank with selector and retuned filter: difference"
    source = "closed form: 2 sin(phase limit)"
    return [
        Row(name, None, apart, "", bool(apart <= limit), note,
            reference=f"at most {limit:.3g}", source=source),
        Row.not_compared(
            "states of the filter bank with selector", str(6 * number), "",
            f"{number} bands of sixth order; six in the retuned filter", source=THIS_RUN,
        ),
    ]  # fmt: skip
