"""Rows of the roller rig against what the paper prints.

Torque errors of scenario 1 and with filter are met in the plane and in three dimensions. Without
filter they are a band; the numbers that docs/conti2012.md has are held here, so that the page stays
true.
"""

import pytest
from paper_tables import printed, reproduced
from railblocks.blocks.rail.control.similitude import TABLE_1

AXLES = ("front", "rear")
PRINTED = printed("conti2012")
UNFILTERED, FILTERED = "scenario 2 without filter", "scenario 2 with filter"
TORQUE = 0.05
"""How far the mean torque may be from the paper's round number."""
PAGE = 0.01
"""How far a number may be from the page, which has two or three digits."""


@pytest.fixture(scope="module")
def plane():
    return reproduced("conti2012", "--fast")


@pytest.fixture(scope="module")
def space():
    return reproduced("conti2012")


def of_axles(table, quantity):
    """Numbers of the front and the rear axle."""
    title, _, name = quantity.partition(": ")
    return [table.ours(f"{title}, {axle}: {name}") for axle in AXLES]


def test_torque_errors_in_the_plane_are_at_most_those_of_the_paper(plane):
    assert max(of_axles(plane, "scenario 1: torque error e_c")) <= PRINTED["e_c"]
    assert max(of_axles(plane, f"{FILTERED}: torque error e_c")) <= PRINTED["e_c_filtered"]


def test_bands_without_filter_in_the_plane_hold_the_papers_range(plane):
    """Over the length of the run and the angle between unbalances; the front has 2654 after 8 s."""
    low, high = PRINTED["e_c_unfiltered"]
    assert min(of_axles(plane, f"{UNFILTERED}: torque error e_c, smallest")) >= low
    for axle in AXLES:
        for which, printed_size in (("smallest", low), ("largest", high)):
            (row,) = plane.rows(f"{UNFILTERED}, {axle}: torque error e_c, {which}")
            assert row.band[0] < printed_size < row.band[1]
            assert row.band[0] <= row.ours <= row.band[1]
    missed = of_axles(plane, f"{UNFILTERED}: torque error e_c, largest")
    assert missed == pytest.approx([2654.0, 2163.0], rel=PAGE)


def test_speed_errors_in_the_plane_are_at_most_those_of_the_paper_but_without_filter(plane):
    for title in ("scenario 1", FILTERED):
        assert max(of_axles(plane, f"{title}: speed error e_omega")) <= PRINTED["e_omega"]
    missed = of_axles(plane, f"{UNFILTERED}: speed error e_omega")
    assert missed == pytest.approx([0.0467, 0.0382], rel=PAGE)


@pytest.mark.parametrize("title", ["scenario 1", UNFILTERED, FILTERED])
def test_the_mean_torque_is_that_of_the_paper_and_larger_at_the_rear(plane, title):
    front, rear = of_axles(plane, f"{title}: mean torque")
    assert front == pytest.approx(PRINTED["mean_torque"], rel=TORQUE)
    assert rear > 1.03 * front  # the paper: greater


def test_measured_contact_and_simulated_forces_agree(plane):
    """The paper has words only; in percent of the mean force."""
    assert plane.ours("scenario 1: T_hat and T_sim") < 0.5
    assert plane.ours("scenario 1: T_hat and T_cont") < 1e-9  # the plane has nothing between them


def test_in_the_plane_the_unbalance_of_the_front_rig_is_measured_and_not_simulated(plane):
    """With the filter T_sim is still, as in the paper; T_cont is too, since axle boxes are held."""
    size = plane.ours(f"{FILTERED}: shaking of T_hat")
    assert size == pytest.approx(9.96, rel=PAGE)
    assert plane.ours(f"{FILTERED}: shaking of T_sim") < 0.1 * size
    assert plane.ours(f"{FILTERED}: shaking of T_cont") < 0.1 * size  # missed: the paper's shakes
    without = plane.ours(f"{UNFILTERED}: shaking of T_sim")
    assert without > 0.1 * plane.ours(f"{UNFILTERED}: shaking of T_hat")  # missed: it shakes


def test_rows_hold_what_the_paper_prints(plane):
    assert plane.papers("scenario 1, front: torque error e_c") == PRINTED["e_c"]
    assert plane.papers(f"{FILTERED}, rear: torque error e_c") == PRINTED["e_c_filtered"]
    assert [
        plane.papers(f"{UNFILTERED}, front: torque error e_c, {which}")
        for which in ("smallest", "largest")
    ] == PRINTED["e_c_unfiltered"]
    assert plane.papers(f"{FILTERED}, front: torque error e_c over the mean torque") == 2.5
    assert plane.papers("scenario 1, rear: speed error e_omega") == PRINTED["e_omega"]
    assert plane.papers(f"{UNFILTERED}, front: mean torque") == PRINTED["mean_torque"]
    for name, time in PRINTED["table_3"].items():
        assert plane.papers(f"Table 3, {name}") == time


