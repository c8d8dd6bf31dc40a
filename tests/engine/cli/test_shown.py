"""What names and titles hold does not steer terminals, drawings, figures or pages."""

import io
import json
import xml.etree.ElementTree as ElementTree

import h5py
import numpy as np
import pytest
from railblocks.engine import Results, load
from railblocks.engine.cli import run_command
from railblocks.engine.drawing import svg
from railblocks.engine.errors.shown import shown, shown_json, shown_lines

HOSTILE = "a\x1b[31m\x9b2J\x07\u202eevil\u2066\nok: fine\r[red]x[/red] $\\frac{$ <b>&"
YAML_TEXT = json.dumps(HOSTILE)
DIAGRAM = f"""\
diagram: 1
title: {YAML_TEXT}
description: {YAML_TEXT}
blocks:
  body: {{type: mechanics.mass, m: 1 kg, x_0: 1 m, comment: {YAML_TEXT}}}
  spring: {{type: math.gain, k: -1 N/m, comment: {YAML_TEXT}}}
  guard: {{type: sinks.assert, message: {YAML_TEXT}}}
  yes: {{type: sources.constant, value: 1}}
  small: {{type: logic.compare, relation: "<"}}
wires: [body.x -> spring, spring -> body.F]
solver: {{stop: 1 s, method: rk4, step: 10 ms}}
log: {{signals: [body.x, body.v]}}
"""
PLAIN = DIAGRAM.split("  guard:")[0] + "wires:" + DIAGRAM.split("wires:")[1]


def assert_harmless(text):
    """No control but line feed and tab, no direction."""
    bad = [c for c in text if (ord(c) < 32 and c not in "\n\t") or 0x7F <= ord(c) <= 0x9F]
    bad += [c for c in text if "\u202a" <= c <= "\u202e" or "\u2066" <= c <= "\u2069"]
    assert not bad, ascii(text)


@pytest.fixture
def hostile(folder):
    (folder / "d.yaml").write_text(PLAIN)
    time = np.linspace(0.0, 1.0, 5)
    Results.from_arrays(time, {"a.y": time, "b": time}, {"a.y": "m"}).save("plain.h5")
    with h5py.File("plain.h5", "r+") as file:
        file.attrs["title"] = HOSTILE
        file.attrs["outcome"] = HOSTILE
        file.attrs["notices"] = json.dumps([HOSTILE])
        file["signals/name"][1] = HOSTILE
        file["signals/unit"][0] = HOSTILE
    rows = "\n".join(f"{t},{t},{t}" for t in time)
    names = io.StringIO()
    import csv

    csv.writer(names).writerow(["time", "a.y", HOSTILE])
    (folder / "m.csv").write_text(names.getvalue() + rows + "\n", newline="")
    return folder


@pytest.mark.parametrize(
    "command",
    [
        ["run", "d.yaml", "--interpret", "--plot", "out.png"],
        ["run", "d.yaml", "--interpret", "--json"],
        ["run", "d.yaml", "--set", f"body.m={HOSTILE}"],
        ["run", HOSTILE],
        ["check", "d.yaml"],
        ["check", "d.yaml", "--json"],
        ["check", HOSTILE],
        ["check", "bad.yaml"],
        ["check", "bad.yaml", "--json"],
        ["graph", "d.yaml", "-o", "-"],
        ["graph", "d.yaml", "--inside", HOSTILE],
        ["plot", "plain.h5", "-o", "a.svg"],
        ["plot", "plain.h5", "-o", "a.png", "--title", HOSTILE],
        ["plot", "plain.h5", HOSTILE],
        ["plot", "plain.h5", "nothing"],
        ["export", "plain.h5", "--to", "csv"],
        ["export", "plain.h5", "--to", "mat", "-o", f"none/{HOSTILE}"],
        ["compare", "plain.h5", "m.csv", "--signal", "a.y", "--plot", "c.svg"],
        ["compare", "plain.h5", "m.csv", "--signal", HOSTILE],
        ["compare", "plain.h5", "m.csv"],
        [
            "calibrate", "d.yaml", "--parameter", "body.m", "--measured", "m.csv",
            "--signal", HOSTILE,
        ],
        ["show", HOSTILE],
        ["show", "body", "--in", "d.yaml", "--set", f"body.x_0={HOSTILE}"],
        ["show", "plain.h5"],
        ["reproduce", HOSTILE],
        ["new", HOSTILE],
        ["list", HOSTILE],
        [HOSTILE],
    ],
    ids=lambda command: " ".join(command[:3]).encode("ascii", "replace").decode()[:40],
)  # fmt: skip
def test_no_command_lets_names_steer_the_terminal(hostile, capsys, command):
    bad = PLAIN.replace("type: math.gain", f"type: {YAML_TEXT}").replace(
        "method: rk4", f"method: {YAML_TEXT}"
    )
    (hostile / "bad.yaml").write_text(bad)
    code = run_command(command)
    assert code in (0, 1, 2)
    captured = capsys.readouterr()
    assert_harmless(captured.out)
    assert_harmless(captured.err)
    for line in captured.err.splitlines():
        assert not line.startswith("ok: fine")


def test_drawings_hold_no_control_characters(hostile):
    drawing = svg(load("d.yaml"))
    assert_harmless(drawing)
    ElementTree.fromstring(drawing)


def test_figures_and_pages_hold_no_control_characters(hostile, call):
    assert call("plot", "plain.h5", "-o", "a.svg").code == 0
    text = (hostile / "a.svg").read_text()
    assert_harmless(text)
    ElementTree.fromstring(text)
    page = Results.load("plain.h5")._repr_html_()
    assert_harmless(page)
    assert "<b>" not in page


def test_markup_of_tables_is_not_interpreted(hostile, call):
    done = call("run", "d.yaml", "--interpret")
    assert "[red]x[/red]" in done.out


def test_reports_hold_no_control_characters(tmp_path):
    from railblocks.engine.reproduction.report import write_report
    from railblocks.engine.reproduction.result import Reproduction, Row

    rows = [Row(HOSTILE, 1.0, 1.0, HOSTILE, True, HOSTILE)]
    result = Reproduction(title=HOSTILE, source=HOSTILE, rows=rows, figures=[])
    text = write_report(result, tmp_path, HOSTILE).read_text()
    assert_harmless(text)
    assert "<b>" not in text


def test_text_stays_what_it_is_where_it_is_read_and_stored(hostile):
    assert load("d.yaml").title.text == HOSTILE
    assert HOSTILE in Results.load("plain.h5").names


@pytest.mark.parametrize("text", [HOSTILE, "plain ä € 漢字 𝄞", "\ud800\U000e0041", ""])
def test_json_says_the_same(text):
    assert json.loads(shown_json(json.dumps({"a": text}, ensure_ascii=False))) == {"a": text}


def test_words_in_any_script_stay():
    text = "Größe µ₀ → 漢字 🚆 עברית"
    assert shown(text) == shown_lines(text) == text
    assert shown("a\nb\tc") == "a\\nb\\tc"
    assert shown_lines("a\nb\tc\x1b") == "a\nb\tc\\x1b"
