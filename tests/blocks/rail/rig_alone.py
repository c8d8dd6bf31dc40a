"""The MDM rig alone, with constant torques: runs from any state, with changed tables; rates."""

from railblocks.engine import check, loads
from railblocks.engine.operating_points.rates import Rates
from run_alone import Alone

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


class Rig(Alone):
    """A run of the rig whose states `q` and tables may be changed before it starts."""

    def __init__(self, **values):
        super().__init__(diagram(**values), "rig")


def rates(**values):
    """x' of the rig with the given parameters; without integrators."""
    return Rates(check(diagram(log="rig.N", **values)))
