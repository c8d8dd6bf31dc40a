"""Energy and power of the MDM rig: conserved without losses, balanced with them."""

from pathlib import Path

import numpy as np
import pytest
from railblocks.blocks.rail.contact.contact_power import contact_energy
from railblocks.blocks.rail.contact.geometry.contacts import MAX_ROWS, A, B
from railblocks.blocks.rail.contact.normal.hertz import composite_modulus, hertz_constants
from railblocks.blocks.rail.contact.normal.line import line_energy, line_force
from railblocks.blocks.rail.contact.wheel_forces import COLUMNS, LOAD, SEMI_A
from railblocks.blocks.rail.multibody import bodies as b
from railblocks.blocks.rail.rig.tables import BODY, BOGIE, FRONT
from railblocks.engine import check, load, loads, simulate
from rig_alone import Rig, diagram

SCENARIOS = Path(__file__).parents[4] / "diagrams" / "conti2012"
LOSSLESS = {"c_p": "[0, 0, 0]", "c_s": "[0, 0, 0]", "c": 0, "mu": 0}
KICKS = {
    (BODY, b.V_Z): 0.02, (BOGIE, b.W_X): 0.02, (BOGIE, b.W_Y): 0.02, (BOGIE, b.W_Z): 0.02,
    (FRONT, b.V_X): 0.005, (FRONT, b.V_Y): 0.01, (FRONT, b.V_Z): 0.0005,
}  # fmt: skip


def kicked(**values):
    """A run without any loss after all bodies were set into motion."""
    rig = Rig(log="rig.energies, rig.contacts, work.y", **LOSSLESS, **values)
    for (body, state), speed in KICKS.items():
        rig.q[b.STATES * body + state] = speed
    return rig.run()


def drift_and_exchange(results):
    """How far total energy is from that at the start, and how much of it changed its place."""
    energies = results["rig.energies"]
    return energies.sum(axis=1) - energies[0].sum(), np.ptp(energies, axis=0).max()


def work_of_stiffness(contacts):
    """Integral of E_c d(ln K_h), over all wheels: what changing stiffness does."""
    total = np.zeros(len(contacts))
    for wheel in range(4):
        row = contacts[:, wheel, 0]
        constants = np.array([hertz_constants(*row[i, [A, B]])[:2] for i in range(len(row))])
        root = row[:, SEMI_A] / constants[:, 1]
        stored = 0.4 * composite_modulus(2.1e11, 0.3) * constants[:, 0] * root**5
        change = 0.5 * (stored[1:] + stored[:-1]) * np.diff(np.log(constants[:, 0]))
        total[1:] += np.cumsum(change)
    return total


@pytest.mark.parametrize("wheel", ["cylinder", "cone 1/20"])
def test_without_losses_energy_is_conserved(wheel):
    drift, exchanged = drift_and_exchange(kicked(wheel=wheel, cant=0, stop="0.1 s"))
    assert exchanged > 1.0
    assert np.abs(drift).max() < 2e-8 * exchanged


def test_what_curved_profiles_gain_or_lose_is_the_work_of_their_changing_stiffness():
    """S1002 on UIC60: Hertz's force is no potential where curvature changes along the path.

    d(E)/dt = 2/5 delta^2.5 K_h', the derivative of the contact's energy that no force belongs to.
    """
    results = kicked(stop="0.05 s", every="0.05 ms")
    drift, exchanged = drift_and_exchange(results)
    work = work_of_stiffness(results["rig.contacts"])
    assert np.abs(drift).max() < 1e-5 * exchanged
    assert np.abs(drift - work).max() < 1e-4 * np.abs(drift).max()


def unbalanced_work(energies, work):
    """Stored energy less power in plus power out, over time; contacts' energy is in `normal`."""
    stored = energies[:, :3].sum(axis=1)
    motors, rollers, dampers, creep, normal = work.T
    return stored - stored[0] - (motors + rollers - dampers - creep - normal)


