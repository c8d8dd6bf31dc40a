"""`railblocks sweep` and `optimise`, and several runs in `plot` and `compare`."""

import json

import numpy as np
import pytest
from railblocks.engine import Results, Study
from railblocks.engine.cli import main

LAG = """\
diagram: 1
title: A lag
parameters: {T: 0.5 s}
blocks:
  u:   {type: sources.step, time: 0.1 s, after: 1}
  lag: {type: continuous.first_order_lag, T: T}
wires: [u -> lag]
solver: {stop: 2 s}
log: {signals: [lag.y], every: 10 ms}
"""
AROUND = """\
diagram: 1
parameters: {T: 1 s}
blocks:
  u:  {type: sources.constant, value: 1}
  in: {subsystem: {inputs: {u: lag.u}, outputs: {y: lag.y}, parameters: {T: 1 s},
       blocks: {lag: {type: continuous.first_order_lag, T: T}}}, T: T}
wires: [u -> in.u]
solver: {stop: 1 s}
log: {signals: [u.y]}
"""
STUDY = """\
study: 1
diagram: lag.yaml
vary: {T: "0.1..1 s:4", u.after: [1, 2]}
summaries: {end: final(lag.y)}
keep_signals: [lag.y]
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lag.yaml").write_text(LAG)
    (tmp_path / "around.yaml").write_text(AROUND)
    (tmp_path / "study.yaml").write_text(STUDY)
    return tmp_path


def run(capsys, *words):
    code = main(list(words))
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def test_a_sweep_prints_its_table_and_keeps_its_runs(capsys):
    words = ("sweep", "lag.yaml", "--vary", "T=0.1..1 s:4", "--summary", "end=final(lag.y)")
    code, out, _ = run(capsys, *words)
    assert code == 0
    assert "lag_study.h5: 4 done" in out
    study = Study.load("lag_study.h5")
    assert study["end"] == pytest.approx(1.0 - np.exp(-1.9 / study["T"]), rel=1e-5)


def test_a_study_file_says_what_the_options_say(capsys):
    assert run(capsys, "sweep", "study.yaml", "-o", "a.h5", "--quiet")[0] == 0
    options = ("--vary", "T=0.1..1 s:4", "--vary", "u.after=1,2", "--summary", "end=final(lag.y)")
    words = ("sweep", "lag.yaml", *options, "--keep-signals", "lag.y", "-o", "b.h5", "--quiet")
    assert run(capsys, *words)[0] == 0
    one, two = Study.load("a.h5"), Study.load("b.h5")
    assert np.array_equal(one["end"], two["end"])
    assert np.array_equal(one.run(7)["lag.y"], two.run(7)["lag.y"])


def test_a_run_of_a_sweep_is_the_single_run_of_its_command(capsys):
    run(capsys, "sweep", "study.yaml", "-o", "a.h5", "--quiet")
    study = Study.load("a.h5")
    words = [w for p, v in study.values(5).items() for w in ("--set", f"{p}={v}")]
    assert run(capsys, "run", "lag.yaml", *words, "-o", "run.h5", "--quiet")[0] == 0
    assert np.array_equal(Results.load("run.h5")["lag.y"], study.run(5)["lag.y"])
    assert study.command(5).startswith("railblocks run lag.yaml --set 'T=")


def test_json_has_every_run(capsys):
    words = ("sweep", "lag.yaml", "--vary", "T=1,2,-1 s", "--summary", "end=final(lag.y)", "--json")
    code, out, _ = run(capsys, *words)
    data = json.loads(out)
    assert code == 0
    assert data["outcomes"] == {"done": 2, "refused": 1}
    assert data["columns"]["T"] == [1.0, 2.0, -1.0]
    assert data["columns"]["end"][2] is None
    assert "T = -1 is out of range" in data["reason"][2]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("lag.yaml",), "nothing varies; name a parameter"),
        (("lag.yaml", "--vary", "T"), "'T' is not a variation; expected PATH=VALUES"),
        (("lag.yaml", "--vary", "T=1..2"), "T is a range or a distribution without a number"),
        (("lag.yaml", "--vary", "T=2..1:3"), "goes from 2 to 1; expected LOW < HIGH"),
        (("lag.yaml", "--vary", "T=1..2:1"), "'1' is not a number of values; expected 2 to"),
        (("lag.yaml", "--vary", "T=1,2", "--vary", "T=3"), "T varies twice"),
        (("lag.yaml", "--vary", "nix=1,2"), "'nix' is not a parameter of the diagram"),
        (("lag.yaml", "--vary", "T=1 m,2 m"), "has unit m; expected a time (s)"),
        (("lag.yaml", "--vary", "T=1 m,2 s"), "1 m has unit m"),
        (("lag.yaml", "--vary", "T=1,2", "--summary", "end=final(lag.z)"), "--summary: 'lag.z'"),
        (("lag.yaml", "--vary", "T=1,2", "--summary", "end=fnal(lag.y)"), "'fnal' is not a"),
        (("lag.yaml", "--vary", "T=1,2", "--keep-signals", "lag.z"), "'lag.z'"),
        (("around.yaml", "--vary", "T=1,2", "--keep-signals", "in.y"), "logs as in.lag.y; name"),
        (("lag.yaml", "--vary", "T=1,2", "--method", "sobol"), "--method is for samples"),
        (("lag.yaml", "--vary", "T=1..2", "--samples", "4", "--method", "x"), "'x' is not a way"),
        (("lag.yaml", "--vary", "T=normal(1, 0)", "--samples", "4"), "expected a deviation above"),
        (("lag.yaml", "--vary", "T=1,2", "--vary", "u.after=1,2,3", "--zip"), "equally many"),
        (("study.yaml", "--vary", "T=1,2"), "a study says by itself what varies; leave --vary out"),
        (("lag.yaml", "--vary", "T=1,2", "-o", "lag.yaml"), "is the file that is read"),
        (("nothing.yaml", "--vary", "T=1,2"), "there is no such file"),
    ],
)
def test_a_mistake_is_told_in_one_line(capsys, words, message):
    code, _, err = run(capsys, "sweep", *words)
    assert code == 2
    assert message in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("vary:", "vary_:", "study.yaml:3:1: 'vary_' is not a field of a study; did you mean 'va"),
        ("[1, 2]", "[1, [2]]", "expected"),
        ("study: 1", "study: 2", "expected a whole number from 1 to 1"),
        ("final(lag.y)", "[1]", "expected text"),
        ("lag.yaml", "other.yaml", "there is no such file"),
        ("study: 1", "study: 1\nway: zap", "way is 'zap'"),
        ("study: 1", "study: 1\nsamples: {count: x}", "count is"),
        ("study: 1", "study: 1\nown_seeds: maybe", "expected true or false"),
    ],
)
def test_mistakes_of_a_study_file_are_told(capsys, folder, old, new, message):
    (folder / "study.yaml").write_text(STUDY.replace(old, new))
    code, _, err = run(capsys, "sweep", "study.yaml")
    assert code == 2
    assert message in err
    assert not (folder / "study_study.h5").exists()


def test_the_schema_of_study_files_takes_the_example_and_refuses_others(capsys):
    import jsonschema
    import yaml

    schema = json.loads(run(capsys, "schema", "--study")[1])
    jsonschema.validate(yaml.safe_load(STUDY), schema)
    for wrong in ("vary: {}", "study: 2", "nix: 1", "way: zap"):
        data = yaml.safe_load(STUDY) | yaml.safe_load(wrong)
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(data, schema)


def test_files_that_are_something_else_are_not_written_over(capsys, folder):
    run(capsys, "run", "lag.yaml", "-o", "run.h5", "--quiet")
    before = (folder / "run.h5").read_bytes()
    code, _, err = run(capsys, "sweep", "study.yaml", "-o", "run.h5")
    assert code == 2
    assert "the file exists and is not a study" in err
    assert (folder / "run.h5").read_bytes() == before
    run(capsys, "sweep", "study.yaml", "-o", "a.h5", "--quiet")
    before = (folder / "a.h5").read_bytes()
    code, _, err = run(capsys, "run", "lag.yaml", "-o", "a.h5")
    assert code == 2
    assert "results replace only results" in err
    assert (folder / "a.h5").read_bytes() == before


def test_a_study_is_shown_and_drawn(capsys, folder):
    run(capsys, "sweep", "study.yaml", "-o", "a.h5", "--quiet")
    assert "a.h5: 8 done" in run(capsys, "show", "a.h5")[1]
    for kind in ("lines", "families", "tornado", "scatter"):
        assert run(capsys, "plot", "a.h5", "--kind", kind, "-o", f"{kind}.png")[0] == 0
        assert (folder / f"{kind}.png").read_bytes().startswith(b"\x89PNG")
    code, _, err = run(capsys, "plot", "a.h5", "nix", "-o", "x.png")
    assert code == 2
    assert "'nix' is not a column" in err


def test_several_runs_are_drawn_and_compared(capsys, folder):
    for name, T in (("a", "0.2"), ("b", "0.4")):
        run(capsys, "run", "lag.yaml", "--set", f"T={T}", "-o", f"{name}.h5", "--quiet")
    assert run(capsys, "plot", "a.h5", "b.h5", "lag.y", "-o", "both.png")[0] == 0
    assert (folder / "both.png").read_bytes().startswith(b"\x89PNG")
    words = ("compare", "a.h5", "b.h5", "a.h5", "--plot", "errors.png", "--json")
    data = json.loads(run(capsys, *words)[1])
    assert [one["run"] for one in data["runs"]] == ["a.h5", "b.h5"]
    assert data["runs"][0]["signals"][0]["largest"] == 0.0
    assert abs(data["runs"][1]["signals"][0]["largest"]) > 0.1
    assert (folder / "errors.png").exists()
    code, _, err = run(capsys, "plot", "a.h5", "b.h5", "nix")
    assert code == 2
    assert "'nix' is not a logged signal" in err


def test_the_best_values_are_printed_to_be_pasted(capsys, folder):
    words = ("--minimise", "abs(final(lag.y) - 0.5)", "--over", "T=0.5..10 s", "-o", "best.yaml")
    code, out, _ = run(capsys, "optimise", "lag.yaml", *words)
    assert code == 0
    T = 1.9 / np.log(2.0)
    pasted = out.strip().splitlines()[-1]
    assert pasted.startswith("--set T='2.74")
    assert float(pasted.removeprefix("--set T='").removesuffix(" s'")) == pytest.approx(T, rel=1e-3)
    run(capsys, "run", "best.yaml", "-o", "best.h5", "--quiet")
    assert Results.load("best.h5")["lag.y"][-1] == pytest.approx(0.5, abs=1e-3)


def test_a_limit_that_cannot_be_met_is_told(capsys):
    words = ("--maximise", "final(lag.y)", "--over", "T=0.1..1 s", "--subject", "max(lag.y) < 0.1")
    code, out, err = run(capsys, "optimize", "lag.yaml", *words, "--runs", "40")
    assert code == 0
    assert "not met" in out
    assert "max(lag.y) < 0.1 is not met; the best run misses it by 0.75" in err