def test_table_1_follows_from_length_time_and_mass(plane):
    factors = {
        row.quantity.removeprefix("Table 1, factor of "): row.ours
        for row in plane.starting_with("Table 1")
    }
    assert factors == pytest.approx(PRINTED["table_1"], rel=1e-12)
    assert len(TABLE_1) == 13


def test_table_4_has_the_papers_solver_and_tolerances(plane):
    assert plane.ours("Table 4, ODE solver") == "ode45"
    for name, tolerance in PRINTED["table_4"].items():
        assert plane.ours(f"Table 4, {name}") == tolerance


def test_in_the_plane_the_disturbance_is_r_m_e_omega_squared(plane):
    rows = plane.starting_with("disturbance")
    assert len(rows) == 8
    for row in rows:
        assert row.ours == pytest.approx(row.reference, rel=0.02), row.quantity
        assert row.met is None  # what the rig itself puts on its load cells


def test_every_row_tells_its_source(plane):
    assert [row.quantity for row in plane.result.rows if not row.source] == []


def test_what_compares_the_run_with_itself_does_not_count(plane):
    open_rows = {row.quantity for row in plane.result.rows if row.met is None}
    assert "scenario 1: T_hat and T_cont" in open_rows  # one signal in the plane
    assert f"{FILTERED}: shaking of T_hat" in open_rows
    assert "Table 1, factor of length" in open_rows


def test_bands_of_the_filter_keep_amplitude_and_phase(plane):
    assert plane.ours("bands of the filter") == "148"
    assert plane.ours("least amplitude of bands in use") == pytest.approx(1.0, abs=1e-4)
    assert plane.ours("largest phase of bands in use") == pytest.approx(2.0, abs=1e-6)


@pytest.mark.slow
def test_scenario_1_in_three_dimensions(space):
    """All that the paper says of it; the goal at 100 Hz needs derivative and low-pass there."""
    assert max(of_axles(space, "scenario 1: torque error e_c")) <= PRINTED["e_c"]
    assert max(of_axles(space, "scenario 1: speed error e_omega")) <= PRINTED["e_omega"]
    front, rear = of_axles(space, "scenario 1: mean torque")
    assert front == pytest.approx(PRINTED["mean_torque"], rel=TORQUE)
    assert rear > 1.03 * front
    assert max(of_axles(space, "scenario 1: lateral displacement at the end")) < 1e-9  # mm of 0.6
    assert space.ours("scenario 1: T_hat and T_sim") < 0.5  # %
    bias = of_axles(space, "scenario 1: e_c by normal force along x")
    assert bias == pytest.approx([290.0, 307.0], rel=PAGE)
    name = "scenario 1: torque error e_c, low-pass {} at 100 Hz"
    assert max(of_axles(space, name.format("and derivative"))) <= 100.0
    missed = of_axles(space, name.format("alone"))
    assert missed == pytest.approx([139.5, 139.3], rel=PAGE)
    page = of_axles(space, "scenario 1: torque error e_c")
    assert page == pytest.approx([144.0, 155.0], rel=PAGE)


@pytest.mark.slow
def test_scenario_2_in_three_dimensions(space):
    assert max(of_axles(space, f"{FILTERED}: torque error e_c")) <= PRINTED["e_c_filtered"]
    assert space.ours("rig with its loop and filter: growth") < -5.0
    page = {
        f"{UNFILTERED}: torque error e_c, smallest": [1253.0, 610.0],
        f"{UNFILTERED}: torque error e_c, largest": [4838.0, 1259.0],
        f"{UNFILTERED}: speed error e_omega": [0.0369, 0.0294],
        f"{FILTERED}: torque error e_c": [254.0, 224.0],
        f"{FILTERED}: speed error e_omega": [0.053, 0.0348],
    }
    for quantity, numbers in page.items():
        assert of_axles(space, quantity) == pytest.approx(numbers, rel=PAGE), quantity
    low, high = PRINTED["e_c_unfiltered"]
    for axle in AXLES:
        for which, printed_size in (("smallest", low), ("largest", high)):
            (row,) = space.rows(f"{UNFILTERED}, {axle}: torque error e_c, {which}")
            assert row.band[0] < printed_size < row.band[1]


@pytest.mark.slow
def test_the_disturbance_on_springs_is_what_the_closed_form_says(space):
    """Creep is left out, which damps: within a third, over amplitudes of 670 to 5000 N m."""
    for row in space.starting_with("disturbance of C_tilde"):
        sprung = float(row.note.rpartition(" ")[2])
        assert row.ours == pytest.approx(sprung, rel=0.33), row.quantity
