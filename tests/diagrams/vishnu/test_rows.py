"""The paper on natural orthogonal complements: rows are met, figures can be drawn."""

import argparse

import numpy as np
import pytest
from rail_references import data
from railblocks.diagrams.vishnu import (
    figures as wheelset_figures,
)
from railblocks.diagrams.vishnu import (
    paper as vishnu,
)
from railblocks.diagrams.vishnu import (
    runs as wheelset_runs,
)

FREE = data("free_wheelset.yaml")


@pytest.fixture(scope="module")
def reproduction():
    parser = argparse.ArgumentParser()
    vishnu.arguments(parser)
    return vishnu.reproduce(parser.parse_args([]), lambda text: None)


def test_what_the_paper_says_is_so_and_references_are_met(reproduction):
    compared = [row for row in reproduction.rows if row.met is not None]
    assert len(compared) >= 25
    assert [row.quantity for row in compared if not row.met] == []


def test_both_methods_are_equal_to_1e_9_with_every_kind_of_profiles(reproduction):
    rows = [r for r in reproduction.rows if r.quantity.startswith("DeNOC less conventional")]
    assert len(rows) == 3
    assert all(0.0 <= row.ours <= 1e-9 for row in rows)


def test_numbers_to_compare_with_are_those_of_the_references():
    for V, pair in vishnu.EIGENVALUES.items():
        assert [vishnu.LAM, V, *pair] in FREE["eigenvalues"]
    assert FREE["wavelengths"] == vishnu.WAVELENGTHS
    springs = list(vishnu.SPRINGS.values())
    assert [vishnu.LAM, *springs, vishnu.CRITICAL] in FREE["critical_speeds"]


def test_figures_have_axes_with_units(reproduction):
    from matplotlib.figure import Figure

    assert [f.name for f in reproduction.figures][:2] == ["figure_2a", "figure_2b"]
    for figure in reproduction.figures:
        canvas = Figure(figsize=figure.size, layout="constrained")
        figure.draw(canvas)
        labels = [text for ax in canvas.axes for text in (ax.get_xlabel(), ax.get_ylabel()) if text]
        assert [text for text in labels if " / " in text], figure.name


def test_what_figures_repeat_is_what_diagrams_say():
    wheelset = wheelset_runs.checked("hunting", {}).model.blocks["wheelset"].values
    assert wheelset["R_w"] == wheelset_figures.R_W
    assert wheelset["R_r"] == wheelset_figures.R_R
    assert wheelset["gamma"] == wheelset_figures.GAMMA
    flanges = wheelset_runs.checked("hunting", {}).model.blocks["flanges"].values
    assert 1e3 * flanges["upper"] == pytest.approx(wheelset_figures.CLEARANCE)


def test_growth_is_that_of_a_known_motion():
    class Known:
        time = np.linspace(0.0, 3.0, 3001)

        def __getitem__(self, name):
            return 1e-3 * np.exp(0.4 * self.time) * np.cos(14.0 * self.time)

    assert wheelset_runs.growth(Known(), "y") == pytest.approx(0.4, rel=1e-4)


def test_hunting_ends_in_a_limit_cycle_between_the_flanges():
    results = wheelset_runs.simulate(wheelset_runs.checked("hunting", {}))
    _, sizes = wheelset_runs.peaks(results, "wheelset.y")
    assert np.ptp(sizes[-10:]) < 1e-3 * sizes[-1]
    assert 6e-3 < sizes[-1] < 15e-3
