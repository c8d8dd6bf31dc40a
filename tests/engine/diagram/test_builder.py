"""Diagrams from Python are the diagrams that files give."""

import sys

import numpy as np
import pytest
from railblocks.engine.analysis.checking import check
from railblocks.engine.diagram.builder import DiagramBuilder
from railblocks.engine.diagram.flatten import flatten
from railblocks.engine.diagram.reader import loads
from railblocks.engine.diagram.saving import text_of
from railblocks.engine.errors import DiagramError

TEXT = """\
diagram: 1
title: spring
parameters: {k: 3 N/m, table: [1.0, 2.0]}
blocks:
  src: {type: sources.sine, amp: 2, comment: "a, note"}
  gain: {type: math.gain, k: 2 * k}
  off: {type: math.gain, disabled: true}
wires:
  - src.y -> gain.u, off.u
solver: {method: ode45, stop: 10.0}
log: {signals: [src.y], every: 1 ms}
layout: {src: [40, 80]}
"""


def spring():
    d = DiagramBuilder("spring")
    d.parameter("k", "3 N/m").parameter("table", np.array([1.0, 2.0]))
    d.add("src", "sources.sine", amp=2, comment="a, note")
    d.add("gain", "math.gain", k="2 * k")
    d.add("off", "math.gain", disabled=True)
    d.connect("src.y", "gain.u", "off.u")
    d.solver(method="ode45", stop=10.0)
    d.log("src.y", every="1 ms")
    d.layout(src=[40, 80])
    return d


def test_a_built_diagram_equals_the_one_from_text():
    assert spring().build() == loads(TEXT)


def test_building_twice_gives_equal_diagrams_and_the_builder_goes_on():
    builder = spring()
    first = builder.build()
    assert builder.build() == first
    assert builder.add("more", "x.y").build() != first
    assert "more" not in first.blocks


def test_subsystems_are_builders_diagrams_or_paths(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    inner = DiagramBuilder()
    inner.parameter("k", 1).add("g", "math.gain", k="k").input("u", "g.u").output("y", "g.y")
    (tmp_path / "inner.yaml").write_text(
        "diagram: 1\nparameters: {k: 1}\ninputs: {u: g.u}\noutputs: {y: g.y}\n"
        "blocks: {g: {type: math.gain, k: k}}\n"
    )
    for subsystem in (inner, inner.build(), "inner.yaml"):
        outer = DiagramBuilder().add("s", subsystem=subsystem, k=5).add("x", "x.y")
        flat = flatten(outer.connect("x.y", "s.u").connect("s", "x.u").build())
        assert flat.blocks["s.g"].values["k"].quantity().value == 5.0
        assert [f"{w.source} -> {w.target}" for w in flat.wires] == ["x.y -> s.g.u", "s.g.y -> x.u"]


def test_a_loaded_subsystem_finds_its_files_from_elsewhere(tmp_path, monkeypatch):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "set.yaml").write_text("parameters: {k: 7}\n")
    monkeypatch.chdir(tmp_path)
    inner = loads(
        "diagram: 1\ninclude: set.yaml\nblocks: {g: {type: x.y, k: k}}\n", "i", folder="parts"
    )
    flat = flatten(DiagramBuilder().add("s", subsystem=inner).build())
    assert flat.blocks["s.g"].values["k"].quantity().value == 7.0


def test_an_input_may_feed_several_ports():
    inner = DiagramBuilder().add("a", "x.y").add("b", "x.y").input("u", "a.u", "b.u")
    assert [str(end) for end in inner.build().inputs["u"].ends] == ["a.u", "b.u"]


def test_all_signals_can_be_logged():
    assert DiagramBuilder().log("all").build().log_signals == "all"


def test_text_parameters_are_quoted_as_in_yaml():
    d = DiagramBuilder().parameter("shape", "'sine'").add("a", "x.y", form="shape")
    assert flatten(d.build()).blocks["a"].values["form"].text() == "sine"
    assert text_of(d.build()) == (
        'diagram: 1\n\nparameters:\n  shape: "sine"\n\nblocks:\n  a: {type: x.y, form: shape}\n'
    )


def test_titles_are_text_even_if_they_look_like_numbers():
    assert DiagramBuilder("1e3").build().title.value == "1e3"


def test_problems_name_the_line_of_the_caller_and_come_at_once():
    d = DiagramBuilder()
    line = sys._getframe().f_lineno
    d.add("1x", "math.gain")
    d.add("c", "math.gain", k=object)
    d.add("a", "math.gain")
    d.add("a", "math.gain")
    d.add("b")
    d.connect("a.y")
    d.connect("a.y", "b..u")
    d.parameter("k", 1j)
    d.solver(stop=10**400)
    with pytest.raises(DiagramError) as caught:
        d.build()
    problems = sorted(caught.value.problems, key=lambda problem: problem.position.line)
    assert [problem.position.line - line for problem in problems] == [1, 2, 4, 5, 6, 7, 8, 9]
    expected = [
        "'1x' is not a name for a block; expected letters, digits and _",
        "c: type \"<class 'object'>\" is not a value; expected a number, text, a list or a mapping",
        f"'a' is given twice in blocks (first in line {line + 3}); give it once",
        "block 'b' has no `type`; expected one of `type`, `subsystem` and `variants`",
        "connect('a.y') has no target; expected a source and its targets",
        "'b..u' is not a port; expected `block.port` or `block.port[0]`",
        "k: complex '1j' is not a value; expected a number, text, a list or a mapping",
        "stop: 1000000000000000000000000000000000000000... is too large for a number",
    ]
    assert [problem.message for problem in problems] == expected


def test_calls_of_solver_and_log_add_up():
    builder = DiagramBuilder().add("c", "sources.constant")
    builder.solver(method="ode23").solver(stop="3 s").log("c.y").log(every="0.1 s")
    settings = check(builder.build()).settings
    assert (settings.method, settings.stop, settings.every) == ("ode23", 3.0, 0.1)


def test_a_setting_given_twice_is_a_problem_and_not_silently_the_last():
    builder = DiagramBuilder().add("c", "sources.constant").solver(stop="3 s", rtol=1e-3)
    builder.solver(stop="4 s").log("c.y").log("c.y")
    with pytest.raises(DiagramError) as caught:
        builder.build()
    messages = [p.message for p in caught.value.problems]
    assert ["is given twice in solver" in messages[0], "given twice in log" in messages[1]] == [
        True
    ] * 2
    assert "'stop'" in messages[0]
    assert "'signals'" in messages[1]
