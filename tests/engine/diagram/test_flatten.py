"""Subsystem boundaries vanish; scopes nest; what does not fit is reported at once."""

import textwrap

import pytest
from railblocks.engine.diagram.flatten import flatten
from railblocks.engine.diagram.reader import load, loads
from railblocks.engine.diagram.saving import text_of
from railblocks.engine.errors import DiagramError


def flat(text, **options):
    return flatten(loads("diagram: 1\n" + textwrap.dedent(text), "f.yaml"), **options)


def wires(text):
    return [f"{wire.source} -> {wire.target}" for wire in flat(text).wires]


def messages(text):
    with pytest.raises(DiagramError) as caught:
        flat(text)
    return [str(problem) for problem in caught.value.problems]


def value(flat_diagram, block, name):
    return flat_diagram.blocks[block].values[name].quantity().value


NESTED = """\
blocks:
  src: {type: s.s}
  ctl:
    subsystem:
      inputs: {e: [p.u, i.u]}
      outputs: {u: sum.y, raw: p.y}
      blocks:
        p: {type: m.gain}
        i: {type: m.integrator}
        sum: {type: m.sum}
      wires:
        - p.y -> sum.a
        - i.y -> sum.b
  plant: {type: x.y}
wires:
  - src.y -> ctl.e
  - ctl.u -> plant.u
  - ctl.raw -> plant.v
"""


def test_wires_go_through_the_boundaries_of_subsystems():
    assert wires(NESTED) == [
        "src.y -> ctl.p.u",
        "src.y -> ctl.i.u",
        "ctl.sum.y -> plant.u",
        "ctl.p.y -> plant.v",
        "ctl.p.y -> ctl.sum.a",
        "ctl.i.y -> ctl.sum.b",
    ]


def test_blocks_have_full_names_in_file_order():
    assert list(flat(NESTED).blocks) == ["src", "ctl.p", "ctl.i", "ctl.sum", "plant"]


def test_outputs_of_subsystems_are_named():
    ports = flat(NESTED).ports
    assert {name: str(end) for name, end in ports.items()} == {
        "ctl.u": "ctl.sum.y",
        "ctl.raw": "ctl.p.y",
    }


def test_a_subsystem_may_be_wired_to_a_subsystem_and_nested_in_another():
    text = """\
    blocks:
      a: {subsystem: {outputs: {y: in.y}, blocks: {in: {subsystem: {outputs: {y: g.y},
          blocks: {g: {type: x.y}}}}}}}
      b: {subsystem: {inputs: {u: in.u}, blocks: {in: {subsystem: {inputs: {u: [g.u, h.u]},
          blocks: {g: {type: x.y}, h: {type: x.y}}}}}}}
    wires: [a.y -> b.u]
    """
    assert wires(text) == ["a.in.g.y -> b.in.g.u", "a.in.g.y -> b.in.h.u"]


def test_the_only_port_of_a_subsystem_need_not_be_named():
    text = """\
    blocks:
      s: {type: x.y}
      a: {subsystem: {inputs: {u: g}, outputs: {y: g}, blocks: {g: {type: x.y}}}}
    wires: [s -> a -> s.v]
    """
    assert wires(text) == ["s -> a.g", "a.g -> s.v"]


def test_indices_of_both_sides_compose():
    text = """\
    blocks:
      s: {type: x.y}
      a:
        subsystem:
          inputs: {u: "g.u[2:8]"}
          outputs: {y: "g.y[1:]", m: "g.m[0:2, 3]"}
          blocks: {g: {type: x.y}}
    wires:
      - s.y[0] -> a.u[1:3]
      - a.y[4] -> s.u
      - a.m[1] -> s.v
      - a.m -> s.w
    """
    assert wires(text) == [
        "s.y[0] -> a.g.u[3:5]",
        "a.g.y[5] -> s.u",
        "a.g.m[1, 3] -> s.v",
        "a.g.m[0:2, 3] -> s.w",
    ]


def test_indices_that_cannot_compose_are_reported():
    text = """\
    blocks:
      s: {type: x.y}
      a: {subsystem: {outputs: {y: "g.y[0:2]"}, blocks: {g: {type: x.y}}}}
    wires: ["a.y[5] -> s.u"]
    """
    assert messages(text) == [
        "f.yaml:5:10: [5] of a.g.y[0:2] cannot be taken: there are only 2 elements; "
        "take the part in one place"
    ]


