"""The inspector, by keys: values are taken or refused with the reason."""

import pytest
from hand import CTRL
from PySide6.QtCore import Qt

HOSTILE = (
    ".inf", "-.inf", ".nan", "1e19", "-1e19", "1e400", "9" * 40, "1e999999999", "[.inf, .nan]",
    "1e-400", "2^99999", "10^400", "1/0", "0/0", "sqrt(-1)", "log(0)", "T^T^T^T", "(" * 200,
    "[[1, 2], [3]]", "{a: 1}", "null", "true", "'text", '"text', "*alias", "&anchor 1",
    "!!python/x", "\x00", "\x1b[31m", "\N{RIGHT-TO-LEFT OVERRIDE}x", "1 furlong", "1 s s s",
    "x" * 5000, "__import__('os')", "1_000", "0x10", "1e5 m/s", "- 1", "? a", "a: b", "#", "%",
    "@", "`",
)  # fmt: skip
KINDS = {  # a kind of block for each kind of value
    "sources.gaussian_noise": ("mean", "seed", "stream", "every", "offset"),
    "discrete.pid": ("K_p", "lower", "every"),
    "continuous.transport_delay": ("delay", "n"),
    "routing.demux": ("n",),
    "math.sum": ("signs",),
    "discrete.unit_delay": ("y_0", "signal_type", "every"),
    "sources.constant": ("value",),
}


def refused_or_taken(window, hand, name, text):
    """Typed as a user does: the value is taken, or the reason is shown and the old one holds."""
    before = window.editor.document.root
    row = window.editor.workspace.inspector.rows[name]
    line = row.edit if hasattr(row.edit, "setText") else row.edit.lineEdit()
    line.setText(text)
    line.editingFinished.emit()
    row = window.editor.workspace.inspector.rows.get(name)
    if window.editor.document.root != before:
        window.commands["undo"].trigger()
        assert window.editor.document.root == before
    else:
        shown = row is None or not row.reason.isHidden()
        plain = text.strip() in ("", row.field.text, row.field.default) if row else True
        assert shown or plain, (name, text)
        if shown and row is not None:
            assert len(row.reason.text()) > 3
            assert "Traceback" not in row.reason.text()


def test_double_click_opens_the_parameters(loop, hand):
    hand.double_click(hand.block("plant"))
    rows = loop.editor.workspace.inspector.rows
    assert list(rows)[:3] == ["name", "k", "T"]
    assert rows["T"].edit.text() == "T"
    assert rows["T"].unit.text() == "s"
    assert "= 0.5 s" in rows["T"].note.text()
    assert "> 0" in rows["T"].note.text()
    assert rows["k"].edit.placeholderText() == "1"


def test_a_unit_is_shown_once(loop, hand):
    hand.click(hand.block("plant"))
    hand.fill(loop.editor.workspace.inspector.rows["T"].edit, "3 s")
    assert loop.editor.workspace.inspector.rows["T"].unit.text() == ""
    hand.fill(loop.editor.workspace.inspector.rows["T"].edit, "3")
    assert loop.editor.workspace.inspector.rows["T"].unit.text() == "s"


def test_a_wrong_unit_is_marked_and_not_taken(loop, hand):
    hand.click(hand.block("plant"))
    row = loop.editor.workspace.inspector.rows["T"]
    hand.fill(row.edit, "3 m")
    assert "has unit m; expected a time (s)" in row.reason.text()
    assert not row.reason.isHidden()
    assert loop.editor.document.is_saved
    hand.fill(loop.editor.workspace.inspector.rows["T"].edit, "3 s")
    assert loop.editor.workspace.inspector.rows["T"].reason.isHidden()
    assert loop.editor.document.root.blocks["plant"].values["T"].node.text == "3 s"


def test_out_of_range_unknown_names_and_bad_text_are_refused(loop, hand):
    hand.click(hand.block("plant"))
    for text, reason in (
        ("-1 s", "out of range; expected > 0"),
        ("2 * tau", "tau"),
        ("[1, 2", "cannot be read"),
        ("", "needs a value"),
    ):
        hand.fill(loop.editor.workspace.inspector.rows["T"].edit, text or " ")
        assert reason in loop.editor.workspace.inspector.rows["T"].reason.text(), text
    assert loop.editor.document.is_saved


def test_rename_follows_wires_log_and_layout(loop, hand):
    hand.click(hand.block("plant"))
    hand.fill(loop.editor.workspace.inspector.rows["name"].edit, "motor")
    text = loop.editor.document.text()
    assert "plant" not in text
    assert "gain -> motor" in text
    assert "motor.y" in text
    hand.settle()
    assert loop.editor.problems.problems == []
    hand.fill(loop.editor.workspace.inspector.rows["name"].edit, "ref")
    assert "already" in loop.editor.workspace.inspector.rows["name"].reason.text()
    hand.key(Qt.Key.Key_Z, CTRL)
    assert "plant" in hand.scene.blocks


