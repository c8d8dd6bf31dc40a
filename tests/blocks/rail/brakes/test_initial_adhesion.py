"""Adhesion of the untouched rail: one value, or a file with units."""

import pytest
from bench import Bench
from railblocks.engine import DiagramError, check, loads


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
def test_files_that_cannot_be_read_are_refused_with_their_position(tmp_path, text, message):
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
