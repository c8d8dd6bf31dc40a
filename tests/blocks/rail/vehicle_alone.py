"""A vehicle alone on a line: runs from any state, with changed tables; rates; files of both."""

from railblocks.engine import check, loads
from railblocks.engine.operating_points.rates import Rates
from run_alone import Alone

LOG = "w.s, w.y, w.v, w.Q, w.Y, w.motions, w.forces, w.contacts, w.energies, w.powers"
"""The same for all runs: other signals would be another program to compile."""


def diagram(stop="1 s", every="10 ms", rtol=1e-6, atol=1e-8, method="ode45", **values):
    """A vehicle `w`, with parameters as in a file."""
    given = ", ".join(f"{name}: {value}" for name, value in values.items())
    return loads(
        f"diagram: 1\nblocks: {{w: {{type: rail.vehicle, {given}}}}}\n"
        f"solver: {{method: {method}, rtol: {rtol}, atol: {atol}, stop: {stop}}}\n"
        f"log: {{signals: [{LOG}], every: {every}}}\n"
    )


class OnTrack(Alone):
    """A run of a vehicle whose states `q` and tables may be changed before it starts."""

    def __init__(self, **values):
        super().__init__(diagram(**values), "w")


def run(**values):
    return OnTrack(**values).run()


def rates(**values):
    """x' of the vehicle with the given parameters."""
    return Rates(check(diagram(**values)))


def line(folder, *segments, more=""):
    """Path of a line's file with the given segments, each as in the file."""
    path = folder / f"line_{len(list(folder.iterdir()))}.yaml"
    parts = "\n".join(f"  - {{{segment}}}" for segment in segments)
    path.write_text(f"track: 1\nsegments:\n{parts}\n{more}", encoding="utf-8")
    return str(path)


LOOSE = """\
vehicle: 1
title: Two loose axles
wheels: {radius: 0.46 m, spacing: 1.5 m, profile: cone 1/20}
bodies:
  body:   {mass: 18000 kg, inertia: [20000, 200000, 200000], place: [0, 0, 1.5]}
  axle_1: {mass: 1813 kg, inertia: [1120, 112, 1120], place: [6, 0, 0.46]}
  axle_2: {mass: 1813 kg, inertia: [1120, 112, 1120], place: [-6, 0, 0.46]}
wheelsets: {axle_1: body, axle_2: body}
elements:
  spring:
    joins: {axle_1: body, axle_2: body}
    side: 1 m
    height: 0.46 m
    stiffness: [100 N/m, 100 N/m, 1 MN/m]
"""
"""The file of a vehicle whose axles are almost free to the sides."""
