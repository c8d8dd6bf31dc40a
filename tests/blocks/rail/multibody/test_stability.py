"""Which states can move, and where small motions begin to grow."""

import numpy as np
import pytest
from railblocks.blocks.rail.multibody import bodies as b
from railblocks.blocks.rail.multibody.stability import moving_states, steady_state
from railblocks.engine.linear.growth import by_growth, first_growth

ALL = set(range(b.STATES))


def moving(**columns):
    """States of one body that move, of a table with two more states behind it."""
    table = np.zeros((1, b.COLUMNS))
    for name, value in columns.items():
        table[0, getattr(b, name) if name != "TURNING" else b.HELD + 3] = value
    return moving_states(table, b.STATES + 2)


def test_a_free_body_moves_in_all_its_states_and_dampers_in_theirs():
    assert moving() == [*range(b.STATES), b.STATES, b.STATES + 1]


def test_the_angle_of_an_axle_does_not_count():
    assert set(moving(AXLE=1.0)) & ALL == ALL - {b.THETA}


def test_what_is_held_does_not_move():
    assert set(moving(HELD=1.0)) & ALL == ALL - {b.X, b.V_X}
    turning = {b.PSI, b.PHI, b.THETA, b.W_X, b.W_Y, b.W_Z}
    assert set(moving(TURNING=1.0)) & ALL == ALL - turning


def test_a_rider_moves_about_its_axle_only():
    assert set(moving(CARRIER=1.0)) & ALL == {b.THETA, b.W_Y}


def test_the_least_damped_eigenvalue_comes_first():
    assert by_growth(np.diag([-3.0, 1.0, -2.0])).tolist() == [1.0, -2.0, -3.0]


def test_growth_is_found_where_it_changes_its_sign():
    assert first_growth(lambda v: v - 17.3, np.arange(1.0, 40.0, 5.0)) == pytest.approx(17.3)
    assert first_growth(lambda v: -1.0, np.arange(1.0, 40.0, 5.0)) is None


def test_a_steady_state_without_one_is_none():
    q = steady_state(lambda q: q - 2.0, np.zeros(b.STATES), 1, range(b.STATES))
    assert q == pytest.approx(np.full(b.STATES, 2.0))
    assert steady_state(lambda q: q * 0.0 + 1.0, np.zeros(b.STATES), 1, range(b.STATES)) is None
