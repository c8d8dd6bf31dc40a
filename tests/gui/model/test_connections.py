"""Which wires the editor lets a user draw."""

import pytest
from railblocks.engine import loads, standard_blocks
from railblocks.gui.model.connections import ConnectionRules
from railblocks.gui.model.document import Document

BLOCKS = """diagram: 1
blocks:
  three: {type: sources.constant, value: [1, 2, 3]}
  length: {type: sources.constant, value: 2 m}
  g: {type: math.gain, k: [1, 2]}
  mass: {type: mechanics.mass}
"""


@pytest.fixture
def rules():
    return ConnectionRules(Document(loads(BLOCKS), standard_blocks()), ())


@pytest.mark.parametrize(
    ("source", "target", "reason"),
    [
        (("length", "y"), ("mass", "F"), "takes a force"),  # mass has no value for m yet
        (("three", "y"), ("g", "u"), "g.k has 2 elements but g works on 3"),
        (("length", "y"), ("g", "u"), ""),
    ],
)
def test_a_wire_is_refused_with_what_the_check_would_say(rules, source, target, reason):
    answer = rules.reason_against((source, "out"), (target, "in"))
    assert reason in answer
    assert bool(reason) == bool(answer)
