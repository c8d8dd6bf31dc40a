"""Eigenvalues of the rig with its loop: what each estimator does to axles on their springs."""

import numpy as np
import pytest
from paper_tables import unrun
from railblocks.diagrams.conti2012.runs import RigRun
from railblocks.diagrams.conti2012.stability import MODELS, WRONG, modes
from railblocks.diagrams.conti2012.unbalance import Axles

PRINTED, ROLLERS, AXLE = MODELS
FAST_HZ = (26.0, 29.0, 32.0)


def growth(choice, hertz):
    return modes(choice.values, hertz)[0].real


def test_the_printed_estimator_lets_axles_shake_up_near_the_end_of_the_range():
    assert growth(PRINTED, 32.0) > 0.5
    assert growth(PRINTED, 15.0) < 0.0


@pytest.mark.parametrize("hertz", [10.0, 15.0, 20.0, *FAST_HZ])
def test_with_the_axle_model_the_loop_is_stable_over_the_whole_range(hertz):
    assert growth(AXLE, hertz) < -4.0


@pytest.mark.parametrize("hertz", FAST_HZ)
def test_the_torque_of_rollers_is_stable_with_less_damping(hertz):
    assert growth(AXLE, hertz) < growth(ROLLERS, hertz) < 0.0


def test_the_modes_are_those_of_axles_on_their_springs():
    """Near the closed form of axles and bogie without any loop."""
    found = modes(PRINTED.values, 32.0)[:2].imag
    natural = Axles(unrun(RigRun, "conti2012", "scenario_2_filtered")).natural_speeds()
    assert np.sort(found) == pytest.approx(natural, rel=0.03)


def test_a_stiffness_that_is_too_low_costs_more_than_one_that_is_too_high():
    """10 % each; the design value keeps the loop stable, hence a calibration."""
    stiff, soft = (growth(choice, 32.0) for choice in WRONG[:2])
    assert growth(AXLE, 32.0) < stiff < soft
    assert stiff < 0.0
