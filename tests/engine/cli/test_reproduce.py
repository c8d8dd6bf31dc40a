"""`railblocks reproduce`: papers found by name, their table, JSON and report."""

import base64
import re
import subprocess
import sys

import pytest
from railblocks.engine.reproduction import numbers, papers
from railblocks.engine.reproduction.result import Row

TINY = """
from railblocks.engine.reproduction.result import Figure, Reproduction, Row

TITLE = "A tiny paper"
SOURCE = "N. N. (1999), A tiny paper & more"


def arguments(parser):
    parser.add_argument("--gain", type=float, default=2.0, help="gain of the tiny model")
    parser.add_argument("--stuck", action="store_true")


def reproduce(options, tell):
    tell("computing")
    if options.stuck:
        raise KeyboardInterrupt
    rows = (
        Row("length", 0.1835, 0.18347, "m", True, "in [m] <exactly>", source="Table 1"),
        Row("speed", 160.0, 161.23456, "km/h", False, band=(155.0, 165.5)),
        Row("gain", None, options.gain, "", None, "not in the paper"),
        Row("count", 35301, 35301, "", True),
        Row("model", "FASTSIM", "FASTSIM", "", True),
        Row.matching("angle", 0.7853982, 0.78539816, 1e-7, "rad", source="closed form"),
    )
    figures = (
        Figure("the line", "A line, 1 < 2.", lambda f: f.subplots().plot([1, 2, 3])),
        Figure("dots", "Dots.", lambda f: f.subplots().scatter([1, 2], [3, 4]), (4.0, 3.0)),
    )
    return Reproduction(TITLE, SOURCE, rows, figures)
"""


