"""The observer of unbalance through the range of speeds, beside the multistate filter.

Wheels start at several speeds, with the driver's torque and without any: then the speed stays, and
what is left is a filter's own error. One run crosses 10 Hz, where the observer fades in. In three
dimensions eigenvalues of the rig with all of its loop tell whether small motions die away.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from railblocks.diagrams.conti2012.runs import (
    FAST,
    FILTERED,
    OBSERVED,
    STEADY_FROM_S,
    ObserverRun,
    RigRun,
    run,
)
from railblocks.diagrams.conti2012.stability import AT_REST, SIZE
from railblocks.diagrams.conti2012.unbalance import held_shaking
from railblocks.diagrams.figures import BLUE, GREY, label_axes
from railblocks.diagrams.runs import Tell, shipped
from railblocks.engine.operating_points.rates import Rates
from railblocks.engine.reproduction.result import Row

SPEEDS = (63.0, 80.0, 100.0, 125.0, 150.0, 165.0)
"""Speeds at which wheels start, in rad/s: from 10 Hz on, and not above 32 Hz at the end."""
BEYOND = (20.0, 45.0, 235.0)
"""Speeds below and above the range of the filter: 3 to 42 Hz with what wheels gain."""
CROSSING = 45.0
"""Speed from which 10 Hz are crossed, in rad/s."""
TEN_HZ = 2.0 * np.pi * 10.0
FROM_S = 1.0
"""When the crossing is looked at: the torque has begun to rise."""
HALF = 0.5
"""Goal: of the torque error of the multistate filter."""
NO_TORQUE = {"simulator.traction.limit": "0.01 N*m"}
SHORT = {"solver.stop": "5 s"}
"""Nothing grows at a constant speed: two seconds of the steady state tell all."""
HERTZ = (0.1, *np.arange(2.0, 41.0, 2.0))
"""Speeds of the wheels of the eigenvalues, in Hz."""
FREE = 0.01
"""Below this size, in 1/s, eigenvalues are those of angles, position and speed, which are free."""


@dataclass(frozen=True)
class SpeedRange:
    """Largest torque errors over the speed at the start, and the observer beyond the range."""

    where: str
    driven: np.ndarray  # by speed, filter (multistate, observer) and axle, N m
    steady: np.ndarray  # the same without torque
    beyond: Mapping[float, RigRun]
    eigenvalues: tuple[np.ndarray, ...]  # of the loop in three dimensions, by `HERTZ`

    @property
    def rows(self) -> list[Row]:
        return [*self._ratios(), self._beyond(), self._bumps(), *self._growth()]

    def _ratios(self) -> list[Row]:
        """Rows of the largest ratio of both errors over all speeds."""
        span = f"wheels start at {SPEEDS[0]:g} to {SPEEDS[-1]:g} rad/s, {self.where}"
        table = []
        for words, errors in (("with torque", self.driven), ("at constant speed", self.steady)):
            ratio = errors[:, 1] / errors[:, 0]
            note = f"{span}; observer {errors[:, 1].max():.3g} N m at most, multistate filter "
            note += f"{errors[:, 0].min():.3g} to {errors[:, 0].max():.3g} N m"
            name = f"e_c of the observer over that of the multistate filter, {words}"
            table.append(Row.goal(name, HALF, float(ratio.max()), "", note))
        return table

    def _beyond(self) -> Row:
        starts = ", ".join(f"{speed:g}" for speed in self.beyond)
        errors = [one.largest(one.e_c[:, :2]) for one in self.beyond.values()]
        note = f"wheels start at {starts} rad/s, {self.where}; the multistate filter is not for "
        note += "these speeds"
        return Row.not_compared(
            "e_c of the observer below and above the range", float(np.max(errors)), "N m", note,
            source="this run",
        )  # fmt: skip

    def _bumps(self) -> Row:
        """Row of the crossing: C_hat bends with the torque and, below, with what shakes it."""
        one = self.beyond[CROSSING]
        late, step = one.window(FROM_S), float(one.t[1] - one.t[0])
        ours, torque = (
            float(np.max(np.abs(np.diff(T[late, :2], 2, axis=0)))) for T in (one.C_hat, one.C_S)
        )
        t = float(one.t[np.argmax(one.omega_w[:, 0] > TEN_HZ)])
        held = max(held_shaking(one, axle, t, TEN_HZ) for axle in range(2))
        f = one.omega_w[late, 0][[0, -1]] / (2.0 * np.pi)
        note = f"from {f[0]:.1f} to {f[1]:.1f} Hz; largest second differences over {1e3 * step:g} "
        note += f"ms, of {ours:.3g} N m; a filter switched on at 10 Hz would jump by {held:.0f}"
        name = "kinks of C_hat where the observer fades in, over those of torque and disturbance"
        most = torque + held * (TEN_HZ * step) ** 2
        return Row.goal(name, 1.0, ours / most, "", note)

    def _growth(self) -> list[Row]:
        if not self.eigenvalues:
            return []
        worst = [of_speed[np.argmax(of_speed.real)] for of_speed in self.eigenvalues]
        at = int(np.argmax(np.real(worst)))
        note = f"least damped of all motions over {HERTZ[0]:g} to {HERTZ[-1]:g} Hz of the wheels: "
        note += f"{abs(worst[at].imag):.2g} rad/s where they turn at {HERTZ[at]:g} Hz"
        name = "rig with its loop and observer: growth"
        return [Row.goal(name, 0.0, float(np.real(worst[at])), "1/s", note)]

    def draw(self, figure: Any) -> None:
        axes = figure.subplots(1, 2)
        for ax, errors, words in (
            (axes[0], self.driven, "with torque"),
            (axes[1], self.steady, "at constant speed"),
        ):
            for n, (name, colour) in enumerate((("multistate filter", GREY), ("observer", BLUE))):
                ax.plot(SPEEDS, errors[:, n, 0], "o-", color=colour, label=f"{name}, front")
                ax.plot(SPEEDS, errors[:, n, 1], "o--", color=colour, mfc="none", label="rear")
            label_axes(ax, f"speed at the start / rad/s, {words}", "largest $e_c$ / N m")
            ax.margins(x=0.06)
        axes[0].set_ylim(bottom=0.0)
        axes[1].set_yscale("log")  # what is left of the observer is much less
        figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=4)


def through_speeds(spatial: bool, values: Mapping[str, Any], tell: Tell) -> SpeedRange:
    """Runs of both filters over the speed at the start, and of the observer beyond."""
    prefix = "" if spatial else FAST
    given = {**values, "simulator.train.vehicle.v_max": "300 m/s"}
    beyond = {
        speed: run(prefix + OBSERVED, _from(speed, given), tell, kind=ObserverRun)
        for speed in BEYOND
    }
    where = "rig in three dimensions" if spatial else "rig in the plane"
    return SpeedRange(
        where,
        _errors(prefix, given, tell),
        _errors(prefix, {**given, **NO_TORQUE, **SHORT}, tell),
        beyond,
        tuple(_eigenvalues(hertz, tell) for hertz in HERTZ) if spatial else (),
    )


def _from(speed: float, values: Mapping[str, Any]) -> dict[str, Any]:
    return {**values, "omega_init": f"{speed:g} rad/s"}


def _errors(prefix: str, values: Mapping[str, Any], tell: Tell) -> np.ndarray:
    """Largest torque errors by speed at the start, filter and axle."""
    errors = []
    for speed in SPEEDS:
        both = (
            run(prefix + name, _from(speed, values), tell, kind=kind)
            for name, kind in ((FILTERED, RigRun), (OBSERVED, ObserverRun))
        )
        errors.append([one.largest(one.e_c[:, :2], STEADY_FROM_S) for one in both])
    return np.array(errors)


def _eigenvalues(hertz: float, tell: Tell) -> np.ndarray:
    """Those of the rig with its loop and observers that are not of free motions."""
    tell(f"eigenvalues at {hertz:g} Hz")
    values = _from(2.0 * np.pi * hertz, {**AT_REST, "simulator.train.vehicle.v_max": "300 m/s"})
    rates = Rates(shipped("conti2012", OBSERVED, values))
    found = np.linalg.eigvals(rates.jacobian(rates.start, SIZE, most=2))
    return found[np.abs(found) > FREE]
