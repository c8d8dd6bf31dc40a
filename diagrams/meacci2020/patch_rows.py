"""Rows "paper / ours" of the contact patch of Meacci et al. (2020): zones, friction, recovery."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from railblocks.diagrams.meacci2020.patch import A_D, A_R, MU_CD, MU_CR, STATES, Contact, N
from railblocks.diagrams.meacci2020.runs import TAUS
from railblocks.engine.reproduction.result import Row

RECOVERED_PART = 0.95
"""Part of the patch that counts as a complete recovery."""


def patch_rows(contact: Contact, fields: Mapping[str, np.ndarray]) -> list[Row]:
    """All rows of the patch alone, in chosen states."""
    return [*_setting(contact), *zone_rows(fields), *_friction(contact), *_recovery(contact)]


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
            sticks[pure] == 0.0, f"Fig. 12; states are {states}",
        ),
        Row(
            f"{partial}: cells that adhere", "some", sticks[partial], "",
            0.0 < sticks[partial] < 1.0, f"Fig. 12; states are {states}",
        ),
        Row.not_compared(f"{pure}: largest dissipation", most[pure], "MW/m^2", "Fig. 14"),
        Row(
            f"{partial}: largest dissipation", "lower", most[partial], "MW/m^2",
            most[partial] < most[pure], f"Fig. 14; states are {states}",
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
        table.append(Row(name, f"{MU_CD:g} to {static:g}", mu, "", met, "Eq. 12, Table 4"))
    return table


def _recovery(contact: Contact) -> list[Row]:
    """What recovery changes in pure sliding."""
    xi, V = STATES["pure sliding"]
    adhesion = [-contact.forces(xi, V, tau)[0] / N for tau in TAUS]
    W = contact.fields(xi, V, TAUS[-1])[..., 5]
    part = float(np.mean(1.0 - np.exp(-TAUS[-1] * W)))
    table = []
    for before, tau, f in zip([0.0, *adhesion], TAUS, adhesion, strict=False):
        paper, met = ("grows with tau", f > before) if tau > 0.0 else (None, None)
        table.append(Row(f"adhesion T_x / N, tau = {tau:g} m^2/W", paper, f, "", met, "Fig. 8"))
    clean = f"{MU_CR:g} to {MU_CR / A_R:g}"
    met = MU_CR * (1.0 - 1e-3) <= adhesion[-1] <= MU_CR / A_R
    last = f"{TAUS[-1]:g}"
    return [
        *table,
        Row(f"the same with tau = {last}, clean surfaces", clean, adhesion[-1], "", met, "Eq. 12"),
        Row(
            f"recovered part, tau = {last}",
            "complete",
            part,
            "",
            part > RECOVERED_PART,
            "section 5.1",
        ),
    ]
