"""`railblocks trim` and `railblocks linearise`, and runs that start at a point."""

import pytest

PLANT = """\
diagram: 1
title: Plant
blocks:
  goal:  {type: sources.constant, value: 3 V}
  error: {type: math.sum, signs: "+-"}
  lag:   {type: continuous.first_order_lag, T: 0.5 s, k: 4}
  slow:  {type: continuous.first_order_lag, T: 2 s}
wires: [goal -> error.u1, error -> lag -> slow -> error.u2]
solver: {stop: 1 s}
"""

THIRD = """\
diagram: 1
blocks:
  goal:  {type: sources.constant, value: 0}
  error: {type: math.sum, signs: "+-"}
  gain:  {type: math.gain, k: 1}
  plant: {type: continuous.transfer_function, num: [1], den: [1, 3, 2, 0]}
wires: [goal -> error.u1, error -> gain -> plant -> error.u2]
"""


@pytest.fixture
def plant(folder):
    (folder / "plant.yaml").write_text(PLANT)
    return folder


def test_a_steady_state_is_written_and_a_run_starts_there(call, plant):
    assert call("trim", "plant.yaml", "-o", "point.yaml").code == 0
    text = (plant / "point.yaml").read_text()
    assert "slow.x: 2.4" in text
    done = call("run", "plant.yaml", "--from", "point.yaml", "--json")
    assert (done.code, done.data()["outcome"]) == (0, "done")
    from railblocks.engine import Results

    results = Results.load(plant / "plant.h5")
    assert abs(results["slow.y"] - 2.4).max() < 1e-9


@pytest.mark.parametrize("spelling", ["linearise", "linearize"])
def test_the_json_has_matrices_names_and_poles(call, plant, spelling):
    given = ("plant.yaml", "--from", "goal.y", "--to", "slow.y", "--json")
    data = call(spelling, *given).data()
    assert data["states"] == ["lag.x", "slow.x"]
    assert (data["inputs"], data["outputs"]) == (["goal.y"], ["slow.y"])
    assert [len(data[name]) for name in "ABCD"] == [2, 2, 1, 1]
    assert data["A"] == [
        [pytest.approx(-2.0), pytest.approx(-8.0)],
        [pytest.approx(0.5), pytest.approx(-0.5)],
    ]
    assert data["sample_time"] is None
    assert data["poles"][0] == [pytest.approx(-1.25), pytest.approx((4 - 0.5625 + 0.0) ** 0.5)]


@pytest.mark.parametrize("kind", ["bode", "nyquist", "poles", "step", "modes"])
def test_each_kind_of_figure_is_drawn(call, plant, kind):
    drawn = call("linearise", "plant.yaml", "--loop", "error.y", "--plot", "f.png", "--kind", kind)
    assert drawn.code == 0
    assert (plant / "f.png").stat().st_size > 5000


def test_a_root_locus_has_its_critical_value(call, plant):
    """s^3 + 3 s^2 + 2 s + k has a pair on the imaginary axis at k = 6, by Routh."""
    (plant / "third.yaml").write_text(THIRD)
    given = ("third.yaml", "--over", "gain.k=1..20:9", "--json", "--plot", "locus.png")
    data = call("linearise", *given).data()
    assert data["critical"] == pytest.approx(6.0, rel=1e-9)
    assert (plant / "locus.png").exists()


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (("trim", "plant.yaml", "-o", "plant.yaml"), "is the file that is read"),
        (("trim", "plant.yaml", "-o", "mass.yaml"), "is not an operating point"),
        (("trim", "plant.yaml", "--hold", "goal.y=1 m"), "has unit m"),
        (("linearise", "plant.yaml", "--from", "gaol.y"), "did you mean"),
        (("linearise", "plant.yaml", "--hold", "slow.y=1"), "--trim"),
        (("linearise", "plant.yaml", "--over", "lag.k"), "is not a range"),
        (("linearise", "plant.yaml", "--over", "lag.k=2..1"), "does not rise"),
        (("linearise", "plant.yaml", "--over", "lag.q=1..2"), "not a parameter"),
        (("linearise", "plant.yaml", "--plot", "f.bmp"), "not a figure format"),
        (("linearise", "plant.yaml", "--kind", "bode", "--plot", "f.png"), "needs an input"),
        (("linearise", "plant.yaml", "--at", "1 m"), "expected a time|not a time"),
        (("linearise", "plant.yaml", "--point", "none.yaml"), "none.yaml"),
        (("run", "plant.yaml", "--from", "mass.yaml"), "is not a key|operating point"),
    ],
)
def test_what_is_asked_wrongly_ends_with_code_2(call, plant, command, message):
    import re

    ended = call(*command)
    assert ended.code == 2
    assert re.search(message, ended.err), ended.err


def test_no_steady_state_ends_with_code_1(call, plant):
    ended = call("trim", "plant.yaml", "--hold", "slow.y=1")
    assert ended.code == 1
    assert "slow.y is off by" in ended.err
