"""The tree of all blocks and the breadcrumbs, by mouse and keys."""

import os

import pytest
from hand import CTRL, SHIFT
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def grouped(loop, hand):
    """The loop with gain and plant in a subsystem."""
    hand.click(hand.block("gain"))
    hand.click(hand.block("plant"), SHIFT)
    hand.key(Qt.Key.Key_G, CTRL)
    return loop


def crumbs(window):
    window.editor.workspace.breadcrumbs.layout().activate()
    return [
        b for b in window.editor.workspace.breadcrumbs.findChildren(QPushButton) if b.isVisible()
    ]


def item_at(explorer, place):
    (item,) = [i for i in explorer._all() if i.data(0, Qt.ItemDataRole.UserRole) == place]
    return item


def crumb_texts(window):
    row = window.editor.workspace.breadcrumbs._row
    widgets = [row.itemAt(i).widget() for i in range(row.count())]
    return [widget.text() for widget in widgets if isinstance(widget, QPushButton)]


def test_breadcrumbs_lead_back(grouped, hand, qtbot):
    assert [b.text() for b in crumbs(grouped)] == ["loop.yaml"]
    hand.double_click(hand.block("group"))
    assert grouped.editor.canvas.path == ("group",)
    qtbot.waitUntil(lambda: [b.text() for b in crumbs(grouped)] == ["loop.yaml", "group"])
    QTest.mouseClick(crumbs(grouped)[0], LEFT)
    assert grouped.editor.canvas.path == ()
    qtbot.waitUntil(lambda: [b.text() for b in crumbs(grouped)] == ["loop.yaml"])
    assert set(hand.scene.blocks) == {"ref", "err", "group"}


def test_the_tree_shows_every_block_and_leads_to_it(grouped, hand):
    grouped.explorer_dock.show()
    grouped.explorer_dock.raise_()
    explorer = grouped.editor.workspace.explorer
    shown = [name for name, _ in explorer.blocks_by_name()]
    assert len(shown) == 5
    assert any(name.startswith("group.gain   (math.gain)") for name in shown)
    item = item_at(explorer, (("group",), "plant"))
    item.parent().setExpanded(True)
    at = explorer.visualItemRect(item).center()
    QTest.mouseClick(explorer.viewport(), LEFT, NONE, at)
    assert grouped.editor.canvas.path == ("group",)
    assert hand.scene.chosen_blocks() == ["plant"]
    assert "T" in grouped.editor.workspace.inspector.rows


def test_the_tree_is_used_by_keys(grouped, hand):
    grouped.explorer_dock.show()
    grouped.explorer_dock.raise_()
    explorer = grouped.editor.workspace.explorer
    explorer.setFocus()
    explorer.setCurrentItem(item_at(explorer, ((), "group")))
    QTest.keyClick(explorer, Qt.Key.Key_Return)
    assert grouped.editor.canvas.path == ("group",)
    assert set(hand.scene.blocks) >= {"gain", "plant"}


def test_the_tree_follows_the_diagram(loop, hand):
    hand.click(hand.block("gain"))
    hand.key(Qt.Key.Key_Delete)
    assert not any("gain" in name for name, _ in loop.editor.workspace.explorer.blocks_by_name())
    hand.key(Qt.Key.Key_Z, CTRL)
    assert any("gain" in name for name, _ in loop.editor.workspace.explorer.blocks_by_name())


def test_the_breadcrumb_has_the_new_name_after_save_as(loop, hand, tmp_path):
    hand.click(hand.block("gain"))
    loop.commands["group"].trigger()
    hand.double_click(hand.block("group"))
    assert crumb_texts(loop) == ["loop.yaml", "group"]
    assert loop.editor.files.save_as(os.fspath(tmp_path / "other.yaml"))
    assert crumb_texts(loop) == ["other.yaml", "group"]
    loop.commands["go_up"].trigger()
    assert crumb_texts(loop) == ["other.yaml"]
