"""Hints where people stumble: files of blocks, solvers of other programs, places of definitions."""

import os

import pytest
from railblocks.engine import DiagramError, check, load, loads, standard_blocks
from railblocks.engine.diagram.examples import example_lines, example_of
from railblocks.engine.diagram.values import plain_data
from railblocks.engine.solvers.methods import METHODS
from railblocks.engine.solvers.other_names import MATLAB, OTHERS, solver_hint
from railblocks.engine.text.source import read_text

BLOCKS = '''"""Run at your own risk."""
import pathlib
pathlib.Path("was_run").touch()
from railblocks.engine import Block, In

class SoftLimit(Block):
    """Limits softly."""

    u = In("1", "input")

class Other(Block):
    id = "mine.other"
    u = In("1", "input")

class Annotated(Block):
    id: str = "mine.annotated"
    u = In("1", "input")

class Bare(Block):
    """Declares nothing, so that it is not a block either when the file is loaded."""

class Plain:
    u = dict()
'''


def problems(folder, kind, name="d.yaml"):
    (folder / name).write_text(f"diagram: 1\nblocks:\n  b: {{type: {kind}}}\n")
    with pytest.raises(DiagramError) as caught:
        check(load(name))
    return str(caught.value)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_blocks.py").write_text(BLOCKS)
    return tmp_path


@pytest.mark.parametrize("kind", ["my_blocks.soft_limit", "mine.other", "mine.annotated"])
def test_a_file_beside_the_diagram_that_declares_the_type_is_named_and_not_run(folder, kind):
    assert problems(folder, kind) == (
        f"d.yaml:3:3: '{kind}' is not a known block type; my_blocks.py beside the diagram declares "
        "it, try `railblocks run d.yaml --blocks my_blocks.py`"
    )
    assert not (folder / "was_run").exists()


@pytest.mark.parametrize(
    "kind", ["my_blocks.plain", "my_blocks.bare", "my_blocks.block", "my_blocks.soft"]
)
def test_what_the_file_does_not_declare_gets_no_such_hint(folder, kind):
    assert "--blocks" not in problems(folder, kind)


def test_names_with_blanks_are_quoted_in_the_command(folder):
    message = problems(folder, "mine.other", "my diagram.yaml")
    assert "`railblocks run 'my diagram.yaml' --blocks my_blocks.py`" in message


def test_files_beside_a_subsystem_are_named_too(folder):
    (folder / "inner").mkdir()
    (folder / "inner" / "parts.py").write_text(BLOCKS)
    (folder / "my_blocks.py").unlink()
    (folder / "inner" / "sub.yaml").write_text("diagram: 1\nblocks: {b: {type: mine.other}}\n")
    (folder / "d.yaml").write_text("diagram: 1\nblocks: {s: {subsystem: inner/sub.yaml}}\n")
    with pytest.raises(DiagramError, match=r"run d.yaml --blocks inner/parts.py`"):
        check(load("d.yaml"))


def test_special_large_and_broken_files_are_passed_over(folder):
    (folder / "my_blocks.py").unlink()
    (folder / "broken.py").write_text("class X(:\n")
    (folder / "large.py").write_text("# " + "x" * 2**20 + "\n" + BLOCKS)
    (folder / "deep.py").write_text("-" * 100_000 + "1\n" + BLOCKS)
    (folder / "bytes.py").write_bytes(b"\xff\xfe" + BLOCKS.encode())
    (folder / "folder.py").mkdir()
    os.mkfifo(folder / "fifo.py")
    (folder / "test_me.py").write_text(BLOCKS)
    assert "--blocks" not in problems(folder, "mine.other")


def test_few_files_are_read(folder):
    (folder / "my_blocks.py").unlink()
    for i in range(150):
        (folder / f"a{i:03d}.py").write_text("x = 1\n")
    (folder / "z.py").write_text(BLOCKS)
    assert "--blocks" not in problems(folder, "mine.other")


@pytest.mark.parametrize(
    ("name", "ours"),
    [
        *((name, "radau5") for name in ("ode15s", "ode23s", "ode23t", "ode23tb", "CVODE")),
        *((name, "ode853") for name in ("ode113", "ode78", "ode89", "DOP853")),
        *(("ode1", "euler"), ("ode2", "heun"), ("ode3", "rk4"), ("ode4", "rk4"), ("ode8", "ode5")),
        *(("RK45", "ode45"), ("RK23", "ode23"), ("ODE45", "ode45"), ("bdf", "BDF")),
        ("radau", "radau5"),
    ],
)
def test_solvers_of_other_programs_lead_to_ours(name, ours):
    text = f"diagram: 1\nblocks: {{c: {{type: sources.clock}}}}\nsolver: {{method: {name}}}\n"
    with pytest.raises(DiagramError) as caught:
        check(loads(text))
    message = str(caught.value)
    assert message.startswith(f"<text>:3:18: solver.method = '{name}' is not one of ode45, ")
    assert ours in message.partition("LSODA")[2]


def test_hints_name_solvers_that_are_there():
    for name in (*MATLAB, *OTHERS):
        assert name not in METHODS
        assert any(ours in solver_hint(name).partition(":")[2] for ours in METHODS), name


def unit_error(text):
    with pytest.raises(DiagramError) as caught:
        check(loads("diagram: 1\n" + text, file="d.yaml"))
    return str(caught.value)


