"""The MDM rig: static loads, symmetry, power, rolling, unbalance."""

import math

import numpy as np
import pytest
from bench import Bench, interpreted
from railblocks.blocks.rail.multibody import bodies as b
from railblocks.blocks.rail.rig.tables import ANGLE, BOGIE, SPEED
from railblocks.engine import DiagramError, loads, simulate

WEIGHT = (128.0 + 20.92 + 2 * 14.504) * 9.81


def rig(**values):
    return Bench("rail.mdm_rig", **values)


def rates(bench, C_S=(0, 0), u=(0, 0), **states):
    q = bench.states["q"].copy()
    for index, value in states.get("changed", {}).items():
        q[index] = value
    signals = {"q": q, "C_S": np.array(C_S, float), "u": np.array(u, float)}
    out = bench.run("out", interpreted, **signals)
    return out, bench.run("der", interpreted, **signals, **out)["q"]


def run(text, stop="0.3 s", rtol="1.0e-7", log="rig.G_y, rig.omega_w, rig.Omega", **values):
    given = ", ".join(f"{k}: {v}" for k, v in values.items())
    return simulate(
        loads(f"""
diagram: 1
blocks:
  C:   {{type: sources.constant, value: [{text} N*m, {text} N*m]}}
  u:   {{type: sources.constant, value: [0 N*m, 0 N*m]}}
  rig: {{type: rail.mdm_rig, {given}}}
wires: [C -> rig.C_S, u -> rig.u]
solver: {{rtol: {rtol}, atol: 1.0e-9, stop: {stop}}}
log: {{signals: [{log}], every: 1 ms}}
""")
    )


def test_at_rest_the_wheels_carry_the_weight_and_nothing_moves():
    out, rate = rates(rig(omega_init=0.0))
    assert out["N"] == pytest.approx(np.full(4, WEIGHT / 4), rel=2e-3)
    assert out["loads"][:, 2].sum() == pytest.approx(WEIGHT, rel=1e-9)
    assert np.abs(rate).max() < 1e-6 * 9.81 * 1e3
    assert rate[b.V_Z] == pytest.approx(0.0, abs=1e-6)


def test_the_static_load_of_a_wheel_is_that_of_the_manchester_wagon_over_125():
    """54546 N / 125, the weight scale of Iwnicki's similitude."""
    out, _ = rates(rig(omega_init=0.0))
    assert out["N"].mean() == pytest.approx(54546 / 125, rel=2e-3)


def test_motor_and_roller_torques_accelerate_what_they_act_on():
    bench = rig()
    _, still = rates(bench)
    _, driven = rates(bench, C_S=(2.0, 0.0), u=(0.0, 3.0))
    assert (driven - still)[b.W_Y] == pytest.approx(2.0 / 0.03584)
    assert (driven - still)[b.STATES * BOGIE + b.W_Y] == pytest.approx(-2.0 / 0.47232)
    assert (driven - still)[SPEED + 1] == pytest.approx(3.0 / 0.05)
    assert (driven - still)[b.STATES + b.W_Y] == pytest.approx(0.0, abs=1e-9)


def test_offsets_to_both_sides_mirror_each_other():
    left, right = (run(0, dG_y=f"{y} mm") for y in (0.6, -0.6))
    assert np.allclose(left["rig.G_y"], -right["rig.G_y"], atol=1e-7)
    assert np.allclose(left["rig.omega_w"], right["rig.omega_w"], atol=1e-5)


def test_a_lateral_offset_dies_out_at_the_default_cant():
    results = run(0, stop="1 s", dG_y="0.6 mm", rtol="1.0e-6")
    late = results.time > 0.8
    assert np.abs(results["rig.G_y"][late]).max() < 0.15 * 6e-4


def test_torque_accelerates_wheels_and_rollers_together():
    """(J_w + J_r (r/R)^2) omega' = C, for each axle."""
    results = run(2.0, stop="0.3 s")
    speeds = results["rig.omega_w"][:, 0]
    gained = speeds[-1] - speeds[100]
    seconds = results.time[-1] - results.time[100]
    assert gained / seconds == pytest.approx(2.0 / (0.03584 + 0.05), rel=0.02)


