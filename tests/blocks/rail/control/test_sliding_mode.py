"""The roller controller against the equations of motion it is made for."""

import numpy as np
import pytest
from bench import Bench
from railblocks.engine import loads, simulate

J, J_W, J_R, R, R_S = 112.0, 0.03584, 0.05, 0.46, 0.092


def controller(**values):
    return Bench("rail.sliding_mode", **values)


@pytest.mark.parametrize("roller", [0.092, 0.2])
def test_continuous_part_makes_both_accelerations_equal(roller):
    C, T = 3.0, 25.0
    u = controller(R=roller, u_max=1e3).out(C_hat=C, T_sim=T, omega_ws=1.0, omega_w_hat=1.0)
    train = (3125.0 * C - 625.0 * T * R) / J
    J_B = J_W + J_R * (R_S / roller) ** 2
    rig = (C - R_S / roller * u["u"]) / J_B
    assert rig == pytest.approx(train)
    assert u["u_disc"] == 0.0


def test_the_two_signs_are_opposite_and_the_corrected_one_slows_a_fast_wheel():
    fast = {"C_hat": 0.0, "T_sim": 0.0, "omega_ws": 100.0, "omega_w_hat": 101.0}
    assert controller().out(**fast)["u"] == 0.5
    assert controller(sign="printed").out(**fast)["u"] == -0.5


def test_boundary_layer_is_linear():
    block = controller(k=0.4, omega_b=0.1)
    errors = np.array([-0.2, -0.1, -0.05, 0.0, 0.02, 0.1, 0.3])
    parts = [
        block.out(C_hat=0.0, T_sim=0.0, omega_ws=e, omega_w_hat=0.0)["u_disc"] for e in errors
    ]  # fmt: skip
    assert np.allclose(parts, [0.4, 0.4, 0.2, 0.0, -0.08, -0.4, -0.4])


def test_without_a_boundary_layer_the_sign_is_all_that_counts():
    block = controller(k=0.4, omega_b=0.0)
    parts = [
        block.out(C_hat=0.0, T_sim=0.0, omega_ws=e, omega_w_hat=0.0)["u_disc"]
        for e in (-1e-9, 0.0, 1e-9)
    ]
    assert np.allclose(parts, [0.4, 0.0, -0.4])


def test_torque_is_limited_to_20_000_newton_metres_at_full_scale():
    y = controller().out(C_hat=-100.0, T_sim=0.0, omega_ws=0.0, omega_w_hat=0.0)
    assert y["u"] == 6.4 == pytest.approx(20000.0 / 3125.0)
    assert y["u_cont"] > 100.0


ONE_AXLE = """
diagram: 1
parameters: {C: 1 N*m}
blocks:
  torque:   {type: sources.constant, value: C}
  rig:      {type: rail.virtual_rig, omega_0: 100 rad/s}
  wrong:    {type: math.gain, k: 1.05}          # a load cell that is wrong by 5 %
  sensors:  {type: rail.estimator, omega_0: 100 rad/s}
  full:     {type: rail.scale_up, quantity: torque}
  load:     {type: sources.constant, value: 545460 N}
  speed:    {type: sources.constant, value: 46 m/s}
  wheelset: {type: rail.wheelset, mu_0: 0.05, omega_0: 100 rad/s}
  small:    {type: rail.scale_down, quantity: force}
  control:  {type: rail.sliding_mode}
  error:    {type: math.sum, signs: +-}
wires:
  - torque -> rig.C_S
  - rig.T_mis -> wrong -> sensors.T_mis
  - rig.omega_rm -> sensors.omega_rm
  - sensors.C_tilde -> full -> wheelset.C_hat
  - load -> wheelset.N
  - speed -> wheelset.v
  - wheelset.T_sim -> small -> control.T_sim
  - sensors.C_tilde -> control.C_hat
  - wheelset.omega_ws -> control.omega_ws, error.u1
  - sensors.omega_w_hat -> control.omega_w_hat, error.u2
  - control.u -> rig.u
solver: {stop: 3 s, rtol: 1.0e-8, atol: 1.0e-9}
log: {signals: [error.y], every: 1 ms}
"""


def drift(**values):
    results = simulate(loads(ONE_AXLE), {f"control.{n}": v for n, v in values.items()})
    return abs(results["error.y"][-1])


def test_the_corrected_sign_holds_the_speed_where_the_printed_one_drifts_away():
    held, none, printed = drift(), drift(k=0.0), drift(sign="printed")
    assert held < 0.01
    assert 0.1 < none < printed
    assert printed > 10.0
