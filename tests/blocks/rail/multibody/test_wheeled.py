"""Bodies on wheels: loads, drives and powers on any ground."""

import math

import numpy as np
import pytest
from railblocks.blocks.rail.contact.geometry.contacts import N_Z
from railblocks.blocks.rail.contact.records import AxleMotion
from railblocks.blocks.rail.contact.wheel_forces import COLUMNS, LOAD, T_X
from railblocks.blocks.rail.multibody import bodies as b
from railblocks.blocks.rail.multibody import elements as el
from railblocks.blocks.rail.multibody.wheeled import (
    Tables,
    add_rates,
    drive_power,
    stored_energies,
    wheel_powers,
)

AXLE, FRAME, G = 0, 1, 9.81
M, J = np.array([2.0, 5.0]), np.array([[0.3, 0.1, 0.3], [0.7, 0.9, 1.1]])
STILL = np.zeros((2, 6))


def tables(share=1.0, g=0.0):
    """An axle and a frame without springs between them."""
    bodies = np.zeros((2, b.COLUMNS))
    bodies[:, b.MASS], bodies[:, b.I_XX : b.I_ZZ + 1] = M, J
    bodies[AXLE, b.AXLE] = 1.0
    stop = np.array([(0.0, 0.0), (1.0, 0.0)])
    return Tables(bodies, np.zeros((0, el.COLUMNS)), stop, np.array([[AXLE, FRAME, share]]), g)


def as_it_is(ground, body, wheel, x, y, z):
    return x, y, z


def quarter_turn(ground, body, wheel, x, y, z):
    """Axes that are turned by a right angle about z."""
    return -y, x, z


def rates(given, loads=STILL, C=(0.0,), in_space=as_it_is):
    out = np.zeros(2 * b.STATES)
    add_rates(in_space, None, np.zeros(2 * b.STATES), given, loads, np.array(C), out)
    return out


def of(body, state, numbers):
    return numbers[b.STATES * body + state]


@pytest.mark.parametrize("share", [0.0, 0.7, 1.0])
def test_the_holder_takes_its_share_of_a_drive(share):
    """I_yy omega' = C on the axle, -share C on what holds its drive."""
    rates_of_states = rates(tables(share), C=(4.0,))
    assert of(AXLE, b.W_Y, rates_of_states) == pytest.approx(4.0 / J[AXLE, 1], rel=1e-14)
    assert of(FRAME, b.W_Y, rates_of_states) == pytest.approx(-share * 4.0 / J[FRAME, 1], rel=1e-14)


def test_both_wheels_push_their_axle_and_gravity_pulls_all():
    loads = np.array([[1.0, 2.0, 3.0, 0.1, 0.2, 0.3], [10.0, 20.0, 30.0, 0.4, 0.5, 0.6]])
    rates_of_states = rates(tables(g=G), loads)
    a = [of(AXLE, k, rates_of_states) for k in (b.V_X, b.V_Y, b.V_Z)]
    assert a == pytest.approx([11.0 / M[0], 22.0 / M[0], 33.0 / M[0] - G], rel=1e-14)
    assert of(FRAME, b.V_Z, rates_of_states) == pytest.approx(-G, rel=1e-14)
    turning = [of(AXLE, k, rates_of_states) for k in (b.W_X, b.W_Y, b.W_Z)]
    assert turning == pytest.approx(np.array([0.5, 0.7, 0.9]) / J[AXLE], rel=1e-14)


def test_loads_are_in_the_axes_of_the_ground():
    loads = np.array([[3.0, 1.0, 2.0, 0.0, 0.0, 0.0], [0.0] * 6])
    rates_of_states = rates(tables(), loads, in_space=quarter_turn)
    a = [of(AXLE, k, rates_of_states) for k in (b.V_X, b.V_Y, b.V_Z)]
    assert a == pytest.approx(np.array([-1.0, 3.0, 2.0]) / M[AXLE], rel=1e-14)


@pytest.mark.parametrize("share", [0.0, 0.7, 1.0])
def test_the_power_of_a_drive_is_that_of_its_torque_on_both_bodies(share):
    """C (omega_w - share omega_b . e_y), also when the frame is rolled against the axle."""
    q = np.zeros(2 * b.STATES)
    q[b.W_Y], q[b.STATES + b.W_Y], q[b.STATES + b.PHI] = 12.0, 0.5, 0.3
    expected = 4.0 * (12.0 - share * 0.5 * math.cos(0.3))
    assert drive_power(q, tables(share), np.array([4.0])) == pytest.approx(expected, rel=1e-14)


def test_energy_of_bodies_is_kinetic_and_of_gravity():
    q = np.zeros(2 * b.STATES)
    q[b.V_X], q[b.STATES + b.Z] = 3.0, 2.0
    moving, springs, contacts = stored_energies(q, tables(g=G), np.zeros((2, 1, COLUMNS)), 1e11)
    assert moving == pytest.approx(0.5 * M[0] * 9.0 + M[1] * G * 2.0, rel=1e-14)
    assert (springs, contacts) == (0.0, 0.0)


def level(contact, load):
    """A contact with a vertical normal, friction of 0.3 against the motion."""
    contact[N_Z], contact[LOAD], contact[T_X] = 1.0, load, -0.3 * load


def test_powers_of_wheels_are_sums_over_all_contacts():
    """Wheels that slide at 2 m/s without rotation: each contact takes T_x times that."""

    def sliding(ground, q, body, wheel):
        return AxleMotion((0.0, 0.0, 0.5), 0.0, 0.0, (2.0, 0.0, -0.1), (0.0, 0.0, 0.0), 0.0)

    contacts = np.zeros((2, 1, COLUMNS))
    for wheel in range(2):
        level(contacts[wheel, 0], 100.0 * (wheel + 1))
    creep, normal = wheel_powers(sliding, None, np.zeros(2 * b.STATES), tables(), contacts)
    assert creep == pytest.approx(2.0 * 0.3 * 300.0, rel=1e-14)
    assert normal == pytest.approx(0.1 * 300.0, rel=1e-14)
