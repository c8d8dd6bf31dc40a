"""Small motions of the MDM rig about steady rolling, linearised and simulated."""

import numpy as np
import pytest
from railblocks.blocks.rail.multibody import bodies as b
from railblocks.blocks.rail.rig.stability import RollingRig, critical_speed
from railblocks.blocks.rail.rig.tables import FRONT, SPEED
from rig_alone import Rig


def nearest(eigenvalues, frequency):
    """The eigenvalue whose frequency in rad/s is nearest."""
    return eigenvalues[np.argmin(np.abs(eigenvalues.imag - frequency))]


def growth(omega, start=0.6, stop=1.4, **values):
    """Rate in 1/s at which a lateral disturbance of a micrometre grows, by its peaks."""
    results = Rig(
        omega_init=omega, dG_y="1e-6 m", stop=f"{stop} s", log="rig.G_y", rtol=1e-7, atol=1e-12,
        **values,
    ).run()  # fmt: skip
    y, t = np.abs(results["rig.G_y"][:, FRONT]), results["t"]
    peaks = np.flatnonzero((y[1:-1] > y[:-2]) & (y[1:-1] >= y[2:])) + 1
    peaks = peaks[t[peaks] > start]
    return np.polyfit(t[peaks], np.log(y[peaks]), 1)[0]


def test_steady_rolling_is_steady():
    rig = RollingRig()
    q = rig.steady(150.0)
    assert np.abs(rig.rates(q)[rig.moving]).max() < 1e-6
    assert q[SPEED] == -150.0
    assert q[b.W_Y] == pytest.approx(150.0, rel=1e-3)


def test_the_car_bodys_bounce_has_its_closed_form():
    """Car body on its springs, bogie and wheelsets on theirs: two masses, two eigenvalues."""
    m_c, m_b, k_s, c_s, k_p, c_p = 128.0, 20.92, 2 * 3440.0, 2 * 160.0, 4 * 9760.0, 4 * 32.0
    matrix = np.array([
        [0, 0, 1, 0],
        [0, 0, 0, 1],
        [-k_s / m_c, k_s / m_c, -c_s / m_c, c_s / m_c],
        [k_s / m_b, -(k_s + k_p) / m_b, c_s / m_b, -(c_s + c_p) / m_b],
    ])  # fmt: skip
    eigenvalues = RollingRig().eigenvalues(150.0)
    for expected in np.linalg.eigvals(matrix):
        assert nearest(eigenvalues, expected.imag) == pytest.approx(expected, rel=2e-3)


@pytest.mark.parametrize("cant", [0.05, 0.025])
def test_the_critical_speed_is_where_simulated_disturbances_begin_to_grow(cant):
    linearised = critical_speed(high=1000.0, cant=cant)
    slow, fast = 0.975 * linearised, 1.025 * linearised
    rates = [growth(omega, cant=cant) for omega in (slow, fast)]
    assert rates[0] < 0.0 < rates[1]
    simulated = slow - rates[0] * (fast - slow) / (rates[1] - rates[0])
    assert simulated == pytest.approx(linearised, rel=5e-3)


def test_a_rig_that_is_stable_at_all_speeds_has_no_critical_speed():
    assert critical_speed(low=100.0, high=200.0) is None
