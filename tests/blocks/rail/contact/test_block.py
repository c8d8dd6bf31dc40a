"""A wheel on a rail and on a roller: loads, creep forces, power, symmetry, limits, bad input."""

import math
from pathlib import Path

import numpy as np
import pytest
from bench import Bench, compiled
from hypothesis import given, settings
from hypothesis import strategies as st
from railblocks.blocks.rail.contact.geometry.contacts import N_X, N_Y, N_Z, Y_W
from railblocks.blocks.rail.contact.normal.hertz import composite_modulus, patch
from railblocks.blocks.rail.contact.tangential.flexibility import BLENDED, THREE, WEIGHTED
from railblocks.blocks.rail.contact.wheel_forces import ETA, M_SP, PHI, SEMI_A, SEMI_B, T_X, T_Y, XI
from railblocks.engine import DiagramError, load, loads, simulate

R_0 = 0.46
DIAGRAMS = Path(__file__).parents[4] / "diagrams"


class Wheel:
    """The block with given parameters, compiled, over a motion."""

    def __init__(self, roller=False, **values):
        self.roller = roller
        self.bench = Bench(f"rail.contact_wheel_{'roller' if roller else 'rail'}", **values)

    def __call__(self, dG=(0, 0, -3e-4), alpha=0.0, beta=0.0, v=(10, 0, 0), omega=None, Omega=0.0):
        omega = (0, v[0] / R_0, 0) if omega is None else omega
        vectors = {"dG": dG, "v": v, "omega": omega}
        signals = {name: np.array(x, float) for name, x in vectors.items()}
        signals |= {"alpha": alpha, "beta": beta}
        if self.roller:
            signals["Omega"] = Omega
        return self.bench.run("out", compiled, **signals)


ON_RAIL = Wheel(c=0.0)
RIGHT = Wheel(c=0.0, side="right")
ROLLER = Wheel(roller=True, R_0=0.5, c=0.0)
CYLINDER = Wheel(c=0.0, wheel="cylinder", y_0=0.7605385)
"""A cylinder on the R300 arc of the head, whose top lies under its middle."""


def test_one_contact_carries_the_load_of_hertz():
    """R 0.46 m on R300, E 210 GPa, nu 0.3: 54.5 kN at an approach of 0.0695 mm."""
    out = CYLINDER(dG=(0, 0, -6.95e-5))
    assert out["n"] == 1
    assert out["N"][0] == pytest.approx(54.5e3, rel=2e-3)
    assert out["F"][2] == pytest.approx(out["N"][0], rel=1e-6)
    a, b, delta, _ = patch(0.5 / R_0, 0.5 / 0.3, out["N"][0], composite_modulus(2.1e11, 0.3))
    assert delta == pytest.approx(6.95e-5, rel=1e-9)
    assert out["contacts"][0, SEMI_A : SEMI_B + 1] == pytest.approx([a, b], rel=1e-6)


def test_several_contacts_are_summed():
    """S1002 on UIC60 at 1:40 rests on two points in the middle of the track."""
    out = ON_RAIL()
    assert out["n"] == 2
    normals = out["contacts"][:2, [N_X, N_Y, N_Z]]
    creep = out["F"] - out["N"][:2] @ normals
    bound = math.hypot(out["T_x"][:2].sum(), out["T_y"][:2].sum()) + 1e-9
    assert np.linalg.norm(creep) <= bound * 1.01
    assert out["N"][:2].min() > 1e3


def test_damping_acts_under_compression_only():
    damped = Wheel(wheel="cylinder", y_0=0.7605385, c=1e5)
    at_rest = damped(dG=(0, 0, -1e-4))["N"][0]
    assert damped(dG=(0, 0, -1e-4), v=(10, 0, -0.02))["N"][0] == pytest.approx(at_rest + 2000.0)
    assert damped(dG=(0, 0, -1e-4), v=(10, 0, 0.02))["N"][0] == pytest.approx(at_rest)


