"""`railblocks list`, `show` and `schema`: what blocks there are."""

from pathlib import Path

import jsonschema
import pytest
from railblocks.engine import standard_blocks
from railblocks.engine.cli.new import BLOCKS, DIAGRAM
from railblocks.engine.diagram.values import plain_data
from railblocks.engine.text.source import read_text

DIAGRAMS = sorted(
    p
    for p in (Path(__file__).parents[3] / "diagrams").rglob("*.yaml")
    if not p.match("*.test.yaml")
)


def test_every_block_is_listed_with_what_it_does(call):
    lines = call("list").out.splitlines()
    for block in standard_blocks():
        (line,) = [line for line in lines if line.split()[:1] == [block.declaration.id]]
        assert block.declaration.summary[:40] in line


def test_a_family_is_listed_alone(call):
    done = call("list", "mechanics")
    assert "mechanics.mass" in done.out
    assert "math.gain" not in done.out


def test_the_list_comes_as_json(call):
    result = {entry["id"]: entry for entry in call("list", "--json").data()}
    assert set(result) == set(standard_blocks().ids())
    assert result["math.gain"]["parameters"] == ["k"]
    assert result["discrete.unit_delay"]["sampled"]


def test_an_unknown_family_is_told(call):
    done = call("list", "mechanik")
    assert done.code == 2
    assert "did you mean 'mechanics'?" in done.err


def test_a_block_shows_equations_ports_parameters_and_states(call):
    out = call("show", "continuous.first_order_lag").out
    assert "(1)" in out
    for title in ("Ports", "Parameters", "States"):
        assert title in out
    rows = [line.split()[:5] for line in out.splitlines()]
    assert ["T", "s", "required", ">", "0"] in rows


@pytest.mark.parametrize("block", standard_blocks().ids())
def test_every_block_can_be_shown(call, block):
    done = call("show", block)
    assert done.code == 0
    assert done.out.startswith(block)


@pytest.mark.parametrize("name", ["math.gian", "gain"])
def test_an_unknown_block_is_told(call, name):
    done = call("show", name)
    assert done.code == 2
    assert "did you mean 'math.gain'?" in done.err


def test_blocks_of_the_user_are_listed_and_shown(folder, call):
    (folder / "mine.py").write_text(BLOCKS.format(name="mine"))
    assert "mine.tank" in call("list", "mine", "--blocks", "mine.py").out
    assert "sqrt(2 g h)" in call("show", "mine.tank", "--blocks", "mine.py").out


# --- Bode plots --------------------------------------------------------------------------------
def test_a_block_with_a_frequency_response_is_plotted(folder, call):
    done = call("show", "continuous.transfer_function", "--plot", "bode.png")
    assert done.code == 0
    assert done.out.strip() == "bode.png"
    assert (folder / "bode.png").stat().st_size > 10_000


def test_values_and_frequencies_of_the_plot_can_be_given(folder, call):
    given = ("--set", "T=20 ms", "--range", "0.1", "100", "--plot", "lag.svg")
    assert call("show", "continuous.first_order_lag", *given).code == 0
    assert "<svg" in (folder / "lag.svg").read_text()


def test_a_block_of_a_diagram_is_plotted_and_shown_with_its_values(folder, call):
    (folder / "two.yaml").write_text(
        "diagram: 1\nparameters: {T: 3 s}\nblocks:\n"
        "  lag:  {type: continuous.first_order_lag, T: 2 * T}\n"
        "  gain: {type: math.gain, k: 2}\nwires: [lag -> gain, gain -> lag]\n"
    )
    done = call("show", "lag", "--in", "two.yaml")
    rows = [line.split()[:4] for line in done.out.splitlines()]
    assert ["T", "s", "6", "required"] in rows
    assert call("show", "lag", "--in", "two.yaml", "--set", "T=1 s", "--plot", "b.pdf").code == 0
    assert call("show", "gain", "--in", "two.yaml", "--plot", "g.png").code == 2
    done = call("show", "leg", "--in", "two.yaml")
    assert done.code == 2
    assert "did you mean 'lag'?" in done.err


def test_a_block_without_a_plot_is_told(folder, call):
    done = call("show", "math.gain", "--plot", "gain.png")
    assert done.code == 2
    assert "math.gain has no plot" in done.err
    assert not (folder / "gain.png").exists()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("--plot", "bode.txt"), "not a figure format"),
        (("--plot", "b.png", "--range", "9", "3"), "expected a rising pair"),
        (("--plot", "b.png", "--set", "X=2"), "'X' is not a parameter"),
        (("--range", "1", "3"), "--range is for --plot"),
    ],
)
def test_mistakes_in_what_to_plot_are_told(folder, call, given, message):
    done = call("show", "continuous.first_order_lag", *given)
    assert done.code == 2
    assert message in done.err


@pytest.mark.parametrize("ending", ["png", "svg"])
def test_a_line_is_drawn(folder, call, ending):
    done = call("show", "rail.track", "--set", "track=s_curve", "--plot", f"line.{ending}")
    assert (done.code, done.out.strip()) == (0, f"line.{ending}")
    assert (folder / f"line.{ending}").stat().st_size > 10_000
    done = call("show", "rail.track", "--range", "1", "2", "--plot", "line.png")
    assert done.code == 2
    assert "a picture has no frequencies" in done.err


