"""`rail.vehicle` against a vehicle written by hand, in space, with rails as curves (`by_hand`).

Both read the same files of a four-axle wagon with every kind of element and of lines with every
kind of term; wheels are cones on round heads, for which contacts are known in closed form.
"""

import functools

import numpy as np
import pytest
from by_hand.beside import Beside, rates
from by_hand.contact import hertz
from by_hand.line import Line
from by_hand.lines import COACH, CONE, MIDDLE, RHO, TERMS, WAGON, line_file
from by_hand.runs import (
    COLUMNS,
    MU,
    RUNS,
    START,
    reference,
    same,
    simulate,
    vehicle_of,
)
from by_hand.states import accelerations_of, motion_of, running, shaken, states_of, velocities_of
from by_hand.vehicle import Vehicle
from scipy.optimize import brentq

SPEED = 20.0
LINEAR = 1000.0
"""A friction at which creep forces are those of linear theory."""
FORCE, MOMENT = 20.0, 20.0
"""In N and N m: what wheels bear is 55 kN. The block has rails straight over the length between a
wheel's contact and the axle's middle, some millimetres; by hand they are bent there too."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("lines")


@functools.cache
def both(folder, name, mu=LINEAR, vehicle=WAGON, C=(0, 0, 0, 0)):
    """The block's rates and the vehicle by hand, on the same line."""
    path = line_file(folder, name)
    block = rates(vehicle=vehicle, track=path, v_0=SPEED, s_0=MIDDLE, mu=mu, C=C)
    return block, Vehicle(vehicle, Line(path), RHO, CONE, mu=mu, V_min=1e-6)


class Missing:
    """Forces and moments by which the block differs at a random state; and rates of dampers."""

    def __init__(self, folder, name, seed, size=1.0, mu=LINEAR, vehicle=WAGON):
        block, self.hand = both(folder, name, mu, vehicle)
        hand = self.hand
        motion = shaken(hand, running(hand, MIDDLE, SPEED), np.random.default_rng(seed), size)
        q = states_of(hand.line, MIDDLE + hand.places[:, 0], *motion)
        a, alpha, x = accelerations_of(q, block(q), len(hand.names))
        a_hand, alpha_hand, x_hand = hand.accelerations(*motion)
        self.force = hand.m[:, None] * (a - a_hand)
        self.moment = hand.J * np.einsum("nji,nj->ni", motion[1], alpha - alpha_hand)
        self.dampers = x - x_hand

    def check(self, bodies, force=FORCE, moment=MOMENT):
        """Of some bodies; a message names the largest of each that is missing."""
        differences = []
        for kind, values, most in (("F", self.force, force), ("M", self.moment, moment)):
            for k in bodies:
                axis = np.abs(values[k]).argmax()
                result, name = values[k, axis], f"{kind}_{'xyz'[axis]} of {self.hand.names[k]}"
                if abs(result) > most:
                    differences.append(f"{name} by {result:.4g}")
        assert not differences, f"the block differs in {', '.join(differences)}"


def test_it_stands_at_the_same_height(folder):
    block, hand = both(folder, "level")
    N = hand.m.sum() * 9.81 / 8.0 / np.cos(np.arctan(CONE))
    A, B = 0.5 * np.cos(np.arctan(CONE)) / 0.46, 0.5 / RHO
    delta = brentq(lambda delta: hertz(A, B, delta, 2.1e11)[0] - N, 1e-6, 1e-3)
    lower = delta / np.cos(np.arctan(CONE))  # the normal leans by the cone's angle
    z = block.start[: 12 * 7].reshape(7, 12)[:, 2]
    assert z == pytest.approx(hand.places[:, 2] - lower, abs=2e-9)


def test_a_wagon_at_rest_has_no_accelerations(folder):
    path = line_file(folder, "level")
    block = rates(vehicle=WAGON, track=path, v_0=1e-9, s_0=MIDDLE, mu=0.0)
    hand = Vehicle(WAGON, Line(path), RHO, CONE, mu=1e-9)
    a, alpha, _ = accelerations_of(block.start, block(block.start), 7)
    a_hand, alpha_hand, _ = hand.accelerations(*motion_of(hand.line, block.start, 7))
    for result in (a, alpha, a_hand, alpha_hand):
        assert np.abs(result).max() < 1e-6


def test_a_wagon_whose_load_is_shifted_rests(folder):
    """On cylinders and level heads, so that forces of standing wheels are vertical."""
    path = folder / "shifted.yaml"
    text = WAGON.read_text(encoding="utf-8").replace("cone 3/20", "cylinder")
    path.write_text(text.replace("place: [0, 0, 1.8]", "place: [0.4, 0.06, 1.8]"), encoding="utf-8")
    line = line_file(folder, "level", incline=0.0)
    block = rates(vehicle=path, track=line, v_0=1e-9, s_0=MIDDLE, mu=0.0)
    hand = Vehicle(path, Line(line), RHO, 0.0)
    Q = hand.wheel_loads()
    assert Q.sum() == pytest.approx(hand.m.sum() * 9.81)
    assert Q @ np.tile([0.75, -0.75], 4) == pytest.approx(32000 * 9.81 * 0.06)
    assert block.parameter("w", "Q_0") == pytest.approx(Q, rel=2e-3)
    a, alpha, _ = accelerations_of(block.start, block(block.start), 7)
    assert np.abs(a).max() < 0.01
    assert np.abs(alpha).max() < 0.01


