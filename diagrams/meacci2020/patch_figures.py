"""Pictures of a contact patch: counterparts of Figures 12 to 14, and force over creepage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from railblocks.blocks.rail.contact.tangential.strips import centres
from railblocks.diagrams.figures import BLUE, GREY, RED
from railblocks.diagrams.meacci2020.patch import MU_CD, MU_CR, STATES, Contact, N
from railblocks.diagrams.meacci2020.runs import PER_DISTANCE, READINGS, TAUS, Reading
from railblocks.engine.reproduction.result import Figure

CREEPAGES = np.geomspace(2e-4, 0.3, 120)


def field_figures(contact: Contact, fields: Mapping[str, np.ndarray]) -> list[Figure]:
    """Figures of values in the cells of the patch."""

    def draw(*parts: tuple[int, float, str]) -> Any:
        return lambda figure: draw_fields(figure, contact.a, contact.b, fields, parts)

    return [
        Figure(
            "pressures", "Tangential pressures on the wheel (Fig. 12); it rolls to the right",
            draw((0, 1e6, "$p_{tx}$ / MPa"), (1, 1e6, "$p_{ty}$ / MPa")), (8.0, 5.8),
        ),
        Figure(
            "sliding", "Sliding of the wheel's surface over the rail (Fig. 13)",
            draw((2, 1.0, "$s_x$ / m/s"), (3, 1.0, "$s_y$ / m/s")), (8.0, 5.8),
        ),
        Figure(
            "dissipation", "Power that sliding takes (Fig. 14), and friction coefficient",
            draw((5, 1e6, "$W_{sp}$ / MW/m²"), (4, 1.0, "µ")), (8.0, 5.8),
        ),
    ]  # fmt: skip


def curve_figure(contact: Contact) -> Figure:
    """Figure of force over creepage at the speed of the state that slides."""
    _, V = STATES["pure sliding"]
    cases = [(PER_DISTANCE, 0.0), *((reading, tau) for reading in READINGS for tau in TAUS[1:])]
    curves = {
        (reading, tau): np.array([-contact.forces(xi, V, tau, reading)[0] for xi in CREEPAGES])
        for reading, tau in cases
    }
    return Figure(
        "recovery",
        f"Longitudinal force over creepage at {V:g} m/s for three τ, in both readings: "
        "energy per distance, and power (dashed)",
        lambda figure: draw_recovery(figure, curves), (7.0, 4.4),
    )  # fmt: skip


def draw_fields(
    figure: Any,
    a: float,
    b: float,
    states: Mapping[str, np.ndarray],
    parts: Sequence[tuple[int, float, str]],
) -> None:
    """A row for each part (index in `strips.FIELDS`, unit, label), a column for each state."""
    axes = figure.subplots(len(parts), len(states), squeeze=False, sharex=True, sharey=True)
    for row, (part, unit, label) in zip(axes, parts, strict=True):
        for ax, (name, fields) in zip(row, states.items(), strict=True):
            _draw_cells(figure, ax, a, b, fields[:, :, part] / unit, label)
            ax.set_title(f"{name}: {label.split(' /')[0]}")
        row[0].set_ylabel("y / mm")
    for ax in axes[-1]:
        ax.set_xlabel("x / mm (rolling →)")


def _draw_cells(figure: Any, ax: Any, a: float, b: float, values: np.ndarray, label: str) -> None:
    """Draws each cell as a rectangle; two colours about zero where both signs occur."""
    from matplotlib.collections import PolyCollection

    n_y, n_x = values.shape
    x, y = centres(1e3 * a, 1e3 * b, n_x, n_y)
    w, h = np.broadcast_to(x[:, :1] / (n_x - 1.0), x.shape), np.full(x.shape, 1e3 * b / n_y)
    corners = [(x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)]
    low, high = float(values.min()), float(values.max())
    both = min(-low, high) > 0.02 * max(-low, high)
    if both:
        low, high = -max(-low, high), max(-low, high)
    map_name = "RdBu_r" if both else ("viridis" if high > -low else "viridis_r")
    cells = PolyCollection(
        list(np.stack([np.stack(c, axis=-1) for c in corners], axis=2).reshape(-1, 4, 2)),
        array=values.ravel(), cmap=map_name, edgecolors="face", linewidths=0.2, rasterized=True,
    )  # fmt: skip
    cells.set_clim(low, high if high > low else low + 1.0)
    ax.add_collection(cells)
    ax.set_aspect("equal")
    ax.set_xlim(-1.06e3 * a, 1.06e3 * a)
    ax.set_ylim(-1.06e3 * b, 1.06e3 * b)
    ax.grid(False)
    figure.colorbar(cells, ax=ax, label=label, shrink=0.8, aspect=16)


def power_of_ten(value: float) -> str:
    """8.1e-09 as 8.1 · 10^-9, set as mathematics."""
    digits, _, power = f"{value:g}".partition("e")
    return f"${digits} \\cdot 10^{{{int(power)}}}$" if power else digits


def draw_recovery(figure: Any, curves: Mapping[tuple[Reading, float], np.ndarray]) -> None:
    """|T_x| over creepage for each tau, with both kinetic friction forces."""
    ax = figure.subplots()
    colours = dict(zip(TAUS, (GREY, BLUE, RED), strict=True))
    for (reading, tau), T in curves.items():
        line = "-" if reading is PER_DISTANCE else "--"
        label = f"τ = {power_of_ten(tau)} {reading.unit}" if tau else "no recovery"
        ax.semilogx(CREEPAGES, T / 1e3, line, color=colours[tau], label=label)
    for mu, name in ((MU_CD, "$µ_{cd}$ N"), (MU_CR, "$µ_{cr}$ N")):
        ax.axhline(mu * N / 1e3, color="0.5", linewidth=0.8, linestyle=":")
        ax.annotate(
            name, (CREEPAGES[0], mu * N / 1e3), (2, 3), textcoords="offset points", color="0.35"
        )
    ax.set_xlim(CREEPAGES[0], CREEPAGES[-1])
    ax.set_ylim(bottom=0.0)
    ax.set_xlabel("longitudinal creepage ξ")
    ax.set_ylabel("|$T_x$| / kN")
    ax.legend(loc="upper left")
