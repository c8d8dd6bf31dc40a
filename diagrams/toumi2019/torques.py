"""Which torques of single axles meet Toumi et al. (2019), and how far results spread over them.

A driven axle has shoes and a motor that brakes (the paper's Figure 2), C_bs + C_ED; which axles are
driven and how strong their motors are is not printed. Public data of the train have up to 8 motors
of 400 kW: at 160 km/h that is C_ED = P r / v = 3.9 kN m, 0.63 of the shoes' torque.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from railblocks.diagrams.figures import BLUE, ORANGE, RED, label_axes
from railblocks.diagrams.runs import Tell
from railblocks.diagrams.toumi2019.runs import (
    AXLES_TO_MU_MAX,
    BRAKING,
    CALCULATED,
    TrainRun,
    run,
)
from railblocks.engine.reproduction.result import Band, Figure, Row

AXLES, AT_AN_END = 22, 4
"""Axles of the train, and those of two bogies."""
MOTORS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
"""Electrodynamic torque of a driven axle over that of its shoes."""
ADHESIONS = {0.05: RED, 0.065: ORANGE, 0.08: BLUE}
"""Adhesion of the untouched rail within EN 15595, and the colour of its curve."""
FITTED_WITHIN_M = 0.1


@dataclass(frozen=True)
class Torques:
    """Electrodynamic torque of every axle over that of its shoes."""

    words: str
    ED: tuple[float, ...]

    @property
    def harder(self) -> float:
        """Torque of a driven axle over that of the others."""
        return 1.0 + max(self.ED)

    def values(self, mu_0: float, a_n: float = 1.0) -> dict[str, Any]:
        """Values of a diagram with these torques; a_n is the deceleration by the shoes."""
        return {"train.ED": list(self.ED), "train.mu_0": mu_0, "train.a_n": f"{a_n!r} m/s^2"}

    def run(self, mu_0: float, a_n: float = 1.0) -> TrainRun:
        return run(BRAKING, self.values(mu_0, a_n))


def driven(words: str, motors: float, axles: Iterable[int]) -> Torques:
    """Torques of a train in which some axles have motors."""
    ED = [0.0] * AXLES
    for axle in axles:
        ED[axle] = motors
    return Torques(words, tuple(ED))


EVEN = Torques("all axles alike", (0.0,) * AXLES)
FIRST, LAST = range(AT_AN_END), range(AXLES - AT_AN_END, AXLES)
FAMILIES = {
    "first four axles": [EVEN, *(driven("first four axles", e, FIRST) for e in MOTORS)],
    "first and last four axles": [
        EVEN,
        *(driven("first and last four axles", e, [*FIRST, *LAST]) for e in MOTORS),
    ],
}


@dataclass(frozen=True)
class Spread:
    """Runs with the public deceleration of 1 m/s² by the shoes, over torques and adhesion."""

    runs: Sequence[TrainRun]

    @cached_property
    def distance(self) -> Band:
        return _band(one.distance for one in self.runs)

    def axles(self, measure: Callable[..., Any]) -> Band:
        """Axles until mu_max, of the runs in which it is reached."""
        return _band(float(n) for one in self.runs if (n := one.axles_to_mu_max(measure)))


def _band(values: Iterable[float]) -> Band:
    seen = list(values)
    return min(seen), max(seen)


def spread(tell: Tell) -> Spread:
    """Makes the runs over all torques and adhesions."""
    tell("torques of axles: distances")
    every = {torques for family in FAMILIES.values() for torques in family}
    return Spread([torques.run(mu_0) for torques in every for mu_0 in ADHESIONS])


@dataclass(frozen=True)
class Member:
    """Torques and adhesion, with the deceleration by the shoes that gives the paper's distance."""

    torques: Torques
    mu_0: float
    a_n: float
    axles: int | None

    @property
    def meets(self) -> bool:
        """Whether adhesion reaches its limit behind the paper's axle, too."""
        return self.axles == AXLES_TO_MU_MAX


