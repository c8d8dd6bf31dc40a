"""The block `rail.vehicle` with the contact that the program written by hand has."""

from railblocks.engine import check, loads
from railblocks.engine.operating_points.rates import Rates
from run_alone import Alone

LOG = "w.s, w.y, w.alpha, w.v, w.Q, w.Y, w.motions, w.loads"
"""The same for all runs: other signals would be another program to compile."""
CONTACT = {"method": "dist", "nu": 0.25, "V_min": "1e-6 m/s", "derailed": "50 mm"}
"""Contacts where the distance is least, the Poisson's ratio of a column of Kalker's table."""


def diagram(stop="1 s", every="10 ms", log=LOG, C=(0, 0, 0, 0), **values):
    """A vehicle `w`, with parameters as in a file and torques C on its axles."""
    given = ", ".join(f"{name}: {value}" for name, value in (CONTACT | values).items())
    torques = ", ".join(f"{torque} N*m" for torque in C)
    return loads(
        f"diagram: 1\nblocks:\n  w: {{type: rail.vehicle, {given}}}\n"
        f"  C: {{type: sources.constant, value: [{torques}]}}\nwires: [C -> w.C]\n"
        f"solver: {{method: ode45, rtol: 1e-7, atol: 1e-9, stop: {stop}}}\n"
        f"log: {{signals: [{log}], every: {every}}}\n"
    )


class Beside(Alone):
    """A run of the block, whose states `q` may be changed before it starts."""

    def __init__(self, **values):
        super().__init__(diagram(**values), "w")


def rates(**values):
    """x' of the block with the given parameters."""
    return Rates(check(diagram(log="w.Q", **values)))
