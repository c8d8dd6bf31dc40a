"""The multistate filter of Conti et al. (2012) beside a bank of bands and an observer of unbalance.

Filter and observer run scenario 2. Then, on the rig in the plane, wheels start at other speeds,
with the driver's torque and without any: the speed stays, and what is left is their own error. The
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
from railblocks.diagrams.conti2012.runs import FAST, PHI_C, STEADY_FROM_S, RigRun, run
from railblocks.diagrams.figures import BLUE, GREY, RED, label_axes, legend_above
from railblocks.diagrams.runs import Run, Tell, shipped, signal
from railblocks.engine.plots.plotting import reduced
from railblocks.engine.reproduction.result import Figure, Row

FILTERED, OBSERVED, BANK = "scenario_2_filtered", "scenario_2_observer", "filter_bank"
SPEEDS = (63.0, 80.0, 100.0, 125.0, 150.0, 165.0)
"""Speeds at which wheels start, in rad/s: from 10 Hz on, and not above 32 Hz at the end."""
HALF = 0.5  # of the torque error of the multistate filter
THIS_RUN = "this run"
SETTLED_FROM_S = 1.0
"""When bands have settled on the ramp of speed, in s."""
NO_TORQUE = {"simulator.traction.limit": "0.01 N*m"}
AXLES = ("front", "rear")
TURN = 2.0 * np.pi


class ObserverRun(RigRun):
    """Scenario 2 with an observer of unbalance."""

    C_hat = signal("simulator.estimation.observer.C_hat", PHI_C)

    @property
    def title(self) -> str:
        return "scenario 2 with observer"


@dataclass(frozen=True)
class Comparison:
    """Runs of both filters, and largest torque errors of both over the speed at the start."""

    filtered: RigRun
    observed: RigRun
    as_paper: RigRun  # the observer with the low-pass of the paper
    driven: np.ndarray  # by speed, filter (multistate, observer) and axle, N m
    steady: np.ndarray  # the same without torque
    banked: Run  # bank and filter on a ramp of speed

    @cached_property
    def rows(self) -> list[Row]:
        table = [row for axle in range(2) for row in self._errors(axle)]
        table += [*self._ranges(), *noise_rows(self.filtered, self.observed)]
        return [*table, *bank_rows(self.banked)]

    def _errors(self, axle: int) -> list[Row]:
        """Rows of the errors of scenario 2 with the observer."""
        name = f"{self.observed.title}, {AXLES[axle]}"
        e_c, with_50_hz, theirs = (
            float(one.largest(one.e_c[:, axle]))
            for one in (self.observed, self.as_paper, self.filtered)
        )
        e_omega, slower = (
            float(one.largest(one.e_omega[:, axle])) for one in (self.observed, self.filtered)
        )
        f = self.filtered.blocks["simulator.estimation.filter_1"]["f_noise"]
        note = f"largest from {STEADY_FROM_S:g} s on; goal: half of {theirs:.0f} with the "
        note += "multistate filter"
        return [
            Row.goal(f"{name}: torque error e_c", HALF * theirs, e_c, "N m", note),
            Row.not_compared(
                f"{name}: torque error e_c, low-pass of the paper", with_50_hz, "N m",
                f"with the low-pass at {f:g} Hz, as the multistate filter has it", source=THIS_RUN,
            ),
            Row.not_compared(
                f"{name}: speed error e_omega", e_omega, "rad/s",
                f"largest from {STEADY_FROM_S:g} s on; with the multistate filter {slower:.2g}",
                source=THIS_RUN,
            ),
        ]  # fmt: skip

    def _ranges(self) -> list[Row]:
        """Rows of the largest ratio of both errors over all speeds."""
        span = f"wheels start at {SPEEDS[0]:g} to {SPEEDS[-1]:g} rad/s, rig in the plane"
        table = []
        for words, errors in (("with torque", self.driven), ("at constant speed", self.steady)):
            ratio = errors[:, 1] / errors[:, 0]
            note = f"{span}; observer {errors[:, 1].max():.3g} N m at most, multistate filter "
            note += f"{errors[:, 0].min():.3g} to {errors[:, 0].max():.3g} N m"
            name = f"e_c of the observer over that of the multistate filter, {words}"
            table.append(Row.goal(name, HALF, float(ratio.max()), "", note))
        return table

    @property
    def figures(self) -> tuple[Figure, ...]:
        return (
            Figure("filters_errors", ERRORS, self.draw_errors, (8.4, 5.4)),
            Figure("filters_speeds", OVER_SPEED, self.draw_speeds, (8.4, 3.4)),
            Figure("filters_responses", RESPONSES, self.draw_responses, (8.4, 5.0)),
        )

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

    def draw_speeds(self, figure: Any) -> None:
        axes = figure.subplots(1, 2)
        for ax, errors, words in (
            (axes[0], self.driven, "with torque"),
            (axes[1], self.steady, "at constant speed"),
        ):
            for n, (name, colour) in enumerate((("multistate filter", GREY), ("observer", BLUE))):
                ax.plot(SPEEDS, errors[:, n, 0], "o-", color=colour, label=f"{name}, front")
                ax.plot(SPEEDS, errors[:, n, 1], "o--", color=colour, mfc="none", label="rear")
            label_axes(ax, f"speed at the start / rad/s, {words}", "largest $e_c$ / N m")
            ax.set_ylim(bottom=0.0)
        figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=4)

    def draw_responses(self, figure: Any) -> None:
        upper, lower = figure.subplots(2, 1, sharex=True)
        f = np.linspace(0.5, 60.0, 4001)
        for name, H, colour in (
            ("multistate filter", filter_response(self.filtered, f), GREY),
            ("observer", observer_response(self.observed, f), BLUE),
            ("observer, low-pass of the paper", observer_response(self.as_paper, f), RED),
        ):
            upper.plot(f, np.abs(H), color=colour, lw=1.0, label=name)
            delay = -np.gradient(np.unwrap(np.angle(H)), TURN * f)
            lower.plot(f, 1e3 * delay, color=colour, lw=1.0)
        lower.set_ylim(-10.0, 30.0)
        label_axes(upper, "", r"$|\hat C / C_S|$")
        label_axes(lower, "frequency of the torque / Hz", "delay / ms")
        legend_above(upper, 3)


ERRORS = "Torque errors of scenario 2 with the multistate filter and with the observer."
OVER_SPEED = (
    "Largest torque errors over the speed at which wheels start, on the rig in the plane: with the "
    "driver's torque, and at constant speed without any."
)
RESPONSES = "What both let through of a torque, with wheels at 150 rad/s: amplitude and delay."


def compare_filters(
    filtered: RigRun, values: Mapping[str, Any], tell: Tell, keep: str | None
) -> Comparison:
    """Runs the observer beside a run with the multistate filter."""
    name = OBSERVED if filtered.spatial else FAST + OBSERVED
    f = filtered.blocks["simulator.estimation.filter_1"]["f_noise"]
    return Comparison(
        filtered,
        run(name, values, tell, keep, ObserverRun),
        run(name, {**values, "f_noise": f"{f!r} Hz"}, tell, kind=ObserverRun),
        _over_speed(values, tell),
        _over_speed({**values, **NO_TORQUE}, tell),
        Run.of(shipped("conti2012", BANK), BANK, tell),
    )


def _over_speed(values: Mapping[str, Any], tell: Tell) -> np.ndarray:
    """Largest torque errors in the plane by speed at the start, filter and axle."""
    fast = {**values, "simulator.train.vehicle.v_max": "200 m/s"}
    errors = []
    for speed in SPEEDS:
        both = (
            run(FAST + name, {**fast, "omega_init": f"{speed:g} rad/s"}, tell, kind=kind)
            for name, kind in ((FILTERED, RigRun), (OBSERVED, ObserverRun))
        )
        errors.append([one.largest(one.e_c[:, :2]) for one in both])
    return np.array(errors)


def filter_response(run: RigRun, f: np.ndarray, speed: float = 150.0) -> np.ndarray:
    """C_hat over C_tilde of the multistate filter, with the band of this speed."""
    v, s = run.blocks["simulator.estimation.filter_1"], 1j * TURN * f
    w = v["w"][int(np.searchsorted(v["edges"], speed / TURN)) - 1]
    band = band_response(s, v["A"], v["b"], v["c"], w, TURN * v["W"])
    return low_pass_response(s, v["f_noise"]) * (1.0 - band)


def observer_response(run: RigRun, f: np.ndarray, speed: float = 150.0) -> np.ndarray:
    """C_hat over the torque of the observer, at this speed."""
    v, s = run.blocks["simulator.estimation.observer"], 1j * TURN * f
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