def test_all_power_is_accounted_for_with_losses_torque_and_unbalance():
    """Torques, damping, friction, unbalance, an offset to all sides, reaction on half the bogie."""
    values = {"dG_x": "0.1 mm", "dG_y": "0.6 mm", "me_w": 2e-4, "dJ_w": 1e-5, "reaction": 0.5}
    results = Rig(stop="0.1 s", C_S=(3, 1), u=(1, 2), **values).run()
    put_in = np.abs(results["work.y"][-1, :2]).sum()
    missing = unbalanced_work(results["rig.energies"], results["work.y"])
    assert np.abs(missing).max() < 1e-8 * put_in


def test_motors_and_rollers_put_in_torque_times_angle():
    """In the middle and balanced, the wheelsets turn, and the bogie pitches by little."""
    results = Rig(stop="0.2 s", C_S=(3, 1), u=(1, 2), reaction=0, log="rig.positions, work.y").run()
    turned = results["rig.positions"][:, :2, b.THETA] - results["rig.positions"][0, :2, b.THETA]
    assert results["work.y"][-1, 0] == pytest.approx(3 * turned[-1, 0] + turned[-1, 1], rel=1e-7)


def test_friction_and_dampers_only_take():
    results = Rig(stop="0.2 s", C_S=(3, 1), dG_y="0.6 mm").run()
    for taken in results["work.y"][:, 2:4].T:
        assert taken[-1] > 0.0
        assert np.all(np.diff(taken) >= 0.0)


def balance_of_scenario(stop):
    text = (SCENARIOS / "scenario_1.yaml").read_text()
    text = text.replace("blocks:\n", "blocks:\n  work: {type: continuous.integrator}\n")
    text = text.replace("wires:\n", "wires:\n  - rig.powers -> work\n")
    text = text[: text.index("log:")] + "log: {signals: [rig.energies, work.y], every: 1 ms}\n"
    results = simulate(loads(text, folder=SCENARIOS), {"solver.stop": stop})
    missing = unbalanced_work(results["rig.energies"], results["work.y"])
    return np.abs(missing).max() / np.abs(results["work.y"][:, 0]).max()


def test_power_in_is_stored_or_lost_at_the_start_of_scenario_1():
    """Torque rises from 0.5 s on."""
    assert balance_of_scenario("0.8 s") < 1e-6


@pytest.mark.slow
def test_power_in_is_stored_or_lost_along_scenario_1():
    assert balance_of_scenario("8 s") < 1e-6


def test_energy_and_power_cost_nothing_where_nobody_asks():
    programs = [check(load(SCENARIOS / "scenario_1.yaml")), check(diagram())]
    plain, asked = (
        {step.kernel.function.__name__ for step in checked.schedule.program.rhs}
        for checked in programs
    )
    assert "touch" in plain
    assert not plain & {"balance", "store"}
    assert "balance" in asked
    assert "store" not in asked


def test_energy_of_a_line_contact_is_the_work_of_its_force():
    E_star, B_, L = 1.15e11, 10.9, 5e-3
    step = 1e-9
    for delta in (1e-6, 1e-5, 1e-4):
        rise = line_energy(delta + step, B_, L, E_star) - line_energy(delta - step, B_, L, E_star)
        assert rise / (2 * step) == pytest.approx(line_force(delta, B_, L, E_star), rel=1e-5)
    assert line_energy(0.0, B_, L, E_star) == 0.0


def test_energy_of_a_point_contact_is_two_fifths_of_force_times_approach():
    """Without damping, and for two contacts that have nothing in common."""
    E_star, contacts = 1.15e11, np.zeros((MAX_ROWS, COLUMNS))
    expected = 0.0
    for row, (a, b_, delta) in enumerate(((11.0, 9.0, 1e-5), (11.0, 30.0, 2e-5))):
        k, c_x, _ = hertz_constants(a, b_)
        contacts[row, [A, B, SEMI_A, LOAD]] = a, b_, c_x * delta**0.5, E_star * k * delta**1.5
        expected += 0.4 * contacts[row, LOAD] * delta
    assert contact_energy(contacts, E_star) == pytest.approx(expected, rel=1e-12)
