"""The MDM roller rig: a scaled bogie with half a car body on two axles of rollers."""

import math

from railblocks.blocks.rail.contact.wheel_contact import ROOM
from railblocks.blocks.rail.contact.wheel_forces import COLUMNS
from railblocks.blocks.rail.rig.data import RigData
from railblocks.blocks.rail.rig.motion import read_states, rig_rates, wheel_on_roller, wheel_sums
from railblocks.blocks.rail.rig.power import RigPower
from railblocks.blocks.rail.rig.tables import ANGLE, BODIES, SPEED, STATES
from railblocks.engine.declaration import Block, In, Out, State, der, out


class MdmRig(RigData, RigPower, Block):
    """Scaled roller rig: two wheelsets, bogie and half a car body on two roller axles, in 3-D.

    m a_c = sum of F,  J alpha + omega x (J omega) = sum of M about the centre of mass    (1)
    contacts by F(y_w) = 0, Hertz and saturated Kalker, as rail.contact_wheel_roller      (2)
    J_r Omega' = sum of contact torques + u                       (3)
    T_mis = sum of F_x on a wheelset - me_r Omega^2 cos(angle)             (4)

    Wheelsets have six degrees of freedom each, the bogie five (held along x), the car body one.
    Axle boxes and secondary springs are elastic-viscous in three directions, with a lateral stop.
    C_S drives the wheelsets and reacts on the bogie; u > 0 slows the rollers of a rig that runs
    forward. Unbalance moves the centre of mass and tilts the inertia of a wheelset; in (4) the term
    with Omega' is left out, 1 % of the other. Rotations are exact. Source: conti2012, section 3.1;
    data of the Manchester wagon, scaled by 5 after Iwnicki.
    """

    id = "rail.mdm_rig"
    symbol = "MDM rig"
    C_S = In("N*m", "motor torques on the front and rear wheelset", shape=(2,))
    u = In("N*m", "control torques on the front and rear rollers", shape=(2,))
    Omega = Out("rad/s", "speeds of the rollers, negative when running forward", shape=(2,))
    T_mis = Out("N", "longitudinal reactions of the rollers' supports", shape=(2,))
    omega_w = Out("rad/s", "speeds of the wheelsets", shape=(2,))
    G_y = Out("m", "lateral displacement of the wheelsets", shape=(2,))
    alpha = Out("rad", "yaw of the wheelsets", shape=(2,))
    N = Out("N", "normal force of each wheel, front left first", shape=(4,))
    T_x = Out("N", "longitudinal creep force of each wheel", shape=(4,))
    T_y = Out("N", "lateral creep force of each wheel", shape=(4,))
    F_x = Out("N", "longitudinal force on each wheelset", shape=(2,))
    loads = Out("1", "force and moment of the contacts on each wheel, SI units", shape=(4, 6))
    M_r = Out("N*m", "torque of the contacts on each roller axle", shape=(2,))
    contacts = Out("1", "all numbers of all contacts, SI units", shape=(4, ROOM, COLUMNS))
    positions = Out("1", "position and angles of all bodies, SI units", shape=(BODIES, 6))
    q = State("1", "states of bodies and rollers", shape=(STATES,), start="q_0")

    @out("contacts", "loads", "F_x", "M_r")
    def touch(
        q, a, mu, c, V_min, h, scale, E_star, constants, table,
        tread_l, nodes_l, head_l, tread_r, nodes_r, head_r,
        contacts, loads, F_x, M_r,
    ):  # fmt: skip
        law = (E_star, c, V_min, mu, h * scale)
        for axle in range(2):
            x = a if axle == 0 else -a
            k = 2 * axle
            left = wheel_on_roller(
                q, axle, x, law, tread_l, nodes_l, head_l, constants, table,
                contacts[k], loads[k],
            )  # fmt: skip
            right = wheel_on_roller(
                q, axle, x, law, tread_r, nodes_r, head_r, constants, table,
                contacts[k + 1], loads[k + 1],
            )  # fmt: skip
            F_x[axle] = loads[k, 0] + loads[k + 1, 0]
            M_r[axle] = left + right

    @out("N", "T_x", "T_y")
    def forces(contacts, N, T_x, T_y):
        wheel_sums(contacts, N, T_x, T_y)

    @out("T_mis")
    def measure(q, F_x, me_r, T_mis):
        for k in range(2):
            speed = q[SPEED + k]
            T_mis[k] = F_x[k] - me_r * speed * speed * math.cos(q[ANGLE + k])  # (4)

    @out("Omega", "omega_w", "G_y", "alpha", "positions")
    def read(q, Omega, omega_w, G_y, alpha, positions):
        read_states(q, Omega, omega_w, G_y, alpha, positions)

    @der("q")
    def move(q, C_S, u, loads, M_r, J_r, g, reaction, bodies, elements, stop, der_q):
        rig_rates(
            q, C_S, u, loads, M_r, J_r, g, reaction, bodies, elements, stop, der_q
        )  # (1), (3)
