"""`railblocks test`: tables, exit codes, baselines, JUnit XML, and `railblocks new`."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PASSING = """\
test: 1
diagram: mass.yaml
tests:
  swings:
    limits: [max(body.x) < 1.1 m, "period(body.x, level=0 m, to=2 s) > 1 s"]
"""
BASELINE = """\
test: 1
diagram: mass.yaml
tests:
  swing:
    values: {k: K}
    baseline: {file: swing.csv, signals: [body.x], absolute: 1 mm}
"""


@pytest.fixture
def write(folder):
    def put(text, name="a.test.yaml"):
        (folder / name).write_text(text)
        return name

    return put


def test_passing_tests_end_with_0_and_show_what_was_measured(call, write):
    write(PASSING.replace(', "period(body.x, level=0 m, to=2 s) > 1 s"', ""))
    done = call("test", "--interpret")
    assert done.code == 0
    assert "passed  swings" in done.out
    assert "1 m" in done.out
    assert "1 passed, 0 failed" in done.out


def test_a_limit_that_does_not_hold_ends_with_1_and_its_value(call, write):
    done = call("test", write(PASSING.replace("1.1 m", "0.9 m")), "--interpret")
    assert done.code == 1
    assert "a.test.yaml:5:14: swings: max(body.x) < 0.9 m: 1 m < 0.9 m does not hold" in done.err
    assert "a.test.yaml:5:35: swings: period(body.x, level=0 m, to=2 s) > 1 s: it has " in done.err
    assert "0 passed, 1 failed" in done.out


WRONG = {
    "max(body.y) < 1 m": "'y' is not|body.y",
    "max(body.x) < 1 A": "cannot be subtracted",
    "max(body.x, from=3 s) < 1 m": "rows from 0 s to 2 s, but not at 3 s",
}


@pytest.mark.parametrize("limit", WRONG)
def test_limits_that_cannot_be_judged_fail_with_their_reason(limit, call, write):
    import re

    text = PASSING.replace(
        'max(body.x) < 1.1 m, "period(body.x, level=0 m, to=2 s) > 1 s"', f'"{limit}"'
    )
    done = call("test", write(text), "--interpret")
    assert done.code == 1
    assert re.search(WRONG[limit], done.err)


def test_signals_that_the_diagram_does_not_log_are_logged_for_the_test(call, write, folder):
    mass = (folder / "mass.yaml").read_text()
    (folder / "mass.yaml").write_text(mass.replace("[body.x, body.v]", "[body.v]"))
    text = PASSING.replace(', "period(body.x, level=0 m, to=2 s) > 1 s"', "")
    assert call("test", write(text), "--interpret").code == 0


def test_a_run_must_fail_by_its_message(call, write):
    text = "test: 1\ndiagram: mass.yaml\ntests:\n  a: {values: {body.m: -1 kg}, fails: MESSAGE}\n"
    assert call("test", write(text.replace("MESSAGE", "body.m")), "--interpret").code == 0
    done = call("test", write(text.replace("MESSAGE", "no such thing")), "--interpret")
    assert done.code == 1
    assert "the message is another one: " in done.err
    done = call("test", write(text.replace("-1 kg", "2 kg")), "--interpret")
    assert "the run came to its end; expected it to fail" in done.err


def test_a_baseline_is_written_after_its_difference_and_then_met(call, write, folder):
    write(BASELINE.replace("K", "4 N/m"))
    done = call("test", "--interpret")
    assert done.code == 1
    assert "there is no file" in done.err
    done = call("test", "--interpret", "--update")
    assert done.code == 0
    assert "swing.csv: written" in done.err
    assert (folder / "swing.csv").read_text().startswith("time [s],body.x [m]\n0.0,1.0\n")
    assert call("test", "--interpret").code == 0
    write(BASELINE.replace("K", "4.1 N/m"))
    done = call("test", "--interpret")
    assert done.code == 1
    assert "of 201 times outside" in done.out
    assert "the most at t = " in done.err
    before = (folder / "swing.csv").read_text()
    done = call("test", "--interpret", "--update")
    assert done.code == 0
    assert "the most at t = " in done.err
    assert (folder / "swing.csv").read_text() != before
    assert "written" not in call("test", "--interpret", "--update").err


def test_a_baseline_of_other_times_is_told(call, write, folder):
    write(BASELINE.replace("K", "4 N/m"))
    call("test", "--interpret", "--update")
    write(BASELINE.replace("{k: K}", "{solver.stop: 1 s}"))
    assert "the run is from 0 s to 1 s, the baseline from 0 s to 2 s" in call("test").err
    (folder / "swing.csv").write_text("time,body.x\n1,x\n")
    done = call("test", "--interpret")
    assert done.code == 1
    assert "swing.csv" in done.err


def test_an_update_does_not_write_what_a_failed_run_left(call, write, folder):
    write(BASELINE.replace("{k: K}", "{body.m: 0 kg}"))
    assert call("test", "--interpret", "--update").code == 1
    assert not (folder / "swing.csv").exists()


def test_junit_has_every_test_and_reason(call, write, folder):
    write(PASSING)
    write(PASSING.replace("swings", "it's <odd> \u2713").replace("1.1 m", "3 m"), "b.test.yaml")
    assert call("test", ".", "--junit", "out.xml", "--interpret", "--quiet").code == 1
    root = ET.fromstring((folder / "out.xml").read_text())
    assert [suite.get("tests") for suite in root] == ["1", "1"]
    assert [suite.get("failures") for suite in root] == ["1", "1"]
    assert root[1][0].get("name") == "it's <odd> \u2713"
    assert "rising crossings" in root[0][0][0].text
    done = call("test", ".", "--junit", "mass.yaml", "--interpret")
    assert done.code == 2
    assert "mass.yaml" in done.err


def test_json_has_everything(call, write):
    data = call("test", write(PASSING), "--json", "--interpret").data()
    assert (data["passed"], data["failed"]) == (0, 1)
    (test,) = data["files"][0]["tests"]
    assert test["checks"][0] == {
        "text": "max(body.x) < 1.1 m",
        "line": 5,
        "passed": True,
        "value": "1 m",
        "message": "",
    }


def test_mistakes_of_all_files_come_at_once_and_nothing_runs(call, write):
    write("test: 1\ntests: {}\nfoo: 1\n")
    write("hello", "b.test.yaml")
    write(PASSING, "c.test.yaml")
    done = call("test")
    assert done.code == 2
    assert "a.test.yaml:3:1: 'foo'" in done.err
    assert "b.test.yaml" in done.err
    assert "passed" not in done.out


@pytest.mark.parametrize("path", ["none.test.yaml", "mass.yaml", "/dev/null"])
def test_other_files_are_refused(path, call, folder):
    done = call("test", path)
    assert done.code == 2
    assert path in done.err


def test_what_new_writes_passes(call, folder):
    out = call("new", "tank").out
    assert "railblocks test tank.test.yaml --blocks tank_blocks.py" in out
    done = call("test", "tank.test.yaml", "--blocks", "tank_blocks.py")
    assert done.code == 0, done.err


SHIPPED = sorted((ROOT / "diagrams").rglob("*.test.yaml"))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_what_ships_passes(path, call):
    done = call("test", path)
    assert done.code == 0, done.err


def test_some_ship():
    assert SHIPPED
