"""What is said where: menus of places, breadcrumbs, hints, widths of wires, small windows."""

import os

import pytest
from PySide6.QtWidgets import QApplication, QPushButton, QToolBar, QToolButton

VECTORS = """diagram: 1
blocks:
  v: {type: sources.constant, value: [1, 2, 3]}
  s: {type: sources.constant, value: 4}
  sub:
    subsystem:
      inputs: {vector: [twice.u, deeper.u], scalar: once.u, part: "first.u"}
      outputs: {y: twice.y}
      blocks:
        twice: {type: math.gain, k: 2}
        once: {type: math.gain, k: 1}
        first: {type: math.gain, k: 1}
        deeper:
          subsystem:
            inputs: {u: g.u}
            outputs: {y: g.y}
            blocks: {g: {type: math.gain, k: 3}}
wires:
  - v -> sub.vector
  - s -> sub.scalar
  - v[0] -> sub.part
"""


def names(menu):
    return [action.text().replace("&", "") for action in menu.actions() if action.text()]


def test_a_wire_is_deleted_from_its_menu(loop, hand):
    wires = len(hand.scene.nets)
    menu = loop.menu_at(hand.view(hand.wire(("gain", "y"), ("plant", "u"))))
    assert names(menu) == ["Show in scope", "Delete"]
    next(a for a in menu.actions() if a.text() == "De&lete").trigger()
    assert ("gain", "y") not in hand.scene.nets
    assert len(hand.scene.nets) == wires - 1
    assert set(hand.scene.blocks) == {"ref", "err", "gain", "plant"}


def test_one_branch_of_a_wire_is_deleted_from_its_menu(loop, hand):
    hand.drop("math.abs", (600, 300))
    hand.drag(hand.wire(("plant", "y"), ("err", "u2")), hand.port("abs", "u", "in"))
    net = hand.scene.nets[("plant", "y")]
    assert len(net.net.targets) == 2
    at = hand.wire(("plant", "y"), ("abs", "u"))
    menu = loop.menu_at(hand.view(at))
    next(a for a in menu.actions() if a.text() == "De&lete").trigger()
    (left,) = hand.scene.nets[("plant", "y")].net.targets
    assert left in (("err", "u2"), ("abs", "u"))


def test_only_subsystems_can_be_expanded(loop, hand):
    assert "Expand subsystem" not in names(loop.menu_at(hand.view(hand.block("gain"))))
    assert not loop.commands["expand"].isEnabled()
    hand.click(hand.block("gain"))
    assert not loop.commands["expand"].isEnabled()
    loop.commands["group"].trigger()
    assert loop.commands["expand"].isEnabled()
    assert "Expand subsystem" in names(loop.menu_at(hand.view(hand.block("group"))))
    loop.commands["expand"].trigger()
    assert not loop.commands["expand"].isEnabled()


def crumbs(window):
    row = window.editor.workspace.breadcrumbs._row
    widgets = [row.itemAt(i).widget() for i in range(row.count())]
    return [widget.text() for widget in widgets if isinstance(widget, QPushButton)]


def test_the_breadcrumb_has_the_new_name_after_save_as(loop, hand, tmp_path):
    hand.click(hand.block("gain"))
    loop.commands["group"].trigger()
    hand.double_click(hand.block("group"))
    assert crumbs(loop) == ["loop.yaml", "group"]
    assert loop.editor.files.save_as(os.fspath(tmp_path / "other.yaml"))
    assert crumbs(loop) == ["other.yaml", "group"]
    loop.commands["go_up"].trigger()
    assert crumbs(loop) == ["other.yaml"]


def test_a_hint_goes_when_the_pointer_leaves(loop, hand):
    hand.move(hand.wire(("gain", "y"), ("plant", "u")))
    assert "gain.y" in loop.statusBar().currentMessage()
    hand.move((-300, -300))
    assert loop.statusBar().currentMessage() == ""
    loop.editor.messages.show("something else")
    hand.move((-310, -300))
    assert loop.statusBar().currentMessage() == "something else"


def test_a_message_goes_with_the_next_change_and_the_next_document(loop, hand):
    hand.click(hand.block("gain"))
    loop.commands["join"].trigger()
    assert "select two blocks" in loop.statusBar().currentMessage()
    loop.commands["comment_out"].trigger()
    assert loop.statusBar().currentMessage() == ""
    loop.editor.messages.show("a message")
    loop.editor.document.history.mark_saved()
    loop.commands["new"].trigger()
    assert loop.statusBar().currentMessage() == ""


def test_vector_wires_are_wide_inside_subsystems_too(window, hand, tmp_path):
    file = tmp_path / "vectors.yaml"
    file.write_text(VECTORS)
    assert window.editor.files.open(os.fspath(file))
    hand.settle()
    assert not window.editor.problems.problems
    wide = lambda: {source[0]: net.net.wide for source, net in hand.scene.nets.items()}  # noqa: E731
    assert wide() == {"v": True, "s": False}
    window.editor.canvas.enter(("sub",))
    assert wide() == {"<vector": True, "<scalar": False, "<part": False, "twice": True}
    window.editor.canvas.enter(("sub", "deeper"))
    assert wide() == {"<u": True, "g": True}


@pytest.mark.parametrize("size", [(1100, 700), (1400, 900)])
def test_nothing_of_the_bars_is_cut_off(loop, hand, qtbot, size):
    loop.resize(*size)
    hand.run()
    loop.editor.session._timer.stop()
    loop.run_bar.status.setText("stopped by a block, t = 1234.56 s, 1.23e+04 x real time")
    QApplication.processEvents()
    qtbot.wait(50)
    assert (loop.width(), loop.height()) == size
    for bar in loop.findChildren(QToolBar):
        if not bar.isVisible():
            continue
        extension = bar.findChild(QToolButton, "qt_toolbar_ext_button")
        assert extension is None or not extension.isVisible(), bar.windowTitle()
        for action in bar.actions():
            widget = bar.widgetForAction(action)
            if widget is not None and action.isVisible():
                assert widget.isVisible(), (bar.windowTitle(), action.text())
                assert widget.geometry().right() <= bar.width(), action.text()
    for widget in (loop.run_bar.status, loop.run_bar.progress):
        assert widget.width() >= widget.sizeHint().width()
        assert widget.mapTo(loop, widget.rect().bottomRight()).x() < size[0]
    assert (
        loop.editor.workspace.inspector.widget().width()
        <= loop.editor.workspace.inspector.viewport().width()
    )
