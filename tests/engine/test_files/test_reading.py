"""The form of test files: what is read, and every mistake with its position."""

import pytest
from railblocks.engine.errors import DiagramError
from railblocks.engine.test_files.reading import files_meant, read_cases

WHOLE = """\
test: 1
diagram: d.yaml
values: {k: 2, m: 3 kg}
tests:
  one:
    values: {k: 4}
    limits: [max(a.y) < 10 A, 1 s < rise_time(b.y) < 2 s]
    baseline:
      file: one.csv
      absolute: 0.1 A
      relative: 1 %
      signals:
        a.y: {lagging: 2 ms}
        b.y: {absolute: 3, leading: 1 ms}
  two:
    diagram: sub/e.yaml
    fails: is too large
"""


def read(tmp_path, text):
    (tmp_path / "x.test.yaml").write_text(text)
    return read_cases(str(tmp_path / "x.test.yaml")).cases


def test_a_whole_file_is_read(tmp_path):
    one, two = read(tmp_path, WHOLE)
    assert (one.name, two.name) == ("one", "two")
    assert one.diagram.endswith("d.yaml")
    assert two.diagram.endswith("sub/e.yaml")
    assert {key: node.text for key, node in one.values.items()} == {"k": "4", "m": "3 kg"}
    assert [limit.text for _, limit in one.limits] == [
        "max(a.y) < 10 A",
        "1 s < rise_time(b.y)",
        "rise_time(b.y) < 2 s",
    ]
    a, b = one.baseline.signals["a.y"], one.baseline.signals["b.y"]
    assert (str(a.absolute), a.relative, a.leading, a.lagging) == ("0.1 A", 0.01, 0.0, 0.002)
    assert (b.absolute.value, b.relative, b.leading, b.lagging) == (3.0, 0.01, 0.001, 0.0)
    assert one.signals == ("a.y", "b.y")
    assert two.fails == "is too large"
    assert two.baseline is None


START = "test: 1\ndiagram: d.yaml\ntests:\n  a:\n    "
WRONG = {
    "diagram: 1": ["the text is something else; expected a line `test: 1`"],
    "test: 2\ndiagram: d.yaml\ntests: {a: {fails: x}}": ["1:7: expected `test: 1`"],
    "test: 1\ndiagram: d.yaml": ["'tests' is missing"],
    "test: 1\ntests: {a: {fails: x}}": ["the test 'a' has no diagram"],
    "test: 1\ndiagram: d.yaml\ntest: 1": ["'test' appears twice|twice|duplicate"],
    "test: 1\ndiagramm: d.yaml\ntests: {}": ["2:1: 'diagramm' .*did you mean 'diagram'"],
    "test: 1\ndiagram: d.yaml\ntests: [a]": ["3:8: tests is a list; expected tests by"],
    START + "{}": ["the test 'a' expects nothing"],
    START + "limit: [max(a.y) < 1]": [
        "5:5: 'limit' is not a part of a test; did you mean 'limits'"
    ],
    START + "limits: [max(a.y)]": ["5:14: .*is not a limit"],
    START + "limits: [mx(a.y) < 1]": ["5:14: .*'mx' is not a measure"],
    START + "limits: [max(a.y, from=1 s) < 1]": ["ends too early.*a comma in a list ends a text"],
    START + "limits: {a: 1}": ["a limit is a mapping; expected text"],
    START + "{fails: x, limits: [max(a.y) < 1]}": ["has no limits and no baseline"],
    START + "{fails: [1]}": ["fails is a list; expected text"],
    START + "baseline: {file: a.txt, signals: [a.y]}": ["expected a file of ending .csv or .h5"],
    START + "baseline: {file: a.csv}": ["expected signals, as"],
    START + "baseline: {file: a.csv, signals: []}": ["expected signals, as"],
    START + "baseline: {file: a.csv, signals: [a.y], relativ: 1}": ["did you mean 'relative'"],
    START + "baseline: {file: a.csv, signals: [a.y], relative: 1 m}": ["relative: 1 m has unit m"],
    START + "baseline: {file: a.csv, signals: [a.y], leading: -1 s}": ["expected a time .*or more"],
    START + "baseline: {file: a.csv, signals: [a.y], absolute: much}": ["'much'; expected a value"],
    START + "baseline: {file: a.csv, signals: [a.y], absolute: .inf}": ["absolute is"],
    START + "baseline: {file: a.csv, signals: [a.y], absolute: true}": ["absolute is true"],
    START + "baseline: {file: a.csv, signals: {a.y: 1}}": ["a.y is 1; expected {absolute"],
    START + "baseline: a.csv": ["baseline is 'a.csv'; expected"],
    START + "fails: &x a": [""],
    "test: 1\ndiagram: d.yaml\ntests:\n  a: {baseline: {file: a.csv, signals: [x]}}\n"
    "  b: {baseline: {file: a.csv, signals: [x]}}": ["is the baseline of another test"],
}


@pytest.mark.parametrize("text", WRONG, ids=lambda text: text[-40:])
def test_a_mistake_is_told_with_its_position(text, tmp_path):
    with pytest.raises(DiagramError) as caught:
        read(tmp_path, text)
    import re

    for message in WRONG[text]:
        assert re.search(message, str(caught.value)), str(caught.value)
    assert all(problem.position.line for problem in caught.value.problems)


def test_all_problems_of_a_file_come_at_once(tmp_path):
    with pytest.raises(DiagramError) as caught:
        read(tmp_path, START + "{limits: [a, b], baseline: {file: x}}")
    assert len(caught.value.problems) == 4


def test_folders_are_searched_and_files_are_taken_as_they_are(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("b.test.yaml", "a.test.yaml", "in/c.test.yaml", ".hidden/d.test.yaml", "e.yaml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    assert files_meant(["."]) == ["a.test.yaml", "b.test.yaml", "in/c.test.yaml"]
    assert files_meant(["e.yaml", "in", "in/c.test.yaml"]) == ["e.yaml", "in/c.test.yaml"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(DiagramError, match=r"no file \*.test.yaml in this folder"):
        files_meant(["empty"])
