"""Rates of a diagram's states: those of its equations, and their Jacobian."""

import numpy as np
import pytest
from railblocks.engine import check, loads
from railblocks.engine.operating_points.rates import Rates

SWING = """
diagram: 1
blocks:
  kick:  {type: sources.constant, value: 0.2 N*m}
  swing: {type: mechanics.pendulum, m: 2 kg, L: 0.5 m, d: 0.3, phi_0: 0.4}
wires: [kick -> swing.tau]
solver: {stop: 1}
log: {signals: [swing.phi]}
"""
J = 2 * 0.25


def swing():
    rates = Rates(check(loads(SWING)))
    return rates, rates.slice_of("swing", "q").start, rates.slice_of("swing", "dq").start


def test_rates_are_those_of_the_equations():
    rates, phi, omega = swing()
    x = rates.start
    x[phi], x[omega] = 0.7, -1.5
    rate = rates(x)
    assert rate[phi] == pytest.approx(-1.5)
    expected = (0.2 - 0.3 * -1.5 - 2 * 9.81 * 0.5 * np.sin(0.7)) / J
    assert rate[omega] == pytest.approx(expected, rel=1e-4)


def test_the_jacobian_has_the_frequency_of_small_swings():
    rates, _, _ = swing()
    J_x = rates.jacobian(np.zeros(2))
    eigenvalues = np.linalg.eigvals(J_x)
    sigma = 0.3 / J / 2
    assert eigenvalues.real == pytest.approx([-sigma, -sigma], rel=1e-6)
    assert np.abs(eigenvalues) ** 2 == pytest.approx([9.81 / 0.5] * 2, rel=1e-3)


def test_looking_at_rates_changes_nothing():
    rates, _, _ = swing()
    first = rates(rates.start)
    rates(rates.start + 1.0)
    assert np.array_equal(rates(rates.start), first)


def test_discrete_states_may_be_changed():
    """A relay that is set to its other side gives the torque of that side."""
    text = """
diagram: 1
blocks:
  angle: {type: sources.constant, value: 0 rad}
  relay: {type: nonlinear.relay, high: 3 N*m, low: -2 N*m}
  wheel: {type: mechanics.inertia, J: 0.5 kg*m^2}
wires: [angle -> relay, relay -> wheel.tau]
solver: {stop: 1}
log: {signals: [wheel.omega]}
"""
    rates = Rates(check(loads(text)))
    omega = rates.slice_of("wheel", "dq").start
    assert rates(rates.start)[omega] == pytest.approx(-2.0 / 0.5)
    rates.discrete("relay", "on")[...] = 1.0
    assert rates(rates.start)[omega] == pytest.approx(3.0 / 0.5)
