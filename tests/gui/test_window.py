"""What a window remembers from the last one."""

from PySide6.QtCore import Qt
from railblocks.gui.files.settings import Settings
from railblocks.gui.window.window import EditorWindow


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
