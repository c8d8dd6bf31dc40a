"""The file format: what is read, what is refused, and files that name files."""

import textwrap

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from railblocks.engine.diagram.flatten import flatten
from railblocks.engine.diagram.reader import load, loads
from railblocks.engine.diagram.saving import text_of
from railblocks.engine.errors import DiagramError, Position
from work import work_up_to

MOST_CALLS = 2_000_000

GOOD = """\
# a comment
diagram: 1
title: Two blocks
description: |
  More words.
parameters:
  mu_0: 0.05
  omega: 150 rad/s
inputs: {e: [ctl.u, gain.u]}
outputs: {y: gain.y}
blocks:
  gain: {type: math.gain, k: mu_0, comment: "a note", disabled: false}
  ctl:
    subsystem:
      parameters: {k: 1}
      inputs: {u: "p.u[0]"}
      outputs: {y: p.y}
      blocks: {p: {type: control.pid, K: k}}
    k: 2
  off: {type: math.gain, disabled: true}
wires:
  - gain.y -> ctl.u
  - ctl.y -> off.u, gain.v[0:2]
solver: {method: ode45, stop: 20 s}
log: {signals: [gain.y, ctl.y], every: 1 ms}
annotations: [{text: "look: here", at: [40, 80]}]
layout: {gain: [40, 80], ctl: [1, 2]}
"""


def messages(text, **options):
    with pytest.raises(DiagramError) as caught:
        loads(textwrap.dedent(text), "f.yaml", **options)
    return [str(problem) for problem in caught.value.problems]


def write(folder, **files):
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(textwrap.dedent(text))
    return folder


def test_every_part_of_the_format_is_read():
    diagram = loads(GOOD, "f.yaml")
    assert diagram.title.text == "Two blocks"
    assert diagram.description.text == "More words.\n"
    assert list(diagram.parameters) == ["mu_0", "omega"]
    assert list(diagram.blocks) == ["gain", "ctl", "off"]
    gain = diagram.blocks["gain"]
    assert (gain.type.text, gain.comment.text, gain.disabled) == ("math.gain", "a note", False)
    assert list(gain.values) == ["k"]
    assert gain.position == Position("f.yaml", 12, 3)
    inner = diagram.blocks["ctl"].subsystem.diagram
    assert inner.blocks["p"].type.text == "control.pid"
    assert diagram.blocks["off"].disabled
    assert [str(end) for end in diagram.inputs["e"].ends] == ["ctl.u", "gain.u"]
    assert [f"{a}>{b}" for line in diagram.wires for a, b in line.wires] == [
        "gain.y>ctl.u",
        "ctl.y>off.u",
        "ctl.y>gain.v[0:2]",
    ]
    assert [str(end) for end in diagram.log_signals] == ["gain.y", "ctl.y"]
    assert diagram.text == GOOD


def test_the_smallest_diagram_is_a_version():
    diagram = loads("diagram: 1\n")
    assert not diagram.blocks
    assert flatten(diagram).wires == ()


def test_empty_parts_are_allowed():
    text = "diagram: 1\nparameters:\nblocks: {}\nwires: []\nsolver:\nlog: ~\ntitle:\n"
    assert loads(text) == loads("diagram: 1")


def test_all_signals_or_one_can_be_logged():
    assert loads("diagram: 1\nlog: {signals: all}").log_signals == "all"
    (end,) = loads("diagram: 1\nlog: {signals: a.y}").log_signals
    assert str(end) == "a.y"
    assert loads("diagram: 1\nlog: {every: 1 s}").log_signals is None


