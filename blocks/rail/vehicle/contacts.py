"""Kernels of a vehicle's wheels on the rails under them.

A wheel touches its rail as that lies (`vehicle_rails.py`): contacts are looked for, and forces
given, in the rail's own axes. Friction along the line takes the place of the vehicle's own, where
the line has some; profiles are those of the pair of rails that the wheel has come to.
"""

from railblocks.blocks.rail.contact.geometry.spreading import spread_curvatures
from railblocks.blocks.rail.contact.wheel_forces import wheel_forces
from railblocks.blocks.rail.multibody.bodies import STATES
from railblocks.blocks.rail.track.along import row_of, value_along
from railblocks.blocks.rail.vehicle.frames import S
from railblocks.blocks.rail.vehicle.rails import pose_on_rail

FRICTION = 1
PAIR = 9
"""Numbers of a pair of rails: where it starts, then the first row and the one behind the last of
the left nodes, the left head, the right nodes and the right head in their tables."""


def wheel_on_rail(
    detect, law, q, frames, rails, body, wheel, way, bodies, tread, nodes, heads, h, constants,
    table, found, load,
):  # fmt: skip
    """Contacts of one wheel, in `found`; force and moment on its axle in `load`.

    `way` are the line's tables of friction and of pairs of rails, whose `nodes` and `heads` stand
    below each other; `bodies` are as `wheel_forces` has them.
    """
    friction, pairs = way
    E_star, c, V_min, mu = bodies
    s = q[STATES * body + S]
    G, alpha, beta, v, omega = pose_on_rail(q, frames, rails, body, wheel)
    pair, k = row_of(pairs, s), 1 if wheel % 2 == 0 else 5
    near = nodes[int(pairs[pair, k]) : int(pairs[pair, k + 1])]
    head = heads[int(pairs[pair, k + 2]) : int(pairs[pair, k + 3])]
    n = detect(G[0], G[1], G[2], alpha, beta, tread, near, head, 0.0, found)
    spread_curvatures(found, n, tread, head, False, h)
    grip = (E_star, c, V_min, value_along(friction, FRICTION, s, mu))
    wheel_forces(law, n, found, G, v, omega, 0.0, grip, constants, table, load[0:3], load[3:6])