@pytest.fixture
def library(tmp_path, monkeypatch):
    """A package of diagrams with one paper, in place of the real one; gives its folder."""
    folder = tmp_path / "tiny_diagrams"
    add_module(folder / "tiny" / "paper.py", TINY)
    (folder / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(papers, "DIAGRAMS", "tiny_diagrams")
    monkeypatch.chdir(tmp_path)
    yield folder
    for name in [name for name in sys.modules if name.partition(".")[0] == "tiny_diagrams"]:
        del sys.modules[name]


def add_module(path, text):
    """A module in a folder of diagrams, which becomes a package."""
    path.parent.mkdir(parents=True, exist_ok=True)
    (path.parent / "__init__.py").touch()
    path.write_text(text)


def test_the_table_has_a_row_for_each_quantity(library, call):
    done = call("reproduce", "tiny")
    assert done.code == 0
    lines = [line.split() for line in done.out.splitlines()]
    assert lines[0] == ["A", "tiny", "paper"]
    assert lines[1] == [
        "quantity", "paper", "reference", "ours", "band", "unit", "met", "source", "note",
    ]  # fmt: skip
    exactly = ["in", "[m]", "<exactly>"]
    assert lines[2] == ["length", "0.1835", "0.18347", "m", "yes", "Table", "1", *exactly]
    assert lines[3] == ["speed", "160", "161.2", "155", "to", "165.5", "km/h", "NO"]
    assert lines[4] == ["gain", "2", "not", "in", "the", "paper"]
    assert lines[5] == ["count", "35301", "35301", "yes"]
    assert lines[7] == ["angle", "0.7853982", "0.78539816", "rad", "yes", "closed", "form"]
    last = "3 of 4 of the paper met, 1 of 1 other references, 1 without a value to meet"
    assert done.out.splitlines()[-1] == last


def test_a_column_without_a_text_is_left_out():
    rows = [numbers.cells(Row("a", 1.0, 1.0, met=True)), numbers.cells(Row("b", None, 2.0))]
    assert numbers.columns(rows) == ["quantity", "paper", "ours", "met"]


def test_decimal_points_stand_below_each_other(library, call):
    length, speed = call("reproduce", "tiny").out.splitlines()[2:4]
    assert length.index("0.1835") + 1 == speed.index("160") + 3
    assert length.index("0.18347") + 1 == speed.index("161.2") + 3


def test_numbers_are_whole_on_a_narrow_terminal(library, call, monkeypatch):
    from railblocks.engine.cli import tables

    monkeypatch.setattr(tables, "PIPED_WIDTH", 100)
    add_module(library / "wide" / "paper.py", TINY.replace('"length"', f'"{"long " * 30}"'))
    done = call("reproduce", "wide")
    assert max(map(len, done.out.splitlines())) <= 100
    for text in ("0.1835 ", "0.18347", "161.2", "km/h", "35301"):
        assert text in done.out


def test_options_of_the_paper_reach_it(library, call):
    rows = call("reproduce", "tiny", "--json", "--gain", "7.5").data()["rows"]
    assert rows[2]["ours"] == 7.5


@pytest.mark.parametrize(
    "order", [("--json", "tiny", "--gain", "3"), ("tiny", "--gain=3", "--json")]
)
def test_common_options_stand_before_or_after_the_paper(library, call, order):
    done = call("reproduce", *order)
    assert done.data()["rows"][2]["ours"] == 3.0


def test_json_has_the_rows_with_all_their_digits(library, call):
    done = call("reproduce", "tiny", "--json", "--quiet")
    assert (done.code, done.err) == (0, "")
    data = done.data()
    assert (data["paper"], data["title"], data["report"]) == ("tiny", "A tiny paper", None)
    assert data["rows"][1] == {
        "quantity": "speed",
        "paper": 160.0,
        "reference": None,
        "ours": 161.23456,
        "band": [155.0, 165.5],
        "unit": "km/h",
        "met": False,
        "source": "",
        "note": "",
    }
    assert data["rows"][2]["met"] is None


def test_what_is_being_done_is_told_unless_quiet(library, call):
    assert call("reproduce", "tiny").err == "computing\n"
    assert call("reproduce", "tiny", "--quiet").err == ""


def test_help_lists_the_papers_with_their_titles(library, call):
    for done in (call("reproduce", "--help"), call("reproduce")):
        assert done.code == 0
        assert re.search(r"^  tiny  A tiny paper$", done.out, re.MULTILINE)


def test_help_of_a_paper_has_its_options_and_its_source(library, call):
    done = call("reproduce", "tiny", "--help")
    assert done.code == 0
    assert "N. N. (1999)" in done.out
    assert "gain of the tiny model" in done.out
    assert "--report DIR" in done.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["tinny"], "'tinny' is not a paper that can be reproduced; did you mean 'tiny'?"),
        (["tiny", "--gian", "3"], "railblocks reproduce tiny: unrecognized arguments: --gian 3"),
        (["tiny", "--gain", "high"], "argument --gain: invalid float value: 'high'"),
        (["tiny", "--report", "here.txt"], "here.txt: is a file; expected a folder"),
    ],
)
def test_mistakes_end_with_two_and_one_line(library, call, arguments, message):
    (library.parent / "here.txt").write_text("")
    done = call("reproduce", *arguments)
    assert done.code == 2
    assert message in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize("path", ["motors/motor.yaml", "motors/runs.py", "runs.py"])
def test_what_has_no_module_paper_is_not_a_paper(library, call, path):
    add_module(library / path, "")
    name = path.partition("/")[0].removesuffix(".py")
    assert name not in call("reproduce").out
    done = call("reproduce", name)
    assert done.code == 2
    assert f"'{name}' is not a paper that can be reproduced; known are tiny" in done.err


@pytest.mark.parametrize("command", [["reproduce", "half"], ["reproduce"]])
def test_a_paper_without_all_of_the_contract_is_named_with_what_is_missing(library, call, command):
    add_module(library / "half" / "paper.py", "SOURCE = ''\ndef reproduce(options, tell): ...\n")
    done = call(*command)
    assert done.code == 2
    assert "tiny_diagrams.half.paper: a paper needs TITLE, SOURCE, arguments, rep" in done.err
    assert "; TITLE, arguments missing" in done.err


def test_ctrl_c_is_told(library, call):
    done = call("reproduce", "tiny", "--stuck")
    assert done.code == 130
    assert done.err == "computing\ntiny: interrupted after 0 s; there are no results\n"
    assert done.out == ""


def test_a_paper_is_imported_only_when_asked_for(library, call):
    add_module(library / "broken" / "paper.py", "raise RuntimeError")
    assert call("reproduce", "tiny").code == 0