def test_an_unbalanced_roller_shakes_its_support():
    bench = rig(me_r=1e-3)
    out, _ = rates(bench)
    plain, _ = rates(rig())
    angle = bench.states["q"][ANGLE : ANGLE + 2]
    assert out["T_mis"] - plain["T_mis"] == pytest.approx(-1e-3 * 150**2 * np.cos(angle))


def test_an_unbalanced_wheelset_feels_its_centrifugal_force():
    """At the start the reference point accelerates by e omega^2 against the unbalance."""
    me, m = 2e-4, 14.504
    _, balanced = rates(rig())
    _, rate = rates(rig(me_w=me, phase_w=[0.0, math.pi / 2]))
    front, rear = (rate - balanced)[[b.V_X, b.STATES + b.V_Z]]
    assert front == pytest.approx(me / m * 150**2, rel=0.05)
    assert rear == pytest.approx(-me / m * 150**2, rel=0.05)


def test_unbalanced_inertia_of_a_wheelset_turns_it_across_its_axis():
    """J alpha = -omega x (J omega): Omega^2 dJ (-J_yz, 0, J_xy) / J_x, J_xy, J_yz = dJ (cos, -sin).

    Of the first order in dJ, whose square is 5e-4 of J_x J_y here.
    """
    dJ, J_x = 2.4e-5, 0.3584
    _, balanced = rates(rig(mu=0.0))
    _, rate = rates(rig(mu=0.0, dJ_w=dJ, phase_w=[0.0, math.pi / 2]))
    more = rate - balanced
    assert more[b.W_Z] == pytest.approx(dJ * 150.0**2 / J_x, rel=1e-3)
    assert more[b.W_X] == pytest.approx(0.0, abs=1e-6)
    assert more[b.STATES + b.W_X] == pytest.approx(dJ * 150.0**2 / J_x, rel=1e-3)


SERIES = (480e3, 60e3, 8e3)


@pytest.mark.parametrize(("axis", "k", "c"), [(0, 480e3, 120.0), (1, 60e3, 16.0), (2, 8e3, 32.0)])
def test_series_stiffness_of_axle_boxes_holds_at_once_and_gives_way(axis, k, c):
    """A sudden displacement d: both boxes pull with k d more, dampers begin at k d / c."""
    d, first = 1e-5, 52
    plain, with_series = (rig(**v) for v in ({}, {"k_ps": list(SERIES)}))
    q = plain.states["q"][b.X + axis]
    moved = {b.X + axis: q + d}
    _, at_once = rates(with_series, changed=moved)
    _, without = rates(plain, changed=moved)
    pull = (at_once[: len(without)] - without)[b.V_X + axis]
    assert pull == pytest.approx(-2.0 * k * d / 14.504, rel=1e-4)
    assert at_once[first + axis] == pytest.approx(k * d / c, rel=1e-4)
    assert len(at_once) == first + 12


def test_a_damper_in_series_needs_damping():
    with pytest.raises(DiagramError, match="stiffness in series with a damper"):
        rig(k_ps=[1.0, 0.0, 0.0], c_p=[0.0, 16.0, 32.0])


def test_a_rig_without_weight_has_no_contact_and_no_nan():
    bench = rig()
    lifted = {b.Z: bench.states["q"][b.Z] + 0.01, b.STATES + b.Z: bench.states["q"][b.Z] + 0.01}
    out, rate = rates(bench, changed=lifted)
    assert out["N"] == pytest.approx(np.zeros(4))
    assert np.all(np.isfinite(rate))


@pytest.mark.parametrize("x", [1e-3, 5e-3])
def test_a_bogie_put_down_off_the_tops_of_its_rollers_still_bears_its_weight(x):
    """Normals lean by x / (r + R): the vertical parts of the loads are the weight."""
    bench = Bench("rail.mdm_rig", dG_x=x, mu=0.0, c=0.0)
    q = bench.values["q_0"]
    outs = {}
    for equation in bench.declaration.of_kind("out"):
        outs |= bench.call(equation, interpreted, C_S=np.zeros(2), u=np.zeros(2), **outs)
    weight = outs["loads"][:, 2].sum()
    assert weight == pytest.approx(WEIGHT, rel=1e-6)
    assert q[2] < 0.184
