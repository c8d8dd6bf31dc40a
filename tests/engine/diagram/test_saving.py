"""Saving: untouched lines stay to the byte, one change touches one line, and nothing is lost."""

import dataclasses
import difflib
import os
import stat

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from railblocks.engine.diagram.builder import DiagramBuilder
from railblocks.engine.diagram.diagram import BlockEntry, PortEntry, WireLine
from railblocks.engine.diagram.reader import load, loads
from railblocks.engine.diagram.saving import save, text_of
from railblocks.engine.diagram.values import node_of
from railblocks.engine.errors import DiagramError, Position
from railblocks.engine.text.source import Entry

HERE = Position("<python>")

TEXT = """\
# Scaled roller rig, scenario 1 of Conti et al. (2012): low adhesion and a lateral offset.
diagram: 1                                # file-format version
parameters:
  mu_0: 0.05
  omega_init: 150 rad/s
  phi_l: 5                                # Iwnicki scaling, Table 1
  # a comment between
  phi_C: phi_l^5                          # torque scale: 3125

blocks:
  torque:   {type: sources.ramp, delay: 0.5 s, slope: 5000 N*m/s, limit: 20000 N*m}
  to_scale: {type: rail.scale_down, factor: phi_C}   # scale
  rig:
    type: rail.mdm_rig                    # block style
    mu:   mu_0
    table: [1,   2, 3]
  ctl:
    subsystem:
      parameters: {Kp: 1}
      wires: []
      blocks:
        pid: {type: control.pid,   K: 'Kp'}  # inside
    disabled: false

wires:
  - torque.y -> to_scale.u
  - to_scale.y  ->  rig.C_S               # fan-out: a -> b, c

solver: {method: ode45, rtol: 1e-10, atol: 1e-8, stop: 20 s}    # the paper's Table 4
log: {signals: [rig.omega_r, rig.T_mis], every: 1 ms}
annotations:
  - text: |
      A long
      text.
    at: [1, 2]

layout:                                   # written by the editor, never read by the engine
  torque: [40, 80]
  rig: [ 1, 2 ]
"""


def node(value):
    return node_of(value, HERE)


def entry(value):
    return Entry(HERE, node(value))


def changes(diagram, text=TEXT):
    """The lines that saving takes away and puts in; the result must read back as the diagram."""
    saved = text_of(diagram)
    assert loads(saved) == diagram
    lines = difflib.ndiff(text.splitlines(), saved.splitlines())
    return [line for line in lines if line[0] in "+-"]


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        TEXT.replace("\n", "\r\n"),
        "\ufeff" + TEXT,
        TEXT.rstrip("\n"),
        TEXT + "\n\n# the end\n",
        "{diagram: 1, blocks: {a: {type: x.y}}, wires: [a -> a]}",
        "diagram: 1\nblocks: {}\nwires:\nparameters: ~\ntitle:\nlog: {}\n",
        'diagram: 1\nblocks:\n  \'a\': {"type": x.y, k: "1"}\n  ? b\n  : {type: x.y}\n',
        "diagram: 1\nlog: {signals: a.y}\nblocks: {a: {type: x.y, include: [], comment: }}\n",
        "diagram: 1\nlog: {signals: [ ]}\ninputs: {e: [ ]}   # none\n",
        "wires: ['a[0,1]->b']\nblocks: {b: {type: x.y}, a: {type: x.y, k: 0x1F}}\ndiagram: 1\n",
    ],
)
def test_an_unchanged_diagram_is_saved_byte_for_byte(text, tmp_path):
    path = tmp_path / "a.yaml"
    path.write_bytes(text.encode())
    save(load(path), path)
    assert path.read_bytes() == text.encode()


def test_lists_of_one_include_stay_lists(tmp_path):
    (tmp_path / "set.yaml").write_text("parameters: {k: 1}\n")
    text = "diagram: 1\ninclude: [set.yaml]\nblocks: {a: {type: x.y, include: [ set.yaml ]}}\n"
    diagram = loads(text, "f.yaml", folder=tmp_path)
    assert text_of(diagram) == text
    assert "[set.yaml]" in text_of(diagram.with_values({"k": 2}))


