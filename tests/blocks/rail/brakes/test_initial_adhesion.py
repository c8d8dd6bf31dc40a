"""Adhesion of the untouched rail: from a file with units, and from what a sliding axle tells."""

import numpy as np
import pytest
from bench import Bench
from diagram_runs import both, run
from railblocks.engine import DiagramError, check, loads
from railblocks.engine.runs.export import export

J, R, N = 130.0, 0.43, 133773.0


def test_without_a_file_it_is_the_same_everywhere():
    bench = Bench("rail.initial_adhesion", path="none", mu=0.05)
    assert [bench.out(x=x)["mu_0"] for x in (-1e4, 0.0, 1e4)] == [0.05] * 3


@pytest.mark.parametrize(
    ("head", "rows"), [("x,mu_0", (0, 100, 300)), ("mu_0 [%],x [km]", (0.0, 0.1, 0.3))]
)
def test_places_come_with_their_unit_and_between_lines_values_are_straight(tmp_path, head, rows):
    percent = head.startswith("mu_0")
    lines = [head]
    for x, mu in zip(rows, (0.04, 0.08, 0.06), strict=True):
        lines.append(f"{100 * mu},{x}" if percent else f"{x},{mu}")
    path = tmp_path / "rail.csv"
    path.write_text("\n".join(lines) + "\n")
    bench = Bench("rail.initial_adhesion", path=str(path))
    places = [-5.0, 0.0, 50.0, 100.0, 200.0, 300.0, 1e5]
    expected = [0.04, 0.04, 0.06, 0.08, 0.07, 0.06, 0.06]
    assert [bench.out(x=x)["mu_0"] for x in places] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "there is no such file"),
        ("", "no column 'x'"),
        ("x,mu\n0,0.05\n1,0.05\n", "no column 'mu_0'.* its columns are x, mu"),
        ("x [s],mu_0\n0,0.05\n1,0.05\n", "column .x .s.*has unit s; expected"),
        ("x [furlogs],mu_0\n0,0.05\n1,0.05\n", "column .*furlogs"),
        ("x,mu_0\n0,0.05\n1,wet\n", "3: 'mu_0' has 'wet'; expected a number"),
        ("x,mu_0\n0,0.05\n1,-0.05\n", "goes down to -0.05; expected 0 or more"),
        ("x,mu_0\n0,0.05\n0,0.06\n", "goes from 0 to 0 at entry 2; expected increasing"),
        ("x,mu_0\n0,0.05\n", "has 1 entries; expected at least 2"),
    ],
)
def test_files_that_are_none_are_refused_with_their_place(tmp_path, text, message):
    path = tmp_path / "rail.csv"
    if text is not None:
        path.write_text(text)
    diagram = f"""
diagram: 1
blocks:
  place: {{type: sources.constant, value: 3 m}}
  rail:  {{type: rail.initial_adhesion, path: {path}}}
wires: [place -> rail]"""
    with pytest.raises(DiagramError, match=message):
        check(loads(diagram))


MEASURED = f"""
blocks:
  place: {{type: sources.ramp, slope: 30 m/s}}
  wet:   {{type: nonlinear.lookup_1d, points: [0 m, 30 m, 60 m, 90 m],
          values: [0.05, 0.08, 0.05, 0.07]}}
  brake: {{type: sources.sine, bias: 3.8 kN*m, amplitude: 500 N*m, omega: 5 rad/s}}
  load:  {{type: sources.constant, value: {N} N}}
  speed: {{type: sources.constant, value: 30 m/s}}
  axle:  {{type: rail.braked_axle, omega_0: 55 rad/s}}
  told:  {{type: rail.adhesion_estimate, N: {N} N, every: 5 ms}}
wires:
  - place -> wet -> axle.mu
  - brake -> axle.C, told.C_bs
  - load -> axle.N
  - speed -> axle.v, told.v
  - axle.omega -> told.omega
log: {{every: 5 ms, signals: [place.y, wet.y, told.mu_0, told.slides, axle.delta]}}"""


@both
def test_a_sliding_axle_tells_the_adhesion_of_its_place(compiled):
    results = run(MEASURED, compiled, "solver: {rtol: 1e-9, atol: 1e-9, stop: 2.5 s}")
    new = results["told.slides"].astype(bool)
    assert np.sum(new) > 300
    middle = results["wet.y"][:-1][new[1:]] + results["wet.y"][1:][new[1:]]
    assert np.allclose(results["told.mu_0"][1:][new[1:]], 0.5 * middle, atol=3e-5)


def test_an_axle_that_rolls_tells_nothing_new():
    bench = Bench("rail.adhesion_estimate", every=0.01, mu_start=0.06)
    signals = {"C_ED": 0.0, "C_bs": 1000.0, "omega": 30.0 / R, "v": 30.0}
    for _ in range(3):
        assert bench.out(**signals) == {"mu_0": 0.06, "slides": False}
        bench.states |= bench.run("update", **signals)


def test_both_torques_count_and_deceleration_is_taken_off():
    """A steady deceleration of 10 rad/s^2 under 2000 and 1500 N m: 2200 N m come from the rail."""
    bench = Bench("rail.adhesion_estimate", every=0.01)
    signals = {"C_ED": 2000.0, "C_bs": 1500.0, "v": 30.0}
    bench.states |= bench.run("update", omega=50.0, **signals)
    found = bench.out(omega=50.0 - 10.0 * 0.01, **signals)
    assert found["slides"]
    assert found["mu_0"] == pytest.approx((3500.0 - J * 10.0) / (R * N))


def test_an_estimate_exported_as_csv_is_a_rail_again(tmp_path):
    results = run(MEASURED, solver="solver: {rtol: 1e-9, atol: 1e-9, stop: 2.5 s}")
    path = tmp_path / "run.csv"
    export(results, path)
    bench = Bench(
        "rail.initial_adhesion", path=str(path), place="place.y", column="told.mu_0"
    )  # fmt: skip
    for x in (20.0, 45.0, 70.0):
        true = np.interp(x, [0.0, 30.0, 60.0, 90.0], [0.05, 0.08, 0.05, 0.07])
        assert bench.out(x=x)["mu_0"] == pytest.approx(true, abs=2e-4)