HEAD = "diagram: 1\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("title: x", ["f.yaml:1:1: the format version is missing; start with `diagram: 1`"]),
        ("diagram: 2", ["f.yaml:1:10: format version 2 is not known; expected 1"]),
        ("diagram: [1]", ["f.yaml:1:10: format version a list is not known; expected 1"]),
        (
            HEAD + "block: {}",
            ["f.yaml:2:1: 'block' is not a key of a diagram; did you mean 'blocks'?; known are "],
        ),
        (HEAD + "<<: {}", ["f.yaml:2:1: '<<' is not a key of a diagram"]),
        (HEAD + "title: [a]", ["f.yaml:2:8: title is a list; expected text"]),
        (HEAD + "parameters: [a]", ["f.yaml:2:13: parameters is a list; expected `mu_0: 0.05`"]),
        (HEAD + "parameters: {1x: 2}", ["f.yaml:2:14: '1x' is not a name for a parameter;"]),
        (HEAD + "parameters: {x: }", ["f.yaml:2:14: 'x' has no value; write one or remove the"]),
        (HEAD + "parameters: {if: 2}", ["f.yaml:2:14: 'if' is a word of expressions; choose"]),
        (HEAD + "blocks: {a b: {type: x}}", ["f.yaml:2:10: 'a b' is not a name for a block"]),
        (HEAD + "blocks: {a: 3}", ["f.yaml:2:13: block 'a' is 3; expected `{type: ...}` or"]),
        (HEAD + "blocks: {a: {k: 1}}", ["f.yaml:2:10: block 'a' has no `type`; expected one of"]),
        (HEAD + "blocks: {a: {typ: x.y}}", ["f.yaml:2:10: block 'a' has no `type`; expected one of "
         "`type`, `subsystem` and `variants`; did you mean 'typ'?"]),
        (HEAD + "blocks: {a: {type: x, subsystem: {}}}", ["block 'a' has both `type` and"]),
        (HEAD + "blocks: {a: {type: 3x}}", ["f.yaml:2:20: type of block 'a' is '3x'; expected"]),
        (HEAD + "blocks: {a: {type: x, k: }}", ["f.yaml:2:23: 'k' has no value"]),
        (HEAD + "blocks: {a: {type: x, k-1: 2}}", ["'k-1' is not a name for a parameter of block"]),
        (HEAD + "blocks: {a: {type: x, disabled: maybe}}",
         ["f.yaml:2:33: a.disabled is 'maybe'; expected true or false"]),
        (HEAD + "blocks: {a: {type: x, comment: [1]}}", ["a.comment is a list; expected text"]),
        (HEAD + "blocks: {a: {subsystem: 3}}",
         ["f.yaml:2:25: subsystem of 'a' is 3; expected a path or a mapping"]),
        (HEAD + "blocks: {a: {subsystem: {solver: {}}}}",
         ["f.yaml:2:26: 'solver' is not a key of a subsystem"]),
        (HEAD + "wires: a -> b", ["f.yaml:2:8: wires is 'a -> b'; expected a list of `- a.y"]),
        (HEAD + "wires: [3]", ["f.yaml:2:9: the wire is 3; expected `block.port -> block.port`"]),
        (HEAD + "wires: [a]", ["f.yaml:2:9: 'a' is not a wire; expected"]),
        (HEAD + "wires:\n  - a.y -> b.u, 3", ["f.yaml:3:17: '3' is not a port; expected"]),
        (HEAD + "inputs: {e: 3}", ["f.yaml:2:13: the port is 3; expected `block.port`"]),
        (HEAD + "outputs: {y: [a.y]}", ["f.yaml:2:14: output 'y' is a list; expected one"]),
        (HEAD + "log: [a.y]", ["f.yaml:2:6: log is a list; expected `signals: [a.y], every"]),
        (HEAD + "log: {signals: [{a: 1}]}", ["f.yaml:2:17: the port is a mapping; expected"]),
        (HEAD + "include: 3", ["f.yaml:2:10: include is 3; expected a path"]),
        (HEAD + "include: nix.yaml", ["f.yaml:2:10: 'nix.yaml': there is no such file; check the"]),
        (HEAD + "blocks: {a: {subsystem: nix.yaml}}", ["'nix.yaml': there is no such file"]),
        (HEAD + "include: /dev/zero", ["'/dev/zero': is not a regular file; expected a YAML file"]),
    ],
)  # fmt: skip
def test_mistakes_are_named_with_place_and_remedy(text, expected):
    mistakes = messages(text)
    assert len(mistakes) == len(expected)
    for message, part in zip(mistakes, expected, strict=True):
        assert part in message


def test_all_mistakes_are_reported_at_once():
    mistakes = messages(
        """\
        diagram: 1
        blok: 3
        parameters: {1a: 2, b: }
        blocks: {x: {}, y: {type: "?"}}
        wires: [a, b -> ]
        log: {signals: [1]}
        """
    )
    assert len(mistakes) == 8


def test_parameter_sets_are_merged_before_own_parameters(tmp_path):
    folder = write(
        tmp_path,
        motor="parameters: {J: 2, k: 3 * J}\n",
        more="include: motor.yaml\nparameters: {J: 5}\n",
        main="""\
            diagram: 1
            include: [motor.yaml, more.yaml]
            parameters: {k: 1, total: k * J}
            blocks: {a: {type: x.y, v: total}}
            """,
    )
    diagram = load(folder / "main.yaml")
    assert flatten(diagram).blocks["a"].values["v"].quantity().value == 5.0