@pytest.mark.parametrize(
    ("path", "value", "old", "new"),
    [
        ("mu_0", 0.1, "  mu_0: 0.05", "  mu_0: 0.1"),
        ("phi_l", "4", "  phi_l: 5                                # Iwnicki scaling, Table 1",
         "  phi_l: 4                                # Iwnicki scaling, Table 1"),
        ("torque.slope", "3 N*m/s",
         "  torque:   {type: sources.ramp, delay: 0.5 s, slope: 5000 N*m/s, limit: 20000 N*m}",
         "  torque:   {type: sources.ramp, delay: 0.5 s, slope: 3 N*m/s, limit: 20000 N*m}"),
        ("to_scale.factor", "min(1, 2)",
         "  to_scale: {type: rail.scale_down, factor: phi_C}   # scale",
         '  to_scale: {type: rail.scale_down, factor: "min(1, 2)"}   # scale'),
        ("to_scale.bias", "2 m",
         "  to_scale: {type: rail.scale_down, factor: phi_C}   # scale",
         "  to_scale: {type: rail.scale_down, factor: phi_C, bias: 2 m}   # scale"),
        ("rig.mu", 0.3, "    mu:   mu_0", "    mu:   0.3"),
        ("rig.table", [1, 5, 3], "    table: [1,   2, 3]", "    table: [1,   5, 3]"),
        ("ctl.pid.K", 7, "        pid: {type: control.pid,   K: 'Kp'}  # inside",
         "        pid: {type: control.pid,   K: 7}  # inside"),
        ("solver.stop", "3 s",
         "solver: {method: ode45, rtol: 1e-10, atol: 1e-8, stop: 20 s}    # the paper's Table 4",
         "solver: {method: ode45, rtol: 1e-10, atol: 1e-8, stop: 3 s}    # the paper's Table 4"),
    ],
)  # fmt: skip
def test_one_value_touches_one_line(path, value, old, new):
    diagram = loads(TEXT).with_values({path: value})
    result = [line for line in changes(diagram) if line[0] != "?"]
    assert result == ["- " + old, "+ " + new]


def test_a_new_value_of_a_block_in_lines_is_a_new_line():
    assert changes(loads(TEXT).with_values({"rig.alpha": "3 deg"})) == ["+     alpha: 3 deg"]


def test_a_new_block_is_one_line_aligned_like_its_neighbour():
    diagram = loads(TEXT)
    new = BlockEntry("new", HERE, type=node("math.gain"), values={"k": entry([1, 2])})
    blocks = {}
    for name, block in diagram.blocks.items():
        blocks[name] = block
        if name == "to_scale":
            blocks["new"] = new
    diagram = dataclasses.replace(diagram, blocks=blocks)
    assert changes(diagram) == ["+   new:      {type: math.gain, k: [1, 2]}"]


def test_a_removed_block_is_one_line_less():
    diagram = loads(TEXT)
    blocks = {name: block for name, block in diagram.blocks.items() if name != "torque"}
    (line,) = changes(dataclasses.replace(diagram, blocks=blocks))
    assert line.startswith("-   torque: ")


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("to_scale", "down", "  down:     {type: rail.scale_down, factor: phi_C}   # scale"),
        (
            "to_scale",
            "a_long_name",
            "  a_long_name: {type: rail.scale_down, factor: phi_C}   # scale",
        ),
    ],
)
def test_a_renamed_block_keeps_its_line_and_comment(old, new, line):
    diagram = loads(TEXT)
    blocks = {
        new if name == old else name: dataclasses.replace(block, name=new if name == old else name)
        for name, block in diagram.blocks.items()
    }
    renamed = dataclasses.replace(diagram, blocks=blocks)
    before, after = (result for result in changes(renamed) if result[0] != "?")
    assert before.startswith(f"-   {old}:")
    assert after == f"+ {line}"
    values = renamed.with_values({f"{new}.factor": 3})
    assert f"+ {line.replace('phi_C', '3')}" in changes(values)


def test_a_block_in_place_of_another_does_not_take_its_comment():
    diagram = loads(TEXT)
    new = BlockEntry("new", HERE, type=node("math.gain"))
    blocks = {k: b for k, b in diagram.blocks.items() if k != "to_scale"}
    text = text_of(dataclasses.replace(diagram, blocks={"new": new, **blocks}))
    assert "# scale" not in text