@pytest.mark.parametrize("name", TERMS)
def test_places_and_angles_move_as_the_velocities_say(folder, name):
    block, hand = both(folder, name)
    motion = shaken(hand, running(hand, MIDDLE, SPEED), np.random.default_rng(1))
    q = states_of(hand.line, MIDDLE + hand.places[:, 0], *motion)
    v, omega = velocities_of(hand.line, q, block(q), 7)
    assert v == pytest.approx(motion[2], abs=1e-11)
    assert omega == pytest.approx(motion[3], abs=1e-11)


@pytest.mark.parametrize("name", ["level", "gradient", "cant", "spiral"])
@pytest.mark.parametrize("size", [0.1, 1.0])
def test_elements_give_the_same_forces_on_body_and_bogies(folder, name, size):
    result = Missing(folder, name, seed=2, size=size)
    result.check([0, 1, 2])
    assert np.abs(result.dampers).max() < 1e-4


STEEP = {"ramp of cant": 100.0, "all": 100.0}
"""Of lines where rails rise by p = 5e-4: the section of a rail is across the rail in the block, and
across the track by hand, where its head then lies rho p^2 / 2 lower: 34 nm, which are 40 N on each
wheel. A quarter of it is left at half the slope."""


@pytest.mark.parametrize("name", TERMS)
def test_wheelsets_have_the_same_accelerations(folder, name):
    most = STEEP.get(name, FORCE)
    Missing(folder, name, seed=3).check([3, 4, 5, 6], most, most)


@pytest.mark.parametrize("name", ["level", "spiral"])
def test_axle_boxes_move_with_their_axles(folder, name):
    """In the block a box's pitch does not turn its inertia: on a gradient of 2 % and at 50 rad/s^2
    that is (12 - 3) kg m^2 times 0.02 times 50 rad/s^2 for each box of an axle."""
    result = Missing(folder, name, seed=5, vehicle=COACH)
    result.check(range(7), moment=MOMENT + (18.0 if name == "spiral" else 0.0))
    assert np.abs(result.moment[7:, 1]).max() < 0.5, "boxes turn otherwise about their axles"


def test_a_torque_turns_its_axle_and_the_frame_that_holds_it(folder):
    C = (1000, -700, 300, 500)
    (block, hand), (driven, _) = both(folder, "spiral"), both(folder, "spiral", C=C)
    motion = shaken(hand, running(hand, MIDDLE, SPEED), np.random.default_rng(6))
    q = states_of(hand.line, MIDDLE + hand.places[:, 0], *motion)
    (a, alpha, _), (a_C, alpha_C, _) = (accelerations_of(q, f(q), 7) for f in (block, driven))
    _, by_hand, _ = hand.accelerations(*motion)
    _, by_hand_C, _ = hand.accelerations(*motion, C=C)
    assert a_C == pytest.approx(a, abs=1e-9)
    assert alpha_C - alpha == pytest.approx(by_hand_C - by_hand, abs=1e-9)


def test_creep_forces_are_limited_alike(folder):
    Missing(folder, "level", seed=4, size=0.5, mu=0.3).check([3, 4, 5, 6])


PARTS = {"irregular run": 0.01, "curved run": 0.02}
"""Of the range of each number. Where cant begins to grow rails have a corner, which the block meets
with the axle, and the program by hand some millimetres apart, with each contact."""


@pytest.mark.parametrize("name", RUNS)
def test_it_runs_alike(folder, name):
    hand, motion = vehicle_of(folder, name)
    v, stop = RUNS[name]
    line = line_file(folder, name)
    stop = f"{stop} s"
    run = Beside(vehicle=WAGON, track=line, v_0=v, s_0=START, mu=MU, stop=stop, every="10 ms")
    run.q[:] = states_of(hand.line, START + hand.places[:, 0], *motion)
    results = run.run()
    body = results["w.motions"][:, 0, [1, 3, 5]]
    parts = (results["t"], results["w.v"], body)
    rows = np.column_stack([*parts, *(results[f"w.{kind}"] for kind in ("y", "alpha", "Q", "Y"))])
    same(COLUMNS, np.loadtxt(reference(name), delimiter=",", skiprows=1), rows, PARTS[name])


@pytest.mark.slow
@pytest.mark.parametrize("name", RUNS)
def test_the_run_kept_is_that_of_the_vehicle_by_hand(folder, name):
    kept = np.loadtxt(reference(name), delimiter=",", skiprows=1)[:21]
    rows = simulate(*vehicle_of(folder, name), 0.2)
    assert rows == pytest.approx(kept, rel=1e-5, abs=1e-8)
