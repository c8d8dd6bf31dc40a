"""What each proposal changes in the braking train's distance: the numbers of docs/toumi2019.md."""

import pytest
from paper_tables import labels_of, reproduced
from railblocks.diagrams.toumi2019.study import PROPOSALS

PAGE = {
    "as shipped": 1026,
    "nominal deceleration 0.95 m/s²": 1076,
    "nominal deceleration 1.05 m/s²": 981,
    "nominal deceleration 1.1 m/s²": 940,
    "µ0 = 0.03": 1061,
    "µ0 = 0.05": 1038,
    "µ0 = 0.08": 1017,
    "power of an axle, not of a wheel": 1023,
    "mass 250 t": 1027,
    "mass 350 t": 1025,
    "exchange every 1 ms": 1026,
    "exchange every 100 ms": 1027,
    "time constants halved": 1016,
    "time constants doubled": 1046,
    "top of the adhesion curve at 0.5 %": 1026,
    "top of the adhesion curve at 2 %": 1026,
    "friction falls to 0.6 by sliding": 1039,
    "inertia of an axle 80 kg m²": 1027,
    "protection to 1 km/h": 1026,
}
"""Distances in m."""

FITTED = "study: axles until µ_max with 975 m"

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def table():
    return reproduced("toumi2019")


@pytest.mark.parametrize("words", PAGE)
def test_distances_are_those_of_the_page(table, words):
    assert table.ours(f"study: {words}") == pytest.approx(PAGE[words], abs=0.6)


def test_every_proposal_is_on_the_page():
    assert [proposal.words for proposal in PROPOSALS] == list(PAGE)


def test_the_distance_depends_neither_on_step_nor_on_mesh(table):
    assert table.ours("spread of the distance over step and mesh") == pytest.approx(0.02, abs=0.01)


def test_the_papers_distance_asks_for_the_deceleration_of_an_independent_program(table):
    """That program gives 1.056 m/s² for mu_0 = 0.065."""
    ours = table.ours("nominal deceleration that gives 975 m")
    assert ours == pytest.approx(1.056, abs=2e-3)


def test_a_family_of_torques_meets_the_papers_distance_and_its_four_axles(table):
    """Driven axles that brake 1.3 to 1.5 times as hard; with equal torques it is the twelfth."""
    axles = {row.quantity.rpartition("m, ")[2]: row for row in table.starting_with(FITTED)}
    assert axles["all axles alike"].ours == 12.0
    for driven in ("first four axles", "first and last four axles"):
        assert axles[f"{driven} x 1.1"].ours > 4.0
        for harder in ("1.3", "1.4", "1.5"):
            assert axles[f"{driven} x {harder}"].ours == 4.0
    assert all(row.met is None for row in axles.values())  # fitted


def test_figures_of_the_study_have_a_distance_in_metres(table):
    drawn = {figure.name: labels_of(figure) for figure in table.result.figures}
    for name in ("proposals", "deceleration"):
        assert "braking distance / m" in drawn[name]
