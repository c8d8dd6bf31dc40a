"""The coach of Meacci et al. (2020) brakes: balances of forces and torques, slide protection."""

from __future__ import annotations

import numpy as np
import pytest
from bench import Bench
from railblocks.blocks.rail.vehicle.files import vehicle_named
from railblocks.diagrams.meacci2020.runs import run
from railblocks.diagrams.runs import shipped
from railblocks.engine.errors import DiagramError

pytestmark = pytest.mark.slow
COACH = vehicle_named("uic_z1")
PARTS = ("rhs", "guards")
EARLY = {"begin": 0.1, "T_oi": 0.3, "T_od": 0.15, "n_cells": 9, "solver.stop": 3.0}
"""Values that make wheels slide soon, on few cells."""


@pytest.fixture(scope="module")
def braking():
    return run(0.0, EARLY)


def test_momentum_lost_is_the_impulse_of_all_contacts(braking):
    impulse = np.trapezoid(braking.loads[..., 0].sum(axis=1), braking.t)
    speeds = braking["coach.v"]
    # the speed is the body's, bogies and wheelsets swing along under it
    assert COACH.mass * (speeds[0] - speeds[-1]) == pytest.approx(impulse, rel=2e-3)


def test_a_wheelset_turns_as_torque_and_contact_force_say(braking):
    """J omega' = T r - C, of section 5.2, over the time of the run; r where wheels touch."""
    J = COACH.bodies[COACH.index("wheelset_1")].inertia[1]
    omega = braking.v_w[:, 0] / braking.r
    moment = np.trapezoid(braking.loads[:, 0, 0] * braking.r - braking.C_w[:, 0], braking.t)
    assert J * (omega[-1] - omega[0]) == pytest.approx(moment, abs=0.01 * np.abs(moment) + 30.0)


def test_protection_vents_and_wheels_come_back(braking):
    assert braking.vented
    slid = braking.s[:, 0].argmax()
    assert braking.s[slid, 0] > 5.0
    assert braking.C_w[:, 0].min(where=braking.t > 1.0, initial=1e9) < 0.3 * braking.C_w[:, 0].max()
    assert braking.s[-1, 0] < braking.s[slid, 0]


def test_adhesion_while_sliding_lies_between_kinetic_and_static_friction(braking):
    sliding = braking.s > 1.0
    assert np.all(braking.f[sliding] > 0.06)
    assert np.all(braking.f[sliding] < 0.15)


def test_the_start_of_braking_only_shifts_a_run(braking):
    later = run(0.0, EARLY | {"begin": 0.6, "solver.stop": 2.0})
    shifted = np.interp(later.t - 0.5, braking.t, braking.v)
    after = later.t >= 0.6
    assert later.v[after] == pytest.approx(shifted[after], abs=1e-3)


def test_two_readings_of_one_recovery_are_refused():
    with pytest.raises(DiagramError, match="two readings of one recovery"):
        run(8.1e-9, {"tau": 8.1e-9})


def test_a_brake_has_no_torque_at_rest_and_is_odd():
    bench = Bench("rail.friction_brake", omega_0=0.2)
    T = {omega: bench.out(C=1000.0, omega=omega)["T"] for omega in (-50.0, 0.0, 0.15, 50.0)}
    assert T[0.0] == 0.0
    assert T[0.15] == pytest.approx(-600.0)  # 3-4-5
    assert T[50.0] == pytest.approx(-1000.0, rel=1e-5)
    assert T[-50.0] == -T[50.0]


def test_guards_on_the_speed_of_the_coach_solve_no_contact():
    """They are looked at four times a step."""
    program = shipped("meacci2020", "braking").schedule.program
    called = {name: [c.kernel.function.__name__ for c in getattr(program, name)] for name in PARTS}
    assert "touch" in called["rhs"]
    assert "read" in called["guards"]
    assert "touch" not in called["guards"]
