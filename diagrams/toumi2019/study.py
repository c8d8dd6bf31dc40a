"""How far Toumi et al. (2019) follows from the paper, and how far from what it leaves open."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from railblocks.diagrams.figures import BLUE, GREEN, ORANGE, RED, named_rows
from railblocks.diagrams.runs import Tell
from railblocks.diagrams.toumi2019.runs import BRAKING, CALCULATED, MEASURED, TrainRun, run
from railblocks.diagrams.toumi2019.torques import deceleration_for
from railblocks.engine.reproduction.result import Figure, Row

DECELERATIONS = (0.95, 1.0, 1.05, 1.1, 1.15)
ADHESIONS = (0.03, 0.05, 0.065, 0.08)
"""UIC 541-05 has 0.03 to 0.08, EN 15595 0.05 to 0.08, as the paper quotes them."""
MESHES = (0.1, 0.25, 1.0)
"""Lengths of a cell of the rail, in m."""
SAMPLES = (2.0, 5.0, 10.0)
"""Times between samples of the rail, in ms."""
COLOURS = (RED, ORANGE, BLUE, GREEN)


@dataclass(frozen=True)
class Proposal:
    """One thing that the paper leaves open, with another value."""

    words: str
    values: Mapping[str, Any] = field(default_factory=dict)


PROPOSALS = (
    Proposal("as shipped"),
    Proposal("nominal deceleration 0.95 m/s²", {"train.a_n": "0.95 m/s^2"}),
    Proposal("nominal deceleration 1.05 m/s²", {"train.a_n": "1.05 m/s^2"}),
    Proposal("nominal deceleration 1.1 m/s²", {"train.a_n": "1.1 m/s^2"}),
    Proposal("µ0 = 0.03", {"train.mu_0": 0.03}),
    Proposal("µ0 = 0.05", {"train.mu_0": 0.05}),
    Proposal("µ0 = 0.08", {"train.mu_0": 0.08}),
    Proposal("power of an axle, not of a wheel", {"train.cleaned.per": "axle"}),
    Proposal("mass 250 t", {"train.m": "250 t"}),
    Proposal("mass 350 t", {"train.m": "350 t"}),
    Proposal("exchange every 1 ms", {"exchange": "1 ms"}),
    Proposal("exchange every 100 ms", {"exchange": "100 ms"}),
    Proposal("time constants halved", {"train.T_oi": "0.2 s", "train.T_od": "75 ms"}),
    Proposal("time constants doubled", {"train.T_oi": "0.8 s", "train.T_od": "0.3 s"}),
    Proposal("top of the adhesion curve at 0.5 %", {"train.delta_0": 0.005}),
    Proposal("top of the adhesion curve at 2 %", {"train.delta_0": 0.02}),
    Proposal("friction falls to 0.6 by sliding", {"train.axle.kappa": 0.6}),
    Proposal("inertia of an axle 80 kg m²", {"train.J": "80 kg*m^2"}),
    Proposal("protection to 1 km/h", {"wsp.v_off": "1 km/h"}),
)


@dataclass(frozen=True)
class Study:
    """Distances by steps and meshes, by proposals, and over deceleration and adhesion."""

    spread: float
    nominal: float
    proposals: tuple[tuple[Proposal, TrainRun], ...]
    distances: np.ndarray

    @property
    def rows(self) -> list[Row]:
        cells = f"cells of {MESHES[0]:g} to {MESHES[-1]:g} m, samples every {SAMPLES[0]:g} to "
        cells += f"{SAMPLES[-1]:g} ms; a sum over steps, as Eq. 5 is printed, has no limit"
        note = "what the paper's calculation had, if all else were as here; not used for anything"
        name = f"nominal deceleration that gives {CALCULATED:g} m"
        return [
            Row.not_compared("spread of the distance over step and mesh", self.spread, "m", cells),
            Row.not_compared(name, self.nominal, "m/s²", note),
            *(_row(proposal, run) for proposal, run in self.proposals),
        ]

    @property
    def figures(self) -> tuple[Figure, ...]:
        named = [(proposal.words, run.distance) for proposal, run in self.proposals]
        return (
            Figure(
                "proposals",
                "Braking distance with one proposal changed at a time; the paper's two distances "
                "as lines.",
                lambda figure: draw_proposals(figure, named),
                (8.4, 1.2 + 0.27 * len(named)),
            ),
            Figure(
                "deceleration",
                "Braking distance over the nominal deceleration for the adhesion of the untouched "
                "rail that standards allow.",
                lambda figure: draw_decelerations(figure, self.distances),
                (8.4, 4.2),
            ),
        )


def study(braking: TrainRun, tell: Tell) -> Study:
    """Makes all runs of the study."""
    tell("steps and meshes")
    spread = spread_of_distance(braking)
    runs = []
    for proposal in PROPOSALS:
        tell(f"study: {proposal.words}")
        runs.append((proposal, run(BRAKING, proposal.values)))
    tell("study: nominal deceleration and adhesion")
    distances = decelerations()
    tell("nominal deceleration of the paper's distance")
    return Study(spread, deceleration_for(CALCULATED, _distance), tuple(runs), distances)


def spread_of_distance(braking: TrainRun) -> float:
    """Largest less smallest distance over cells and samples of the rail."""
    distances = [braking.distance]
    distances += [run(BRAKING, {"train.dx": f"{dx} m"}).distance for dx in MESHES]
    distances += [run(BRAKING, {"train.every": f"{ms} ms"}).distance for ms in SAMPLES]
    return max(distances) - min(distances)


def decelerations() -> np.ndarray:
    """Distances: a row for each adhesion, a column for each nominal deceleration."""
    return np.array([[_distance(a, mu) for a in DECELERATIONS] for mu in ADHESIONS])


def _distance(a_n: float, mu_0: float | None = None) -> float:
    values: dict[str, Any] = {"train.a_n": f"{a_n!r} m/s^2"}
    return run(BRAKING, values if mu_0 is None else {**values, "train.mu_0": mu_0}).distance


def _row(proposal: Proposal, run: TrainRun) -> Row:
    axle = run.axles_to_mu_max()
    reached = "no axle" if axle is None else f"axle {axle}"
    note = f"adhesion behind axle 4 {float(run.left[3].mean()):.3f}, µ_max on average behind "
    return Row.not_compared(f"study: {proposal.words}", run.distance, "m", note + reached)


def _paper_lines(draw: Callable[..., Any]) -> None:
    for distance, style, name in ((CALCULATED, "--", "calculated"), (MEASURED, ":", "measured")):
        draw(distance, color="0.35", lw=1.0, ls=style, label=f"paper, {name}: {distance:g} m")


def draw_proposals(figure: Any, named: Sequence[tuple[str, float]]) -> None:
    """Draws a point for each proposal, the shipped one first."""
    ax = figure.subplots()
    heights = named_rows(ax, [words for words, _ in named])
    distances = [distance for _, distance in named]
    ax.axvline(distances[0], color="0.85", lw=4.0, zorder=0)
    _paper_lines(ax.axvline)
    ax.plot(distances, heights, "o", color=BLUE, ms=5)
    for height, distance in zip(heights, distances, strict=True):
        ax.annotate(
            f"{distance:.0f}", (distance, height), (7, -3.5), textcoords="offset points",
            fontsize=8, bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6},
        )  # fmt: skip
    ax.margins(x=0.08)
    ax.set_xlabel("braking distance / m")
    ax.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=2)


def draw_decelerations(figure: Any, distances: np.ndarray) -> None:
    ax = figure.subplots()
    _paper_lines(ax.axhline)
    for mu_0, row, colour in zip(ADHESIONS, distances, COLOURS, strict=True):
        ax.plot(DECELERATIONS, row, "o-", ms=3.5, color=colour, label=f"$µ_0$ = {mu_0:g}")
    ax.set_xlabel("nominal deceleration / m/s²")
    ax.set_ylabel("braking distance / m")
    ax.legend(ncols=2)
