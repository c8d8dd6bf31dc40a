"""A wheelset at constant speed, by DeNOC and by Lagrange: equal, and right where it is known."""

import math

import numpy as np
import pytest
from bench import Bench
from diagram_runs import run
from railblocks.engine import DiagramError, SimulationError

BLOCKS = ("rail.denoc_wheelset", "rail.free_wheelset")
STATES = ("y", "psi", "y_dot", "psi_dot")
CASES = {
    "linear": {"shape": "linear", "lam": 0.18},
    "conical": {"shape": "conical", "lam": 0.18, "W": 109092.0},
    "curved": {"shape": "curved", "W": 109092.0, "law": "saturated", "k_y": 5e5, "c_psi": 2e3},
}


def moving(rng):
    return {
        "V": rng.uniform(-60, 60), "q_y": rng.uniform(-0.01, 0.01), "q_psi": rng.uniform(-1, 1),
        "u_y": rng.uniform(-2, 2), "u_psi": rng.uniform(-2, 2), "F_y": 1e4 * rng.normal(),
        "M_z": 1e4 * rng.normal(),
    }  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_accelerations_of_both_are_equal_whatever_the_motion(case):
    denoc, lagrange = (Bench(block, **CASES[case]) for block in BLOCKS)
    rng = np.random.default_rng(1)
    for _ in range(20):
        state = moving(rng)
        ours, theirs = denoc.out(**state), lagrange.out(**state)
        for name in ("y_ddot", "psi_ddot", "T_x", "T_y"):
            assert ours[name] == pytest.approx(theirs[name], rel=1e-10, abs=1e-8)


def diagram(values, V=20.0, stop=4, both_blocks=True, more=()):
    blocks = "ab" if both_blocks else "a"
    signals = [f"{block}.{name}" for block in blocks for name in (*STATES, *more)]
    text = ", ".join(f"{k}: {v}" for k, v in values.items())
    second = f"\n  b: {{type: rail.free_wheelset, {text}}}" if both_blocks else ""
    return f"""
blocks:
  speed: {{type: sources.constant, value: {V} m/s}}
  a: {{type: rail.denoc_wheelset, {text}}}{second}
wires: ["speed -> a.V{", b.V" if both_blocks else ""}"]
solver: {{rtol: 1.0e-10, atol: 1.0e-13, stop: {stop} s}}
log: {{every: 2 ms, signals: [{", ".join(signals)}]}}"""


@pytest.mark.parametrize("case", CASES)
def test_both_are_equal_along_a_run(case):
    results = run(diagram(CASES[case] | {"y_0": 1e-3}), solver="")
    for name in STATES:
        size = np.abs(results[f"b.{name}"]).max()
        assert size > 0.0
        assert np.abs(results[f"a.{name}"] - results[f"b.{name}"]).max() <= 1e-9 * size


def test_runs_are_the_same_compiled_and_interpreted():
    text = diagram(CASES["curved"] | {"y_0": 1e-3}, stop=0.02)
    fast, slow = (run(text, compiled, solver="") for compiled in (True, False))
    for block in "ab":
        assert np.array_equal(fast[f"{block}.psi_dot"], slow[f"{block}.psi_dot"])


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("case", CASES)
def test_the_mirrored_motion_has_mirrored_accelerations(block, case):
    bench, rng = Bench(block, **CASES[case]), np.random.default_rng(2)
    state = moving(rng)
    there = {k: v if k == "V" else -v for k, v in state.items()}
    for name in ("y_ddot", "psi_ddot"):
        assert bench.out(**there)[name] == pytest.approx(-bench.out(**state)[name], rel=1e-9)


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("case", CASES)
def test_running_backwards_is_running_forwards_seen_from_behind(block, case):
    """Reflected along the track: V and yaw change sign, sway stays."""
    bench, state = Bench(block, **CASES[case]), moving(np.random.default_rng(3))
    turned = state | {k: -state[k] for k in ("V", "q_psi", "u_psi", "M_z")}
    outputs, expected = bench.out(**turned), bench.out(**state)
    assert outputs["y_ddot"] == pytest.approx(expected["y_ddot"], rel=1e-9)
    assert outputs["psi_ddot"] == pytest.approx(-expected["psi_ddot"], rel=1e-9)


@pytest.mark.parametrize("case", ["conical", "curved"])
def test_without_sliding_forces_energy_is_kept(case):
    """Kinetic energy of sway and yaw, weight and springs; what is guided to spin has no inertia."""
    free = {"f11": 0.0, "f22": 0.0, "k_y": 5e4, "k_psi": 1e5, "W": 1e5, "psi_0": 0.02, "y_0": 2e-3}
    values = {"shape": case, "lam": 0.18, "I_y": 0.0, "y_dot_0": 0.01} | free
    more = ("joints", "GIM", "motion")
    results = run(diagram(values, stop=1, both_blocks=False, more=more), solver="")
    y, psi, y_dot, psi_dot = (results[f"a.{name}"] for name in STATES)
    joints, GIM = results["a.joints"], results["a.GIM"]
    share = joints[:, 2]
    m_y = np.einsum("ti,tij,tj->t", share, GIM, share)
    kinetic = 0.5 * (m_y * y_dot**2 + GIM[:, 1, 1] * psi_dot**2)
    z = results["a.motion"][:, 5, 14]
    energy = kinetic + 1e5 * z + 0.5 * 5e4 * y**2 + 0.5 * 1e5 * psi**2
    assert np.ptp(kinetic) > 1.0
    assert np.ptp(energy) < 1e-7 * np.ptp(kinetic)


