"""Small motions of a wheelset: eigenvalues, growth and critical speeds against the references."""

import numpy as np
import pytest
from rail_references import data
from railblocks.blocks.rail.wheelset.stability import LinearWheelset, RollingWheelset
from railblocks.engine.linear.growth import first_growth

FREE = data("free_wheelset.yaml")
BLOCKS = ("rail.denoc_wheelset", "rail.free_wheelset")


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("lam", [0.05, 0.18])
def test_eigenvalues_are_those_of_the_reference(block, lam):
    wheelset = RollingWheelset(block, shape="linear", lam=lam)
    rows = [row for row in FREE["eigenvalues"] if row[0] == lam]
    assert len(rows) >= 3
    for _, V, growth, frequency in rows:
        eigenvalue = wheelset.eigenvalues(V)[0]
        assert eigenvalue.real == pytest.approx(growth, rel=1e-5, abs=1e-6)
        assert eigenvalue.imag == pytest.approx(frequency, rel=1e-6)


@pytest.mark.parametrize("row", FREE["critical_speeds"], ids=str)
def test_critical_speeds_of_routh_and_of_eigenvalues_are_those_of_the_reference(row):
    lam, k_y, k_psi, V = row
    values = {"lam": lam, "k_y": k_y, "k_psi": k_psi}
    assert LinearWheelset(**values).critical_speed() == pytest.approx(V, abs=1e-4)
    assert RollingWheelset(shape="linear", **values).critical_speed() == pytest.approx(V, abs=1e-4)


def test_eigenvalues_are_the_roots_of_the_polynomial():
    values = {"lam": 0.18, "k_y": 5e5, "k_psi": 2e6}
    roots = np.roots(LinearWheelset(**values).polynomial(30.0))
    eigenvalues = RollingWheelset(shape="linear", **values).eigenvalues(30.0)
    assert np.allclose(np.sort_complex(eigenvalues), np.sort_complex(roots), rtol=1e-6)


@pytest.mark.parametrize("shape", ["linear", "conical", "curved"])
def test_a_free_wheelset_without_weight_is_unstable_at_every_speed(shape):
    wheelset = RollingWheelset(shape=shape, lam=0.05)
    for V in (0.5, 2.0, 10.0, 50.0, 150.0):
        assert wheelset.eigenvalues(V)[0].real > 0.0


def test_routh_fails_at_every_speed_without_springs():
    assert all(LinearWheelset(0.05).routh(V) > 0.0 for V in (1e-3, 1.0, 1e3))


def test_growth_at_low_speed_is_that_of_the_formula():
    exact = RollingWheelset(shape="linear", lam=0.18).eigenvalues(10.0)[0].real
    assert LinearWheelset(0.18).growth(10.0) == pytest.approx(0.054229, abs=5e-7)
    assert LinearWheelset(0.18).growth(10.0) == pytest.approx(exact, rel=5e-4)


def test_cylinders_neither_steer_nor_grow():
    eigenvalues = RollingWheelset(shape="conical", lam=0.0).eigenvalues(20.0)
    assert np.abs(eigenvalues[:2]).max() < 1e-3
    assert LinearWheelset(0.0, k_y=5e5, k_psi=2e6).critical_speed() is None


def test_the_first_growth_is_narrowed_or_none():
    assert first_growth(lambda v: v - 3.3, [1.0, 2.0, 4.0]) == pytest.approx(3.3, abs=2e-3)
    assert first_growth(lambda v: -1.0, [1.0, 2.0]) is None
    assert first_growth(lambda v: 1.0, [1.0, 2.0]) == 1.0