@pytest.mark.parametrize("depth", [2e-5, 1e-4, 3e-4])
def test_a_wheel_that_turns_at_v_over_r_rolls_freely_however_deep_the_load_presses_it(depth):
    """It used to creep by depth / r, as if it rolled on the radius r - depth."""
    rolling = CYLINDER(dG=(0, 0, -depth), omega=(0, 10 / R_0, 0))
    assert rolling["contacts"][0, XI] == pytest.approx(0.0, abs=1e-15)
    assert rolling["T_x"][0] == pytest.approx(0.0, abs=1e-6)
    R = 0.5
    roller = Wheel(roller=True, R_0=R, wheel="cylinder", y_0=0.7605385, c=0.0)
    rolling = roller(dG=(0, 0, -depth), v=(0, 0, 0), omega=(0, 10 / R_0, 0), Omega=-10 / R)
    assert rolling["contacts"][0, XI] == pytest.approx(0.0, abs=1e-9)


def test_on_a_cone_the_radius_at_the_contact_counts():
    """1/20 on the R300 arc of a head: r = w(y_w) at the contact, from the profile."""
    cone = Wheel(c=0.0, wheel="cone 1/20", cant=0.05)
    pressed = cone(dG=(0, 0, -1e-4), omega=(0, 0, 0))
    y_w, slope = pressed["contacts"][0, Y_W], pressed["contacts"][0, N_Y]
    r = R_0 - (y_w - 0.75) * math.tan(math.asin(abs(slope)))
    rolling = cone(dG=(0, 0, -1e-4), omega=(0, 10 / r, 0))
    assert rolling["contacts"][0, XI] == pytest.approx(0.0, abs=2e-7)
    assert abs(1e-4 / r) > 2e-4


@pytest.mark.parametrize("law", ["kalker", "fastsim", "polach", "local"])
def test_traction_drives_and_braking_brakes_up_to_friction(law):
    wheel = Wheel(c=0.0, wheel="cylinder", y_0=0.7605385, law=law, mu=0.2, A=1.0, mu_cr=0.2,
                  A_d=1.0, A_r=1.0)  # fmt: skip
    for slip, sign in ((1.5, 1.0), (0.5, -1.0)):
        out = wheel(dG=(0, 0, -1e-4), omega=(0, slip * 10 / R_0, 0))
        assert out["T_x"][0] == pytest.approx(sign * 0.2 * out["N"][0], rel=0.02)
        assert out["F"][0] == pytest.approx(out["T_x"][0], rel=1e-6)
        assert out["M"][1] == pytest.approx(-R_0 * out["T_x"][0], rel=1e-3)


@pytest.mark.parametrize(
    ("law", "choices", "parabolic", "kind"),
    [
        ("fastsim", {}, 1.0, BLENDED),
        ("fastsim", {"bound": "elliptic", "flexibility": "three"}, 0.0, THREE),
        ("local", {}, 0.0, BLENDED),
        ("local", {"bound": "parabolic", "flexibility": "weighted"}, 1.0, WEIGHTED),
    ],
)
def test_bound_and_flexibility_are_a_choice(law, choices, parabolic, kind):
    values = Bench("rail.contact_wheel_rail", law=law, n_cells=9, **choices).values
    assert list(values["constants"][2:5]) == [9.0, parabolic, kind]


@pytest.mark.parametrize("scale", [0.2, 3.0])
def test_a_scaled_wheel_on_a_scaled_rail_has_scaled_forces(scale):
    """Lengths, speeds and damping by s, same material: forces by s^2, moments by s^3."""
    large = Wheel(c=1e5)
    small = Wheel(c=1e5 * scale, scale=scale, r_0=R_0 * scale, y_0=0.75 * scale,
                  gauge=1.435 * scale, V_min=0.05 * scale)  # fmt: skip
    for depth, down in ((1.86e-4, 0.01), (3e-4, -0.01), (1.85e-4, 0.1)):
        dG, v = np.array([0, 1e-3, -depth]), np.array([10.0, 0.02, -down])
        turning = {"alpha": 0.003, "omega": (0.01, 1.002 * 10 / R_0, 0.02)}
        out, scaled = large(dG=dG, v=v, **turning), small(dG=dG * scale, v=v * scale, **turning)
        assert out["N"][0] > 10.0
        assert scaled["F"] == pytest.approx(out["F"] * scale**2, rel=1e-6)
        assert scaled["M"] == pytest.approx(out["M"] * scale**3, rel=1e-6)


