"""The block of serial chains: runs, energy, and links that cannot be."""

import numpy as np
import pytest
from bench import Bench
from chain_cases import free_accelerations
from diagram_runs import both, run
from railblocks.engine import DiagramError

ROD = {"joint": "turns", "axis": [1, 0, 0], "centre": [0, 0, -0.5], "m": 12, "J": [1, 1, 0]}


def test_one_rod_swings_as_mechanics_pendulum():
    """A rod about its end is a point pendulum of two thirds of its length."""
    text = """
blocks:
  rod: {type: rail.serial_chain, chain: [
    {joint: turns, axis: [1, 0, 0], centre: [0, 0, -0.5], m: 12, J: [1, 1, 0], theta: 1.2}]}
  point: {type: mechanics.pendulum, m: 1 kg, L: 2 / 3, phi_0: 1.2 rad, g: 9.81 m/s^2}"""
    results = run(text, solver="solver: {rtol: 1.0e-10, atol: 1.0e-12, stop: 3 s}")
    assert np.allclose(results["rod.theta"][:, 0], results["point.phi"], atol=1e-8)


@both
def test_energy_of_a_double_pendulum_is_kept(compiled):
    text = """
blocks:
  rods: {type: rail.serial_chain, chain: [
    {joint: turns, axis: [1, 0, 0], centre: [0, 0, -0.5], m: 12, J: [1, 1, 0], theta: 2},
    {joint: turns, axis: [1, 0, 0], at: [0, 0, -1], centre: [0, 0, -0.5], m: 12, J: [1, 1, 0]}]}"""
    results = run(text, compiled, "solver: {method: ode853, rtol: 1.0e-11, atol: 1.0e-11, stop: 2}")
    assert np.ptp(results["rods.E"]) < 1e-7
    assert np.ptp(results["rods.theta"]) > 1.0


def test_torques_and_wrenches_reach_the_joints():
    chain = [
        {"joint": "slides", "axis": [0, 0, 2], "m": 1},
        {"joint": "turns", "axis": [0, 1, 1], "at": [1, 0, 0], "centre": [0, 1, 0], "m": 2,
         "J": [1, 2, 1.5, 0.1, 0.2, 0], "theta": 0.4, "rate": 0.7},
        {"joint": "turns", "axis": [1, 0, 0], "centre": [0, 0, 1], "m": 3, "theta": -0.8},
    ]  # fmt: skip
    bench = Bench("rail.serial_chain", chain=chain)
    tau, w = np.array([3.0, -2.0, 5.0]), np.random.default_rng(4).normal(size=(3, 6))
    q, u = bench.values["start"], bench.values["rate"]
    outputs = bench.out(tau=tau, w=w)
    push = tau + np.einsum("lkj,lk->j", outputs["N"], w)
    expected = free_accelerations(bench.values["links"], q, u, push)
    assert np.allclose(outputs["theta_ddot"], expected, rtol=1e-10)


@pytest.mark.parametrize(
    ("chain", "message"),
    [
        ([], "expected links such as"),
        ("rod", "expected links such as"),
        ([3], "link 1: 3.0; expected a mapping with joint and axis"),
        ([{"joint": "turns"}], "expected a mapping with joint and axis"),
        ([ROD | {"joint": "bends"}], "link 1: joint = bends; expected one of turns, slides"),
        ([ROD | {"mass": 2}], "link 1: 'mass' is not known; expected some of joint, axis, at"),
        ([ROD | {"axis": [0, 0, 0]}], r"axis = \[0.0, 0.0, 0.0\] has no direction"),
        ([ROD | {"axis": [0, 1]}], r"axis = \[0.0, 1.0\]; expected a list of 3 numbers"),
        ([ROD | {"at": [0, "1 m", 0]}], "entry 2 of at is '1 m'; expected a plain number"),
        ([ROD | {"m": -1}], "m = -1; expected a mass of 0 or more"),
        ([ROD | {"m": float("inf")}], "m is inf; expected a finite number"),
        ([ROD | {"J": [1, float("nan"), 1]}], "entry 2 of J is nan; expected a finite number"),
        ([ROD | {"m": "2 kg"}], "m is '2 kg'; expected a plain number"),
        ([ROD | {"J": [1, 1, 3]}], r"J = \[1.0, 1.0, 3.0\] is not an inertia"),
        ([ROD, {"joint": "turns", "axis": [0, 0, 1]}], "link 2: nothing that has mass"),
        ([{"joint": "slides", "axis": [0, 0, 1]}] * 2 + [ROD], "nothing that has mass"),
    ],
)
def test_links_that_cannot_be_are_refused(chain, message):
    with pytest.raises(DiagramError, match=message):
        Bench("rail.serial_chain", chain=chain)


def test_a_chain_may_have_one_link_and_links_without_mass_between():
    joint = {"joint": "turns", "axis": [0, 1, 0]}
    assert Bench("rail.serial_chain", chain=[joint, ROD]).out(tau=np.zeros(2), w=np.zeros((2, 6)))
    outputs = Bench("rail.serial_chain", chain=[ROD]).out(tau=np.array([8.0]), w=np.zeros((1, 6)))
    assert outputs["theta_ddot"] == pytest.approx([2.0])  # 8 N m on m L^2 / 3 = 4 kg m^2
