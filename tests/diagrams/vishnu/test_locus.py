"""The critical speed of the shipped wheelset on springs by a root locus, and by Routh."""

import pytest
from railblocks.diagrams.runs import shipped
from railblocks.engine.linear.locus import ModelsOver, read_over, root_locus
from railblocks.engine.operating_points.conditions import Conditions
from scipy.optimize import brentq

M, I_Z, R_0, B, F11, F22 = 1813.0, 1120.0, 0.46, 0.75, 9.6175e6, 8.6861e6
LAM, K_Y, K_PSI = 0.18, 0.5e6, 2.0e6


def routh(V):
    """a_1 (a_2 a_3 - a_1 a_4) - a_0 a_3^2 of m y'' + c_1 y' + k_y y = 2 f22 psi and its like."""
    c_1, c_2 = 2.0 * F22 / V, 2.0 * F11 * B * B / V
    a_4, a_3 = M * I_Z, M * c_2 + I_Z * c_1
    a_2, a_1 = M * K_PSI + I_Z * K_Y + c_1 * c_2, c_1 * K_PSI + c_2 * K_Y
    a_0 = K_Y * K_PSI + 4.0 * F11 * F22 * LAM * B / R_0
    return a_1 * (a_2 * a_3 - a_1 * a_4) - a_0 * a_3 * a_3


def test_the_locus_crosses_the_axis_at_rouths_speed():
    expected = brentq(routh, 20.0, 80.0, xtol=1e-10)
    assert expected == pytest.approx(44.645613, abs=1e-6)
    over = read_over("V=20..80 m/s:5")
    diagram = shipped("vishnu", "suspended_wheelset").diagram
    models = ModelsOver(diagram, over, conditions=lambda checked: Conditions())
    locus = root_locus(models, over)
    assert locus.critical == pytest.approx(expected, abs=1e-4)
    (critical,) = locus.criticals
    assert critical.grows
    assert abs(critical.rate.real) < 1e-5
