"""What wheels do to the rails, and rails under them, as outputs of a vehicle."""

from railblocks.blocks.rail.vehicle.moving_rails import read_deflection
from railblocks.blocks.rail.vehicle.readings import read_wheels
from railblocks.engine.declaration import Out, out


class RailLoads:
    """Outputs of forces on the rails, of running safety, and of how far rails give."""

    Q = Out("N", "vertical force of each wheel, left first", shape="wheels")
    Y = Out("N", "lateral force of each wheel, to the left", shape="wheels")
    ratio = Out("1", "Y/Q of each wheel, Y outwards", shape="wheels")
    unloading = Out("1", "part of its static Q that each wheel has lost", shape="wheels")
    shift = Out("N", "lateral force of each axle on the track, to the left", shape="n")
    deflection = Out("m", "how far each rail gives, to the left and up", shape=("wheels", 2))

    @out("Q", "Y", "ratio", "unloading", "shift")
    def judge(loads, Q_0, Q, Y, ratio, unloading, shift):
        read_wheels(loads, Q_0, Q, Y, ratio, unloading, shift)

    @out("deflection")
    def give(q, axles, bed, deflection):
        read_deflection(q, axles, bed, deflection)