def test_wires_come_and_go_line_by_line():
    diagram = loads(TEXT)
    new = WireLine(node("rig.y -> torque.u, to_scale.v"))
    more = dataclasses.replace(diagram, wires=(*diagram.wires, new))
    assert changes(more) == ["+   - rig.y -> torque.u, to_scale.v"]
    first = dataclasses.replace(diagram, wires=(new, *diagram.wires))
    assert changes(first) == ["+   - rig.y -> torque.u, to_scale.v"]
    less = dataclasses.replace(diagram, wires=diagram.wires[1:])
    assert changes(less) == ["-   - torque.y -> to_scale.u"]


def test_a_moved_box_is_a_one_line_difference():
    diagram = loads(TEXT)
    moved = dataclasses.replace(diagram, layout=node({"torque": [41, 80], "rig": [1, 2]}))
    assert changes(moved) == ["-   torque: [40, 80]", "+   torque: [41, 80]"]


def test_whole_parts_come_and_go():
    diagram = loads(TEXT)
    less = changes(dataclasses.replace(diagram, annotations=None, layout=None))
    assert all(line[0] == "-" for line in less)
    assert len(less) == 8
    assert changes(dataclasses.replace(diagram, title=node("A: b"))) == ['+ title: "A: b"']
    port = PortEntry("y", node("rig.y"), HERE)
    assert changes(dataclasses.replace(diagram, outputs={"y": port})) == [
        "+ outputs:",
        "+   y: rig.y",
    ]
    solver = {"method": diagram.solver["method"]}
    _, new = changes(dataclasses.replace(diagram, solver=solver))
    assert new == "+ solver: {method: ode45}    # the paper's Table 4"


def test_comments_survive_in_files_with_windows_line_ends():
    text = TEXT.replace("\n", "\r\n")
    diagram = loads(text)
    more = dataclasses.replace(diagram, wires=(*diagram.wires, WireLine(node("a -> b"))))
    saved = text_of(more)
    assert saved == text.replace(
        "# fan-out: a -> b, c\r\n", "# fan-out: a -> b, c\r\n  - a -> b\r\n"
    )


def test_a_built_diagram_survives_saving_and_loading(tmp_path):
    d = DiagramBuilder("x", "several\nlines\n").parameter("k", "min(1, 2)")
    d.add("a", "x.y", v=[1.5, 2], t={"states": ["on", "off: 1"]}).add("b", "x.y", disabled=True)
    d.connect("a.y[0, 1]", "b.u", "b.v").log("a.y[0]", every="1 ms").layout(a=[1, 2])
    diagram = d.build()
    save(diagram, tmp_path / "a.yaml")
    assert load(tmp_path / "a.yaml") == diagram


