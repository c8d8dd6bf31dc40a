"""The MDM rig alone, with constant torques: runs from any state, with changed tables; rates."""

import numpy as np
from railblocks.engine import Simulation, check, loads
from railblocks.engine.program import layout as at
from railblocks.engine.runs.rates import Rates

LOG = "rig.positions, rig.energies, work.y, rig.N, rig.omega_w, rig.Omega"


def diagram(stop="1 s", every="1 ms", rtol=1e-9, atol=1e-11, C_S=(0, 0), u=(0, 0), method="ode45",
            log=LOG, **values):  # fmt: skip
    """The rig with constant torques, and integrators of its powers."""
    given = ", ".join(f"{name}: {value}" for name, value in values.items())
    return loads(f"""
diagram: 1
blocks:
  C:    {{type: sources.constant, value: [{C_S[0]} N*m, {C_S[1]} N*m]}}
  u:    {{type: sources.constant, value: [{u[0]} N*m, {u[1]} N*m]}}
  rig:  {{type: rail.mdm_rig, {given}}}
  work: {{type: continuous.integrator}}
wires: [C -> rig.C_S, u -> rig.u, rig.powers -> work]
solver: {{method: {method}, rtol: {rtol}, atol: {atol}, stop: {stop}}}
log: {{signals: [{log}], every: {every}}}
""")


class Rig:
    """A run of the rig whose states `q` and tables may be changed before it starts."""

    def __init__(self, **values):
        self.simulation = Simulation(check(diagram(**values)))
        self.places = self.simulation.checked.schedule.places

    @property
    def q(self):
        start = self.simulation.layout[at.X] + self.places.states["rig", "q"].offset
        return self.simulation.w[start : start + self.places.states["rig", "q"].size]

    def table(self, name):
        """A parameter or derived table, as the compiled rig reads it."""
        ref = self.places.parameters["rig", name]
        return self.simulation.w[ref.offset : ref.offset + ref.size].reshape(ref.shape)

    def run(self):
        """Time, and logged signals by name."""
        rows = np.concatenate(list(self.simulation.chunks()))
        found, place = {"t": rows[:, 0]}, 1
        for column in self.simulation.columns:
            size = int(np.prod(column.shape))
            found[column.name] = rows[:, place : place + size].reshape(-1, *column.shape)
            place += size
        return found


def rates(**values):
    """x' of the rig with the given parameters; without integrators."""
    return Rates(check(diagram(log="rig.N", **values)))
