"""A friction brake between a turning axle and what holds it."""

import math

from railblocks.engine.declaration import EACH, Block, In, Out, Param, out


class FrictionBrake(Block):
    """Torque of a brake on its axle: against the rotation, and none at rest.

    T = -C omega / sqrt(omega^2 + omega_0^2)                               (1)

    A locked wheel creeps: what sticks in reality turns here with at most a part of omega_0, the
    regularisation.
    """

    symbol = "brake"
    C = In("N*m", "torque that pads or shoes can hold", shape=EACH, ge=0)
    omega = In("rad/s", "speed of the axle", shape=EACH)
    T = Out("N*m", "torque on the axle", shape=EACH)
    omega_0 = Param("rad/s", "speed below which the torque fades", default=0.2, gt=0)

    @out("T")
    def brake(C, omega, omega_0):
        return -C * omega / math.sqrt(omega * omega + omega_0 * omega_0)  # (1)
