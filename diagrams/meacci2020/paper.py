"""Meacci et al. (2020): a coach brakes on a contaminated rail; adhesion inside the contact patch.

The UIC-Z1 coach brakes from 32.5 m/s with wheel-slide protection, for three recoveries tau
(Figures 7 to 11, Table 6; `coach_runs.py`). The measured runs are not public; what the paper leaves
open of the vehicle, its brakes and its protection stands in the diagram and in the vehicle's file.

Pressures, sliding and dissipation in the patch of the first left wheel (Figures 12 to 14) have the
speed and longitudinal creepage of two instants of the run without recovery: when the wheel slides
most, and when it adheres in part. With `--patch` nothing runs, and these are chosen too: speeds on
the way down from 32.5 m/s, and creepages that give the two kinds of contact. Chosen are the static
load of a wheel, the crown of the rail (R300), a lateral creepage of half a milliradian of yaw, and
the spin of a contact inclined as the rail, 1:20. Material and friction are Table 4.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from railblocks.blocks.rail.contact.normal.hertz import composite_modulus, patch
from railblocks.blocks.rail.contact.tangential.flexibility import WEIGHTED
from railblocks.blocks.rail.contact.tangential.kalker import kalker, kalker_table
from railblocks.blocks.rail.contact.tangential.local_adhesion import local_adhesion
from railblocks.blocks.rail.contact.tangential.records import (
    Cells,
    Creepages,
    Elasticity,
    LoadedPatch,
    LocalFriction,
)
from railblocks.diagrams.meacci2020.figures import figures
from railblocks.diagrams.meacci2020.patch_figures import draw_fields, draw_recovery
from railblocks.diagrams.meacci2020.runs import TAUS, XI, Run, instants, rows, run
from railblocks.engine.reproduction.result import Figure, Reproduction, Row

TITLE = "A coach braking under degraded adhesion, and its contact patch"
SOURCE = (
    "M. Meacci, Z. Shi, E. Butini, L. Marini, E. Meli, A. Rindi: A railway local degraded adhesion "
    "model including variable friction, energy dissipation and adhesion recovery. Vehicle System "
    "Dynamics (2020), doi:10.1080/00423114.2020.1775266"
)

E, G, NU = 2.1e11, 8e10, 0.3  # Table 4
MU_CD, MU_CR, A_D, A_R, GAMMA_D, GAMMA_R = 0.06, 0.28, 0.4, 0.4, 0.2, 0.6  # Table 4
TUNED = TAUS[1]
N = 43000.0 * 9.81 / 8.0  # Table 1: an eighth of the coach
R_WHEEL, R_RAIL = 0.445, 0.3  # section 4; crown of the UIC60 rail
ETA, PHI = 5e-4, 0.05 / R_WHEEL  # chosen
STATES = {  # chosen: xi, V
    "pure sliding": (0.15, 20.0),
    "partial adherence": (1e-3, 30.0),
}
CELLS = 45


def arguments(parser: Any) -> None:
    parser.add_argument(
        "--patch",
        action="store_true",
        help="the contact patch alone, in chosen states; nothing runs",
    )


class Contact:
    """The wheel on the rail: axes of its patch, and the kernel with everything but the state."""

    def __init__(self) -> None:
        from railblocks.engine import compiled

        E_star = composite_modulus(E, NU)
        self.a, self.b, _, _ = patch(0.5 / R_WHEEL, 0.5 / R_RAIL, N, E_star)
        self.C = kalker(self.a, self.b, NU, kalker_table(NU))[:3]
        self.kernel = compiled(local_adhesion)

    def forces(self, xi: float, V: float, tau: float, fields: np.ndarray | None = None) -> Any:
        """T_x, T_y, M_sp, mean friction and power; fills the fields if there are any."""
        n_x, n_y = (25, 25) if fields is None else (fields.shape[1], fields.shape[0])
        return self.kernel(
            Creepages(xi, ETA, PHI), LoadedPatch(self.a, self.b, N), V, Elasticity(G, *self.C),
            MU_CD, LocalFriction(MU_CR, A_D, A_R, GAMMA_D, GAMMA_R, tau),
            Cells(n_x, n_y, False, WEIGHTED), fields,
        )  # fmt: skip

    def fields(self, xi: float, V: float, tau: float = TUNED) -> np.ndarray:
        cells = np.zeros((CELLS, CELLS, 6))
        self.forces(xi, V, tau, cells)
        return cells


def reproduce(options: Any, tell: Any) -> Reproduction:
    tell("compiling the contact")
    contact = Contact()
    if options.patch:
        return _patch(contact, tell)
    runs = [run(tau, tell) for tau in TAUS]
    plain = run(0.0, tell, **{"coach.law": "fastsim", "coach.mu": MU_CD})
    states = {name: _state(runs[0], row) for name, row in instants(runs[0]).items()}
    fields = {name: contact.fields(*state, tau=0.0) for name, state in states.items()}
    found = [*rows(runs, plain), *_zones(fields, "by creepage and speed those of the run")]
    drawn = [*figures(runs), *_fields(contact, fields)]
    return Reproduction(TITLE, SOURCE, tuple(found), tuple(drawn))


def _state(one: Run, row: int) -> tuple[float, float]:
    """Longitudinal creepage and speed of the first left wheel."""
    return -float(one.patches[row, 0, XI]), float(one.v[row])


def _patch(contact: Contact, tell: Any) -> Reproduction:
    """The patch alone, in chosen states."""
    tell("pressures and sliding in the patch")
    fields = {name: contact.fields(xi, V) for name, (xi, V) in STATES.items()}
    tell("force over creepage")
    creepage = np.geomspace(2e-4, 0.3, 120)
    V = STATES["pure sliding"][1]
    curves = {tau: [-contact.forces(xi, V, tau)[0] for xi in creepage] for tau in TAUS}
    rows = [*_setting(contact), *_zones(fields), *_friction(contact), *_recovery(contact)]
    drawn = [*_fields(contact, fields), _curve(creepage, curves)]
    return Reproduction(TITLE, SOURCE, tuple(rows), tuple(drawn))


def _setting(contact: Contact) -> list[Row]:
    chosen = "chosen: not in the paper"
    rows = [
        Row("load of the wheel", None, N / 1e3, "kN", None, "43 t over 8 wheels"),
        Row("semi-axis of the patch along x", None, contact.a * 1e3, "mm", None, "Hertz, on R300"),
        Row("semi-axis of the patch along y", None, contact.b * 1e3, "mm", None, "Hertz, on R300"),
    ]
    for name, (xi, V) in STATES.items():
        rows.append(Row(f"{name}: creepage", None, xi, "", None, chosen))
        rows.append(Row(f"{name}: speed", None, V, "m/s", None, chosen))
    return rows


def _zones(fields: dict[str, np.ndarray], states: str = "chosen") -> list[Row]:
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
        Row(f"{pure}: largest dissipation", None, most[pure], "MW/m^2", None, "Fig. 14"),
        Row(
            f"{partial}: largest dissipation", "lower", most[partial], "MW/m^2",
            most[partial] < most[pure], f"Fig. 14; states are {states}",
        ),
    ]  # fmt: skip


def _friction(contact: Contact) -> list[Row]:
    """Without recovery friction lies between its kinetic and static values, contaminated."""
    rows = []
    static = MU_CD / A_D
    for xi, V in STATES.values():
        mu = contact.forces(xi, V, 0.0)[3]
        name = f"mean friction without recovery, creepage {xi:g}, {V:g} m/s"
        met = MU_CD <= mu <= static * (1.0 + 1e-9)
        rows.append(Row(name, f"{MU_CD:g} to {static:g}", mu, "", met, "Eq. 12, Table 4"))
    return rows


def _recovery(contact: Contact) -> list[Row]:
    """What recovery changes in pure sliding."""
    xi, V = STATES["pure sliding"]
    adhesion = [-contact.forces(xi, V, tau)[0] / N for tau in TAUS]
    W = contact.fields(xi, V, TAUS[-1])[..., 5]
    part = float(np.mean(1.0 - np.exp(-TAUS[-1] * W)))
    rows = []
    for before, tau, f in zip([0.0, *adhesion], TAUS, adhesion, strict=False):
        paper, met = ("grows with tau", f > before) if tau > 0.0 else (None, None)
        rows.append(Row(f"adhesion T_x / N, tau = {tau:g} m^2/W", paper, f, "", met, "Fig. 8"))
    clean = f"{MU_CR:g} to {MU_CR / A_R:g}"
    met = MU_CR * (1.0 - 1e-3) <= adhesion[-1] <= MU_CR / A_R
    last = f"{TAUS[-1]:g}"
    return [
        *rows,
        Row(f"the same with tau = {last}, clean surfaces", clean, adhesion[-1], "", met, "Eq. 12"),
        Row(f"recovered part, tau = {last}", "complete", part, "", part > 0.95, "section 5.1"),
    ]


def _fields(contact: Contact, fields: dict[str, np.ndarray]) -> list[Figure]:
    def shown(parts: list[tuple[int, float, str]]) -> Any:
        return lambda figure: draw_fields(figure, contact.a, contact.b, fields, parts)

    return [
        Figure(
            "pressures", "Tangential pressures on the wheel (Fig. 12); it rolls to the right",
            shown([(0, 1e6, "$p_{tx}$ / MPa"), (1, 1e6, "$p_{ty}$ / MPa")]), (8.0, 5.8),
        ),
        Figure(
            "sliding", "Sliding of the wheel's surface over the rail (Fig. 13)",
            shown([(2, 1.0, "$s_x$ / m/s"), (3, 1.0, "$s_y$ / m/s")]), (8.0, 5.8),
        ),
        Figure(
            "dissipation", "Power that sliding takes (Fig. 14), and friction coefficient",
            shown([(5, 1e6, "$W_{sp}$ / MW/m²"), (4, 1.0, "µ")]), (8.0, 5.8),
        ),
    ]  # fmt: skip


def _curve(creepage: np.ndarray, curves: dict[float, list[float]]) -> Figure:
    speed = STATES["pure sliding"][1]
    return Figure(
        "recovery", f"Longitudinal force over creepage at {speed:g} m/s for three τ",
        lambda figure: draw_recovery(figure, creepage, curves, N, MU_CD, MU_CR), (7.0, 4.4),
    )  # fmt: skip
