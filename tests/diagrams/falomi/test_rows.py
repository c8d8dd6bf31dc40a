"""The wagon on the S-curve by all methods of detection: the numbers of docs/falomi.md.

The paper prints curves without numbers and the time of a step, which is that of a machine.
"""

import pytest
from matplotlib.figure import Figure
from paper_tables import printed, reproduced

PAGE = {  # percent of DIFF: y of the car body, Q and Y
    "dist": (0.03, 0.05, 0.2),
    "network": (0.02, 0.05, 0.05),
    "ode45": (1e-3, 1e-3, 1e-3),
    "table": (0.08, 0.05, 0.5),
}
FORCES = {  # kN: on the page, and its band
    "Q, mean": (72.0, (72.0, 72.4)),
    "Y, mean": (36.6, (36.6, 37.0)),
    "Q, standard deviation": (1.1, (1.1, 66.0)),
}

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def table():
    return reproduced("falomi", "--only", "s-curve")


@pytest.mark.parametrize("method", PAGE)
def test_methods_are_as_near_to_diff_as_the_page_says(table, method):
    for name, most in zip(("y of the car body", "Q", "Y"), PAGE[method], strict=True):
        assert 0.0 < table.ours(f"{method} against DIFF: {name}") <= most


@pytest.mark.parametrize("quantity", FORCES)
def test_forces_in_the_first_curve_are_those_of_the_page(table, quantity):
    ours, band = FORCES[quantity]
    (row,) = table.rows(quantity)
    assert row.ours == pytest.approx(ours, abs=0.06)
    assert row.band == pytest.approx(band, rel=0.1 if ours < 2.0 else 1e-3)
    assert row.band[0] <= row.ours <= row.band[1]


def test_the_wheel_stays_below_nadals_limit(table):
    """(tan 70° - 0.4) / (1 + 0.4 tan 70°) = 1.118."""
    (row,) = table.rows("largest Y/Q")
    assert row.reference == "below 1.12"
    assert row.ours == pytest.approx(0.58, abs=0.01)
    assert row.band[1] < 1.118


def test_steps_have_the_papers_times_beside_them(table):
    rows = table.rows("step of the S-curve, DIFF")
    assert [row.paper for row in rows] == [*printed("falomi")["table_4"].values(), None]
    assert rows[-1].reference == "at most 0.25"
    assert all(row.ours > 0.0 for row in rows)


def test_the_body_lies_inside_the_curve_as_a_chord_does(table):
    """By 9.5² / (2 x 190) = 0.2375 m with bogies 19 m apart, less its swing on the springs."""
    canvas = Figure()
    figures = {figure.name: figure for figure in table.result.figures}
    assert list(figures) == ["figure_8", "figure_9", "figure_10", "supports"]
    figures["figure_8"].draw(canvas)
    lines = {line.get_label(): line.get_xydata() for line in canvas.axes[0].lines}
    assert set(lines) == {"TABLE", "NETWORK", "DIST", "DIFF"}
    for s_and_y in lines.values():
        curve = (s_and_y[:, 0] > 72.0) & (s_and_y[:, 0] < 80.0)
        assert 0.8 * 237.5 < abs(s_and_y[curve, 1].mean()) < 237.5  # mm