def crossings(t, y):
    rising = np.flatnonzero((y[:-1] < 0) & (y[1:] >= 0))
    return t[rising] - y[rising] * (t[rising + 1] - t[rising]) / (y[rising + 1] - y[rising])


@pytest.mark.parametrize("shape", ["linear", "conical"])
@pytest.mark.parametrize(("lam", "length"), [(0.05, 16.5046), (0.18, 8.6987)])
def test_a_slow_free_wheelset_sways_with_klingels_wavelength(shape, lam, length):
    values = {"shape": shape, "lam": lam, "y_0": 1e-3}
    results = run(diagram(values, 3.0, 25, both_blocks=False), solver="")
    wavelength = 3.0 * np.diff(crossings(results.time, results["a.y"])).mean()
    assert wavelength == pytest.approx(length, rel=1e-4)


def test_hollow_wheels_sway_with_the_wavelength_of_their_arcs():
    """Small angles: radii change by lam_e y, contacts move with y' b / (b - r_0 gamma)."""
    b, r_0, gamma, R_w, R_r = 0.75, 0.46, 0.02, 0.42, 0.3
    values = {"shape": "curved", "gamma": gamma, "R_w": R_w, "R_r": R_r, "y_0": 1e-3}
    results = run(diagram(values, 2.0, 30, both_blocks=False), solver="")
    lam_e = gamma * R_w / (R_w - R_r) * (b + R_r * gamma) / (b - r_0 * gamma)
    expected = 2.0 * math.pi * math.sqrt(b * r_0 / lam_e * b / (b - r_0 * gamma))
    wavelength = 2.0 * np.diff(crossings(results.time, results["a.y"])).mean()
    assert wavelength == pytest.approx(expected, rel=1e-3)


def test_it_spins_so_that_its_wheels_creep_against_each_other_only():
    """Straight ahead and swayed, hollow wheels run on larger radii on the mean."""
    for block in BLOCKS:
        outputs = Bench(block, shape="curved").out(V=20.0, q_y=6e-3, F_y=0.0, M_z=0.0)
        assert outputs["T_x"][0] == pytest.approx(-outputs["T_x"][1], rel=1e-9)
        assert abs(outputs["T_x"][0]) > 1e4


@pytest.mark.parametrize("block", BLOCKS)
def test_at_standstill_it_stays_where_it_is_pushed_to(block):
    values = "shape: conical, lam: 0.18, y_0: 2 mm, psi_0: 0.01, y_dot_0: 0.1"
    text = f"""
blocks:
  speed: {{type: sources.constant, value: 0 m/s}}
  a: {{type: {block}, {values}}}
wires: [speed -> a.V]"""
    results = run(text, solver="solver: {method: radau5, stop: 1 s}")
    assert results["a.y"][-1] == pytest.approx(2e-3, abs=1e-5)
    assert abs(results["a.y_dot"][-1]) < 1e-9


def test_the_run_ends_where_flanges_touch():
    text = diagram({"shape": "conical", "lam": 0.18, "y_0": 1e-3}, 60.0, both_blocks=False)
    with pytest.raises(SimulationError, match="the sway reached y_max, where flanges touch"):
        run(text, solver="")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"shape": "curved", "R_w": 0.3}, "R_w = 0.3 m is not above R_r = 0.3 m"),
        ({"shape": "curved", "R_w": 0.302}, "give a smaller y_max, or larger R_w - R_r, gamma"),
        ({"shape": "conical", "lam": 0.88, "b": 0.4}, "roll centre -0.00545 m above the axle"),
        ({"shape": "conical", "lam": 0.18, "y_max": 5.0}, "expected more than 2 y_max = 10 m"),
        ({"y_max": math.nan}, "y_max"),
        ({"shape": "round"}, "not one of linear, conical, curved"),
        ({"m": 0.0}, "m = 0"),
    ],
)
def test_what_cannot_be_is_refused_with_its_value(values, message):
    with pytest.raises(DiagramError, match=message):
        Bench("rail.denoc_wheelset", **values)


@pytest.mark.parametrize("V", [1e-6, -30.0, 1e4])
@pytest.mark.parametrize("case", CASES)
def test_odd_speeds_give_finite_and_equal_accelerations(case, V):
    state = {"V": V, "q_y": 3e-3, "q_psi": -0.01, "u_y": 0.02, "u_psi": 0.01, "F_y": 0, "M_z": 0}
    denoc, lagrange = (Bench(block, **CASES[case]).out(**state) for block in BLOCKS)
    for name in ("y_ddot", "psi_ddot"):
        assert math.isfinite(lagrange[name])
        assert denoc[name] == pytest.approx(lagrange[name], rel=1e-9)


def test_friction_bounds_the_creep_forces():
    bench = Bench("rail.free_wheelset", law="saturated", mu=0.3, N_w=5e4)
    outputs = bench.out(V=20.0, q_psi=0.1, F_y=0.0, M_z=0.0)
    assert math.hypot(outputs["T_x"][0], outputs["T_y"][0]) == pytest.approx(0.3 * 5e4)
