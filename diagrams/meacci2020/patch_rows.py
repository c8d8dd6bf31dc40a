"""Rows "paper / ours" of the contact patch of Meacci et al. (2020): zones, friction, recovery."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from railblocks.diagrams.meacci2020.patch import A_D, A_R, MU_CD, MU_CR, STATES, Contact, N
from railblocks.diagrams.meacci2020.runs import (
    BY_POWER,
    COMPLETE,
    READINGS,
    TAUS,
    Reading,
)
from railblocks.engine.reproduction.result import Row


def patch_rows(contact: Contact, fields: Mapping[str, np.ndarray]) -> list[Row]:
    """All rows of the patch alone, in chosen states."""
    recovery = [row for reading in READINGS for row in _recovery(contact, reading)]
    return [*_setting(contact), *zone_rows(fields), *_friction(contact), *recovery]


def _setting(contact: Contact) -> list[Row]:
    chosen = "chosen: not in the paper"
    table = [
        Row.not_compared("load of the wheel", N / 1e3, "kN", "43 t over 8 wheels"),
        Row.not_compared("semi-axis of the patch along x", contact.a * 1e3, "mm", "Hertz, on R300"),
        Row.not_compared("semi-axis of the patch along y", contact.b * 1e3, "mm", "Hertz, on R300"),
    ]
    for name, (xi, V) in STATES.items():
        table.append(Row.not_compared(f"{name}: creepage", xi, "", chosen))
        table.append(Row.not_compared(f"{name}: speed", V, "m/s", chosen))
    return table


def zone_rows(fields: Mapping[str, np.ndarray], states: str = "chosen") -> list[Row]:
    """Cells that adhere, and dissipation, of a patch that slides and of one that adheres in part.

    `states` says where creepages and speeds come from.
    """
    sticks = {n: float(np.mean(np.hypot(f[..., 2], f[..., 3]) == 0.0)) for n, f in fields.items()}
    most = {n: float(f[..., 5].max()) / 1e6 for n, f in fields.items()}
    pure, partial = fields
    return [
        Row(
            f"{pure}: cells that adhere", "none", sticks[pure], "",
            sticks[pure] == 0.0, f"states are {states}", source="Fig. 12",
        ),
        Row(
            f"{partial}: cells that adhere", "some", sticks[partial], "",
            0.0 < sticks[partial] < 1.0, f"states are {states}", source="Fig. 12",
        ),
        Row.not_compared(f"{pure}: largest dissipation", most[pure], "MW/m^2"),
        Row(
            f"{partial}: largest dissipation", "lower", most[partial], "MW/m^2",
            most[partial] < most[pure], f"states are {states}", source="Fig. 14",
        ),
    ]  # fmt: skip


def _friction(contact: Contact) -> list[Row]:
    """Row of friction without recovery: between its kinetic and static values, contaminated."""
    table = []
    static = MU_CD / A_D
    for xi, V in STATES.values():
        mu = contact.forces(xi, V, 0.0)[3]
        name = f"mean friction without recovery, creepage {xi:g}, {V:g} m/s"
        met = MU_CD <= mu <= static * (1.0 + 1e-9)
        paper = f"{MU_CD:g} to {static:g}"
        table.append(Row(name, paper, mu, "", met, source="Eq. 12, Table 4"))
    return table


def _recovery(contact: Contact, reading: Reading) -> list[Row]:
    """What recovery changes in pure sliding, in one reading of tau."""
    xi, V = STATES["pure sliding"]
    adhesion = [-contact.forces(xi, V, tau, reading)[0] / N for tau in TAUS]
    W = contact.fields(xi, V, COMPLETE, reading)[..., 5]
    part = float(np.mean(1.0 - np.exp(-COMPLETE * (W if reading is BY_POWER else W / V))))
    unit = f"{reading.parameter} = {{:g}} {reading.unit}"
    table = []
    for before, tau, f in zip(adhesion, TAUS[1:], adhesion[1:], strict=False):
        name = f"adhesion T_x / N, {unit.format(tau)}"
        note = f"by {reading.words}; without recovery {adhesion[0]:.3f}"
        table.append(Row(name, "grows with tau", f, "", f > before, note, source="Fig. 8"))
    note = f"clean surfaces have {MU_CR:g} to {MU_CR / A_R:g}"
    return [*table, Row.not_compared(f"recovered part, {unit.format(COMPLETE)}", part, "", note)]
