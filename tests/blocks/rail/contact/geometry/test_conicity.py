"""Equivalent conicity against EN 15302, computed references and closed forms."""

import math

import numpy as np
import pytest
from rail_references import columns, rows
from railblocks.blocks.rail.contact.geometry.conicity import (
    equivalent_conicity,
    klingel_wavelength,
    wavelength,
)
from railblocks.blocks.rail.contact.geometry.rigid import rigid_contact
from railblocks.blocks.rail.contact.profiles.rails import left_rail, uic60
from railblocks.blocks.rail.contact.profiles.wheels import s1002

MM = 1e-3
S1002_ON_UIC60 = {
    # at amplitudes of 1 to 5 mm, from a table of delta_r each 0.1 mm; by other code
    ("manchester", 40): (0.3686, 0.2291, 0.1835, 0.1649, 0.2134),
    ("60E1", 40): (0.3552, 0.2211, 0.1771, 0.1588, 0.1823),
    ("manchester", 20): (0.0090, 0.0091, 0.0094, 0.0097, 0.0101),
}


@pytest.mark.parametrize("row", rows("en15302_conicity.csv"), ids=lambda r: " ".join(r.values()))
def test_en_15302_is_met_to_three_decimals(row):
    table = columns(f"en15302_dr_{row['case']}.csv")
    y, delta_r = table["y_mm"] * MM, table["delta_r_mm"] * MM
    conicity = equivalent_conicity(y, delta_r, float(row["amplitude_mm"]) * MM)
    assert math.isclose(conicity, float(row["tan_gamma_e_ref"]), abs_tol=5.01e-4)
    assert math.isclose(conicity, float(row["ours"]), abs_tol=5.1e-5)


@pytest.mark.parametrize("case", S1002_ON_UIC60, ids=lambda case: f"{case[0]} 1:{case[1]}")
def test_s1002_on_uic60_has_the_conicity_of_other_code(case):
    """A step of delta_r within the swing is met by a table of 0.1 mm to 2e-4 only."""
    y = np.linspace(-7.0, 7.0, 141) * MM
    delta_r = rigid_contact(s1002(), left_rail(uic60(case[0]), 1 / case[1]), y).delta_r
    for amplitude, expected in enumerate(S1002_ON_UIC60[case], 1):
        conicity = equivalent_conicity(y, delta_r, amplitude * MM)
        assert math.isclose(conicity, expected, abs_tol=2e-4)
        if amplitude in (2, 3, 4):
            assert math.isclose(conicity, expected, abs_tol=1.1e-4)


@pytest.mark.parametrize(("conicity", "length"), [(0.05, 16.5046), (0.18, 8.6987)])
def test_klingels_wavelength(conicity, length):
    assert math.isclose(klingel_wavelength(conicity, 0.46, 0.75), length, abs_tol=5e-5)


@pytest.mark.parametrize("amplitude", [0.1, 3.0, 6.9])
def test_a_cone_has_its_own_conicity_at_every_amplitude(amplitude):
    y = np.linspace(-7.0, 7.0, 15) * MM
    conicity = equivalent_conicity(y, 2 * 0.12 * y, amplitude * MM)
    assert math.isclose(conicity, 0.12, rel_tol=1e-8)


def test_a_shifted_cone_swings_about_another_middle():
    y = np.linspace(-10.0, 10.0, 201) * MM
    conicity = equivalent_conicity(y, 2 * 0.12 * (y - 2.5 * MM), 3 * MM)
    assert math.isclose(conicity, 0.12, rel_tol=1e-9)


def test_a_constant_restoring_difference_gives_parabolas():
    """delta_r = +-d: y'' = -+d / (2 b r_0), a quarter wave is sqrt(4 A b r_0 / d) long."""
    d, A, b, r_0 = 0.5 * MM, 4 * MM, 0.75, 0.46
    y = np.concatenate((np.linspace(-8, -1e-9, 30), np.linspace(1e-9, 8, 30))) * MM
    quarter = math.sqrt(2 * A * 2 * b * r_0 / d)
    assert math.isclose(wavelength(y, np.sign(y) * d, A, r_0, b), 4 * quarter, rel_tol=1e-5)


def test_a_cubic_difference_gives_the_period_of_the_quartic_well():
    """y'' = -k y^3 has the period Gamma(1/4)^2 / (A sqrt(pi k))."""
    k, A, b, r_0 = 2.0e3, 4 * MM, 0.75, 0.46
    y = np.linspace(-6.0, 6.0, 4001) * MM
    period = math.gamma(0.25) ** 2 / (math.sqrt(math.pi) * A * math.sqrt(k / (2 * b * r_0)))
    assert math.isclose(wavelength(y, k * y**3, A, r_0, b), period, rel_tol=1e-5)


@pytest.mark.parametrize(
    ("delta_r", "amplitude", "message"),
    [
        (lambda y: 0.1 * y, 0.0, r"amplitude 0 mm is not between 0 and 7 mm"),
        (lambda y: 0.1 * y, 8.0, r"amplitude 8 mm is not between 0 and 7 mm"),
        (lambda y: -0.1 * y, 3.0, r"amplitude 3 mm: the wheelset does not come back"),
        (lambda y: 0.1 * (y + 0.1), 3.0, r"amplitude 3 mm: no swing of this size fits"),
    ],
)
def test_a_swing_that_is_none_is_told(delta_r, amplitude, message):
    y = np.linspace(-7.0, 7.0, 141) * MM
    with pytest.raises(ValueError, match=message):
        equivalent_conicity(y, delta_r(y), amplitude * MM)


def test_a_table_that_is_not_sorted_is_told():
    with pytest.raises(ValueError, match="y does not rise"):
        equivalent_conicity(np.array([0.0, 1.0, 0.5]), np.zeros(3), 0.1)
    with pytest.raises(ValueError, match="3 and 2 values"):
        equivalent_conicity(np.array([0.0, 1.0, 2.0]), np.zeros(2), 0.1)
