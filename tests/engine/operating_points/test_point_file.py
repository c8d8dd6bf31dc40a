"""Files of operating points: they read back to the bit, and others are refused with the reason."""

import numpy as np
import pytest
from railblocks.engine import DiagramError, load_point, loads, save_point, trim

TEXT = """\
diagram: 1
parameters: {k: 2}
blocks:
  goal:  {type: sources.constant, value: 3 V}
  hold:  {type: discrete.zero_order_hold, every: 0.1 s}
  lag:   {type: continuous.first_order_lag, T: 1 s, k: k}
  limit: {type: nonlinear.saturation, lower: -1 V, upper: 1 V}
wires: [goal -> hold -> lag -> limit]
"""


@pytest.fixture
def written(tmp_path):
    point = trim(loads(TEXT), hold={"lag.y": "1.7 V"}, free=["k", "goal.y=1"])
    path = tmp_path / "point.yaml"
    save_point(point, path)
    return point, path


def test_a_point_reads_back_to_the_bit(written):
    point, path = written
    again = load_point(path, loads(TEXT))
    for mine, other in (
        (point.states, again.states),
        (point.discretes, again.discretes),
        (point.held, again.held),
        (point.modes, again.modes),
    ):
        assert mine.keys() == other.keys()
        assert all(np.array_equal(mine[key], other[key]) for key in mine)
    assert (again.ports, again.parameters, again.time) == (point.ports, point.parameters, 0.0)
    assert again.identity == point.identity


def test_other_units_are_converted(written):
    _, path = written
    text = path.read_text().replace("lag.x: 1.7 V", "lag.x: 1700 mV")
    assert "1700 mV" in text
    path.write_text(text)
    assert load_point(path, loads(TEXT)).state("lag.x") == pytest.approx(1.7, rel=1e-15)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("point: 1", "point: 2", "expected 1"),
        ("states:", "stats:", "'stats' is not a key"),
        ("lag.x: 1.7 V", "lag.x: 1.7 m", "has unit m"),
        ("lag.x: 1.7 V", "lag.x: nan", "is not a finite number"),
        ("lag.x: 1.7 V", "lag.x: [1 V, 2 V]", "has 1 elements in the diagram and 2 in the point"),
        ("lag.x: 1.7 V", "lag.y: 1.7 V", "the diagram has no state lag.y"),
        ("lag.x: 1.7 V", "lag.x: {a: 1}", "is not a finite number"),
        ("lag.x: 1.7 V", "lag.x: __import__('os')", "is not a finite number"),
        ("time: 0.0 s", "time: 0.0 m", "has unit m"),
        ("time: 0.0 s", "time: &a 0.0", "anchor"),
        ('identity: "', 'identity: "0', "its blocks or wires differ"),
        ('"goal.y"', '"gaol.y"', "'gaol' is not a block"),
        ("  k:", "  kk:", "'kk' is not a parameter"),
    ],
)
def test_a_point_that_does_not_fit_is_refused_with_the_reason(written, old, new, message):
    _, path = written
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(DiagramError, match=message):
        load_point(path, loads(TEXT))


def test_a_point_of_another_diagram_is_refused(written):
    _, path = written
    other = TEXT.replace("lag:", "slow:").replace("-> lag ->", "-> slow ->")
    with pytest.raises(DiagramError, match=r"the diagram has no state lag\.x"):
        load_point(path, loads(other))


@pytest.mark.parametrize("text", ["", "- 1", "diagram: 1\nblocks: {}", "point: 1", "\x00", "a: b"])
def test_files_that_are_no_points_are_refused(tmp_path, text):
    path = tmp_path / "p.yaml"
    path.write_text(text)
    with pytest.raises(DiagramError):
        load_point(path, loads(TEXT))