def test_saving_over_an_existing_file_keeps_its_comments(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text("# mine\ndiagram: 1\nparameters:\n  k: 1   # gain\n")
    save(DiagramBuilder().parameter("k", 2).build(), path)
    assert path.read_text() == "# mine\ndiagram: 1\nparameters:\n  k: 2   # gain\n"


def test_saving_over_a_file_that_cannot_be_read_replaces_it(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text("[broken")
    save(DiagramBuilder().parameter("k", 2).build(), path)
    assert path.read_text() == "diagram: 1\n\nparameters:\n  k: 2\n"


def test_paths_are_rewritten_when_a_diagram_moves(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "other").mkdir()
    (tmp_path / "parts" / "set.yaml").write_text("parameters: {k: 7}\n")
    (tmp_path / "parts" / "sub.yaml").write_text("diagram: 1\nblocks: {g: {type: x.y}}\n")
    path = tmp_path / "parts" / "main.yaml"
    path.write_text("diagram: 1\ninclude: set.yaml\nblocks: {s: {subsystem: sub.yaml}}  # s\n")
    save(load(path), tmp_path / "other" / "main.yaml")
    assert (tmp_path / "other" / "main.yaml").read_text() == (
        "diagram: 1\ninclude: ../parts/set.yaml\nblocks: {s: {subsystem: ../parts/sub.yaml}}  # s\n"
    )
    assert "g" in load(tmp_path / "other" / "main.yaml").blocks["s"].subsystem.diagram.blocks


def test_changes_inside_another_file_are_not_lost_silently(tmp_path):
    (tmp_path / "sub.yaml").write_text("diagram: 1\nblocks: {g: {type: x.y, k: 1}}\n")
    path = tmp_path / "main.yaml"
    path.write_text("diagram: 1\nblocks: {s: {subsystem: sub.yaml}}\n")
    diagram = load(path)
    save(diagram, path)
    with pytest.raises(DiagramError) as caught:
        save(diagram.with_values({"s.g.k": 2}), path)
    assert str(caught.value) == (
        f"{path}:2:10: values inside 's' were changed, but they are defined in 'sub.yaml', "
        "which is another file; save that diagram or make the value a parameter of the subsystem"
    )
    save(diagram.with_values({"s.g.k": 2}).blocks["s"].subsystem.diagram, tmp_path / "sub.yaml")
    assert "k: 2" in (tmp_path / "sub.yaml").read_text()


def test_a_file_that_cannot_be_written_is_named(tmp_path):
    diagram = DiagramBuilder().build()
    with pytest.raises(
        DiagramError, match=r"none/a.yaml: the file cannot be written: No such file"
    ):
        save(diagram, tmp_path / "none" / "a.yaml")


def test_permissions_stay_and_no_temporary_files_remain(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text("diagram: 1\n")
    os.chmod(path, 0o640)
    save(load(path).with_values({"solver.stop": 1}), path)
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o640
    assert os.listdir(tmp_path) == ["a.yaml"]


# -- any change ------------------------------------------------------------------------------

names = st.sampled_from(["torque", "to_scale", "rig", "ctl", "neu", "b2"])
keys = st.sampled_from(["k", "delay", "slope", "mu", "table", "type2"])
values = st.recursive(
    st.integers(-9, 9)
    | st.booleans()
    | st.sampled_from(["3 m", "min(a, b)", "a: b", "x # y", "k^2"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=2),
    max_leaves=4,
)
lines = st.sampled_from(
    ["a -> b", "torque.y -> to_scale.u", "rig.y[0, 1] -> a.u, b.u", "x -> y -> z"]
)


def set_value(diagram, name, key, value):
    block = diagram.blocks.get(name) or BlockEntry(name, HERE, type=node("x.y"))
    block = dataclasses.replace(block, values=block.values | {key: entry(value)})
    return dataclasses.replace(diagram, blocks=diagram.blocks | {name: block})


def drop_value(diagram, name, key, value):
    if name not in diagram.blocks:
        return diagram
    block = diagram.blocks[name]
    kept = {other: item for other, item in block.values.items() if other != key}
    changed = dataclasses.replace(block, values=kept, disabled=not block.disabled)
    return dataclasses.replace(diagram, blocks=diagram.blocks | {name: changed})


def drop_block(diagram, name, key, value):
    return dataclasses.replace(
        diagram, blocks={other: b for other, b in diagram.blocks.items() if other != name}
    )


def set_layout(diagram, name, key, value):
    return dataclasses.replace(diagram, layout=node({name: value, key: [1, 2]}))


def set_parameter(diagram, name, key, value):
    return dataclasses.replace(diagram, parameters=diagram.parameters | {key: entry(value)})


def drop_parameters(diagram, name, key, value):
    kept = dict(list(diagram.parameters.items())[1:])
    return dataclasses.replace(diagram, parameters=kept)


def set_solver(diagram, name, key, value):
    return dataclasses.replace(diagram, solver={key: entry(value)})


def set_annotations(diagram, name, key, value):
    return dataclasses.replace(diagram, annotations=node([{"text": "new", key: value}]))


SETTING = (set_value, set_layout, set_parameter, set_solver, set_annotations)
DROPPING = (drop_value, drop_block, drop_parameters)
operations = st.sampled_from((*SETTING, *DROPPING))


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(operations, names, keys, values), max_size=5),
    st.none() | st.lists(lines, max_size=4),
)
def test_any_change_is_saved_whole_and_keeps_the_heading(steps, new_lines):
    diagram = loads(TEXT)
    for operation, name, key, value in steps:
        diagram = operation(diagram, name, key, value)
    if new_lines is not None:
        wires = [WireLine(node(line)) for line in new_lines]
        diagram = dataclasses.replace(diagram, wires=tuple(wires))
    saved = text_of(diagram)
    assert loads(saved) == diagram
    assert saved.startswith(TEXT[: TEXT.index("\n")])
    assert text_of(loads(saved)) == saved