def test_disabled_blocks_vanish_with_their_wires_and_signals():
    text = """\
    blocks:
      a: {type: x.y}
      b: {type: x.y, disabled: true}
      c:
        subsystem:
          inputs: {u: [g.u, h.u]}
          outputs: {y: h.y}
          blocks: {g: {type: x.y}, h: {type: x.y, disabled: true}}
    wires: [a.y -> b.u, b.y -> a.u, a.y -> c.u, c.y -> a.v]
    log: {signals: [a.y, b.y, c.y]}
    """
    diagram = flat(text)
    assert list(diagram.blocks) == ["a", "c.g"]
    assert [f"{w.source} -> {w.target}" for w in diagram.wires] == ["a.y -> c.g.u"]
    assert [str(end) for end in diagram.log_signals] == ["a.y"]
    assert dict(diagram.ports) == {}


def test_scopes_nest_and_values_are_given_to_subsystems():
    text = """\
    parameters: {k: 3, J: 2 g*m^2}
    blocks:
      one: {type: x.y, a: k, J: J}
      two:
        subsystem:
          parameters: {k: 10, q: 2 * k, r: J}
          blocks: {g: {type: x.y, a: k, q: q, r: r}}
      three:
        subsystem:
          parameters: {k: 10, q: 2 * k}
          blocks: {g: {type: x.y, a: k, q: q}}
        k: k + 1
    """
    diagram = flat(text)
    assert value(diagram, "one", "a") == 3.0
    assert value(diagram, "one", "J") == 2.0
    assert value(diagram, "two.g", "a") == 10.0
    assert value(diagram, "two.g", "q") == 20.0
    assert diagram.blocks["two.g"].values["r"].quantity().unit.text == "g*m^2"
    assert value(diagram, "three.g", "a") == 4.0
    assert value(diagram, "three.g", "q") == 8.0


def test_a_file_sees_only_its_own_parameters(tmp_path):
    (tmp_path / "sub.yaml").write_text(
        "diagram: 1\nparameters: {k: 2 * mu}\nblocks: {g: {type: x.y, k: k}}\n"
    )
    main = "diagram: 1\nparameters: {mu: 3}\nblocks: {s: {subsystem: sub.yaml}}\n"
    with pytest.raises(DiagramError) as caught:
        flatten(loads(main, "f.yaml", folder=tmp_path))
    assert str(caught.value) == (
        f"{tmp_path}/sub.yaml:2:21: in '2 * mu': 'mu' is not known; a subsystem from a file sees "
        "only its own parameters: add it to its `parameters` and pass it"
    )


def test_parameter_sets_fill_a_block_and_explicit_values_win(tmp_path):
    (tmp_path / "x.yaml").write_text(
        "parameters: {phi_l: 5, phi_C: phi_l^5, shape: S1002, mu: 0.3, table: {a: [1]}}\n"
    )
    main = """\
    diagram: 1
    parameters: {half: 0.5}
    blocks:
      one: {type: rail.rig, include: x.yaml, mu: half}
      two: {type: rail.rig, include: x.yaml, phi_l: 2}
    """
    (tmp_path / "main.yaml").write_text(textwrap.dedent(main))
    diagram = flatten(load(tmp_path / "main.yaml"))
    one, two = diagram.blocks["one"].values, diagram.blocks["two"].values
    assert one["phi_C"].quantity().value == 3125.0
    assert one["mu"].quantity().value == 0.5
    assert (one["phi_C"].included, one["mu"].included) == (True, False)
    assert one["shape"].text() == "S1002"
    assert one["table"].data() == {"a": [1.0]}
    assert two["phi_C"].quantity().value == 32.0
    assert one["phi_C"].position.file == str(tmp_path / "x.yaml")


def test_a_parameter_set_may_hold_more_than_a_subsystem_needs(tmp_path):
    (tmp_path / "x.yaml").write_text("parameters: {k: 5, other: 1}\n")
    inner = "{parameters: {k: 1}, blocks: {g: {type: x.y, k: k}}}"
    text = f"blocks: {{s: {{include: x.yaml, subsystem: {inner}}}}}"
    diagram = flatten(loads("diagram: 1\n" + text, "f.yaml", folder=tmp_path))
    assert value(diagram, "s.g", "k") == 5.0


