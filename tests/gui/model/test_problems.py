"""Problems and the blocks that they are about."""

import pytest
from railblocks.engine import loads
from railblocks.gui.model.problems import LocatedProblem, marks, run_failure, run_notice


def test_a_loop_inside_a_subsystem_marks_the_subsystem_outside_and_its_blocks_inside():
    text = """diagram: 1
blocks:
  sub:
    subsystem:
      inputs: {u: sum.u1}
      outputs: {y: sum.y}
      blocks: {sum: {type: math.sum, signs: ++}, gain: {type: math.gain, k: 1}}
      wires: [sum -> gain -> sum.u2]
"""
    root = loads(text)
    message = "t = 0 s: algebraic loop: sub.sum.y -> sub.gain.u -> sub.gain.y -> sub.sum.u2: no"
    failure = run_failure(message, root)
    assert set(marks([failure], ())) == {"sub"}
    inside = marks([failure], ("sub",))
    assert set(inside) == {"sum", "gain"}
    assert all(mark.in_loop for mark in inside.values())


@pytest.mark.parametrize(
    ("message", "block"),
    [
        ("t = 1 s: t.y became nan (u=1); see `railblocks show sources.ramp`", "t"),
        ("t = 1.5 s: the derivative of lag.x became inf", "lag"),
        ("t = 1 s: guard 'hit' of stop fires again and again", "stop"),
        ("t = 1 s: stop: the speed is too high", "stop"),
        ("nothing of the diagram is named", ""),
    ],
)
def test_a_failure_is_shown_at_the_block_that_it_names(message, block):
    root = loads(
        "diagram: 1\nblocks: {t: {type: sources.ramp}, lag: {type: a.b}, stop: {type: a.c}}\n"
    )
    assert run_failure(message, root) == LocatedProblem(message, (), block)
    assert run_notice(message, root).severity == "note"
