"""Diagrams are immutable; other values make another diagram."""

import dataclasses

import pytest
from railblocks.engine.diagram.flatten import flatten
from railblocks.engine.diagram.reader import loads
from railblocks.engine.diagram.saving import text_of
from railblocks.engine.errors import DiagramError

TEXT = """\
diagram: 1
parameters: {mu_0: 0.05, k: 2 * mu_0}
blocks:
  motor: {type: mechanics.inertia, J: 0.02 kg*m^2}
  ctl:
    subsystem:
      parameters: {Kp: 1}
      blocks:
        pid: {type: control.pid, K: Kp}
        deep: {subsystem: {blocks: {gain: {type: math.gain, k: 1}}}}
    Kp: k
solver: {stop: 10 s}
"""


def quantity(diagram, block, name):
    return flatten(diagram).blocks[block].values[name].quantity().value


def test_a_diagram_cannot_be_changed():
    diagram = loads(TEXT)
    with pytest.raises(dataclasses.FrozenInstanceError):
        diagram.title = "x"


def test_other_values_make_another_diagram():
    diagram = loads(TEXT)
    changed = diagram.with_values(
        {"mu_0": 0.1, "motor.J": "0.03 kg*m^2", "ctl.deep.gain.k": [1, 2], "solver.stop": "3 s"}
    )
    assert quantity(changed, "ctl.pid", "K") == 0.2
    assert quantity(changed, "motor", "J") == 0.03
    assert quantity(changed, "ctl.deep.gain", "k").tolist() == [1.0, 2.0]
    assert flatten(changed).solver["stop"].quantity().value == 3.0
    assert quantity(diagram, "ctl.pid", "K") == 0.1
    assert quantity(diagram, "motor", "J") == 0.02


def test_a_subsystem_parameter_is_set_by_the_name_of_its_block():
    assert quantity(loads(TEXT).with_values({"ctl.Kp": 7}), "ctl.pid", "K") == 7.0


def test_text_is_read_as_yaml_reads_it():
    changed = loads(TEXT).with_values({"mu_0": "1e-3", "motor.on": "true", "motor.m": "no"})
    values = flatten(changed).blocks["motor"].values
    assert values["on"].quantity().value is True
    assert values["m"].text() == "no"
    assert quantity(changed, "ctl.pid", "K") == 0.002


def test_text_stays_text():
    text = 'diagram: 1\nparameters: {shape: "sine"}\nblocks: {a: {type: x.y, form: shape}}\n'
    diagram = loads(text)
    assert flatten(diagram).blocks["a"].values["form"].text() == "sine"
    changed = diagram.with_values({"shape": "square"})
    assert flatten(changed).blocks["a"].values["form"].text() == "square"
    assert text_of(changed) == text.replace("sine", "square")


def test_a_block_may_get_a_value_that_it_left_to_the_default():
    assert quantity(loads(TEXT).with_values({"motor.d": 3}), "motor", "d") == 3.0


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("mu_1", "<values>: mu_1: 'mu_1' is not a parameter of the diagram; did you mean 'mu_0'?"),
        ("moter.J", "<values>: moter.J: 'moter' is not a block; did you mean 'motor'?"),
        ("motor", "'motor' is not a parameter of the diagram"),
        ("ctl.Kd", "'Kd' is not a parameter of 'ctl'; known are Kp"),
        ("ctl.pit.K", "'pit' is not a block; did you mean 'pid'?"),
        ("motor.a.b", "'motor' is a block without inner blocks"),
        ("", "'' is not a parameter of the diagram"),
        ("motor.", "'' is not a name; expected letters, digits and _"),
    ],
)
def test_unknown_paths_are_errors_with_a_suggestion(path, message):
    with pytest.raises(DiagramError) as caught:
        loads(TEXT).with_values({path: 1})
    assert message in str(caught.value)


def test_all_unknown_paths_are_reported_at_once():
    with pytest.raises(DiagramError) as caught:
        loads(TEXT).with_values({"a": 1, "b.c": 2, "mu_0": object()})
    assert len(caught.value.problems) == 3


def test_no_values_give_the_same_diagram():
    diagram = loads(TEXT)
    assert diagram.with_values({}) == diagram
    assert diagram.with_values({"mu_0": "0.05"}) == diagram
    assert diagram.with_values({"mu_0": 0.06}) != diagram
