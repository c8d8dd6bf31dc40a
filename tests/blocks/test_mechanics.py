"""Mechanical blocks: energy, power, steady states and sticking, from their kernels alone."""

import math

import pytest
from bench import Bench
from hypothesis import given
from hypothesis import strategies as st

numbers = st.floats(-10, 10)


@given(numbers, numbers)
def test_gear_keeps_the_power(omega, tau):
    y = Bench("mechanics.gear", i=-3.0).out(omega_1=omega, tau_2=tau)
    assert y["tau_1"] * omega == pytest.approx(tau * y["omega_2"])


def test_dc_motor_rests_at_its_closed_form_speed():
    V, R, K, d = 12.0, 2.0, 0.05, 1e-3
    omega = K * V / (K * K + R * d)
    bench = Bench("mechanics.dc_motor", R=R, L=0.01, K=K, J=1e-4, d=d)
    rates = bench.run("der", V=V, tau_load=0.0, speed=omega, current=(V - K * omega) / R)
    assert rates["current"] == pytest.approx(0.0, abs=1e-9)
    assert rates["speed"] == pytest.approx(0.0, abs=1e-9)


@given(numbers, numbers, numbers, numbers)
def test_dc_motor_turns_electrical_power_into_heat_storage_and_work(V, load, current, speed):
    R, L, K, J, d = 2.0, 0.01, 0.05, 1e-4, 1e-3
    bench = Bench("mechanics.dc_motor", R=R, L=L, K=K, J=J, d=d)
    rates = bench.run("der", V=V, tau_load=load, current=current, speed=speed)
    stored = L * current * rates["current"] + J * speed * rates["speed"]
    spent = R * current**2 + d * speed**2 + load * speed
    assert V * current == pytest.approx(stored + spent, abs=1e-9)


@given(numbers, numbers)
def test_pendulum_without_friction_keeps_its_energy(phi, omega):
    m, L, g = 2.0, 0.7, 9.81
    rates = Bench("mechanics.pendulum", m=m, L=L, g=g).run("der", tau=0.0, q=phi, dq=omega)
    power = m * L * L * omega * rates["dq"] + m * g * L * math.sin(phi) * rates["q"]
    assert power == pytest.approx(0.0, abs=1e-9)


def test_springs_pull_back():
    spring = Bench("mechanics.spring_damper", c=100.0, d=5.0, x_0=0.1)
    assert spring.out(x=0.3, v=2.0)["F"] == pytest.approx(30.0)
    torsion = Bench("mechanics.rotational_spring_damper", c=100.0, d=5.0, phi_0=0.1)
    assert torsion.out(phi=0.3, omega=2.0)["tau"] == pytest.approx(30.0)
    assert Bench("mechanics.viscous_friction", d=0.5).out(v=4.0)["F"] == 2.0


def test_newton_holds_for_mass_and_inertia():
    assert Bench("mechanics.mass", m=2.0).run("der", F=6.0, dq=1.0) == {"q": 1.0, "dq": 3.0}
    assert Bench("mechanics.inertia", J=2.0).run("der", tau=6.0, dq=1.0) == {"q": 1.0, "dq": 3.0}


def friction(v_0=0.0, **signals):
    return Bench("mechanics.friction_mass", m=1.0, F_c=2.0, F_s=3.0, v_0=v_0).begin(**signals)


@given(st.floats(-3, 3).filter(lambda F: abs(F) < 3))
def test_friction_mass_at_rest_sticks_up_to_the_breakaway_force(F):
    assert friction(F=F).run("der", F=F) == {"q": 0.0, "dq": 0.0}


def test_friction_mass_breaks_away_and_slides_against_coulomb_friction():
    assert friction(F=3.5).run("der", F=3.5)["dq"] == 1.5
    assert friction(F=-3.5).run("der", F=-3.5)["dq"] == -1.5
    assert friction(F=1.0, v_0=0.5).run("der", F=1.0) == {"q": 0.5, "dq": -1.0}
    assert friction(F=1.0, v_0=-0.5).run("der", F=1.0)["dq"] == 3.0


@pytest.mark.parametrize("v_0", [0.1, -0.1])
def test_friction_mass_is_stopped_when_its_speed_returns_to_zero(v_0):
    bench = friction(F=0.0, v_0=v_0)
    assert bench.run("guard", F=0.0)["stop"] > 0.0
    assert bench.run("guard", F=0.0, dq=-1e-13 * v_0)["stop"] < 0.0
    bench.fire("stop")
    assert bench.out()["v"] == 0.0
    assert bench.run("der", F=2.5)["dq"] == 0.0
    assert bench.run("guard", F=2.9)["breakaway"] < 0.0 < bench.run("guard", F=-3.1)["breakaway"]


def test_ball_loses_speed_at_the_floor():
    bench = Bench("mechanics.bouncing_ball", e=0.7)
    bench.fire("impact", q=-1e-12, dq=-3.0)
    assert bench.out() == {"h": 0.0, "v": pytest.approx(2.1)}


def test_ball_that_starts_on_the_floor_bounces_only_if_it_moves_down():
    for v_0, v in ((-2.0, 1.6), (2.0, 2.0)):
        bench = Bench("mechanics.bouncing_ball", e=0.8, h_0=0.0, v_0=v_0)
        assert bench.begin().out()["v"] == pytest.approx(v)