def test_a_parameter_set_holds_parameters_only(tmp_path):
    write(tmp_path, set="parameters: {a: 1}\nblocks: {}\n")
    (message,) = messages(HEAD + "include: set.yaml", folder=tmp_path)
    assert message.startswith(f"{tmp_path}/set.yaml:2:1: 'blocks' is not a key of a parameter set")


def test_subsystems_are_read_from_files_relative_to_the_file_that_names_them(tmp_path):
    (tmp_path / "parts").mkdir()
    write(
        tmp_path / "parts",
        ctl="""\
            diagram: 1
            include: set.yaml
            inputs: {u: g.u}
            blocks: {g: {type: math.gain, k: gain}}
            solver: {method: ode23}
            """,
        set="parameters: {gain: 4}\n",
    )
    write(tmp_path, main=HEAD + "blocks: {c: {subsystem: parts/ctl.yaml}}\n")
    flat = flatten(load(tmp_path / "main.yaml"))
    assert flat.blocks["c.g"].values["k"].quantity().value == 4.0
    assert flat.blocks["c.g"].position.file == str(tmp_path / "parts" / "ctl.yaml")
    assert "method" not in flat.solver


def test_problems_of_a_file_used_twice_are_reported_once(tmp_path):
    write(tmp_path, ctl=HEAD + "bloks: {}\n")
    mistakes = messages(
        HEAD + "blocks: {a: {subsystem: ctl.yaml}, b: {subsystem: ctl.yaml}}", folder=tmp_path
    )
    assert len(mistakes) == 1
    assert "ctl.yaml:2:1: 'bloks' is not a key" in mistakes[0]


def test_a_file_with_a_syntax_error_does_not_hide_other_problems(tmp_path):
    write(tmp_path, ctl="a: [\n")
    mistakes = messages(HEAD + "blok: 1\nblocks: {a: {subsystem: ctl.yaml}}", folder=tmp_path)
    assert len(mistakes) == 2


def test_circles_of_files_name_the_chain(tmp_path):
    write(
        tmp_path,
        a=HEAD + "blocks: {x: {subsystem: b.yaml}}\n",
        b=HEAD + "blocks: {y: {subsystem: a.yaml}}\n",
        s="include: s.yaml\nparameters: {k: 1}\n",
    )
    with pytest.raises(DiagramError) as caught:
        load(tmp_path / "a.yaml")
    assert "b.yaml:2:25: 'a.yaml' includes itself: a.yaml -> b.yaml -> a.yaml; break the" in str(
        caught.value
    )
    assert (
        "includes itself: s.yaml -> s.yaml"
        in messages(HEAD + "include: s.yaml", folder=tmp_path)[0]
    )


def test_disabled_blocks_do_not_read_their_files():
    diagram = loads(HEAD + "blocks: {a: {subsystem: nix.yaml, include: nox.yaml, disabled: true}}")
    assert diagram.blocks["a"].subsystem.diagram is None
    assert flatten(diagram).blocks == {}


def test_long_chains_of_files_end(tmp_path):
    for number in range(60):
        text = HEAD + f"blocks: {{s: {{subsystem: f{number + 1}.yaml}}}}\n"
        (tmp_path / f"f{number}.yaml").write_text(text)
    with pytest.raises(DiagramError, match="subsystems are nested deeper than 32"):
        load(tmp_path / "f0.yaml")


def test_equal_texts_give_equal_diagrams():
    assert loads(GOOD, "f") == loads(GOOD.replace("# a comment\n", ""), "g")
    assert loads(GOOD) != loads(GOOD.replace("0.05", "0.06"))
    assert loads(GOOD) != loads(GOOD.replace("- gain.y -> ctl.u\n", "- gain.x -> ctl.u\n"))


