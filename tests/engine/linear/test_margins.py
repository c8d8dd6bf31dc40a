"""Margins of textbook loops."""

import math

import numpy as np
import pytest
from railblocks.engine import LinearModel, linearise, loads, margins


def model_of(num, den):
    from scipy.signal import tf2ss

    A, B, C, D = tf2ss(num, den)
    return LinearModel(A, B, C, D, tuple(f"x{i}" for i in range(len(A))), ("u",), ("u",))


def test_three_equal_lags_lose_stability_at_a_gain_of_8():
    """K / (s + 1)^3 crosses at omega = sqrt 3 with |L| = K / 8."""
    edge = margins(model_of([2.0], [1.0, 3.0, 3.0, 1.0]))
    assert edge.gain == pytest.approx(4.0, rel=1e-10)
    assert edge.gain_omega == pytest.approx(math.sqrt(3.0), rel=1e-10)
    omega = math.sqrt(2.0 ** (2.0 / 3.0) - 1.0)
    assert edge.phase_omega == pytest.approx(omega, rel=1e-10)
    assert edge.phase_deg == pytest.approx(180.0 - 3.0 * math.degrees(math.atan(omega)), rel=1e-10)
    assert edge.delay == pytest.approx(math.radians(edge.phase_deg) / omega, rel=1e-10)


def test_an_integrator_with_a_lag_has_no_gain_margin():
    """1 / (s (s + 1)): |L| = 1 where w^4 + w^2 = 1, phase margin 90 - atan w = 51.8 degrees."""
    edge = margins(model_of([1.0], [1.0, 1.0, 0.0]))
    omega = math.sqrt((math.sqrt(5.0) - 1.0) / 2.0)
    assert edge.gain == math.inf
    assert edge.phase_omega == pytest.approx(omega, rel=1e-10)
    assert edge.phase_deg == pytest.approx(90.0 - math.degrees(math.atan(omega)), rel=1e-10)


def test_a_loop_that_is_unstable_has_a_negative_phase_margin():
    edge = margins(model_of([64.0], [1.0, 3.0, 3.0, 1.0]))
    assert edge.gain == pytest.approx(8.0 / 64.0, rel=1e-10)
    assert edge.phase_deg < 0.0


def test_the_distance_is_that_of_the_peak_of_sensitivity():
    edge = margins(model_of([1.0], [1.0, 1.0, 0.0]))
    omega = np.geomspace(0.1, 10.0, 200_001)
    s = 1j * omega
    assert edge.distance == pytest.approx(np.abs(1.0 + 1.0 / (s * (s + 1.0))).min(), rel=1e-8)


def test_margins_of_python_control_are_the_same():
    control = pytest.importorskip("control")
    model = model_of([20.0, 10.0], [1.0, 6.0, 11.0, 30.0, 2.0])
    gain, phase, _, phase_omega = control.margin(model.to_control())
    edge = margins(model)
    assert (edge.gain, edge.phase_deg) == (
        pytest.approx(gain, rel=1e-6) if math.isfinite(gain) else math.inf,
        pytest.approx(phase, rel=1e-6),
    )
    assert edge.phase_omega == pytest.approx(phase_omega, rel=1e-6)


def test_a_sampled_loop_has_the_margins_of_its_delay():
    """k z^-1 with |L| = k everywhere: gain margin 1/k, nearest to -1 by 1 - k."""
    text = """\
diagram: 1
blocks:
  r: {type: sources.constant, value: 0}
  sum: {type: math.sum, signs: "+-"}
  k: {type: math.gain, k: 0.5}
  z: {type: discrete.unit_delay, every: 0.1 s}
wires: [r -> sum.u1, sum -> k -> z -> sum.u2]
"""
    edge = margins(linearise(loads(text), loop="z -> sum.u2"))
    assert edge.phase_deg == math.inf
    assert edge.distance == pytest.approx(0.5, rel=1e-6)
