"""The analysis of a diagram: what it knows, what is wrong, and what it takes over."""

import os

import pytest
from railblocks.engine import DiagramError, check, load, loads, standard_blocks
from railblocks.engine.analysis import analysis as module
from railblocks.engine.analysis.analysis import Analysis
from railblocks.engine.analysis.checking import check_analysis
from railblocks.engine.analysis.settings import LOG, SOLVER

GAINS = (
    "diagram: 1\nparameters: {a: 1, b: 2}\n"
    "blocks: {g: {type: math.gain, k: a}, h: {type: math.gain, k: b}}\n"
)
TABLE = """diagram: 1
blocks:
  t: {type: sources.from_file, path: data.csv, column: v, unit: m}
  x: {type: continuous.integrator}
wires: [t -> x]
"""


def analysed(text, before=None):
    return Analysis(loads(text), standard_blocks(), before)


@pytest.fixture
def resolved(monkeypatch):
    """The names of the blocks that are resolved."""
    names = []
    original = module.resolve

    def noting(block, *others):
        names.append(block.name)
        return original(block, *others)

    monkeypatch.setattr(module, "resolve", noting)
    return names


def test_resolved_blocks_are_taken_over_if_they_say_the_same(resolved):
    first = analysed(GAINS)
    assert resolved == ["g", "h"]
    resolved.clear()
    analysed(GAINS, first)
    assert resolved == []
    analysed(GAINS.replace("a: 1", "a: 3"), first)
    assert resolved == ["g"]


def test_an_analysis_taken_over_says_the_same_as_a_new_one():
    wired = (
        "blocks: {c: {type: sources.constant, value: '[1, 2]'}, g: {type: math.gain, k: 2}}\n"
        "wires: [c -> g]\n"
    )
    short = analysed("diagram: 1\n" + wired.replace("[1, 2]", "[1, 2, 3]"))
    later = analysed("diagram: 1\n\n" + wired, short)
    anew = analysed("diagram: 1\n\n" + wired)
    assert later.problems == anew.problems
    assert later.logged == anew.logged
    assert later.instance("g").shape == anew.instance("g").shape == (2,)
    assert later.instance("g").position.line == anew.instance("g").position.line == 3
    assert short.instance("g").shape == (3,)


def test_blocks_of_another_registry_are_not_taken_over(resolved):
    first = analysed(GAINS)
    Analysis(loads(GAINS), standard_blocks().copy(), first)
    assert resolved == ["g", "h", "g", "h"]


def test_a_block_that_lacks_values_is_drawn_with_its_ports_and_refused_by_the_check():
    analysis = analysed("diagram: 1\nblocks: {m: {type: mechanics.mass}}\n")
    mass = analysis.instance("m")
    assert list(mass.inputs) == ["F"]
    assert str(mass.inputs["F"].unit) == "N"
    assert "m" not in analysis.network.instances
    assert [p.message for p in analysis.problems] == [
        "m (mechanics.mass) needs a value for 'm': mass (kg)"
    ]
    with pytest.raises(DiagramError) as error:
        check_analysis(analysis)
    assert error.value.problems == analysis.problems


def test_wires_of_a_block_that_lacks_values_are_judged_for_the_drawing_alone():
    text = (
        "diagram: 1\nblocks: {t: {type: sources.constant, value: 3 m}, m: {type: mechanics.mass}}\n"
    )
    analysis = analysed(text + "wires: [t -> m]\n")
    message = "t.y is in m but m.F takes a force (N)"
    assert any(message in problem.message for problem in analysis.drawn.problems)
    assert not any(message in problem.message for problem in analysis.problems)


def test_problems_of_wires_are_known():
    text = (
        "diagram: 1\nblocks: {t: {type: sources.constant, value: 3 m}, "
        "m: {type: mechanics.mass, m: 1}}\nwires: [t -> m]\n"
    )
    messages = [p.message for p in analysed(text).problems]
    assert any("t.y is in m but m.F takes a force (N)" in message for message in messages)


def test_problems_come_in_the_order_of_the_file_and_each_once():
    text = (
        "diagram: 1\nblocks:\n  a: {type: math.gian}\n  b: {type: math.gain, q: 1}\n"
        "  c: {type: math.gain}\nwires:\n  - b -> c\n  - d -> c\nsolver: {stop: -1 s}\n"
        "log: {signals: [c.z]}\n"
    )
    lines = [problem.position.line for problem in analysed(text).problems]
    assert lines == [3, 4, 8, 9, 10]


def test_problems_of_one_block_or_subsystem_alone():
    text = (
        "diagram: 1\nblocks:\n  a: {type: math.gain, q: 1}\n"
        "  s: {subsystem: {blocks: {a: {type: math.gain, r: 1}}}}\n  sa: {type: math.gian}\n"
    )
    analysis = analysed(text)
    assert [p.position.line for p in analysis.block_problems("a")] == [3]
    assert [p.position.line for p in analysis.block_problems("s")] == [4]
    assert [p.position.line for p in analysis.block_problems()] == [3, 4, 5]


def test_a_diagram_that_cannot_be_flattened_has_its_problems(monkeypatch):
    from railblocks.engine.diagram import instances

    monkeypatch.setattr(instances, "LARGEST_BLOCKS", 1)
    analysis = analysed(GAINS)
    assert analysis.flat is None
    assert [p.message for p in analysis.problems] == ["more than 1 blocks; simplify the diagram"]
    assert analysis.instance("g") is None
    assert analysis.logged == ()


# --- files that blocks read --------------------------------------------------------------------
@pytest.fixture
def table(tmp_path):
    (tmp_path / "data.csv").write_text("t,v\n0,1\n1,2\n")
    file = tmp_path / "table.yaml"
    file.write_text(TABLE)
    return load(file)


def test_a_block_that_is_taken_over_keeps_the_files_that_it_read(table, resolved):
    first = check(table)
    again = check(table, first.registry, first.analysis)
    assert resolved == ["t", "x"]
    assert any(file.path.endswith("data.csv") for file in again.files)
    assert again.files == first.files


def test_a_block_is_read_anew_when_its_file_has_changed(table, tmp_path, resolved):
    first = Analysis(table, standard_blocks())
    assert first.current() is first
    resolved.clear()
    (tmp_path / "data.csv").write_text("t,v\n0,1\n1,3\n")
    os.utime(tmp_path / "data.csv", ns=(1, 1))
    later = first.current()
    assert later is not first
    assert resolved == ["t"]
    assert later.instance("t").values["values"].tolist() == [1, 3]
    assert first.instance("t").values["values"].tolist() == [1, 2]


def test_a_block_that_failed_is_read_anew(table, tmp_path):
    content = (tmp_path / "data.csv").read_bytes()
    (tmp_path / "data.csv").unlink()
    first = Analysis(table, standard_blocks())
    assert "data.csv" in first.problems[0].message
    (tmp_path / "data.csv").write_bytes(content)
    assert first.current().problems == ()


def test_default_settings_are_those_of_the_declared_parameters():
    settings = analysed("diagram: 1\n").settings
    for param in (*SOLVER, *LOG):
        if param.name != "guess":
            assert getattr(settings, param.name) == param.default