@given(
    st.floats(-0.006, 0.006), st.floats(-0.02, 0.02), st.floats(-0.01, 0.01), st.floats(0.9, 1.1),
    st.floats(-40, 40), st.floats(-0.5, 0.5),
)  # fmt: skip
@settings(max_examples=150)
def test_creep_forces_never_give_power(y, alpha, beta, slip, v, sideways):
    """T . d + M_sp omega_n <= 0, with the velocities that the creepages stand for."""
    out = ON_RAIL(
        dG=(0, y, -4e-4), alpha=alpha, beta=beta, v=(v, sideways, 0), omega=(0, slip * v / R_0, 0)
    )
    for k in range(out["n"]):
        row = out["contacts"][k]
        power = row[T_X] * row[XI] + row[T_Y] * row[ETA] + row[M_SP] * row[PHI] * np.sign(v)
        scale = 0.3 * out["N"][k] * (abs(row[XI]) + abs(row[ETA]) + 0.01 * abs(row[PHI]))
        assert power <= 0.02 * scale + 1e-12


@given(st.floats(-0.006, 0.006), st.floats(-0.02, 0.02), st.floats(0.95, 1.05))
@settings(max_examples=40)
def test_left_and_right_wheels_mirror_each_other(y, alpha, slip):
    right = RIGHT(dG=(0, -y, -3e-4), alpha=-alpha, v=(10, -0.1, 0), omega=(0, slip * 10 / R_0, 0))
    left = ON_RAIL(dG=(0, y, -3e-4), alpha=alpha, v=(10, 0.1, 0), omega=(0, slip * 10 / R_0, 0))
    assert right["F"] == pytest.approx(left["F"] * [1, -1, 1], rel=1e-6, abs=1e-2)
    assert right["M"] == pytest.approx(left["M"] * [-1, 1, -1], rel=1e-6, abs=1e-2)


def test_running_backwards_turns_the_picture_by_half_a_turn():
    """Seen from above, turned by 180 degrees: the left wheel forward is the right one backward."""
    left = ON_RAIL(dG=(0, 0.002, -3e-4), v=(10, 0.05, 0), omega=(0, 1.01 * 10 / R_0, 0.02))
    right = RIGHT(dG=(0, -0.002, -3e-4), v=(-10, -0.05, 0), omega=(0, -1.01 * 10 / R_0, 0.02))
    assert right["F"] == pytest.approx(left["F"] * [-1, -1, 1], rel=1e-9, abs=1e-3)
    assert right["M"] == pytest.approx(left["M"] * [-1, -1, 1], rel=1e-9, abs=1e-3)


def test_a_very_large_roller_is_a_rail():
    R = 1e5
    roller = Wheel(roller=True, R_0=R, c=0.0)
    dG, v, omega = (0, 0.002, -3e-4), (0, 0.03, 0), (0, 1.005 * 10 / R_0, 0.01)
    on_roller = roller(dG=dG, alpha=0.004, v=v, omega=omega, Omega=-10.0 / R)
    on_rail = Wheel(c=0.0, method="dist")(dG=dG, alpha=0.004, v=(10, 0.03, 0), omega=omega)
    assert on_roller["n"] == on_rail["n"]
    assert on_roller["F"] == pytest.approx(on_rail["F"], rel=2e-4, abs=20)
    assert on_roller["M"] == pytest.approx(on_rail["M"], rel=2e-4, abs=20)


