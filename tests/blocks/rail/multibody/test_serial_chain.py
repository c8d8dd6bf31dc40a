"""The block of serial chains: runs, energy, and links that cannot be."""

import numpy as np
import pytest
from bench import Bench
from diagram_runs import both, run
from railblocks.diagrams.vishnu.newton_euler import free_accelerations
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
        ([ROD | {"k": -1}], "k = -1; expected a stiffness of 0 or more"),
        ([ROD | {"c": "2 N"}], "c is '2 N'; expected a plain number"),
        ([ROD | {"name": 3}], "link 1: name = 3.0; expected text such as bogie"),
        ([ROD | {"name": "ground"}], "link 1: name = ground stands for the ground"),
        ([ROD | {"name": "a"}] * 2, "link 2: name = a is that of link 1 already"),
        (
            [ROD | {"name": "a"}, ROD | {"parent": "b"}],
            "link 2: parent = b is not the name of a link; expected one of ground, a",
        ),
        ([ROD, ROD | {"parent": 1}], "link 2: parent = 1.0 is not the name of a link"),
        ([ROD | {"name": "a", "parent": "a"}], "parent = a closes a circle, a -> a; expected"),
        (
            [ROD | {"name": "a", "parent": "c"}, ROD | {"name": "b"}, ROD | {"name": "c"}],
            "link 1: parent = c closes a circle, a -> c -> b -> a; expected links that lead to the",
        ),
        (
            [ROD | {"parent": "b"}, ROD | {"name": "b", "parent": "ground"}],
            "link 1: parent = b is link 2, which is listed later; list a link behind",
        ),
    ],
)
def test_links_that_cannot_be_are_refused(chain, message):
    with pytest.raises(DiagramError, match=message):
        Bench("rail.serial_chain", chain=chain)


@pytest.mark.parametrize(
    ("loaded", "message"),
    [
        (["b"], "loaded has b, which is not the name of a link; known are a"),
        (["a", "a"], "loaded has a twice"),
        ("a", "loaded = a; expected a list of names"),
        (3, "loaded = 3.0; expected a list of names"),
    ],
)
def test_loads_on_links_that_are_not_there_are_refused(loaded, message):
    with pytest.raises(DiagramError, match=message):
        Bench("rail.serial_chain", chain=[ROD | {"name": "a"}], loaded=loaded)


def test_a_chain_that_names_its_parents_is_the_same_to_the_last_bit():
    plain = [ROD | {"theta": 0.4, "rate": 1.0}, ROD | {"at": [0, 0, -1]}, ROD | {"at": [0, 0, -1]}]
    named = [link | {"name": f"rod_{k}"} for k, link in enumerate(plain)]
    for k in (1, 2):
        named[k]["parent"] = f"rod_{k - 1}"
    named[0]["parent"] = "ground"
    ours, expected = (
        Bench("rail.serial_chain", chain=chain).out(tau=np.zeros(3), w=np.zeros((3, 6)))
        for chain in (named, plain)
    )
    for name, value in expected.items():
        assert np.asarray(ours[name]).tobytes() == np.asarray(value).tobytes(), name


def test_accelerations_link_by_link_are_those_of_the_inertia_matrix():
    """GIM theta'' + h = tau - k theta - c theta' + N^T w, on a tree with loads on one link."""
    chain = [
        ROD | {"name": "a", "theta": 0.4, "rate": 0.7, "k": 3.0, "c": 2.0},
        ROD | {"at": [0, 0, -1], "theta": -0.3, "rate": 0.2},
        ROD | {"name": "b", "parent": "a", "at": [0, 1, -1], "joint": "slides", "theta": 0.2,
               "k": 50.0},
        ROD | {"parent": "ground", "at": [0, 3, 0], "theta": 0.1, "c": 1.5, "rate": -2.0},
    ]  # fmt: skip
    bench = Bench("rail.serial_chain", chain=chain, loaded=["b"])
    tau, w = np.array([3.0, -2.0, 5.0, 1.0]), np.random.default_rng(4).normal(size=(1, 6))
    q, u, o = bench.values["start"], bench.values["rate"], bench.out(tau=tau, w=w)
    springs = np.array([3.0, 0.0, 50.0, 0.0]) * q + np.array([2.0, 0.0, 0.0, 1.5]) * u
    right = tau - springs + o["N"][2].T @ w[0] - o["h"]
    assert np.allclose(o["theta_ddot"], np.linalg.solve(o["GIM"], right), rtol=1e-11)
    D = np.diag(np.diag(o["U"]))
    U = np.triu(o["U"], 1) + np.eye(4)
    assert np.allclose(U @ D @ U.T, o["GIM"], rtol=1e-12, atol=1e-12)
    twists = np.einsum("lkj,j->lk", o["N"], u)
    assert np.allclose(o["twist"], twists, atol=1e-13)


def test_a_mass_on_a_spring_and_damper_in_its_joint_swings_as_the_closed_form():
    """x = exp(-d t) cos(omega t) + ..., with d = c / 2 m and omega^2 = k / m - d^2."""
    text = """
blocks:
  mass: {type: rail.serial_chain, chain: [
    {joint: slides, axis: [0, 1, 0], m: 2, k: 50, c: 1.2, theta: 0.1}]}"""
    results = run(text, solver="solver: {method: ode853, rtol: 1.0e-11, atol: 1.0e-13, stop: 5}")
    d = 1.2 / 4.0
    omega = np.sqrt(25.0 - d * d)
    t = results.time
    x = 0.1 * np.exp(-d * t) * (np.cos(omega * t) + d / omega * np.sin(omega * t))
    assert np.allclose(results["mass.theta"][:, 0], x, atol=1e-10)


def test_energy_of_a_tree_on_springs_is_kept():
    text = """
blocks:
  tree: {type: rail.serial_chain, chain: [
    {name: top, joint: turns, axis: [1, 0, 0], centre: [0, 0, -1], m: 3, theta: 1, k: 5},
    {parent: top, joint: turns, axis: [1, 0, 0], at: [0, 0, -1], centre: [0, 0.2, -1], m: 2, k: 20},
    {parent: top, joint: slides, axis: [0, 1, 0], at: [0, 0, -1], m: 1, k: 100, theta: 0.1}]}"""
    results = run(text, solver="solver: {method: ode853, rtol: 1.0e-11, atol: 1.0e-11, stop: 3}")
    assert np.ptp(results["tree.E"]) < 1e-7
    assert np.ptp(results["tree.theta"]) > 1.0


def test_a_chain_may_have_one_link_and_links_without_mass_between():
    joint = {"joint": "turns", "axis": [0, 1, 0]}
    assert Bench("rail.serial_chain", chain=[joint, ROD]).out(tau=np.zeros(2), w=np.zeros((2, 6)))
    outputs = Bench("rail.serial_chain", chain=[ROD]).out(tau=np.array([8.0]), w=np.zeros((1, 6)))
    assert outputs["theta_ddot"] == pytest.approx([2.0])  # 8 N m on m L^2 / 3 = 4 kg m^2
