"""The start page: examples, recent files, and the way back."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDockWidget, QPushButton
from railblocks.gui.controllers.dialogs import Button
from railblocks.gui.files.settings import Settings
from railblocks.gui.window.window import EditorWindow


def test_the_start_page_stands_alone_and_panels_come_back(loop, qtbot, tmp_path):
    loop.problems_dock.hide()
    shown = [dock for dock in loop.findChildren(QDockWidget) if not dock.isHidden()]
    front = [dock for dock in shown if not dock.visibleRegion().isEmpty()]
    loop.commands["start_page"].trigger()
    assert not any(dock.isVisible() for dock in shown)
    assert not loop.run_bar.isVisible()
    back = [b for b in loop.findChildren(QPushButton) if b.text().startswith("Back to")]
    QTest.mouseClick(back[0], Qt.MouseButton.LeftButton)
    assert [dock for dock in loop.findChildren(QDockWidget) if not dock.isHidden()] == shown
    qtbot.waitUntil(lambda: [dock for dock in shown if not dock.visibleRegion().isEmpty()] == front)
    assert loop.run_bar.isVisible()
    loop.commands["start_page"].trigger()
    loop.close()
    again = EditorWindow(settings=Settings(tmp_path / "config"))
    qtbot.addWidget(again)
    again.show()
    assert again.inspector_dock.isVisible()
    assert not again.problems_dock.isVisible()


def test_the_start_page_opens_examples_and_leads_back(loop, hand, qtbot):
    hand.drop("math.gain", (0, 300))
    loop.commands["start_page"].trigger()
    page = loop.pages.currentWidget()
    qtbot.waitUntil(lambda: not page.is_drawing, timeout=60000)
    titles = [page.gallery.item(i).text() for i in range(page.gallery.count())]
    assert "DC motor speed control" in titles
    assert not page.gallery.item(0).icon().isNull()
    back = next(b for b in page.findChildren(QPushButton) if b.text() == "Back to loop.yaml")
    qtbot.mouseClick(back, Qt.MouseButton.LeftButton)
    assert "gain_2" in loop.editor.document.root.blocks
    assert loop.pages.count() == 1
    loop.commands["start_page"].trigger()
    page = loop.pages.currentWidget()
    loop.answers = [Button.Discard]
    page.gallery.itemActivated.emit(page.gallery.item(titles.index("DC motor speed control")))
    assert "motor" in loop.editor.document.root.blocks
