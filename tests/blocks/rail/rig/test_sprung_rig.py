"""The plane rig with axles on springs: steady traction, modes, and the rig with held axles."""

import numpy as np
import pytest
from railblocks.engine import check, loads, simulate
from railblocks.engine.operating_points.rates import Rates

K_X, KAPPA, N, R = 450e3, 0.03, 872.7, 0.092
RIG = """
diagram: 1
blocks:
  C:   {{type: sources.constant, value: [{C} N*m, {C} N*m]}}
  u:   {{type: sources.constant, value: [{u} N*m, {u} N*m]}}
  rig: {{type: rail.sprung_rig, omega_0: 150 rad/s, k_x: {k_x} N/m, kappa: {kappa}}}
  held: {{type: rail.virtual_rig, omega_0: [150 rad/s, 150 rad/s], N: 436.3685 N}}
wires:
  - C -> rig.C_S, held.C_S
  - u -> rig.u, held.u
solver: {{stop: 3 s, rtol: 1.0e-10, atol: 1.0e-11}}
log: {{every: 10 ms, signals: all}}
"""


def diagram(C=4.0, u=4.0, k_x=K_X, kappa=KAPPA):
    return loads(RIG.format(C=C, u=u, k_x=k_x, kappa=kappa))


def test_in_steady_traction_load_cells_feel_a_part_of_the_load_in_addition():
    """T = C / r, T_mis = (1 + kappa) T, x = kappa T (r + R) / N."""
    results = simulate(diagram())
    T = 4.0 / R
    assert results["rig.T"][-1] == pytest.approx([T, T], rel=1e-6)
    assert results["rig.T_mis"][-1] == pytest.approx([1.03 * T, 1.03 * T], rel=1e-6)
    x = KAPPA * T * 2.0 * R / 872.737
    assert results["rig.x"][-1] == pytest.approx([x, x], rel=1e-5)


def test_axles_shake_against_each_other_with_the_mass_that_rolls():
    """sqrt((k_x - q) / (m_w + m_t)), 1 / m_t = r^2 / J_w + R^2 / J_r."""
    rates = Rates(check(diagram(C=0.0, u=0.0)))
    values = np.linalg.eigvals(rates.jacobian(rates.start))
    m_t = 1.0 / (R**2 / 0.03584 + R**2 / 0.05)
    expected = np.sqrt((K_X - 872.737 / (2.0 * R)) / (14.504 + m_t))
    assert np.min(np.abs(values.imag - expected)) < 0.01 * expected


def test_stiff_axle_boxes_are_held_ones():
    results = simulate(diagram(C=3.0, u=2.0, k_x=1e10, kappa=1e-6))
    late = results.time > 1.0  # when such springs have stopped ringing
    for name in ("omega_w", "omega_rm", "T"):
        assert np.allclose(results[f"rig.{name}"][late], results[f"held.{name}"][late], rtol=1e-5)