def test_rename_keeps_comments_and_all_other_lines(loop, hand):
    before = loop.editor.document.text().splitlines()
    hand.click(hand.block("gain"))
    hand.fill(loop.editor.workspace.inspector.rows["name"].edit, "boost")
    after = loop.editor.document.text().splitlines()
    changed = [(a, b) for a, b in zip(before, after, strict=True) if a != b]
    assert changed == [
        ("  gain:  {type: math.gain, k: 2}     # the gain",
         "  boost: {type: math.gain, k: 2}     # the gain"),
        ("  - err -> gain -> plant", "  - err -> boost -> plant"),
    ]  # fmt: skip


def test_parameters_of_the_diagram_are_added_changed_and_removed(loop, hand):
    hand.fill(loop.editor.workspace.inspector.rows["new parameter"].edit, "K = 3")
    assert loop.editor.document.root.parameters["K"].node.text == "3"
    hand.fill(loop.editor.workspace.inspector.rows["K"].edit, "4")
    assert loop.editor.document.root.parameters["K"].node.text == "4"
    hand.fill(loop.editor.workspace.inspector.rows["T"].edit, "-1 s")
    assert "out of range" in loop.editor.workspace.inspector.rows["T"].reason.text()
    hand.fill(loop.editor.workspace.inspector.rows["K"].edit, " ")
    assert "K" not in loop.editor.document.root.parameters


def test_solver_settings_come_from_the_declaration(loop, hand):
    loop.commands["show_settings"].trigger()
    rows = loop.editor.workspace.inspector.rows
    hand.fill(rows["rtol"].edit, "2")
    assert "expected > 0 and < 1" in loop.editor.workspace.inspector.rows["rtol"].reason.text()
    hand.fill(loop.editor.workspace.inspector.rows["rtol"].edit, "1e-9")
    assert "solver: {method: ode45, stop: 2 s, rtol: 1e-9}" in loop.editor.document.text()


def test_a_list_stays_a_list(window, hand):
    hand.drop("sources.constant", (0, 0))
    hand.fill(window.editor.workspace.inspector.rows["value"].edit, "[1 mm, 2 mm]")
    assert "value: [1 mm, 2 mm]" in window.editor.document.text()


def test_a_port_of_a_subsystem_is_renamed_inside_and_outside(loop, hand):
    hand.click(hand.block("gain"))
    hand.click(hand.block("plant"), Qt.KeyboardModifier.ShiftModifier)
    hand.key(Qt.Key.Key_G, CTRL)
    hand.double_click(hand.block("group"))
    hand.click(hand.block("<u"))
    hand.fill(loop.editor.workspace.inspector.rows["name"].edit, "error")
    hand.click(hand.block(">y"))
    hand.fill(loop.editor.workspace.inspector.rows["name"].edit, "speed")
    text = loop.editor.document.text()
    assert "err -> group.error" in text
    assert "group.speed -> err.u2" in text
    assert "inputs.error: " in text
    hand.settle()
    assert loop.editor.problems.problems == []
    hand.fill(loop.editor.workspace.inspector.rows["name"].edit, "no name")
    assert "is not a name" in loop.editor.workspace.inspector.rows["name"].reason.text()


@pytest.mark.parametrize("kind", KINDS)
def test_hostile_text_in_a_value_ends_in_a_shown_reason(window, hand, kind):
    hand.drop(kind, (0, 0))
    for name in ("name", *KINDS[kind], "comment"):
        for text in HOSTILE:
            refused_or_taken(window, hand, name, text)
            window.editor.canvas.items_of_level.choose(
                list(window.editor.canvas.items_of_level.blocks)
            )


def test_hostile_text_in_the_settings_ends_in_a_shown_reason(loop, hand):
    loop.commands["show_settings"].trigger()
    for name in list(loop.editor.workspace.inspector.rows):
        for text in HOSTILE:
            loop.commands["show_settings"].trigger()
            refused_or_taken(loop, hand, name, text)


def test_hostile_text_in_parameters_of_the_diagram_ends_in_a_shown_reason(loop, hand):
    for name in ("title", "description", "T", "new parameter"):
        for text in HOSTILE:
            typed = f"K = {text}" if name == "new parameter" else text
            refused_or_taken(loop, hand, name, typed)


def test_hostile_text_in_the_stop_time_is_refused_with_a_message(loop, hand):
    messages = []
    loop.run_bar.message.connect(messages.append)
    for text in HOSTILE:
        before, count = loop.editor.document.root, len(messages)
        loop.run_bar.stop_time.setText(text)
        loop.run_bar.stop_time.editingFinished.emit()
        if loop.editor.document.root == before:
            assert len(messages) > count, text
            assert loop.run_bar.stop_time.text() == "2 s"
        else:
            loop.commands["undo"].trigger()
