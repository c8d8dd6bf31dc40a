"""The car body on two bogies as a tree of chains: against Newton and Euler, Lagrange, symmetry."""

import numpy as np
import pytest
from railblocks.diagrams.runs import Run, shipped
from railblocks.diagrams.vishnu.bogies import (
    HUNTING,
    acceleration_difference,
    car_eigenvalues,
    car_run,
    linear_car,
    links_of,
)
from railblocks.engine import simulate


@pytest.fixture(scope="module")
def hunting():
    return car_run(HUNTING)


def test_accelerations_along_a_run_are_those_of_newton_and_euler_with_all_reactions(hunting):
    assert np.abs(hunting["car.c"][:, 11, 1]).max() > 3e-3
    assert acceleration_difference(hunting) < 1e-9


@pytest.mark.parametrize("V", [20.0, 60.0, 90.0])
def test_eigenvalues_are_those_of_lagrange_in_coordinates_of_the_bodies(V):
    ours, expected = (
        np.sort_complex(values) for values in (car_eigenvalues(V), linear_car().eigenvalues(V))
    )
    assert np.allclose(ours, expected, rtol=1e-9)


def test_a_stiff_car_hunts_at_the_critical_speed_of_its_growth():
    """Below it the least damped motion dies out, above it grows."""
    critical = linear_car().critical_speed()
    assert critical == pytest.approx(74.13, abs=0.01)  # docs/vishnu.md
    assert car_eigenvalues(critical - 0.5)[0].real < 0.0 < car_eigenvalues(critical + 0.5)[0].real


def displaced(joint):
    """The car at rest but for one axle box that is 1 mm aside."""
    chain = [dict(link) for link in shipped("vishnu", "bogies").model.blocks["car"].values["chain"]]
    for link in chain:
        link.pop("theta", None)
        if link["name"] == joint:
            link["theta"] = 1e-3
    return chain


def test_at_rest_both_ends_of_the_car_are_alike():
    """Without creep (at a very high speed, with no conicity) front and rear can be swapped."""
    values = {"V": 1e12, "steer.k": 0.0, "lam": 0.0, "solver.stop": "0.5 s", "solver.rtol": 1e-11}
    names = list(links_of(shipped("vishnu", "bogies").model.blocks["car"].values))
    sways = [
        Run.of(shipped("vishnu", "bogies", values | {"car.chain": displaced(box)}), box)["car.c"]
        for box in ("box_1", "box_4")
    ]
    for k in range(1, 5):
        front, rear = names.index(f"wheelset_{k}"), names.index(f"wheelset_{5 - k}")
        assert np.allclose(sways[0][:, front, 1], sways[1][:, rear, 1], atol=1e-12)
    body = names.index("body")
    assert np.allclose(sways[0][:, body, 1], sways[1][:, body, 1], atol=1e-12)
    assert np.abs(sways[0][:, body, 1]).max() > 1e-6


def test_compiled_equals_interpreted():
    checked = shipped("vishnu", "bogies", {"solver.stop": "0.01 s", "solver.rtol": 1e-6})
    fast, slow = (simulate(checked, compiled=compiled) for compiled in (True, False))
    for name in fast.signals:
        assert np.array_equal(fast[name], slow[name]), name
