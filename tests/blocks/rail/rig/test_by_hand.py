"""`rail.mdm_rig` against a rig written by hand (`by_hand`), with cones on round rollers."""

import numpy as np
import pytest
import rig_alone
from by_hand.lines import CONE, HERE, ROLLER_RHO
from by_hand.rig import Rig, rig_states_of
from by_hand.runs import (
    RIG,
    RIG_COLUMNS,
    RIG_REFERENCE,
    RIG_STOP,
    rig_at_start,
    same,
    simulate_rig,
)
from by_hand.states import accelerations_of
from run_alone import Alone

CONTACT = {
    "wheel": "cone 3/20", "roller": HERE / "roller_head.csv", "cant": CONE, "nu": 0.25,
    "mu": 1000.0, "V_min": 1e-6, "c": 0.0,
}  # fmt: skip
"""Creep forces of linear theory; no damping of contacts, whose start at touch-down is a choice."""
FORCE, MOMENT = 0.2, 0.04
"""In N and N m, 5e-4 of a wheel's load of 440 N, and of that at half of the gauge."""


def both(C_S=(0.0, 0.0), u=(0.0, 0.0), **values):
    hand = Rig(ROLLER_RHO, CONE, CONE, mu=1000.0, c=0.0, V_min=1e-6, **values)
    return rig_alone.rates(C_S=C_S, u=u, **CONTACT, **values), hand


def missing(seed, size, C_S=(0.0, 0.0), u=(0.0, 0.0), **values):
    """Forces and moments on bodies, and torques on rollers, by which the block differs."""
    block, hand = both(C_S, u, **values)
    rng = np.random.default_rng(seed)
    motion = hand.shaken(hand.at_rest(150.0), rng, size)
    Omega = -150.0 + size * 0.15 * rng.normal(size=2)
    states = rig_states_of(*motion, Omega)
    q = block.start
    q[: len(states)] = states
    rates = block(q)
    a, alpha, _ = accelerations_of(q[:48], rates[:48], 4)
    a_hand, alpha_hand, turn = hand.accelerations(*motion, Omega, C_S, u)
    force = hand.m[:, None] * (a - a_hand)
    moment = hand.J * np.einsum("nji,nj->ni", motion[1], alpha - alpha_hand)
    return force, moment, hand.p["J_r"] * (rates[50:52] - turn)


def test_it_stands_at_the_same_height():
    block, hand = both()
    z = block.start[:48].reshape(4, 12)[:, 2]
    assert z == pytest.approx(hand.at_rest(150.0)[0][:, 2], abs=1e-9)


@pytest.mark.parametrize("size", [0.1, 1.0])
@pytest.mark.parametrize(
    "values",
    [{}, {"me_w": 0.02}, {"C_S": (5.0, -3.0), "u": (2.0, 1.0)}, {"k_roll": 0.0, "k_bend": 0.0}],
)
def test_every_body_has_the_same_accelerations(size, values):
    force, moment, torque = missing(3, size, **values)
    result = {"F": np.abs(force).max() / FORCE, "M": np.abs(moment).max() / MOMENT}
    result["u"] = np.abs(torque).max() / MOMENT
    assert max(result.values()) < 1.0, f"the block differs by {result} times what may be"


def test_it_runs_alike():
    _, motion, Omega = rig_at_start()
    log = "rig.G_y, rig.alpha, rig.omega_w, rig.N, rig.Omega"
    run = Alone(rig_alone.diagram(f"{RIG_STOP} s", "2 ms", log=log, **RIG, **CONTACT), "rig")
    run.q[:] = rig_states_of(*motion, Omega)
    results = run.run()
    names = ("G_y", "alpha", "omega_w", "N", "Omega")
    rows = np.column_stack([results["t"], *(results[f"rig.{name}"] for name in names)])
    same(RIG_COLUMNS, np.loadtxt(RIG_REFERENCE, delimiter=",", skiprows=1), rows)


@pytest.mark.slow
def test_the_run_kept_is_that_of_the_rig_by_hand():
    kept = np.loadtxt(RIG_REFERENCE, delimiter=",", skiprows=1)[:11]
    rows = simulate_rig(*rig_at_start(), 0.02, **RIG)
    assert rows == pytest.approx(kept, rel=1e-5, abs=1e-8)
