"""The line as a block, against closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest
from bench import Bench
from railblocks.engine import loads, simulate
from scipy.special import fresnel


def outputs(path, s, **values):
    bench = Bench("rail.track", track=str(path), **values)
    bench.instance.sizes["n"] = len(s)
    return bench.out(s=np.array(s, dtype=float))


@pytest.fixture
def line(tmp_path):
    def write(text):
        path = tmp_path / "line.yaml"
        path.write_text(f"track: 1\n{text}", encoding="utf-8")
        return path

    return write


def test_a_straight_has_no_curvature_and_goes_on_for_ever():
    values = outputs("straight", [-50.0, 0.3, 1e4])
    assert values["r"] == pytest.approx(np.array([[-50.0, 0, 0], [0.3, 0, 0], [1e4, 0, 0]]))
    assert np.array_equal(values["R"], np.broadcast_to(np.eye(3), (3, 3, 3)))
    for name in ("kappa", "cant", "gradient", "psi"):
        assert not values[name].any()


def test_a_circle_closes(line):
    radius = 200.0
    path = line(f"segments: [{{length: {2 * math.pi * radius} m, radius: {radius} m}}]")
    s = np.linspace(0.0, 2 * math.pi * radius, 3)
    values = outputs(path, s)
    assert values["kappa"] == pytest.approx(np.full(3, 1 / radius))
    assert values["psi"] == pytest.approx(s / radius)
    expected = [[0, 0, 0], [0, 2 * radius, 0], [0, 0, 0]]
    assert values["r"] == pytest.approx(np.array(expected, float), abs=1e-10)


def test_a_transition_is_a_clothoid(line):
    """With A^2 = R L, x = A sqrt(pi) C(t) and y = A sqrt(pi) S(t), t = s / (A sqrt(pi))."""
    path = line(
        "segments:\n  - {length: 10 m}\n  - {length: 60 m, transition: true}\n"
        "  - {length: 5 m, radius: 200 m, turn: right}\n"
    )
    s = np.array([0.0, 7.3, 31.0, 59.9])
    values = outputs(path, 10.0 + s)
    scale = math.sqrt(math.pi * 200.0 * 60.0)
    S, C = fresnel(s / scale)
    expected = np.column_stack([10.0 + scale * C, -scale * S, 0.0 * s])
    assert values["r"] == pytest.approx(expected, abs=1e-11)
    assert values["kappa"] == pytest.approx(-s / (200.0 * 60.0), abs=1e-16)


def test_cant_goes_from_straight_to_curve_with_the_roll_of_the_sleepers(line):
    path = line(
        "base: 1.6 m\nsegments:\n  - {length: 10 m}\n  - {length: 40 m, transition: true}\n"
        "  - {length: 50 m, radius: 400 m, turn: right, cant: 120 mm}\n"
    )
    values = outputs(path, [5.0, 30.0, 80.0])
    half = -1.6 * math.sin(0.5 * math.asin(0.12 / 1.6))
    assert values["cant"] == pytest.approx([0.0, half, -0.12], abs=1e-15)
    left = values["R"][:, 2, 1]
    assert 1.6 * left == pytest.approx([0.0, -half, 0.12], abs=1e-15)


def test_ends_of_a_slope_are_rounded_by_parabolas(line):
    """Over a transition of length L between gradients a and b, z = a u + (b - a) u^2 / (2 L)."""
    path = line(
        "segments:\n  - {length: 10 m}\n  - {length: 40 m, transition: true}\n"
        "  - {length: 50 m, gradient: 0.02}\n  - {length: 20 m, transition: true}\n"
        "  - {length: 10 m, gradient: -0.01}\n"
    )
    values = outputs(path, [10.0, 22.0, 50.0, 75.0, 100.0, 108.0, 120.0, 130.0, 140.0])
    top = 0.4 + 0.02 * 50.0
    expected = [
        0.0, 0.02 * 12.0**2 / 80.0, 0.4, 0.9, top, top + 0.16 - 0.03 * 64.0 / 40.0, top + 0.1,
        top, top - 0.1,
    ]  # fmt: skip
    assert values["r"][:, 2] == pytest.approx(expected, abs=1e-13)
    grades = [0.0, 0.006, 0.02, 0.02, 0.02, 0.008, -0.01, -0.01, -0.01]
    assert values["gradient"] == pytest.approx(grades, abs=1e-15)
    tangent = values["R"][:, :, 0]
    assert tangent[:, 2] / tangent[:, 0] == pytest.approx(values["gradient"], abs=1e-15)


def test_friction_is_the_files_or_that_of_the_block(line):
    rest = "segments: [{length: 100 m}]\n"
    assert outputs(line(rest), [3.0], mu_0=0.17)["mu"] == 0.17
    wet = line(rest + "friction: {at: [10 m, 20 m], value: [0.4, 0.1]}")
    values = outputs(wet, [-5.0, 10.0, 14.0, 20.0, 99.0])
    assert values["mu"] == pytest.approx([0.4, 0.4, 0.28, 0.1, 0.1])


def test_rails_change_where_a_segment_says_so_and_irregularities_widen_them(line):
    path = line(
        "inclination: 0.05\nsegments:\n  - {length: 10 m}\n  - {length: 10 m, gauge: 1445 mm}\n"
        "  - {length: 5 m, transition: true, inclination: 0.025}\n  - {length: 5 m}\n"
        "irregularities: {at: [15 m, 16 m, 17 m], gauge: [0, 2 mm, 0], vertical: [0, -4 mm, 0]}\n"
    )
    values = outputs(path, [-1.0, 9.9, 10.0, 16.5, 20.0, 99.0])
    bump = 1.5 * 0.5 - 0.5 * 0.5**3  # the natural spline through 0, 1, 0
    widened = 1.445 + 0.002 * bump
    assert values["gauge"] == pytest.approx([1.435, 1.435, 1.445, widened, 1.445, 1.445])
    assert values["incline"] == pytest.approx([0.05, 0.05, 0.05, 0.05, 0.025, 0.025])
    assert values["deviation"][3] == pytest.approx([0.0, -0.004 * bump, 0.0, 0.002 * bump])
    assert not values["deviation"][[0, 1, 2, 4, 5]].any()


def test_a_run_along_a_line_is_the_same_compiled_and_interpreted():
    text = (
        "diagram: 1\nblocks:\n  way: {type: sources.ramp, slope: 20 m/s}\n"
        "  two: {type: routing.mux, n: 2}\n  line: {type: rail.track, track: branch_line}\n"
        "wires:\n  - way.y -> two.u1, two.u2\n  - two.y -> line.s\n"
        "solver: {method: rk4, step: 0.5 s, stop: 25 s}\n"
        "log: {signals: [line.r, line.R, line.mu]}\n"
    )
    fast, slow = (simulate(loads(text), compiled=how) for how in (True, False))
    for name in fast.names:
        assert np.array_equal(fast[name], slow[name]), name
    assert fast["line.r"].shape[1:] == (2, 3)
