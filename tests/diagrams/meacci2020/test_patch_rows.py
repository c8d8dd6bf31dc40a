"""The contact patch of the coach: what the paper says of it, by closed forms and Table 4."""

import numpy as np
import pytest
from paper_tables import printed, reproduced
from railblocks.diagrams.meacci2020.patch import STATES, Contact
from railblocks.diagrams.meacci2020.runs import BY_POWER, PER_DISTANCE

PRINTED = printed("meacci2020")
MU_CD, MU_CR, A = PRINTED["mu_cd"], PRINTED["mu_cr"], PRINTED["A"]


@pytest.fixture(scope="module")
def table():
    return reproduced("meacci2020", "--patch")


@pytest.fixture(scope="module")
def contact():
    return Contact()


def test_the_wheel_carries_an_eighth_of_the_coach(table):
    assert table.ours("load of the wheel") == pytest.approx(43.0 * 9.81 / 8.0, rel=1e-12)


def test_nothing_adheres_in_pure_sliding_and_some_cells_do_in_partial_adherence(table):
    assert table.ours("pure sliding: cells that adhere") == 0.0
    assert table.ours("partial adherence: cells that adhere") == pytest.approx(0.69, abs=0.01)


def test_sliding_dissipates_nearly_friction_times_sliding(table, contact):
    """mu_cd to mu_cr / A_r of the top of the Hertzian pressure times xi V; far less adhering."""
    xi, V = STATES["pure sliding"]
    top = 1.5 * 43e3 * 9.81 / 8.0 / (np.pi * contact.a * contact.b)
    pure = table.ours("pure sliding: largest dissipation")
    assert MU_CD * top * xi * V / 1e6 <= pure <= MU_CR / A * top * xi * V / 1e6
    assert table.ours("partial adherence: largest dissipation") < 0.02 * pure


def test_friction_without_recovery_lies_between_kinetic_and_static(table):
    for xi, V in STATES.values():
        mu = table.ours(f"mean friction without recovery, creepage {xi:g}, {V:g} m/s")
        assert MU_CD <= mu <= MU_CD / A * (1.0 + 1e-9)


@pytest.mark.parametrize("reading", ["tau_x = {} m²/N", "tau = {} m²/W"])
def test_adhesion_grows_with_recovery_up_to_clean_surfaces(table, reading):
    names = [reading.format(tau) for tau in (f"{PRINTED['tau']:g}", "3e-08")]
    f = [table.ours(f"adhesion T_x / N, {name}") for name in names]
    assert MU_CD < f[0] < f[1] <= MU_CR / A
    assert 0.0 < table.ours(f"recovered part, {names[-1]}") <= 1.0


def test_both_readings_of_tau_meet_at_one_metre_a_second(contact):
    xi, tau = 0.1, PRINTED["tau"]
    per_distance = contact.forces(xi, 1.0, tau, PER_DISTANCE)
    assert per_distance == pytest.approx(contact.forces(xi, 1.0, tau, BY_POWER), rel=1e-12)
