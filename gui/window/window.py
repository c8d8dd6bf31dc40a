"""The window of the editor: menus, run bar, docks and pages around one open document."""

from __future__ import annotations

import atexit

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDockWidget,
    QMenu,
    QStackedWidget,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)
from railblocks.engine.declaration.registry import Registry, standard_blocks
from shiboken6 import isValid

from ..commands.actions import CommandActions
from ..commands.context_menu import context_menu
from ..commands.help_page import help_page
from ..controllers.editor import Editor
from ..controllers.files import FileController
from ..controllers.frame import WindowFrame
from ..controllers.workspace import Workspace
from ..files.settings import Settings
from ..panels.run_bar import RunActions, RunBar
from ..panels.start_page import StartPage
from ..style.theme import THEMES
from ..system.garbage import GarbageCollector
from .hidden_panels import HiddenPanels

Area = Qt.DockWidgetArea


class EditorWindow(WindowFrame):
    """The main window; arranges what its editor shows."""

    open_windows: list[EditorWindow] = []  # windows live as long as they are open  # noqa: RUF012

    def __init__(self, registry: Registry | None = None, settings: Settings | None = None):
        super().__init__()
        self.setWindowTitle("railblocks")
        self.resize(1400, 900)
        self.setDockNestingEnabled(True)
        self.setCorner(Qt.Corner.BottomLeftCorner, Area.LeftDockWidgetArea)
        self.setCorner(Qt.Corner.BottomRightCorner, Area.RightDockWidgetArea)
        self.editor = Editor(self, registry or standard_blocks(), settings or Settings())
        GarbageCollector.start(self.editor.session)
        self.pages = QStackedWidget()
        self.setCentralWidget(self.pages)
        self._hidden = HiddenPanels()
        self._add_docks()
        self.commands = CommandActions(self.editor, self)
        self._add_menus()
        self._add_run_bar()
        self.editor.document_changed.connect(self._show_title)
        self.editor.problems.counted.connect(self._count_problems)
        self.editor.show_document(self.editor.files.document)
        self._restore()
        self.set_theme(self.editor.theme.name)
        EditorWindow.open_windows.append(self)

    # --- building ------------------------------------------------------------------------------
    def _add_docks(self) -> None:
        left, right, below = (
            Area.LeftDockWidgetArea, Area.RightDockWidgetArea, Area.BottomDockWidgetArea,
        )  # fmt: skip
        self.library_dock = self._dock("Library", self.editor.library, left)
        self.explorer_dock = self._dock("Explorer", QWidget(), left)
        self.tabifyDockWidget(self.library_dock, self.explorer_dock)
        self.library_dock.raise_()
        self.inspector_dock = self._dock("Inspector", QWidget(), right)
        self.problems_dock = self._dock("Problems", self.editor.problems, below)

    def _dock(self, title: str, widget: QWidget, area: Area) -> QDockWidget:
        dock = QDockWidget(title)
        dock.setObjectName(title)
        dock.setWidget(widget)
        self.addDockWidget(area, dock)
        return dock

    def _add_menus(self) -> None:
        self.menus = self.commands.fill(self.menuBar())
        for dock in self.findChildren(QDockWidget):
            self.menus["&View"].addAction(dock.toggleViewAction())

    def _add_run_bar(self) -> None:
        commands, editor = self.commands, self.editor
        actions = RunActions(
            commands["run"], commands["step"], commands["stop"], commands["show_settings"],
            commands["go_on"], commands["go_on_with_earlier_values"],
        )  # fmt: skip
        self.run_bar = RunBar(editor.session, editor.files.document, actions)
        self.run_bar.message.connect(editor.messages.show)
        self.addToolBar(self.run_bar)
        for widget in (self.run_bar.status, self.run_bar.progress):
            self.statusBar().addPermanentWidget(widget)

    def _restore(self) -> None:
        """Restores sizes and docks as they were when the last window was closed."""
        self.resizeDocks([self.problems_dock], [150], Qt.Orientation.Vertical)
        sides = [self.library_dock, self.inspector_dock]
        self.resizeDocks(sides, [270, 330], Qt.Orientation.Horizontal)
        settings = self.editor.settings
        self.restoreGeometry(bytes.fromhex(settings.get("geometry", "")))
        self.restoreState(bytes.fromhex(settings.get("docks", "")))

    # --- what is shown -------------------------------------------------------------------------
    def show_workspace(self, workspace: Workspace) -> None:
        self._remove_pages(0)
        self.pages.addWidget(workspace)
        for dock, panel in (
            (self.inspector_dock, workspace.inspector),
            (self.explorer_dock, workspace.explorer),
        ):
            old = dock.widget()
            dock.setWidget(panel)
            if old is not None:
                old.deleteLater()
        self.run_bar.show_document(workspace.document)
        canvas, explorer = workspace.canvas, workspace.explorer
        for widget in (canvas, explorer):
            widget.addActions(self.commands.on_canvas())
        explorer.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        canvas.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        canvas.customContextMenuRequested.connect(self._show_context_menu)

    def _remove_pages(self, first: int) -> None:
        while self.pages.count() > first:
            page = self.pages.widget(first)
            assert page is not None
            self.pages.removeWidget(page)
            page.deleteLater()

    def show_start_page(self) -> None:
        self.leave_start_page()
        editor = self.editor
        behind = editor.document.name if editor.document.root.blocks else ""
        page = StartPage(editor.files.registry, editor.settings.recent, behind)
        page.opened.connect(editor.files.open)
        page.new_wanted.connect(editor.files.new)
        page.open_wanted.connect(editor.files.open)
        page.back_wanted.connect(self.leave_start_page)
        self.pages.addWidget(page)
        self.pages.setCurrentWidget(page)
        bar = self.run_bar
        self._hidden.hide([*self.findChildren(QDockWidget), bar, bar.status, bar.progress])

    def leave_start_page(self) -> None:
        self._remove_pages(1)
        self._hidden.restore()
        self.editor.canvas.setFocus()

    def menu_at(self, at: QPoint) -> QMenu:
        """The menu of what lies at a point of the canvas."""
        return context_menu(self.editor, self.commands, at, self)

    def _show_context_menu(self, at: QPoint) -> None:
        menu = self.menu_at(at)
        menu.exec(self.editor.canvas.viewport().mapToGlobal(at))
        menu.deleteLater()

    def show_help_page(self) -> None:
        dialog = QDialog(self)
        dialog.setWindowTitle("Keyboard and mouse")
        dialog.resize(560, 720)
        page = QTextBrowser()
        page.setHtml(help_page())
        QVBoxLayout(dialog).addWidget(page)
        dialog.show()

    def _show_title(self) -> None:
        document = self.editor.document
        self.setWindowTitle(f"{document.name}[*] \N{EM DASH} railblocks")
        self.setWindowModified(not document.is_saved)

    def _count_problems(self, summary: str) -> None:
        self.problems_dock.setWindowTitle(f"Problems ({summary})" if summary else "Problems")

    # --- themes --------------------------------------------------------------------------------
    def set_theme(self, name: str) -> None:
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.setStyle("Fusion")
        application.setPalette(THEMES[name].palette())
        self.editor.set_theme(name)

    def set_theme_of_all(self, name: str) -> None:
        self.editor.settings.set("theme", name)
        for window in self.open_windows:
            window.set_theme(name)

    # --- windows -------------------------------------------------------------------------------
    def new_window(self) -> FileController:
        other = EditorWindow(self.editor.files.registry, self.editor.settings)
        other.show()
        return other.editor.files

    def closeEvent(self, event: QCloseEvent) -> None:
        editor = self.editor
        if not editor.files.confirm_leaving():
            event.ignore()
            return
        self._hidden.restore()
        editor.detach()
        editor.files.recovery.discard()
        editor.settings.set("geometry", bytes(self.saveGeometry().data()).hex())
        editor.settings.set("docks", bytes(self.saveState().data()).hex())
        if self in EditorWindow.open_windows:
            EditorWindow.open_windows.remove(self)
        event.accept()


@atexit.register
def _detach_all() -> None:
    """Detaches all windows at exit, since Qt destroys their parts in any order."""
    for window in EditorWindow.open_windows:
        if isValid(window) and isValid(window.editor.canvas):
            window.editor.detach()
