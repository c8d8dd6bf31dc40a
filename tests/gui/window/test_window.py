"""The window: docks, bars, and its end."""

import subprocess
import sys

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QToolBar, QToolButton
from railblocks.gui.files.settings import Settings
from railblocks.gui.window.window import EditorWindow


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


def test_a_program_may_end_with_a_window_open(loop_file, tmp_path):
    """Qt destroys what is left in any order; nobody must ask it then."""
    code = f"""
from pathlib import Path
from PySide6.QtWidgets import QApplication
from railblocks.gui.files.settings import Settings
from railblocks.gui.window.window import EditorWindow
application = QApplication([])
window = EditorWindow(settings=Settings(Path({str(tmp_path / "config")!r})))
window.editor.files.open({str(loop_file)!r})
window.show()
window.editor.canvas.items_of_level.choose(["gain"])
window.show_start_page()
raise SystemExit(3)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert "Error" not in done.stderr


def test_docks_are_where_they_were(window, qtbot, tmp_path):
    window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, window.inspector_dock)
    window.problems_dock.hide()
    window.close()
    again = EditorWindow(settings=Settings(tmp_path / "config"))
    qtbot.addWidget(again)
    again.show()
    assert again.dockWidgetArea(again.inspector_dock) == Qt.DockWidgetArea.LeftDockWidgetArea
    assert not again.problems_dock.isVisible()
    assert again.explorer_dock.isVisible() or again.explorer_dock in again.tabifiedDockWidgets(
        again.findChild(type(again.explorer_dock), "Library")
    )
