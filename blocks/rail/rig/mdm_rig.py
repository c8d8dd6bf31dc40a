"""The MDM roller rig: a scaled bogie with half a car body on two axles of rollers."""

from railblocks.blocks.rail.contact.geometry.contacts import MAX_ROWS
from railblocks.blocks.rail.contact.geometry.detection import roller_dist
from railblocks.blocks.rail.contact.normal_contacts import spread_contacts
from railblocks.blocks.rail.contact.tangential.laws import kalker_law
from railblocks.blocks.rail.contact.touching import touch_wheel
from railblocks.blocks.rail.contact.wheel_forces import COLUMNS
from railblocks.blocks.rail.multibody.bodies import PSI, W_Y, Y
from railblocks.blocks.rail.multibody.bodies import STATES as BODY_STATES
from railblocks.blocks.rail.multibody.readings import read_positions, sum_contacts
from railblocks.blocks.rail.multibody.wheeled import BODY as AXLE_BODY
from railblocks.blocks.rail.multibody.wheeled import add_rates
from railblocks.blocks.rail.rig.data import RigData
from railblocks.blocks.rail.rig.load_cells import LoadCells
from railblocks.blocks.rail.rig.power import RigPower
from railblocks.blocks.rail.rig.rollers import in_space, motion_on_roller, turn_rollers
from railblocks.blocks.rail.rig.tables import BODIES, SPEED
from railblocks.engine.declaration import Block, In, Out, Record, State, der, out


class MdmRig(RigData, LoadCells, RigPower, Block):
    """Scaled roller rig: two wheelsets, bogie and half a car body on two roller axles, in 3-D.

    m a_c = sum of F,  J alpha + omega x (J omega) = sum of M about the centre of mass    (1)
    contacts by F(y_w) = 0, Hertz and saturated Kalker, as rail.contact_wheel_roller      (2)
    J_r Omega' = sum of contact torques + u                       (3)
    T_mis = sum of F_x on a wheelset - me_r Omega^2 cos(angle)             (4)

    Wheelsets have six degrees of freedom each, the bogie five (held along x), the car body one.
    Axle boxes and secondary springs are elastic-viscous in three directions, with a lateral stop;
    dampers of axle boxes may have a stiffness in series. C_S drives the wheelsets and reacts on the
    bogie; u > 0 slows the rollers of a rig that runs forward. Unbalance moves the centre of mass
    and tilts the inertia of wheelsets and rollers; load_cells.py tells what `cells` feel in three
    axes, of which (4) is one. Rotations are exact. Source: conti2012, section 3.1; data of the
    Manchester wagon, scaled by 5 after Iwnicki; where load cells are is a proposal.
    """

    id = "rail.mdm_rig"
    symbol = "MDM rig"
    C_S = In("N*m", "motor torques on the front and rear wheelset", shape=(2,))
    u = In("N*m", "control torques on the front and rear rollers", shape=(2,))
    Omega = Out("rad/s", "speeds of the rollers, negative when running forward", shape=(2,))
    omega_w = Out("rad/s", "speeds of the wheelsets", shape=(2,))
    G_y = Out("m", "lateral displacement of the wheelsets", shape=(2,))
    alpha = Out("rad", "yaw of the wheelsets", shape=(2,))
    N = Out("N", "normal force of each wheel, front left first", shape=(4,))
    T_x = Out("N", "longitudinal creep force of each wheel", shape=(4,))
    T_y = Out("N", "lateral creep force of each wheel", shape=(4,))
    F_x = Out("N", "longitudinal force on each wheelset", shape=(2,))
    loads = Out("1", "force and moment of the contacts on each wheel, SI units", shape=(4, 6))
    M_r = Out("N*m", "torque of the contacts on each roller axle", shape=(2,))
    contacts = Out("1", "all numbers of all contacts, SI units", shape=(4, MAX_ROWS, COLUMNS))
    positions = Out("1", "position and angles of all bodies, SI units", shape=(BODIES, 6))
    q = State("1", "states of bodies, rollers and dampers", shape=("states",), start="q_0")
    wheels = Record("contacts of all wheels, to be filled in", "contacts", "loads", "F_x", "M_r")

    @out("contacts", "loads", "F_x", "M_r")
    def touch(q, axles, rollers, left, right, h, scale, material, wheels):
        for axle in range(2):
            torque = 0.0
            for wheel in range(2 * axle, 2 * axle + 2):
                motion = motion_on_roller(rollers, q, int(axles[axle, AXLE_BODY]), wheel)
                profiles, load = left if wheel % 2 == 0 else right, wheels.loads[wheel]
                _, M_r = touch_wheel(
                    roller_dist, spread_contacts, kalker_law, motion, profiles, True,
                    h * scale, material, wheels.contacts[wheel], load[0:3], load[3:6],
                )  # fmt: skip
                torque += M_r
            wheels.F_x[axle] = wheels.loads[2 * axle, 0] + wheels.loads[2 * axle + 1, 0]
            wheels.M_r[axle] = torque

    @out("N", "T_x", "T_y")
    def forces(contacts, N, T_x, T_y):
        sum_contacts(contacts, N, T_x, T_y)

    @out("Omega", "omega_w", "G_y", "alpha", "positions")
    def read(q, Omega, omega_w, G_y, alpha, positions):
        for axle in range(2):
            Omega[axle] = q[SPEED + axle]
            omega_w[axle] = q[BODY_STATES * axle + W_Y]
            G_y[axle] = q[BODY_STATES * axle + Y]
            alpha[axle] = q[BODY_STATES * axle + PSI]
        read_positions(q, positions)

    @der("q")
    def move(q, C_S, u, loads, M_r, rollers, tables, der_q):
        add_rates(in_space, rollers, q, tables, loads, C_S, der_q)  # (1)
        turn_rollers(rollers, q, M_r, u, der_q)  # (3)