def test_a_unit_error_names_where_the_value_was_defined():
    text = "parameters:\n  L: 6 s\nblocks:\n  b: {type: mechanics.mass, m: L}\n"
    message = unit_error(text)
    assert "b.m = 6.0 s has unit s; expected a mass (kg); L = 6 s is defined in line 3" in message


def test_names_that_stand_for_others_lead_to_the_number():
    text = "parameters:\n  L: 6 s\n  M: L\n  N: M\nblocks:\n  b: {type: mechanics.mass, m: 2 * N}\n"
    assert "; N = 6 s is defined in line 3" in unit_error(text)


def test_a_value_given_to_a_subsystem_is_named_where_it_was_given(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub.yaml").write_text(
        "diagram: 1\nparameters: {J: 1}\nblocks:\n  b: {type: mechanics.mass, m: J}\n"
    )
    (tmp_path / "d.yaml").write_text("diagram: 1\nblocks:\n  s: {subsystem: sub.yaml, J: 5 m}\n")
    with pytest.raises(
        DiagramError, match=r"expected a mass \(kg\); J = 5 m is defined in d.yaml:3"
    ):
        check(load("d.yaml"))


def test_an_error_in_an_expression_names_where_its_values_were_defined():
    text = "parameters:\n  L: 6 s\n  x: 2 m\nblocks:\n  b: {type: mechanics.mass, m: L + x}\n"
    assert "; L = 6 s is defined in line 3, x = 2 m is defined in line 4" in unit_error(text)


def test_a_value_that_does_not_fit_another_is_named_where_it_stands():
    text = """parameters:
  T: 3 s
blocks:
  c: {type: sources.constant, value: 1 N}
  g: {type: nonlinear.saturation, lower: 0 N, upper: T}
wires: [c -> g]
"""
    message = unit_error(text)
    assert message.startswith("d.yaml:6:54: g.upper is given in s, but its wires need a force (N)")
    assert message.endswith("; T = 3 s is defined in line 3")


def warnings(text):
    return [str(w) for w in check(loads("diagram: 1\n" + text, file="d.yaml")).warnings]


def test_a_parameter_that_nothing_uses_is_a_warning_with_its_place():
    (message,) = warnings(
        "parameters:\n  used: 2\n  idle: 3\nblocks:\n  g: {type: sources.constant, value: used}\n"
    )
    assert message.startswith("d.yaml:4:3: nothing uses parameter 'idle'")


@pytest.mark.parametrize(
    "use",
    [
        "blocks: {c: {type: sources.constant, value: 2 * p}}",
        "blocks: {c: {type: sources.constant, value: [1, p]}}",
        "blocks: {c: {type: sources.clock}}\nsolver: {stop: p}",
        "blocks: {c: {type: sources.clock}}\nlog: {every: p}",
        "blocks: {s: {subsystem: {blocks: {c: {type: sources.constant, value: p}}}}}",
        "blocks: {c: {type: sources.constant, value: p, disabled: true}, d: {type: sources.clock}}",
        "blocks: {c: {type: sources.clock}, e: {type: math.expression, expression: 'p * k'}}\n"
        "wires: [c -> e.p, c -> e.k]",
    ],
)
def test_a_parameter_that_is_named_anywhere_is_used(use):
    assert not warnings(f"parameters: {{p: 2}}\n{use}\n")


def test_a_parameter_used_only_by_an_idle_one_is_used():
    messages = warnings("parameters: {a: 1, b: 2 * a}\nblocks: {c: {type: sources.clock}}\n")
    assert [text.partition("'")[2][0] for text in messages] == ["b"]


def test_an_inner_parameter_of_the_same_name_hides_the_outer_one():
    inner = "{parameters: {p: 1}, blocks: {c: {type: sources.constant, value: p}}}"
    (message,) = warnings(f"parameters: {{p: 2}}\nblocks: {{s: {{subsystem: {inner}}}}}\n")
    assert message.startswith("d.yaml:2:14: ")


def test_a_subsystem_that_is_used_many_times_is_told_once(tmp_path):
    (tmp_path / "sub.yaml").write_text(
        "diagram: 1\nparameters: {idle: 1}\nblocks: {c: {type: sources.clock}}\n"
    )
    blocks = "\n".join(f"  s{i}: {{subsystem: sub.yaml}}" for i in range(5))
    (tmp_path / "d.yaml").write_text(f"diagram: 1\nblocks:\n{blocks}\n")
    (warning,) = check(load(tmp_path / "d.yaml")).warnings
    assert warning.position.file.endswith("sub.yaml")


def test_parameter_sets_may_hold_more_than_is_used(tmp_path):
    (tmp_path / "set.yaml").write_text("parameters: {a: 1, b: 2}\n")
    (tmp_path / "d.yaml").write_text(
        "diagram: 1\ninclude: set.yaml\nblocks: {c: {type: sources.constant, value: a}}\n"
    )
    assert not check(load(tmp_path / "d.yaml")).warnings


@pytest.mark.parametrize("kind", list(standard_blocks()), ids=lambda kind: kind.declaration.id)
def test_the_example_reads_the_same_in_one_line_and_in_several(kind):
    short = plain_data(read_text(example_of(kind), "a"))
    lines = example_lines(kind)
    assert plain_data(read_text("\n".join(lines), "b")) == short
    (entries,) = short.values()
    assert entries["type"] == kind.declaration.id
    assert entries.keys() - {"type"} == kind.example.keys()