def test_the_roller_takes_the_torque_that_the_wheel_gives():
    """Equal radii on top of each other: the same creep force at both radii, opposite on each."""
    roller = Wheel(roller=True, R_0=R_0, wheel="cylinder", y_0=0.7605385, c=0.0)
    out = roller(dG=(0, 0, -1e-4), v=(0, 0, 0), omega=(0, 10.1 / R_0, 0), Omega=-10 / R_0)
    assert out["T_x"][0] > 0
    assert out["M_r"] == pytest.approx(-R_0 * out["T_x"][0], rel=1e-6)
    assert out["M"][1] == pytest.approx(-(R_0 - 1e-4) * out["T_x"][0], rel=1e-3)


@given(st.floats(-0.004, 0.004), st.floats(-0.02, 0.02), st.floats(0.95, 1.05), st.floats(-30, 30))
@settings(max_examples=60)
def test_a_rig_at_rest_gains_no_power_from_its_contact(y, alpha, slip, v):
    """Fixed axle: power into wheel and roller together is that of friction, never positive."""
    axle = np.array([-math.sin(alpha), math.cos(alpha), 0.0])
    omega = slip * v / R_0 * axle
    out = ROLLER(dG=(0.002, y, -3e-4), alpha=alpha, v=(0, 0, 0), omega=omega, Omega=-v / 0.5)
    power = out["M"] @ omega + out["M_r"] * -v / 0.5
    assert power <= 1e-7 * out["N"].sum() * abs(v)


def test_a_lifted_wheel_has_no_contact_and_no_force():
    for wheel in (ON_RAIL, ROLLER):
        out = wheel(dG=(0, 0, 5e-3))
        assert out["n"] == 0
        for name in ("F", "M", "N", "delta", "T_x", "T_y", "contacts"):
            assert np.all(out[name] == 0.0)


def test_forces_at_standstill_are_finite_and_pass_through_zero_speed_without_a_jump():
    speeds = np.linspace(-0.2, 0.2, 81)
    forces = np.array(
        [
            ON_RAIL(v=(v, 0.002, 0), omega=(0, (v + 0.001) / R_0, 0.01), alpha=0.002)["F"]
            for v in speeds
        ]
    )
    assert np.all(np.isfinite(forces))
    assert np.abs(np.diff(forces, axis=0)).max() < 0.1 * np.abs(forces[:, 2]).max()
    still = ON_RAIL(v=(0, 0, 0), omega=(0, 0, 0))
    assert still["T_x"] == pytest.approx(np.zeros(4), abs=1e-6)


@pytest.mark.parametrize("law", ["polach", "local"])
def test_friction_falls_with_sliding_also_at_standstill(law):
    """A wheel that spins on the spot slides as fast as one that is pulled over the rail."""
    wheel = Wheel(c=0.0, wheel="cylinder", y_0=0.7605385, law=law, mu=0.1)
    forces = [
        wheel(dG=(0, 0, -1e-4), v=(v, 0, 0), omega=(0, (v + 9.2) / R_0, 0))["T_x"][0]
        for v in (0.0, 0.01, 0.1, 1.0)
    ]
    assert np.allclose(forces, forces[-1], rtol=0.03)


def test_no_friction_means_no_creep_force():
    wheel = Wheel(law="polach", mu=0.0)
    assert np.all(wheel(omega=(0, 40, 0))["T_x"] == 0.0)


def test_deep_overlap_gives_a_large_but_finite_force():
    for wheel in (ON_RAIL, ROLLER, Wheel(method="diff")):
        out = wheel(dG=(0, 0, -5e-3))
        assert np.all(np.isfinite(out["F"]))
        assert out["F"][2] > 1e6


