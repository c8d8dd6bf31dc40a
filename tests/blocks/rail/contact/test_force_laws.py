"""The blocks around the force laws: parameters to kernels, and together in a diagram."""

import numpy as np
import pytest
from bench import Bench
from rail_references import data
from railblocks.engine import DiagramError, loads, simulate

REFERENCE = data("creep_forces.yaml")
CONTACT = """
diagram: 1
blocks:
  approach: {type: sources.constant, value: 0.07 mm}
  v:        {type: sources.constant, value: 20 m/s}
  sliding:  {type: sources.ramp, slope: 0.1 m/s^2}
  creep:    {type: rail.creepages}
  hertz:    {type: rail.hertz, k_wx: 2.174 1/m, k_ry: 3.333 1/m}
  kalker:   {type: rail.kalker, mu: 0.3}
  fastsim:  {type: rail.fastsim, mu: 0.3, n_x: 9, n_y: 9}
  polach:   {type: rail.polach, mu_0: 0.3, A: 1, k_S: 1}
  local:    {type: rail.local_adhesion, mu_cd: 0.3, A_d: 1, tau: 0 m^2/W, n_x: 9, n_y: 9}
  recovery: {type: rail.local_adhesion, n_x: 9, n_y: 9}
wires:
  - approach -> hertz.delta
  - v -> creep.V, polach.V, local.V, recovery.V
  - sliding -> creep.v_x
  - creep.xi -> kalker.xi, fastsim.xi, polach.xi, local.xi, recovery.xi
  - hertz.a -> kalker.a, fastsim.a, polach.a, local.a, recovery.a
  - hertz.b -> kalker.b, fastsim.b, polach.b, local.b, recovery.b
  - hertz.N -> kalker.N, fastsim.N, polach.N, local.N, recovery.N
solver: {stop: 1 s}
log:
  signals: [hertz.N, creep.xi, kalker.F_x, fastsim.F_x, polach.F_x, local.T_x, recovery.T_x]
  every: 0.05 s
"""


def test_laws_agree_in_a_diagram_and_compiled_equals_interpreted():
    results, plain = (simulate(loads(CONTACT), compiled=c) for c in (True, False))
    bound = 0.3 * results["hertz.N"]
    forces = {n: -results[n] / bound for n in ("kalker.F_x", "fastsim.F_x", "polach.F_x")}
    forces["local.T_x"] = -results["local.T_x"] / bound
    middle = np.mean(list(forces.values()), axis=0)
    for name, force in forces.items():
        assert np.array_equal(results[name], plain[name])
        assert np.all(np.diff(force) >= -1e-12)
        assert np.max(np.abs(force - middle)) < 0.05
    assert middle[-1] > 0.97
    assert np.array_equal(results["recovery.T_x"], plain["recovery.T_x"])
    assert np.all(np.diff(results["recovery.T_x"]) < 0.0)


@pytest.mark.parametrize("case", REFERENCE["hertz_of_radii"])
def test_hertz_block_gives_load_and_patch_at_the_reference_approach(case):
    roller = 1.0 / case["R_roller"] if case["R_roller"] else 0.0
    block = Bench("rail.hertz", k_wx=1 / case["R_wheel"], k_rx=roller, k_ry=1 / case["R_rail"])
    y = block.out(delta=case["approach_mm"] * 1e-3, delta_dot=0.0)
    assert y["N"] == pytest.approx(case["F_N"], rel=0.012)
    assert y["a"] * 1e3 == pytest.approx(case["a_mm"], rel=0.005)
    assert y["b"] * 1e3 == pytest.approx(case["b_mm"], rel=0.005)
    assert y["p_0"] * 2 / 3 * np.pi * y["a"] * y["b"] == pytest.approx(y["N"])


def test_hertz_block_damps_compression():
    block = Bench("rail.hertz", k_wx=2.0, k_ry=3.0, c=1e5)
    held, pressed, parting = (
        block.out(delta=5e-5, delta_dot=v)["N"] for v in (0.0, 0.01, -0.01)
    )  # fmt: skip
    assert pressed == pytest.approx(held + 1e3)
    assert parting == held


def test_bodies_that_do_not_touch_in_a_point_are_refused():
    with pytest.raises(DiagramError, match="expected two positive ones"):
        Bench("rail.hertz", k_wx=2.0, k_ry=0.0)


def test_polach_refuses_a_reduction_that_is_larger_where_the_patch_adheres():
    with pytest.raises(DiagramError, match="expected k_S <= k_A"):
        Bench("rail.polach", k_A=0.3, k_S=0.5)


@pytest.mark.parametrize("block", ["kalker", "fastsim", "polach", "local_adhesion"])
def test_lifted_wheel_has_no_forces(block):
    y = Bench(f"rail.{block}").out(xi=0.01, eta=0.01, phi=1.0, a=0.0, b=0.0, N=-5.0, V=20.0)
    assert set(y.values()) == {0.0}
