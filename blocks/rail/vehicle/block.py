"""A railway vehicle on a line, in three dimensions."""

from functools import cache

from railblocks.blocks.base.variants import variant
from railblocks.blocks.rail.contact.contact_methods import METHODS
from railblocks.blocks.rail.contact.geometry.contacts import MAX_ROWS
from railblocks.blocks.rail.contact.geometry.detection import rail_diff
from railblocks.blocks.rail.contact.normal_contacts import NORMALS, spread_contacts
from railblocks.blocks.rail.contact.tangential.laws import LAWS, kalker_law
from railblocks.blocks.rail.contact.wheel_forces import COLUMNS
from railblocks.blocks.rail.multibody.bodies import STATES
from railblocks.blocks.rail.multibody.elements import read_elements
from railblocks.blocks.rail.multibody.readings import PATCH, read_patches
from railblocks.blocks.rail.multibody.wheeled import BODY, add_rates
from railblocks.blocks.rail.vehicle.contacts import wheel_on_rail
from railblocks.blocks.rail.vehicle.data import VehicleData
from railblocks.blocks.rail.vehicle.frames import FRAME, S, place_bodies, rates_on_line
from railblocks.blocks.rail.vehicle.moving_rails import move_rails, rates_of_rails
from railblocks.blocks.rail.vehicle.outputs import watched
from railblocks.blocks.rail.vehicle.power import VehiclePower
from railblocks.blocks.rail.vehicle.rail_loads import RailLoads
from railblocks.blocks.rail.vehicle.rails import RAIL, in_space, lay_rails, motion_on_rail
from railblocks.blocks.rail.vehicle.readings import (
    MOTION,
    read_axles,
    read_motions,
    read_welds,
)
from railblocks.engine.declaration import Block, In, Out, State, der, out


@cache
def touch_rails(detect, normal, law):
    """The equation of all wheels, for one method, normal contact and law."""

    @out("contacts", "loads")
    def touch(q, ground, along, axles, left, right, h, material, contacts, loads):
        for wheel in range(len(contacts)):
            body = int(axles[wheel // 2, BODY])
            profiles = left if wheel % 2 == 0 else right
            motion, s = motion_on_rail(ground, q, body, wheel), q[STATES * body + S]
            wheel_on_rail(
                detect, normal, law, motion, s, along, wheel, profiles, h, material,
                contacts[wheel], loads[wheel],
            )  # fmt: skip

    return touch


class RailVehicle(VehicleData, RailLoads, VehiclePower, Block):
    """A vehicle on a line: bodies, suspension, wheels on rails, in three dimensions.

    m a_c = sum of F,  J alpha + omega x (J omega) = sum of M about the centre of mass    (1)
    contacts by a method, an ellipse and a law of creep forces, as rail.contact_wheel_rail (2)
    s', y', z' of each body in the axes of the rails that it is over                      (3)
    M u'' + C u' + K u = B^T f  of the masses that bear the rails under each axle         (4)

    Bodies, force elements and wheelsets come from the vehicle's file, the centreline and its rails
    from the line's. Bodies have six degrees of freedom, axle boxes one; rotations are exact. At the
    start the vehicle is at rest in itself on straight track, and rolls at v_0. C drives an axle, or
    brakes it, and its reaction is taken by what the axle's drive is mounted on. Q and Y are forces
    of wheels on the rails, across and along the sleepers as they lie; y, yaw and roll are against
    the line as designed, without its irregularities, and angular velocities and pitch are those in
    space. Irregularities, and growing cant, turn each rail where it goes. `support`, or the track
    in the vehicle's file, says what bears the rails: nothing gives, or masses on springs and
    dampers that travel with each axle. `watch` names bodies and elements that get outputs of their
    own, as body_y or primary_1_l_F_z. An axle that shifts by more than `derailed` ends the run with
    a message, and so does the end of the line. Source: falomi, section 2.
    """

    id = "rail.vehicle"
    symbol = "vehicle"
    example = {"v_0": 20.0}
    C = In("N*m", "torque on each axle", shape="n", default=0.0)
    s = Out("m", "positions of the wheelsets along the line", shape="n")
    y = Out("m", "displacement of the wheelsets to the left of the line", shape="n")
    alpha = Out("rad", "yaw of the wheelsets against the line", shape="n")
    omega = Out("rad/s", "speeds of the wheelsets", shape="n")
    v = Out("m/s", "speed of the first body along the line")
    motions = Out("1", "motion of all bodies over the rails, SI", shape=("readings_n", MOTION))
    forces = Out("1", "force and displacement of all elements, SI", shape=("links", 6))
    rails = Out("1", "axes, place and motion of the rail under each wheel", shape=("wheels", RAIL))
    loads = Out("1", "force and moment of the contacts on each wheel, SI", shape=("wheels", 6))
    contacts = Out("1", "all numbers of all contacts, SI", shape=("wheels", MAX_ROWS, COLUMNS))
    patches = Out("1", "most loaded contact of each wheel, SI", shape=("wheels", PATCH))
    world = Out("1", "states of all bodies in space, SI", shape=("states",))
    frames = Out("1", "frames of the rails under the bodies", shape=("bodies_n", FRAME))
    rates = Out("1", "rates of all states, SI", shape=("states",))
    q = State("1", "states of bodies, dampers and rails", shape=("states",), start="q_0")
    touch = touch_rails(rail_diff, spread_contacts, kalker_law)

    @classmethod
    def specialise(cls, values):
        detect, normal = METHODS[values["method"]], NORMALS[values["normal"]]
        touch = touch_rails(detect, normal, LAWS[values["law"]])
        return variant(cls, touch=touch, **watched(values))

    @out("world", "frames", "rails")
    def place(q, line, bodies, axles, deviations, base, touched, bed, world, frames, rails):
        place_bodies(q, line, bodies, world, frames)
        lay_rails(q, frames, axles, deviations, base, touched, rails)
        move_rails(q, axles, bed, rails)

    @out("s", "y", "alpha", "omega", "v")  # a guard on a speed needs no contact forces
    def read(q, frames, axles, s, y, alpha, omega):
        return read_axles(q, frames, axles, s, y, alpha, omega)

    @out("rates")
    def accelerations(q, world, ground, tables, bed, loads, C, rates):
        add_rates(in_space, ground, world, tables, loads, C, rates)  # (1)
        rates_on_line(q, world, ground.frames, tables.bodies, rates)  # (3)
        rates_of_rails(q, tables.axles, bed, ground.rails, loads, rates)  # (4)

    @out("motions", "forces", "patches")
    def show(q, world, frames, tables, readings, rates, contacts, motions, forces, patches):
        read_patches(contacts, patches)
        read_motions(q, world, frames, tables.bodies, rates, motions)
        read_welds(world, frames, tables.bodies, rates, readings, motions)
        read_elements(world, tables.bodies, tables.elements, tables.curves, forces)

    @der("q")
    def move(rates, der_q):
        for k in range(len(rates)):
            der_q[k] = rates[k]
