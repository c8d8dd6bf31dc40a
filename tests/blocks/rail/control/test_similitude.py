"""Similitude factors against the paper's table, and what they contradict."""

import pytest
from railblocks.blocks.rail.control.similitude import (
    QUANTITIES,
    SCALINGS,
    TABLE_1,
    Similitude,
    inconsistencies,
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
    factors = SCALINGS["iwnicki"].factors()
    assert factors.keys() == set(QUANTITIES)
    assert factors["inertia"] == 3125
    assert factors["unbalance"] == 625
    assert factors["angular_velocity"] == factors["frequency"] == 1
    assert factors["power"] == factors["force"] * factors["velocity"]


def test_the_table_agrees_with_itself_but_for_weight_and_strain():
    force, strain = inconsistencies(TABLE_1)
    assert "force has the factor 625, weight 125" in force
    assert "5 times" in force
    assert "stress has the factor 25" in strain
    assert SCALINGS["iwnicki"].load_factor == 5


def test_a_wrong_entry_is_told_with_what_was_expected():
    messages = inconsistencies({**TABLE_1, "torque": 625.0})
    assert messages[0] == "torque has the factor 625; expected 3125"


def test_weight_is_similar_when_accelerations_are_those_of_gravity():
    froude = Similitude(5.0, 5.0**0.5, 125.0)
    assert froude.factor("acceleration") == pytest.approx(1.0)
    assert froude.load_factor == pytest.approx(1.0)
    assert len(froude.mismatches()) == 1  # strain


def test_nothing_mismatches_at_full_scale():
    assert Similitude(1.0, 1.0, 1.0).mismatches() == []
