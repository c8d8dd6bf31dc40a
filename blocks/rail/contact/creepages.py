"""Creepages from velocities, as a block."""

from railblocks.blocks.rail.contact.tangential.creepages import creepages
from railblocks.engine.declaration import Block, In, Out, Param, out


class Creepages(Block):
    """Creepages from velocities at the contact.

    (xi, eta, phi) = (v_x, v_y, omega_n) / sqrt(V^2 + V_min^2)             (1)

    V_min regularises standstill: creepages stay finite and smooth; for |V| >> V_min the effect is
    V_min^2 / (2 V^2).
    """

    symbol = "v/V"
    v_x = In("m/s", "longitudinal velocity of the wheel's surface over the rail's")
    v_y = In("m/s", "lateral velocity of the wheel's surface over the rail's", default=0.0)
    omega_n = In("rad/s", "relative angular speed about the normal", default=0.0)
    V = In("m/s", "speed of rolling")
    xi = Out("1", "longitudinal creepage")
    eta = Out("1", "lateral creepage")
    phi = Out("1/m", "spin creepage")
    V_min = Param("m/s", "speed below which creepages are held back", default=0.1, gt=0)

    @out("xi", "eta", "phi")
    def divide(v_x, v_y, omega_n, V, V_min):
        return creepages(v_x, v_y, omega_n, V, V_min)  # (1)