@given(
    st.floats(-0.05, 0.05), st.floats(-0.02, 0.02), st.floats(-0.2, 0.2), st.floats(-0.2, 0.2),
    st.floats(-100, 100), st.floats(-300, 300), st.floats(-1, 1),
)  # fmt: skip
@settings(max_examples=200)
def test_no_pose_or_motion_gives_nan(y, z, alpha, beta, v, spin, yaw_rate):
    for wheel in (ON_RAIL, ROLLER):
        out = wheel(dG=(0, y, z), alpha=alpha, beta=beta, v=(v, 0.1, 0), omega=(0, spin, yaw_rate))
        for name in ("F", "M", "N", "delta", "contacts"):
            assert np.all(np.isfinite(out[name])), name


@pytest.mark.parametrize("cant", [1 / 40, 1 / 20])
@pytest.mark.parametrize("method", ["diff", "dist"])
def test_force_is_continuous_while_the_wheel_moves_sideways(cant, method):
    """Points move, come and go from flange root to field side.

    Where the force changes most, a step of 4 um is cut into 20: no part of it takes half of it.
    DIST may step by 5 % where a stationary distance ends, and the point of DIFF takes its place.
    """
    wheel = Wheel(c=0.0, cant=cant, method=method)

    def steps(places, z):
        force = np.array([wheel(dG=(0, y, z), alpha=0.003)["F"] for y in places])
        return np.linalg.norm(np.diff(force, axis=0), axis=1)

    places = np.arange(-0.0064, 0.0064, 4e-6)
    for z in (-1e-4, -4e-4):
        coarse = steps(places, z)
        size = np.linalg.norm(wheel(dG=(0, places[-1], z), alpha=0.003)["F"])
        for i in np.argsort(coarse)[-5:]:
            fine = steps(np.linspace(places[i], places[i + 1], 21), z)
            allowed = 0.0 if method == "diff" else 0.05 * size
            assert fine.max() < 0.5 * coarse[i] + allowed, (z, places[i])


def test_the_wheel_slips_where_friction_ends():
    """Steady traction of the shipped diagram is torque over radius, and ends at mu N."""
    results = simulate(load(DIAGRAMS / "wheel_on_rail.yaml"))
    t, F, v = results.time, results["contact.F"], results["body.v"][:, 0]
    torque = results["drive.y"]
    i = np.searchsorted(t, 0.6)
    alpha = np.gradient(results["axle.omega"], t)
    assert F[i, 0] * R_0 == pytest.approx(torque[i] - 56 * alpha[i], rel=2e-3)
    creep = np.hypot(F[-1, 0], F[-1, 1])
    assert 0.29 < creep / F[-1, 2] < 0.32
    assert results["axle.omega"][-1] * R_0 > 1.1 * v[-1]
    assert F[i, 2] == pytest.approx(54550.0, rel=1e-3)


def test_compiled_equals_interpreted_in_a_run():
    text = (DIAGRAMS / "wheel_on_rail.yaml").read_text().replace("stop: 1.2 s", "stop: 0.01 s")
    fast, plain = (simulate(loads(text), compiled=c) for c in (True, False))
    for name in ("contact.F", "body.v", "axle.omega"):
        assert np.array_equal(fast[name], plain[name])


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"wheel": "s1003"}, "did you mean 's1002'"),
        ({"rail": "worn.csv"}, "worn.csv"),
        ({"cant": 0.5}, "cant"),
        ({"scale": 0.0}, "scale"),
        ({"law": "fastsin"}, "fastsim"),
        ({"gauge": 100.0}, "check y_0, gauge and scale"),
        ({"n_cells": 100000}, "n_cells"),
    ],
)
def test_bad_input_is_told(values, message):
    with pytest.raises(DiagramError, match=message):
        Bench("rail.contact_wheel_rail", **values)


def test_a_file_of_radii_is_told(tmp_path):
    file = tmp_path / "radii.csv"
    file.write_text("y,z\n" + "\n".join(f"{y},{460 - 0.05 * y}" for y in range(-40, 41)))
    with pytest.raises(DiagramError, match=r"0\.46 m high at y = 0; expected 0"):
        Bench("rail.contact_wheel_rail", wheel=str(file))


