"""One wheel from Python: what it takes, what it gives, what it refuses."""

import math

import numpy as np
import pytest
from railblocks.blocks.rail.contact.normal.hertz import composite_modulus, patch
from railblocks.blocks.rail.contact.one_wheel import WheelOnRail, wheel_on_rail
from railblocks.engine import DiagramBuilder, DiagramError, simulate

CYLINDER = {"wheel": "cylinder", "y_0": 0.7605385, "c": 0.0}
"""A cylinder on the R300 arc of the head, whose top lies under its middle."""


def test_a_load_has_the_patch_of_hertz():
    (contact,) = wheel_on_rail(load="54.5 kN", **CYLINDER).contacts
    a, b, delta, p_0 = patch(0.5 / 0.46, 0.5 / 0.3, 54.5e3, composite_modulus(2.1e11, 0.3))
    assert (contact.a, contact.b) == pytest.approx((a, b), rel=1e-4)
    assert (contact.approach, contact.p_0) == pytest.approx((delta, p_0), rel=1e-4)
    assert pytest.approx(54.5e3, rel=1e-6) == contact.N
    assert contact.angle == pytest.approx(0.0, abs=1e-6)
    assert contact.point == pytest.approx((0.0, 0.7605385, 0.0), abs=1e-6)


def test_load_approach_and_height_are_the_same_pose():
    wheel = WheelOnRail()
    by_load = wheel.touch(3e-3, load=5e4)
    deepest = max(contact.approach for contact in by_load.contacts)
    by_approach = wheel.touch(3e-3, approach=deepest)
    by_height = wheel.touch(3e-3, height=by_load.height)
    assert by_load.F[2] == pytest.approx(5e4, rel=1e-9)
    assert pytest.approx(by_load.F, rel=1e-6) == by_approach.F
    assert by_height == by_load


def test_it_is_what_the_block_computes():
    """The same parameters and motion in a diagram."""
    parameters = {"law": "fastsim", "normal": "elliptic", "mu": 0.4}
    touch = wheel_on_rail("4 mm", "3 mrad", height="-0.1 mm", v=20.0, omega=43.0, **parameters)
    d = DiagramBuilder("one wheel")
    d.add("w", "rail.contact_wheel_rail", **parameters)
    omega = 43.0 * np.array([-math.sin(3e-3), math.cos(3e-3), 0.0])
    motion = {"dG": [0.0, 4e-3, -1e-4], "v": [20.0, 0.0, 0.0], "omega": omega, "alpha": 3e-3}
    for port, value in motion.items():
        d.add(port, "sources.constant", value=value)
        d.connect(port, f"w.{port}")
    d.solver(stop=1e-3)
    d.log("w.F", "w.M", "w.N")
    results = simulate(d.build(), compiled=False)
    assert pytest.approx(results["w.F"][0], rel=1e-9) == touch.F
    assert pytest.approx(results["w.M"][0], rel=1e-9) == touch.M
    assert sum(c.N for c in touch.contacts) == pytest.approx(results["w.N"][0].sum(), rel=1e-9)


def test_a_wheel_that_turns_faster_pulls_forwards():
    """Creepages of a wheel that turns 1 % faster than it rolls: -1 %, and a force with it."""
    wheel = WheelOnRail(mu=0.3, **CYLINDER)
    (free,), (driven,) = (
        wheel.touch(load=5e4, v=20.0, omega=factor * 20.0 / 0.46).contacts for factor in (1.0, 1.01)
    )
    assert free.xi == pytest.approx(0.0, abs=1e-9)
    assert driven.xi == pytest.approx(-0.01, rel=1e-3)
    assert driven.T_x == pytest.approx(0.3 * 5e4, rel=1e-2)


@pytest.mark.parametrize(
    ("pose", "message"),
    [
        ({}, "nothing given; expected one of load, approach and height"),
        ({"load": 1.0, "height": 0.0}, "load and height given; expected one of"),
        ({"load": "5 m"}, "load = '5 m' .*expected a force"),
        ({"load": -3.0}, r"load = -3 N; expected more than 0"),
        ({"y": "3 s", "load": 1.0}, "y = '3 s' .*expected a length"),
        ({"y": "far", "load": 1.0}, "y = 'far' .*expected a number in m"),
        ({"y": math.nan, "load": 1.0}, "y = nan; expected a finite number"),
        ({"load": 1.0, "v": [1.0, 2.0]}, "v has 2 numbers; expected one or three"),
        ({"y": "200 mm", "load": "5 kN"}, "still has less than load = 5000 N; expected a wheel"),
        ({"y": "20 mm", "roll": -0.05, "load": "5 kN"}, "already .* expected its tread"),
    ],
)
def test_what_is_no_pose_is_refused_kindly(pose, message):
    with pytest.raises(DiagramError, match=message):
        wheel_on_rail(**pose)


def test_parameters_are_checked_as_in_a_diagram():
    with pytest.raises(DiagramError, match="out of range"):
        WheelOnRail(mu=-1.0)
    with pytest.raises(DiagramError, match="did you mean 's1002'"):
        WheelOnRail(wheel="s1001")
    with pytest.raises(DiagramError, match="normal"):
        WheelOnRail(normal="flat")