def test_a_vehicle_is_drawn(folder, call):
    given = ("--set", "vehicle=manchester_wagon", "--set", "v_0=20", "--plot", "wagon.svg")
    assert call("show", "rail.vehicle", *given).code == 0
    assert "<svg" in (folder / "wagon.svg").read_text()


def test_a_mistake_in_a_lines_file_is_told_with_its_place(folder, call):
    (folder / "line.yaml").write_text("track: 1\nsegments:\n  - {length: 3 s}\n")
    done = call("show", "rail.track", "--set", "track=line.yaml")
    assert done.code == 2
    assert "line.yaml:3:14: 3 s has unit s" in done.err


# --- schema ------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def validator():
    from railblocks.engine.analysis.schema import schema

    result = schema(standard_blocks())
    jsonschema.Draft202012Validator.check_schema(result)
    return jsonschema.Draft202012Validator(result)


def data(text):
    return plain_data(read_text(text, "<text>"))


def complaints(validator, text):
    return [error.message for error in validator.iter_errors(data(text))]


def test_the_command_prints_the_schema(call, validator):
    assert call("schema").data() == validator.schema


@pytest.mark.parametrize("path", DIAGRAMS, ids=lambda path: path.name)
def test_every_diagram_that_ships_conforms(validator, path):
    assert complaints(validator, path.read_text()) == []


def test_the_starter_conforms(validator):
    assert complaints(validator, DIAGRAM.format(name="tank")) == []


def test_everything_that_a_file_may_say_conforms(validator):
    text = """
diagram: 1
title: 3
description: all of it
include: [a.yaml, b.yaml]
parameters: {a: 1, b: 2 m, c: a^2, d: [1, 2], e: true}
blocks:
  g: {type: math.gain, k: [1, 2], comment: text, disabled: true}
  f: {type: continuous.first_order_lag, include: lag.yaml}
  o: {type: mine.own, anything: 3}
  s: {subsystem: other.yaml, p: 3}
  i: {subsystem: {inputs: {u: [g.u, h.u]}, outputs: {y: g.y}, blocks: {g: {type: math.gain}}}}
wires: [g -> f]
solver: {method: rk4, step: 1 ms, stop: 20 s, seed: 3}
log: {signals: all, every: 1 ms}
annotations: [{text: hello, at: [1, 2]}]
layout: {g: [1, 2]}
"""
    assert complaints(validator, text) == []


@pytest.mark.parametrize(
    "line",
    [
        "blocks: {a: {type: math.gian}}",
        "blocks: {a: {type: math.gain, q: 1}}",
        "blocks: {a: {type: continuous.first_order_lag}}",
        "blocks: {a: {type: continuous.first_order_lag, T: -1}}",
        "blocks: {a: {type: math.gain, subsystem: b.yaml}}",
        "blocks: {a: {comment: nothing}}",
        "blocks: {a b: {type: math.gain}}",
        "blocks: {a: {type: math.gain, disabled: maybe}}",
        "wires: [a, b]",
        "solver: {methd: ode45}",
        "solver: {method: ode46}",
        "log: {every: 1 ms, signal: [a.y]}",
        "colour: red",
    ],
)
def test_what_is_wrong_does_not_conform(validator, line):
    assert complaints(validator, f"diagram: 1\n{line}\n")


def test_parameters_are_described_with_unit_default_and_bounds(validator):
    lag = validator.schema["$defs"]["continuous.first_order_lag"]["properties"]
    assert lag["T"]["description"].endswith("(s)")
    assert lag["T"]["exclusiveMinimum"] == 0
    assert lag["k"]["default"] == 1.0


def test_show_prints_how_a_diagram_writes_a_block_with_structured_parameters(capsys):
    from railblocks.engine.cli import main

    assert main(["show", "logic.state_machine"]) == 0
    text = capsys.readouterr().out.partition("Example:")[2]
    assert "\n  state_machine:\n    type: logic.state_machine\n" in text
    assert "\n      - {from: idle, to: heating, when: T < 18 and not off}\n" in text


# --- modes ---------------------------------------------------------------------------------------
def test_modes_of_a_vehicle_are_a_table_with_names(folder, call):
    done = call("show", "rail.vehicle", "--modes", "--set", "v_0=20 m/s", "--range", "1", "1.1")
    assert done.code == 0
    head, names, row = done.out.splitlines()[:3]
    assert head.strip() == "Manchester wagon at 20 m/s"
    assert names.split("   ")[0] == "mode"
    assert row.split()[:2] == ["1", "1.074"]
    assert "body vertical 1.00, bogie_1 vertical 0.16, bogie_2 vertical 0.16" in row


def test_shapes_of_modes_are_drawn(folder, call):
    done = call("show", "rail.vehicle", "--modes", "--range", "0.1", "2", "--plot", "modes.svg")
    assert (done.code, done.out) == (0, "modes.svg\n")
    assert "body lateral" in (folder / "modes.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            ("math.gain", "--modes"),
            "math.gain has no modes; some blocks have, such as rail.vehicle",
        ),
        (("rail.vehicle", "--modes", "--plot", "m.txt"), "not a figure format"),
        (("rail.vehicle", "--modes", "--range", "9", "3"), "expected a rising pair from 0 on"),
        (
            ("rail.vehicle", "--modes", "--range", "0.01", "0.02", "--plot", "m.svg"),
            "no modes to draw: there are none; see --range",
        ),
    ],
)
def test_mistakes_in_what_modes_to_show_are_told(folder, call, given, message):
    done = call("show", *given)
    assert done.code == 2
    assert message in done.err
