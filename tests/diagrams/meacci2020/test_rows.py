"""The braking coach against what the paper says of its runs, and the numbers of the page.

With the tuned recovery wheels slide in the paper and not here: docs/meacci2020.md says why. Times
are in the rows and are not compared: they are those of a machine.
"""

import pytest
from paper_tables import printed, reproduced

PRINTED = printed("meacci2020")

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def table():
    return reproduced("meacci2020")


def test_without_recovery_wheels_slide_by_metres_a_second(table):
    assert table.ours("largest sliding, no recovery") == pytest.approx(9.0, abs=0.1)


def test_adhesion_while_sliding_lies_between_kinetic_and_static_friction(table):
    ours = table.ours("adhesion while sliding, no recovery")
    assert PRINTED["mu_cd"] <= ours <= PRINTED["mu_cd"] / PRINTED["A"]
    assert ours == pytest.approx(0.105, abs=1e-3)


def test_wheels_slide_less_with_more_recovery(table):
    names = ("0", f"{PRINTED['tau']:g}", "3e-08")
    sliding = [table.ours(f"mean sliding while braking, tau = {tau} m²/W") for tau in names]
    assert sliding == pytest.approx([1.518, 0.0507, 0.0199], rel=0.01)


def test_with_the_tuned_recovery_wheels_do_not_slide_and_the_paper_is_missed(table):
    assert table.ours("largest sliding, tuned tau") == pytest.approx(0.07, abs=0.01)


def test_the_patch_of_the_run_adheres_in_part_when_it_slides_little(table):
    assert table.ours("pure sliding: cells that adhere") == 0.0
    assert table.ours("partial adherence: cells that adhere") == pytest.approx(0.86, abs=0.01)
    most, least = (
        table.ours(f"{state}: largest dissipation")
        for state in ("pure sliding", "partial adherence")
    )
    assert least < 0.02 * most


def test_times_have_those_of_table_6_beside_them(table):
    for law, seconds in PRINTED["table_6"].items():
        row, *goal = table.rows(f"time for a simulated second, {law}")
        assert (row.paper, row.unit) == (seconds, "s")
        assert row.ours > 0.0
        assert [one.reference for one in goal] == (["at most 0.2"] if law == "local" else [])
