"""The list of problems: errors, warnings and notes."""

import os

from railblocks.gui.model.problems import LocatedProblem

NO_SOLUTION = """diagram: 1
blocks:
  one: {type: sources.constant, value: 1}
  sum: {type: math.sum, signs: ++}
  square: {type: math.product}
  lag: {type: continuous.first_order_lag, T: 1 s}
wires:
  - one -> sum.u1
  - sum -> square.u1, square.u2, lag
  - square -> sum.u2
solver: {stop: 1 s}
"""


def opened(window, hand, tmp_path, text):
    file = tmp_path / "opened.yaml"
    file.write_text(text)
    assert window.editor.files.open(os.fspath(file))
    hand.settle()
    return window


def lines(window):
    return [window.editor.problems.item(i).text() for i in range(window.editor.problems.count())]


WARNED = """diagram: 1
blocks:
  wave: {type: sources.sine, omega: 3 Hz}
  lag: {type: continuous.first_order_lag, T: 1 s}
wires: [wave -> lag]
solver: {stop: 1 s}
log: {signals: [lag.y]}
"""
SMALL = """diagram: 1
blocks:
  tiny: {type: sources.constant, value: 1e-12}
  slow: {type: continuous.first_order_lag, T: 1 s}
  gain: {type: math.gain, k: 1e12}
wires: [tiny -> slow -> gain]
solver: {stop: 1 s}
log: {signals: [gain.y]}
"""


def test_a_loop_without_solution_marks_all_its_blocks_and_wires(window, hand, tmp_path):
    """y = 1 + y^2 has no real solution."""
    opened(window, hand, tmp_path, NO_SOLUTION)
    assert lines(window) == ["\N{CHECK MARK} no problems"]
    hand.run()
    assert window.editor.session.state == "failed"
    marked = {key for key, item in hand.scene.blocks.items() if item.problem}
    assert marked == {"sum", "square"}
    assert all("algebraic loop" in hand.scene.blocks[key].problem for key in marked)
    failed = {source: net.failed for source, net in hand.scene.nets.items() if net.failed}
    assert failed == {
        ("sum", "y"): {("square", "u1"), ("square", "u2")},
        ("square", "y"): {("sum", "u2")},
    }
    window.editor.document.set_title("Another")  # changes neither structure nor values
    assert {key for key, item in hand.scene.blocks.items() if item.problem} == marked
    window.editor.problems.show_run([])
    window.editor.runs.problems_changed.emit()
    assert not any(item.problem for item in hand.scene.blocks.values())
    assert not any(net.failed for net in hand.scene.nets.values())


def test_warnings_are_shown_and_keep_nothing_from_running(window, hand, tmp_path):
    opened(window, hand, tmp_path, WARNED)
    (line,) = lines(window)
    assert "warning: " in line
    assert "2 pi" in line
    assert window.problems_dock.windowTitle() == "Problems (1 warning)"
    item = hand.scene.blocks["wave"]
    assert item.severity == "warning"
    assert "2 pi" in item.problem
    hand.click(hand.block("wave"))
    row = window.editor.workspace.inspector.rows["omega"]
    assert "2 pi" in row.reason.text()
    assert not row.reason.isHidden()
    hand.run()
    assert window.editor.session.state == "done"
    hand.fill(window.editor.workspace.inspector.rows["omega"].edit, "3 rad/s")
    hand.settle()
    assert window.editor.problems.problems == []
    assert window.editor.workspace.inspector.rows["omega"].reason.isHidden()
    assert window.problems_dock.windowTitle() == "Problems"
    assert not hand.scene.blocks["wave"].problem


def test_what_a_run_says_at_its_end_is_seen(window, hand, tmp_path):
    opened(window, hand, tmp_path, SMALL)
    hand.run()
    assert window.editor.session.state == "done"
    (line,) = lines(window)
    assert "note: slow.x is at most" in line
    assert "below its absolute tolerance" in line
    assert window.problems_dock.windowTitle() == "Problems (1 note)"
    assert "below its absolute tolerance" in window.statusBar().currentMessage()
    assert not any(block.problem for block in hand.scene.blocks.values())
    window.editor.problems.itemClicked.emit(window.editor.problems.item(0))
    assert hand.scene.chosen_blocks() == ["slow"]
    window.editor.runs.start()
    assert lines(window) == ["\N{CHECK MARK} no problems"]


def test_errors_come_before_warnings_and_notes(window):
    note, warning = (
        LocatedProblem("n", (), severity="note"),
        LocatedProblem("w", (), severity="warning"),
    )
    window.editor.problems.show_run([note])
    window.editor.problems.show_checked([warning, LocatedProblem("e", ())])
    assert [problem.message for problem in window.editor.problems.problems] == ["e", "w", "n"]
    assert window.editor.problems.summary() == "1 error, 1 warning, 1 note"
