"""Kernels of a vehicle's wheels on rails that are not quite where they should be.

Where the line's irregularities put a rail off its place by (d_y, d_z), the wheel is off by as much
the other way; and where they change by (d_y', d_z') for each metre, the rail comes towards a wheel
that goes along with v_x:

    G -> G - (0, d_y, d_z),   v -> v - v_x (0, d_y', d_z')                 (1)
    d_y = lateral +- gauge / 2,   d_z = vertical -+ cross level / 2        (2)

the upper signs for the left rail. Rails are not turned by it. Where the axes of the rails roll by
kappa_x for each metre, as where cant grows, both rails rise or fall towards the wheels in the same
way:

    v -> v - kappa_x s' e_x x G,   omega -> omega - kappa_x s' e_x         (3)

Friction along the line takes the place of the vehicle's own, where the line has some; profiles are
those of the pair of rails that the wheel has come to.
"""

from railblocks.blocks.rail.geometry.spreading import spread_curvatures
from railblocks.blocks.rail.multibody.bodies import STATES
from railblocks.blocks.rail.track.along import row_of, slope_along, value_along
from railblocks.blocks.rail.track.centreline import rates_along
from railblocks.blocks.rail.vehicle_motion import S, pose_on_rails
from railblocks.blocks.rail.wheel_forces import wheel_forces

LATERAL, VERTICAL, CROSS, GAUGE = range(1, 5)
FRICTION = 1
PAIR = 9
"""Numbers of a pair of rails: where it starts, then the first row and the one behind the last of
the left nodes, the left head, the right nodes and the right head in their tables."""


def off_place(deviations, s, side):
    """(d_y, d_z, d_y', d_z') of (2); side is 1 for the left rail, -1 for the right one."""
    half = 0.5 * side
    return (
        value_along(deviations, LATERAL, s, 0.0) + half * value_along(deviations, GAUGE, s, 0.0),
        value_along(deviations, VERTICAL, s, 0.0) - half * value_along(deviations, CROSS, s, 0.0),
        slope_along(deviations, LATERAL, s) + half * slope_along(deviations, GAUGE, s),
        slope_along(deviations, VERTICAL, s) - half * slope_along(deviations, CROSS, s),
    )


def pose_on_rail(q, frames, body, side, deviations):
    """Pose and motion of an axle against one rail as it lies (1), (3); then that rail's own motion.

    The last are its velocity at the axle's middle and its rate of roll.
    """
    G, alpha, beta, v, omega = pose_on_rails(q, frames, body)
    d_y, d_z, t_y, t_z = off_place(deviations, q[STATES * body + S], side)
    turn = (frames[body, 9], frames[body, 10], frames[body, 11])
    s_dot, _, _ = rates_along(turn, frames[body, 12], G[1], G[2], v[0], v[1], v[2])
    twist = turn[0] * s_dot
    rail = (0.0, v[0] * t_y - twist * G[2], v[0] * t_z + twist * G[1])
    G = (G[0], G[1] - d_y, G[2] - d_z)
    v = (v[0], v[1] - rail[1], v[2] - rail[2])
    return G, alpha, beta, v, (omega[0] - twist, omega[1], omega[2]), rail, twist


def wheel_on_rail(
    detect, law, q, frames, body, side, way, bodies, tread, nodes, heads, h, constants, table,
    fields, found, load,
):  # fmt: skip
    """Contacts of one wheel, in `found`; force and moment on its axle in `load`.

    `way` are the line's tables of irregularities, friction and pairs of rails, whose `nodes` and
    `heads` stand below each other; `bodies` are as `wheel_forces` has them.
    """
    deviations, friction, pairs = way
    E_star, c, V_min, mu = bodies
    s = q[STATES * body + S]
    G, alpha, beta, v, omega, _, _ = pose_on_rail(q, frames, body, side, deviations)
    pair, k = row_of(pairs, s), 1 if side > 0.0 else 5
    near = nodes[int(pairs[pair, k]) : int(pairs[pair, k + 1])]
    head = heads[int(pairs[pair, k + 2]) : int(pairs[pair, k + 3])]
    n = detect(G[0], G[1], G[2], alpha, beta, tread, near, head, 0.0, found)
    spread_curvatures(found, n, tread, head, False, h)
    grip = (E_star, c, V_min, value_along(friction, FRICTION, s, mu))
    wheel_forces(
        law, n, found, G, v, omega, 0.0, grip, constants, table, fields, load[0:3], load[3:6]
    )