def test_signals_may_be_ports_of_blocks_and_of_subsystems_at_any_depth():
    diagram = flat(
        NESTED + "log: {signals: [ctl.u, ctl.p.y, ctl.p, ctl.e, plant, 'ctl.raw[0]'], every: 1 ms}"
    )
    assert [str(end) for end in diagram.log_signals] == [
        "ctl.sum.y",
        "ctl.p.y",
        "ctl.p",
        "ctl.p.u",
        "plant",
        "ctl.p.y[0]",
    ]
    assert list(diagram.log) == ["every"]
    assert diagram.log["every"].quantity().value == 1.0
    assert flat(NESTED + "log: {signals: all}").log_signals == "all"
    assert flat(NESTED).log_signals is None


def test_settings_are_assignments_over_the_parameters():
    diagram = flat("parameters: {T: 2 s}\nsolver: {method: ode45, stop: 3 * T}\n")
    assert diagram.solver["method"].text() == "ode45"
    assert diagram.solver["stop"].quantity().value == 6.0


SUB = "s: {subsystem: {inputs: {u: g.u, v: g.v}, outputs: {y: g.y}, blocks: {g: {type: x.y}}}}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("blocks: {b: {type: x.y}}\nwires: [aa.y -> b.u]", "f.yaml:3:9: 'aa' is not a block"),
        ("blocks: {gain: {type: x.y}}\nwires: [gain -> gian.u]",
         "f.yaml:3:17: 'gian' is not a block; did you mean 'gain'?"),
        (f"blocks: {{{SUB}}}\nwires: [s.y -> s.uu]",
         "f.yaml:3:16: 's.uu' is not an input of subsystem 's'; did you mean 's.u'?; known are u"),
        (f"blocks: {{{SUB}}}\nwires: [s.z -> s.u]",
         "f.yaml:3:9: 's.z' is not an output of subsystem 's'; did you mean 's.y'?; known are y"),
        (f"blocks: {{{SUB}}}\nwires: [s.u -> s.v]",
         "f.yaml:3:9: 's.u' is an input of the subsystem; expected an output"),
        (f"blocks: {{{SUB}}}\nwires: [s.y -> s.y]",
         "f.yaml:3:16: 's.y' is an output of the subsystem; expected an input"),
        (f"blocks: {{{SUB}}}\nwires: [s.y -> s]",
         "f.yaml:3:16: 's' has 2 inputs (u, v); name one, as in `s.u`"),
        ("blocks: {s: {subsystem: {}}, a: {type: x.y}}\nwires: [a -> s]",
         "f.yaml:3:14: subsystem 's' has no input; give it one under `inputs`"),
        (f"blocks: {{{SUB}, a: {{type: x.y}}}}\nwires: [s.g.y -> a.u]",
         "f.yaml:3:9: 's.g.y' reaches into a subsystem; give the subsystem a port for it"),
        ("blocks: {s: {subsystem: {outputs: {y: nix.y}}}}",
         "f.yaml:2:39: 'nix' is not a block"),
        ("blocks: {s: {subsystem: {inputs: {e: g.u}, blocks: {g: {type: x}}, wires: [e -> g.u]}}}",
         "'e' is a port, not a block; connect it under `inputs`, as in `e: block.port`"),
        ("blocks: {s: {subsystem: {parameters: {Kp: 1}}, Kpp: 3}}",
         "f.yaml:2:48: 'Kpp' is not a parameter of subsystem 's'; did you mean 'Kp'?; known are"),
        ("blocks: {s: {subsystem: {}, k: 3}}",
         "'k' is not a parameter of subsystem 's'; it has none"),
        ("parameters: {a: b, b: a}", "parameters depend on each other: a -> b -> a; break the"),
        ("parameters: {alpha: 1, b: 2 * alpa}", "'alpa' is not known; did you mean 'alpha'?"),
        ("log: {signals: [a.y]}", "f.yaml:2:17: 'a' is not a block"),
        (f"blocks: {{{SUB}}}\nlog: {{signals: [s.q]}}", "'s.q' is not an output of subsystem 's'"),
        (f"blocks: {{{SUB}}}\nlog: {{signals: [s.g.h.y]}}", "'g.h.y': 'g' is a block without"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_named_with_place_and_remedy(text, message):
    mistakes = messages(text)
    assert len(mistakes) == 1
    assert message in mistakes[0]


def test_all_problems_are_reported_at_once_and_each_once():
    text = """\
    parameters: {a: nix, b: 3 quux}
    blocks: {x: {type: q.q}, s: {subsystem: {outputs: {y: zz.y}}}}
    wires: [x.y -> y.u, s.y -> x.u, s.y -> x.v]
    log: {signals: [none.y]}
    """
    assert len(messages(text)) == 5


def test_problems_can_be_kept_for_an_editor():
    diagram = flat("blocks: {a: {type: x.y}}\nwires: [a.y -> b.u]\n", strict=False)
    assert [str(problem) for problem in diagram.problems] == ["f.yaml:3:16: 'b' is not a block"]
    assert list(diagram.blocks) == ["a"]
    assert diagram.wires == ()


def test_the_text_says_what_is_simulated():
    text = "diagram: 1\nparameters: {k: 1}   # gain\n"
    diagram = loads(text, "f.yaml")
    assert text_of(diagram) == text
    changed = diagram.with_values({"k": 2})
    assert text_of(changed) == "diagram: 1\nparameters: {k: 2}   # gain\n"


def test_subsystems_that_multiply_come_to_an_end(tmp_path, monkeypatch):
    monkeypatch.setattr("railblocks.engine.diagram.instances.LARGEST_BLOCKS", 1000)
    for level in range(20):
        inner = f"l{level + 1}.yaml" if level < 19 else None
        part = f"{{subsystem: {inner}}}" if inner else "{type: x.y}"
        text = f"diagram: 1\nblocks: {{a: {part}, b: {part}}}\n"
        (tmp_path / f"l{level}.yaml").write_text(text)
    with pytest.raises(DiagramError, match="more than 1000 blocks; simplify the diagram"):
        flatten(load(tmp_path / "l0.yaml"))


def test_ports_that_multiply_come_to_an_end(tmp_path, monkeypatch):
    monkeypatch.setattr("railblocks.engine.diagram.joining.LARGEST_WIRES", 1000)
    for level in range(20):
        part = f"{{subsystem: l{level + 1}.yaml}}" if level < 19 else "{type: x.y}"
        text = f"diagram: 1\ninputs: {{u: [a.u, a.u]}}\nblocks: {{a: {part}}}\n"
        (tmp_path / f"l{level}.yaml").write_text(text)
    main = "diagram: 1\nblocks: {s: {type: x.y}, t: {subsystem: l0.yaml}}\nwires: [s.y -> t.u]\n"
    with pytest.raises(DiagramError, match="more than 1000 wires"):
        flatten(loads(main, "f.yaml", folder=tmp_path))


def test_an_output_that_shows_nothing_yet_drives_nothing():
    text = (
        "diagram: 1\nblocks:\n"
        "  s: {subsystem: {outputs: {y: []}, blocks: {g: {type: math.gain}}}}\n"
        "  h: {type: math.gain}\nwires: [s -> h]\n"
    )
    flat = flatten(loads(text), strict=False)
    assert flat.wires == ()
    assert flat.problems == ()


def test_text_passes_through_the_parameters_of_subsystems(tmp_path):
    (tmp_path / "inner.yaml").write_text(
        'diagram: 1\nparameters: {kind: "cos"}\n'
        "blocks: {f: {type: math.function, function: kind}}\n"
    )
    (tmp_path / "middle.yaml").write_text(
        'diagram: 1\nparameters: {kind: "cos"}\nblocks: {in: {subsystem: inner.yaml, kind: kind}}\n'
    )
    outer = tmp_path / "outer.yaml"
    outer.write_text(
        'diagram: 1\nparameters: {chosen: "sin"}\n'
        "blocks: {a: {subsystem: middle.yaml, kind: chosen}, b: {subsystem: middle.yaml}}\n"
    )
    blocks = flatten(load(outer)).blocks
    assert blocks["a.in.f"].values["function"].text() == "sin"
    assert blocks["b.in.f"].values["function"].text() == "cos"
