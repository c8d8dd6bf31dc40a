"""Forces of a wheel's contacts at any motion: nothing jumps at standstill, friction only takes."""

import numpy as np
import pytest
from railblocks.blocks.rail.contact.geometry import contacts as at
from railblocks.blocks.rail.contact.normal.hertz import composite_modulus
from railblocks.blocks.rail.contact.records import AxleMotion, Material
from railblocks.blocks.rail.contact.tangential.kalker import kalker_table
from railblocks.blocks.rail.contact.tangential.laws import kalker_law
from railblocks.blocks.rail.contact.wheel_forces import COLUMNS, LOAD, M_SP, wheel_forces

R_0, R_1, V_MIN = 0.092, 0.1, 0.01
NORMAL = np.array([0.02, -0.05, 1.0]) / np.linalg.norm([0.02, -0.05, 1.0])
CENTRE = np.array([0.001, 0.0, R_0 + R_1])
POINT = np.array([0.002, 0.15, R_1])


def pushed(v, omega, Omega):
    """Force, moment, torque on the roller, and the row of one contact, 10 um deep."""
    contacts = np.zeros((1, COLUMNS))
    contacts[0, [at.P_X, at.P_Y, at.P_Z]] = POINT
    contacts[0, [at.N_X, at.N_Y, at.N_Z]] = NORMAL
    contacts[0, [at.GAP, at.A, at.B, at.SADDLE]] = -1e-5, 10.9, 16.7, at.FAR
    F, M = np.zeros(3), np.zeros(3)
    material = Material(
        composite_modulus(2.1e11, 0.3), 0.0, 0.0, V_MIN, 0.3, np.array([2.1e11 / 2.6, 0.3]),
        kalker_table(0.3),
    )  # fmt: skip
    axle = AxleMotion(CENTRE, 0.0, 0.0, v, omega, Omega)
    torque = wheel_forces(kalker_law, 1, contacts, axle, material, F, M)
    return F, M, torque, contacts[0]


def test_nothing_jumps_when_the_direction_of_rolling_changes_in_lateral_sliding():
    omega = np.array([0.0, 0.0, 0.2])
    one, other = (pushed(np.array([speed, 0.003, 0.0]), omega, 0.0) for speed in (1e-9, -1e-9))
    for before, after in zip(one[:3], other[:3], strict=True):
        assert before == pytest.approx(after, rel=1e-5, abs=1e-6)
    assert abs(one[3][M_SP] - other[3][M_SP]) < 1e-8


@pytest.mark.parametrize("speed", [0.0, 0.1 * V_MIN, V_MIN, 10.0])
def test_friction_takes_power_at_any_speed(speed):
    """Power of all forces on wheel and roller, without that of the normal force, is a loss."""
    random = np.random.default_rng(7)
    for _ in range(200):
        v = speed * np.array([1.0, 0.0, 0.0]) + random.normal(size=3) * 0.01
        omega = random.normal(size=3) * np.array([0.5, 0.3, 0.5])
        Omega = random.normal() * 0.1
        F, M, torque, row = pushed(v, omega, Omega)
        slip = v + np.cross(omega, POINT - CENTRE) - np.cross([0.0, Omega, 0.0], POINT)
        power = F @ v + M @ omega + torque * Omega
        assert power - row[LOAD] * NORMAL @ slip < 1e-9


# --- contacts that are one ----------------------------------------------------------------------
TREAD, FLANGE = -0.62, -0.94
"""n_y of a contact on the fillet, and of one on the flange, as S1002 has them on UIC60."""


def loads_of_two(D_1, D_2, D_s):
    """Loads of two contacts with overlaps in height, and that at the saddle between them."""
    contacts = np.zeros((2, COLUMNS))
    for k, (D, n_y) in enumerate(((D_1, FLANGE), (D_2, TREAD))):
        n_z = np.sqrt(1.0 - n_y * n_y)
        contacts[k, [at.P_X, at.P_Y, at.P_Z]] = POINT
        contacts[k, [at.N_X, at.N_Y, at.N_Z]] = 0.0, n_y, n_z
        contacts[k, [at.GAP, at.A, at.B]] = -D * n_z, 10.9, 16.7
    contacts[:, at.SADDLE] = at.FAR, -D_s
    material = Material(
        composite_modulus(2.1e11, 0.3), 0.0, 0.0, V_MIN, 0.0, np.array([2.1e11 / 2.6, 0.3]),
        kalker_table(0.3),
    )  # fmt: skip
    axle = AxleMotion(CENTRE, 0.0, 0.0, np.zeros(3), np.zeros(3), 0.0)
    wheel_forces(kalker_law, 2, contacts, axle, material, np.zeros(3), np.zeros(3))
    return contacts[:, LOAD]


def test_a_contact_melts_into_its_neighbour_without_force_whatever_their_inclinations():
    """Along its normal the flange's overlap is below the saddle's, in height it is twice that."""
    apart = loads_of_two(150e-6, 76e-6, -1e-6)
    one, other = loads_of_two(150e-6, 76e-6, 76e-6 * (1.0 - 1e-9))
    assert one == pytest.approx(apart[0], rel=1e-6)
    assert other < 1e-6 * apart[1]
    one, other = loads_of_two(76e-6, 150e-6, 76e-6 * (1.0 - 1e-9))
    assert one < 1e-6 * apart[0]
    assert other > 0.0
