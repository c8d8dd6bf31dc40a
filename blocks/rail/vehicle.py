"""A railway vehicle on a line, in three dimensions."""

from functools import cache

from railblocks.blocks.rail.contact_blocks import METHODS
from railblocks.blocks.rail.geometry.detection import rail_diff
from railblocks.blocks.rail.geometry.spreading import spread_curvatures
from railblocks.blocks.rail.tangential.laws import LAWS, kalker_law
from railblocks.blocks.rail.vehicle_data import VehicleData
from railblocks.blocks.rail.vehicle_motion import (
    FRAME,
    place_bodies,
    pose_on_rails,
    read_axles,
    vehicle_rates,
)
from railblocks.blocks.rail.vehicles.picture import draw_named
from railblocks.blocks.rail.wheel_contact import ROOM
from railblocks.blocks.rail.wheel_forces import COLUMNS, wheel_forces
from railblocks.blocks.variants import variant
from railblocks.engine.declaration import Block, In, Out, Param, State, der, out, picture


@cache
def touch_rails(detect, law):
    """The equation of all wheels, for one method and one law."""

    @out("contacts", "loads")
    def touch(
        q, frames, axles, sides, mu, c, V_min, h, E_star, constants, table, fields,
        tread_l, nodes_l, head_l, tread_r, nodes_r, head_r, contacts, loads,
    ):  # fmt: skip
        bodies = (E_star, c, V_min, mu)
        for k in range(len(sides)):
            G, alpha, beta, v, omega = pose_on_rails(q, frames, int(axles[int(sides[k]), 0]))
            left = k % 2 == 0
            tread, nodes = (tread_l, nodes_l) if left else (tread_r, nodes_r)
            head = head_l if left else head_r
            found, load = contacts[k], loads[k]
            n = detect(G[0], G[1], G[2], alpha, beta, tread, nodes, head, 0.0, found)
            spread_curvatures(found, n, tread, head, False, h)
            wheel_forces(
                law, n, found, G, v, omega, 0.0, bodies, constants, table, fields,
                load[0:3], load[3:6],
            )  # fmt: skip

    return touch


class RailVehicle(VehicleData, Block):
    """A vehicle on a line: bodies, suspension, wheels on rails, in three dimensions.

    m a_c = sum of F,  J alpha + omega x (J omega) = sum of M about the centre of mass    (1)
    contacts by DIFF or DIST, Hertz and a law of creep forces, as rail.contact_wheel_rail (2)
    s', y', z' of each body in the axes of the rails that it is over                      (3)

    Bodies, force elements and wheelsets come from the vehicle's file, the centreline and its rails
    from the line's. All bodies have six degrees of freedom; rotations are exact. At the start the
    vehicle is at rest in itself on straight track, and rolls at v_0. C drives an axle, or brakes
    it, and its reaction is taken by what the axle's drive is mounted on. Q and Y are forces of
    wheels on the rails, across and along the sleepers. Source: falomi, section 2.
    """

    id = "rail.vehicle"
    symbol = "vehicle"
    example = {"v_0": 20.0}
    C = In("N*m", "torque on each axle", shape="n", default=0.0)
    s = Out("m", "places of the wheelsets along the line", shape="n")
    y = Out("m", "lateral displacement of the wheelsets", shape="n")
    alpha = Out("rad", "yaw of the wheelsets against the rails", shape="n")
    omega = Out("rad/s", "speeds of the wheelsets", shape="n")
    v = Out("m/s", "speed of the first body along the line")
    Q = Out("N", "vertical force of each wheel, left first", shape="wheels")
    Y = Out("N", "lateral force of each wheel, to the left", shape="wheels")
    loads = Out("1", "force and moment of the contacts on each wheel, SI", shape=("wheels", 6))
    contacts = Out("1", "all numbers of all contacts, SI", shape=("wheels", ROOM, COLUMNS))
    world = Out("1", "states of all bodies in space, SI", shape=("states",))
    frames = Out("1", "frames of the rails under the bodies", shape=("bodies_n", FRAME))
    method = Param(
        "1", "which function is stationary", type=str, default="diff", choices=tuple(METHODS)
    )
    q = State("1", "states of bodies and dampers", shape=("states",), start="q_0")
    touch = touch_rails(rail_diff, kalker_law)
    drawing = picture(draw_named)

    @classmethod
    def specialise(cls, values):
        return variant(cls, touch=touch_rails(METHODS[values["method"]], LAWS[values["law"]]))

    @out("world", "frames")
    def place(q, line, world, frames):
        place_bodies(q, line, world, frames)

    @out("s", "y", "alpha", "omega", "Q", "Y", "v")
    def read(q, frames, axles, loads, s, y, alpha, omega, Q, Y):
        return read_axles(q, frames, axles, loads, s, y, alpha, omega, Q, Y)

    @der("q")
    def move(q, world, frames, axles, loads, C, g, bodies, elements, stop, der_q):
        vehicle_rates(
            q, world, frames, axles, loads, C, g, bodies, elements, stop, der_q
        )  # (1), (3)
