"""The paper on local adhesion: what it says of the patch holds, and its figures can be drawn."""

import argparse

import pytest
from railblocks.blocks.rail.papers import meacci2020
from railblocks.engine.errors import RailblocksError


def options(*texts):
    parser = argparse.ArgumentParser()
    meacci2020.arguments(parser)
    return parser.parse_args(texts)


@pytest.fixture(scope="module")
def reproduction():
    return meacci2020.reproduce(options("--patch"), lambda text: None)


def test_what_the_paper_says_in_words_of_the_patch_is_so(reproduction):
    compared = [row for row in reproduction.rows if row.met is not None]
    assert len(compared) >= 8
    assert [row.quantity for row in compared if not row.met] == []


def test_figures_have_axes_with_units(reproduction):
    from matplotlib.figure import Figure

    for figure in reproduction.figures:
        canvas = Figure(figsize=figure.size, layout="constrained")
        figure.draw(canvas)
        labels = {ax.get_xlabel() for ax in canvas.axes} | {ax.get_ylabel() for ax in canvas.axes}
        assert len([text for text in labels if "/" in text or "ξ" in text]) >= 2, figure.name


def test_vehicle_runs_are_refused_with_what_to_do():
    with pytest.raises(RailblocksError, match="give --patch"):
        meacci2020.reproduce(options(), lambda text: None)
