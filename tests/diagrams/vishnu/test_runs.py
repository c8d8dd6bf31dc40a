"""Runs of the wheelset at constant speed: what is measured from them."""

import numpy as np
import pytest
from railblocks.diagrams.runs import Run, shipped
from railblocks.diagrams.vishnu import figures
from railblocks.diagrams.vishnu.runs import growth, hunting, peaks


class Known:
    """Results that hold a growing oscillation under every name."""

    time = np.linspace(0.0, 3.0, 3001)

    def __getitem__(self, name):
        return 1e-3 * np.exp(0.4 * self.time) * np.cos(14.0 * self.time)


def test_growth_is_that_of_a_known_motion():
    assert growth(Run("known", Known(), {}), "y") == pytest.approx(0.4, rel=1e-4)


def test_hunting_ends_in_a_limit_cycle_between_the_flanges():
    _, sizes = peaks(hunting(), "wheelset.y")
    assert np.ptp(sizes[-10:]) < 1e-3 * sizes[-1]
    assert 6e-3 < sizes[-1] < 15e-3


def test_what_figures_repeat_is_what_diagrams_say():
    blocks = shipped("vishnu", "hunting").model.blocks
    wheelset, flanges = blocks["wheelset"].values, blocks["flanges"].values
    assert wheelset["R_w"] == figures.R_W
    assert wheelset["R_r"] == figures.R_R
    assert wheelset["gamma"] == figures.GAMMA
    assert 1e3 * flanges["upper"] == pytest.approx(figures.CLEARANCE)
