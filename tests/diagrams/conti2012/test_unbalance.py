"""Unbalance of the roller rig: measured amplitudes, and axles on their springs."""

from types import SimpleNamespace

import numpy as np
import pytest
from paper_tables import unrun
from railblocks.diagrams.conti2012.runs import RigRun
from railblocks.diagrams.conti2012.unbalance import Axles, shaking
from railblocks.engine import check, loads
from railblocks.engine.operating_points.rates import Rates

FREE = """diagram: 1
blocks:
  none: {type: sources.constant, value: [0 N*m, 0 N*m]}
  rig:  {type: rail.mdm_rig, omega_init: 172 rad/s}
wires: [none -> rig.C_S, none -> rig.u]
solver: {stop: 1 s}
"""


def test_an_amplitude_is_found_under_a_drift():
    t = np.arange(0.0, 2.0, 1e-3)
    omega = 150.0 + 5.0 * t
    angle = 150.0 * t + 2.5 * t * t
    one = SimpleNamespace(
        t=t, omega_w=np.column_stack([omega, omega]),
        window=lambda low, high: (t >= low) & (t <= high),
    )  # fmt: skip
    signal = 7.0 * np.sin(angle + 0.4) + 100.0 + 30.0 * t
    assert shaking(one, 0, signal, 0.5, 1.0) == pytest.approx(7.0, rel=1e-3)


def test_axles_against_each_other_leave_the_bogie_alone():
    """sqrt((2 k_px - N / (r + R)) / (m_w + m_t)), since the bogie does not pitch."""
    one = unrun(RigRun, "conti2012", "scenario_2_filtered")
    v = one.front
    N = (v["m_c"] + v["m_b"] + 2.0 * v["m_w"]) * 9.81 / 2.0
    m_t = 1.0 / (0.092**2 / v["J_wy"] + 0.092**2 / v["J_r"])
    expected = np.sqrt((2.0 * v["k_p"][0] - N / 0.184) / (v["m_w"] + m_t))
    slow, fast = Axles(one).natural_speeds()
    assert slow == pytest.approx(expected, rel=1e-9)
    assert fast > slow


def test_the_closed_form_has_the_natural_speeds_of_the_linearised_rig():
    """Central differences of all equations of motion of the rig with free rollers."""
    rates = Rates(check(loads(FREE)))
    eigenvalues = np.linalg.eigvals(rates.jacobian(rates.start, 1e-4, most=2))
    speeds = sorted(e.imag for e in eigenvalues if 160.0 < e.imag < 190.0)
    model = Axles(unrun(RigRun, "conti2012", "scenario_2_filtered"))
    assert model.natural_speeds() == pytest.approx(speeds, rel=0.005)