def member(torques: Torques, mu_0: float) -> Member:
    a_n = deceleration_for(CALCULATED, lambda a_n: torques.run(mu_0, a_n).distance)
    return Member(torques, mu_0, a_n, torques.run(mu_0, a_n).axles_to_mu_max())


def deceleration_for(distance: float, distance_of: Callable[[float], float]) -> float:
    """The nominal deceleration with which a train needs this distance, by the secant rule."""
    a, b = 1.0, 1.1
    at_a, at_b = distance_of(a), distance_of(b)
    for _ in range(8):
        a, b = b, b + (distance - at_b) * (b - a) / (at_b - at_a)
        at_a, at_b = at_b, distance_of(b)
        if abs(at_b - distance) < FITTED_WITHIN_M:
            break
    return b


@dataclass(frozen=True)
class Members:
    """All torques and adhesions, fitted to the paper's distance, by the axles that are driven."""

    found: dict[str, list[Member]]

    @property
    def rows(self) -> list[Row]:
        """A row for each of the torques: axles until mu_max at the paper's distance."""
        table = [_row([m for m in next(iter(self.found.values())) if m.torques is EVEN])]
        for members in self.found.values():
            for torques in dict.fromkeys(m.torques for m in members if m.torques is not EVEN):
                table.append(_row([m for m in members if m.torques is torques]))
        return table

    @property
    def figure(self) -> Figure:
        return Figure(
            "torques",
            f"Axles until µ_max is reached on average in trains that all need {CALCULATED:g} m, "
            "over the torque of driven axles, for the adhesion of the untouched rail; the paper "
            f"has {AXLES_TO_MU_MAX}.",
            lambda figure: draw_members(figure, self.found),
            (8.8, 3.8),
        )


def members(tell: Tell) -> Members:
    """Fits the deceleration by the shoes to the paper's distance, for all torques."""
    found: dict[str, list[Member]] = {}
    for words, family in FAMILIES.items():
        tell(f"torques: {words}")
        found[words] = [member(torques, mu_0) for torques in family for mu_0 in ADHESIONS]
    return Members(found)


def _row(fitted: Sequence[Member]) -> Row:
    """One row for one choice of torques: its best adhesion, and the band over all.

    It is fitted, so that it does not count as met.
    """
    best = min(fitted, key=lambda m: abs((m.axles or AXLES) - AXLES_TO_MU_MAX))
    torques = best.torques
    words = torques.words if torques is EVEN else f"{torques.words} x {torques.harder:.1f}"
    note = (
        f"{'meets both' if best.meets else 'not both'}; µ0 = {best.mu_0:g}, shoes {best.a_n:.3f} "
        f"m/s², which is fitted to the distance; band over µ0 = {min(ADHESIONS):g} to "
        f"{max(ADHESIONS):g}"
    )
    return Row(
        f"study: axles until µ_max with {CALCULATED:g} m, {words}", float(AXLES_TO_MU_MAX),
        float(best.axles or "inf"), "", None, note,
        band=_band(float(m.axles or "inf") for m in fitted), source="section 3, Figure 3",
    )  # fmt: skip


def draw_members(figure: Any, found: dict[str, list[Member]]) -> None:
    """Draws the axles until mu_max over the torque of driven axles, a panel for each family."""
    panels = figure.subplots(1, len(found), sharey=True)
    for ax, (words, fitted) in zip(panels, found.items(), strict=True):
        for mu_0, colour in ADHESIONS.items():
            of_rail = [m for m in fitted if m.mu_0 == mu_0]
            harder, axles = [m.torques.harder for m in of_rail], [m.axles for m in of_rail]
            ax.plot(harder, axles, "o-", ms=4, color=colour, label=f"$µ_0$ = {mu_0:g}")
        ax.axhline(AXLES_TO_MU_MAX, color="0.35", lw=1.0, ls="--", label="paper")
        label_axes(ax, "torque of driven axles / that of the others", "")
        ax.margins(x=0.03)
        ax.set_title(f"driven: {words}")
    panels[0].set_ylim(bottom=0)
    panels[0].set_ylabel("axles until $µ_{max}$")
    panels[0].legend()