def test_noisy_points_work_with_smoothing(tmp_path):
    """10 um of noise on S1002: with smoothing the loads come near those of the exact profile."""
    from railblocks.blocks.rail.contact.profiles.wheels import s1002

    wheel, random = s1002(0.0), np.random.default_rng(2)
    y = np.arange(-0.045, 0.055, 5e-4)
    z = wheel.height(y) + 1e-5 * random.normal(size=len(y))
    file = tmp_path / "noisy.csv"
    file.write_text("\n".join(f"{1e3 * a:.6f},{1e3 * b:.8f}" for a, b in zip(y, z, strict=True)))
    rough, smooth = (Wheel(c=0.0, wheel=str(file), smoothing=s) for s in (0.0, 1e-5))
    places = np.linspace(-0.004, 0.004, 17)
    exact, with_noise, smoothed = (
        np.array([w(dG=(0, place, -4e-4))["F"][2] for place in places])
        for w in (ON_RAIL, rough, smooth)
    )
    assert np.abs(smoothed / exact - 1).mean() < 0.2
    assert np.abs(smoothed / exact - 1).mean() < 0.6 * np.abs(with_noise / exact - 1).mean()


def test_profiles_come_from_files_of_points(tmp_path):
    from railblocks.blocks.rail.contact.profiles.wheels import s1002

    wheel = s1002(0.0)
    y = np.arange(-0.045, 0.055, 2.5e-4)
    file = tmp_path / "worn.csv"
    lines = [f"{1e3 * a:.6f},{1e3 * b:.8f}" for a, b in zip(y, wheel.height(y), strict=True)]
    file.write_text("y,z\n" + "\n".join(lines) + "\n")
    worn = Wheel(c=0.0, wheel=str(file))
    assert worn()["F"] == pytest.approx(ON_RAIL()["F"], rel=2e-3, abs=20)


def test_a_scaled_pair_has_scaled_contacts():
    """All lengths a fifth: contact places a fifth, and forces a twenty-fifth."""
    small = Wheel(c=0.0, scale=0.2, r_0=R_0 / 5, y_0=0.15, gauge=0.287)
    one = ON_RAIL(dG=(0, 0.003, -3e-4), v=(10, 0, 0), omega=(0, 10.05 / R_0, 0))
    other = small(dG=(0, 0.0006, -6e-5), v=(10, 0, 0), omega=(0, 5 * 10.05 / R_0, 0))
    assert other["delta"] == pytest.approx(one["delta"] / 5, rel=1e-6)
    assert other["F"] == pytest.approx(one["F"] / 25, rel=1e-5, abs=1e-3)


def test_a_contact_that_melts_into_its_neighbour_takes_no_force_with_it():
    """S1002 near the middle of the track: between two counts of contacts the load goes on."""
    places = np.linspace(0.0, 0.001, 401)
    outs = [ON_RAIL(dG=(0, y, -3e-4)) for y in places]
    counts = np.array([out["n"] for out in outs])
    load = np.array([out["F"][2] for out in outs])
    changes = np.flatnonzero(np.diff(counts))
    assert len(changes) > 0
    assert np.abs(np.diff(load))[changes].max() < 2e-3 * load.max()


def test_mean_curvature_is_exact_in_an_arc_and_continuous_at_a_joint():
    from railblocks.blocks.rail.contact.geometry.spreading import mean_curvature
    from railblocks.blocks.rail.contact.profiles.rails import uic60

    head = uic60()
    for y, radius in ((0.0, 0.3), (0.018, 0.08), (-0.018, 0.08), (0.03, 0.013)):
        slope = float(head.slope(y))
        assert mean_curvature(head.table, y, slope, 2e-3) == pytest.approx(1 / radius, rel=1e-9)
    places = np.linspace(0.005, 0.03, 2001)
    means = [mean_curvature(head.table, y, float(head.slope(y)), 2e-3) for y in places]
    assert np.abs(np.diff(means)).max() < 0.01 * max(means)
