"""Similitude factors against the paper's table, and what they contradict."""

import pytest
from railblocks.blocks.rail.control.similitude import (
    QUANTITIES,
    SCALINGS,
    TABLE_1,
    Similitude,
)


def test_length_time_and_mass_give_all_of_table_1():
    """Conti et al. (2012), Table 1."""
    printed = {
        "length": 5, "time": 1, "velocity": 5, "acceleration": 5, "mass": 125, "force": 625,
        "density": 1, "young_modulus": 1, "weight": 125, "stiffness": 125, "contact_force": 625,
        "damping": 125, "torque": 3125,
    }  # fmt: skip
    assert printed == TABLE_1
    for quantity, factor in printed.items():
        assert SCALINGS["iwnicki"].factor(quantity) == factor


def test_quantities_that_the_table_leaves_out_follow():
    factors = {quantity: SCALINGS["iwnicki"].factor(quantity) for quantity in QUANTITIES}
    assert factors["inertia"] == 3125
    assert factors["unbalance"] == 625
    assert factors["angular_velocity"] == factors["frequency"] == 1
    assert factors["power"] == factors["force"] * factors["velocity"]


def test_weight_is_similar_when_accelerations_are_those_of_gravity():
    rig, froude = SCALINGS["iwnicki"], Similitude(5.0, 5.0**0.5, 125.0)
    assert froude.factor("acceleration") == pytest.approx(1.0)
    assert froude.factor("force") == pytest.approx(froude.factor("weight"))
    assert rig.factor("force") == 5 * rig.factor("weight")