# --- report --------------------------------------------------------------------------------------
def test_the_report_is_one_page_with_everything(library, call):
    done = call("reproduce", "tiny", "--report", "out/tiny", "--gain", "4")
    assert done.out.splitlines()[-1].endswith("; report: out/tiny/index.html")
    folder = library.parent / "out" / "tiny"
    names = sorted(path.name for path in folder.iterdir())
    assert names == ["dots.png", "dots.svg", "index.html", "the_line.png", "the_line.svg"]
    page = (folder / "index.html").read_text()
    assert "<h1>A tiny paper</h1>" in page
    assert "A tiny paper &amp; more" in page
    assert "3 of 4 of the paper met" in page
    assert '<td class="no">NO</td>' in page
    assert "in [m] &lt;exactly&gt;" in page
    assert "A line, 1 &lt; 2." in page
    assert "prefers-color-scheme: dark" in page
    assert re.search(r"railblocks \d+\.\d+\.\d+, \d{4}-\d\d-\d\d", page)
    assert "railblocks reproduce tiny --report out/tiny --gain 4" in page


def test_the_report_holds_its_figures_and_needs_nothing_else(library, call):
    call("reproduce", "tiny", "--report", "out")
    page = (library.parent / "out" / "index.html").read_text()
    sources = re.findall(r'src="([^"]*)"', page)
    assert len(sources) == 2
    for source in sources:
        kind, data = source.split(",", 1)
        assert kind == "data:image/svg+xml;base64"
        assert b"<svg" in base64.b64decode(data)
    assert not re.search(r"https?://", re.sub(r'src="[^"]*"', "", page))
    assert "<link" not in page
    assert "<script" not in page


def test_a_report_written_again_is_the_same_but_for_its_date(library, call):
    texts = []
    for folder in ("one", "two"):
        call("reproduce", "tiny", "--report", folder)
        texts.append((library.parent / folder / "the_line.svg").read_bytes())
    assert texts[0] == texts[1]


def test_a_large_figure_is_embedded_as_png(library, call, monkeypatch):
    from railblocks.engine.reproduction import report

    monkeypatch.setattr(report, "LARGEST_SVG", 100)
    call("reproduce", "tiny", "--report", "out")
    assert 'src="data:image/png;base64,' in (library.parent / "out" / "index.html").read_text()


# --- numbers -------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("paper", "ours", "texts"),
    [
        (0.1835, 0.183471, ("0.1835", "0.18347")),
        (975.0, 974.8712, ("975", "974.9")),
        (35301.0, 35300.6, ("35301", "35300.6")),
        (None, 123456.789, ("", "123457")),
        (9.413e10, 9.41234e10, ("9.413e+10", "9.4123e+10")),
        (1e-6, 1.23456e-6, ("1e-06", "1.235e-06")),
        (0.0, -0.0, ("0", "0")),
        (1.0, float("nan"), ("1", "nan")),
        ("wet", None, ("wet", "")),
        (3, 4, ("3", "4")),
    ],
)
def test_ours_is_shown_with_a_digit_more_than_the_papers(paper, ours, texts):
    for row in (Row("q", paper, ours), Row("q", None, ours, reference=paper)):
        cells = numbers.cells(row)
        assert (cells["paper"] or cells["reference"], cells["ours"]) == texts


def test_the_summary_counts_what_is_compared():
    met, missed, open_row = Row("a", 1, 1, met=True), Row("b", 1, 2, met=False), Row("c", None, 1)
    goal = Row.goal("d", 1.0, 2.0, "", "")
    assert numbers.summary([met, missed]) == "1 of 2 of the paper met"
    assert numbers.summary([open_row]) == "nothing to compare with"
    assert numbers.summary([met, open_row]) == "1 of 1 of the paper met, 1 without a value to meet"
    assert numbers.summary([goal]) == "0 of 1 references met"
    assert numbers.summary([met, goal]) == "1 of 1 of the paper met, 0 of 1 other references"


# --- papers that ship ----------------------------------------------------------------------------
@pytest.mark.parametrize("name", papers.titles())
def test_every_paper_keeps_the_contract(name, call):
    module = papers.paper(name)
    assert module.TITLE
    assert "\n" not in module.TITLE
    assert module.SOURCE
    done = call("reproduce", name, "--help")
    assert done.code == 0
    assert module.TITLE in done.out


def test_starting_the_command_looks_for_no_papers():
    code = "import sys, railblocks.engine.cli as c; c.parser(); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "railblocks.blocks" not in done.stdout
    assert "railblocks.engine.reproduction.papers" not in done.stdout