def chain_work(count):
    """Calls of functions for loading and flattening so many blocks, by those of the parser."""
    lines = ["diagram: 1", "blocks:"]
    lines += [f"  b{i}: {{type: math.gain, k: {i * 0.5}, u0: 3 m}}" for i in range(count)]
    lines += ["wires:"]
    lines += [f"  - b{i % count}.y -> b{(7 * i + 1) % count}.u" for i in range(3 * count // 2)]
    text = "\n".join(lines) + "\n"
    with work_up_to(10**8) as work:
        flat = flatten(loads(text))
    assert (len(flat.blocks), len(flat.wires)) == (count, 3 * count // 2)
    return work.calls


def test_work_of_loading_and_flattening_grows_with_the_number_of_blocks():
    assert chain_work(1200) < 2.1 * chain_work(600)


# -- hostile texts ---------------------------------------------------------------------------

PIECES = ["diagram", "1", ":", " ", "\n", "  ", "- ", "{", "}", "[", "]", ",", "->", "a", "b.y"]
PIECES += ["blocks", "wires", "type", "subsystem", "parameters", "inputs", "outputs", "include"]
PIECES += ["log", "signals", "solver", "&x", "*x", "!!str", "!", "|", "> ", "'", '"', "#", "---"]
PIECES += ["...", "? ", "<<", "1e999", "0x", "~", "é", "\t", "9" * 400, "(", "^", "if", "%", "@"]
PIECES += ["`", "\r", "\x00", "\x85", "\ufeff", "disabled", "true", "3 m", "__import__('os')"]

edits = st.lists(
    st.tuples(st.integers(0, len(GOOD)), st.integers(0, 5), st.sampled_from(PIECES)), max_size=4
)


def problems_of(text):
    """What is wrong with a text; nothing if its values can be evaluated and it saves as it is."""
    try:
        diagram = loads(text, "f.yaml")
        flat = flatten(diagram)
        for block in flat.blocks.values():
            for assignment in block.values.values():
                assignment.quantity()
    except DiagramError as error:
        return error.problems
    assert text_of(diagram) == text
    return ()


def check_that_only_diagram_errors_come_out(text):
    for problem in problems_of(text):
        assert problem.position.file == "f.yaml"
        assert problem.message


@settings(max_examples=250, deadline=None)
@given(edits)
def test_a_damaged_diagram_gives_a_diagram_or_problems_with_places(damage):
    text = GOOD
    for start, length, piece in damage:
        text = text[:start] + piece + text[start + length :]
    check_that_only_diagram_errors_come_out(text)


@settings(max_examples=250, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_any_heap_of_pieces_gives_a_diagram_or_problems_with_places(text):
    check_that_only_diagram_errors_come_out(text)
    check_that_only_diagram_errors_come_out(HEAD + text)


def bomb(levels, width):
    """An inline subsystem in a subsystem ..., each feeding one input to many ports."""
    inner = "{type: x.y}"
    for _ in range(levels):
        ports = ", ".join(f"b{i}.u" for i in range(width))
        blocks = ", ".join(f"b{i}: {inner if i == 0 else '{type: x.y}'}" for i in range(width))
        inner = f"{{subsystem: {{inputs: {{u: [{ports}]}}, blocks: {{{blocks}}}}}}}"
    return HEAD + f"blocks: {{s: {inner}, t: {{type: x.y}}}}\nwires: [t -> s]\n"


@pytest.mark.parametrize(
    "text",
    [
        HEAD + "parameters: {a: 10**10**10}",
        HEAD + "parameters: {a: \"__import__('os').system('touch owned')\"}",
        HEAD + "parameters: {a: 2 m, b: a^1e300, c: a^a, d: 1 Tm^24*Ts^24}",
        "a: !!python/object/apply:os.system ['touch owned']",
        "a: &a [x]\nb: &b [*a, *a]\nc: [*b, *b]\n",
        HEAD + "blocks: {a: {type: x.y, k: " + "9" * 10**6 + "}}",
        HEAD + "blocks: {a: {type: x.y, k: 0." + "9" * 10**6 + "}}",
        HEAD + "title: " + "a " * 10**6,
        HEAD + "".join(f"k{i}: 1\n" for i in range(20_000)),
        HEAD + "".join(f"{'x' * 900}{i}: 1\n" for i in range(1000)),
        HEAD + "wires: ['" + "a.b -> " * 100_000 + "c']",
        HEAD + "wires: ['a.y[" + "9" * 100_000 + "] -> a.u']",
        HEAD + "wires:\n" + "".join(f"- c{i}.y -> d{i}.u\n" for i in range(5000)),
        HEAD + "parameters: {m: [" + "p, " * 5000 + "p]}",
        HEAD + "parameters: {m: " + "[" * 40 + "1" + "]" * 40 + "}",
        "#\t\n" * 300_000,
        "#" + "\t" * 10**6,
        "'" * 10**6,
        "a: " + "!" * 10**6,
        "a: |\n" + " x\n" * 300_000,
        bomb(10, 8),
    ],
)
def test_hostile_texts_neither_hang_nor_run_anything(text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with work_up_to(MOST_CALLS):
        check_that_only_diagram_errors_come_out(text)
    assert not (tmp_path / "owned").exists()
