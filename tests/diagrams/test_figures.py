"""What papers' figures share, and that every paper's figures say what they show."""

import pytest
from matplotlib.figure import Figure
from paper_tables import labels_of, reproduced
from railblocks.diagrams.figures import named_rows

QUICK = {
    "conti2012": ("--fast",),
    "falomi": ("--only", "points", "--poses", "800", "--epochs", "2"),
    "meacci2020": ("--patch",),
    "toumi2019": ("--fast",),
    "vishnu": (),
}


def test_named_rows_go_down_from_the_first():
    ax = Figure().subplots()
    heights = named_rows(ax, ["first", "second", "third"])
    assert heights.tolist() == [2, 1, 0]
    ticks = {label.get_text(): label.get_position()[1] for label in ax.get_yticklabels()}
    assert ticks == {"first": 2, "second": 1, "third": 0}


@pytest.mark.parametrize("paper", QUICK)
def test_axes_of_figures_have_units(paper):
    figures = reproduced(paper, *QUICK[paper]).result.figures
    assert len({figure.name for figure in figures}) == len(figures)
    for figure in figures:
        assert figure.caption
        labels = labels_of(figure)
        assert [text for text in labels if "/" in text or "(" in text], figure.name
