"""The contact patch of Meacci et al. (2020): one wheel on the rail by the local adhesion model.

Material and friction are those of Table 4. Chosen, since the paper does not print them, are the
static load of a wheel, the crown of the rail (R300), a lateral creepage of half a milliradian of
yaw, and the spin of a contact inclined as the rail, 1:20.
"""

from __future__ import annotations

from collections.abc import Mapping
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
from railblocks.diagrams.meacci2020.runs import PER_DISTANCE, TUNED, Reading
from railblocks.engine import compiled

E, G, NU = 2.1e11, 8e10, 0.3  # Table 4
MU_CD, MU_CR, A_D, A_R, GAMMA_D, GAMMA_R = 0.06, 0.28, 0.4, 0.4, 0.2, 0.6  # Table 4
N = 43000.0 * 9.81 / 8.0  # Table 1: an eighth of the coach
R_WHEEL, R_RAIL = 0.445, 0.3  # section 4; crown of the UIC60 rail
ETA, PHI = 5e-4, 0.05 / R_WHEEL  # chosen
STATES = {  # chosen: xi, V
    "pure sliding": (0.15, 20.0),
    "partial adherence": (1e-3, 30.0),
}
CELLS = 45


class Contact:
    """The wheel on the rail: axes of its patch, and the kernel with everything but the state."""

    def __init__(self) -> None:
        E_star = composite_modulus(E, NU)
        self.a, self.b, _, _ = patch(0.5 / R_WHEEL, 0.5 / R_RAIL, N, E_star)
        self.C = kalker(self.a, self.b, NU, kalker_table(NU))[:3]
        self.kernel = compiled(local_adhesion)

    def forces(
        self,
        xi: float,
        V: float,
        tau: float,
        reading: Reading = PER_DISTANCE,
        fields: np.ndarray | None = None,
    ) -> Any:
        """T_x, T_y, M_sp, mean friction and power; fills the fields if there are any."""
        recovery = {"tau": 0.0, "tau_x": 0.0} | {reading.parameter: tau}
        n_x, n_y = (25, 25) if fields is None else (fields.shape[1], fields.shape[0])
        return self.kernel(
            Creepages(xi, ETA, PHI), LoadedPatch(self.a, self.b, N), V, Elasticity(G, *self.C),
            MU_CD, LocalFriction(MU_CR, A_D, A_R, GAMMA_D, GAMMA_R, **recovery),
            Cells(n_x, n_y, False, WEIGHTED), fields,
        )  # fmt: skip

    def fields(
        self, xi: float, V: float, tau: float = TUNED, reading: Reading = PER_DISTANCE
    ) -> np.ndarray:
        """Pressures, sliding, friction and power of all cells, as `strips.FIELDS` has them."""
        cells = np.zeros((CELLS, CELLS, 6))
        self.forces(xi, V, tau, reading, cells)
        return cells

    def fields_of(
        self, states: Mapping[str, tuple[float, float]] = STATES, tau: float = TUNED
    ) -> dict[str, np.ndarray]:
        """Fields of states that have a name, each a creepage and a speed."""
        return {name: self.fields(xi, V, tau) for name, (xi, V) in states.items()}
