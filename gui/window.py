"""The window of the editor: canvas, panels, run bar and scopes around one document."""

from __future__ import annotations

import atexit
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDockWidget,
    QInputDialog,
    QMainWindow,
    QMenu,
    QMessageBox,
    QStackedWidget,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)
from railblocks.engine.declaration.registry import Registry, standard_blocks
from shiboken6 import isValid

from .actions import MENUS, SEPARATOR, shortcuts_page
from .canvas.canvas import Canvas
from .canvas.theme import LIGHT, THEMES
from .collector import Collector
from .curtain import Curtain
from .experiments import Experiments
from .filing import Filing
from .gestures.quick_insert import QuickInsert
from .messages import Messages
from .model.catalogue import Catalogue
from .model.document import Document
from .model.problems import Found, marks
from .panels.explorer import Breadcrumbs, Explorer
from .panels.inspector import Inspector
from .panels.library import Library
from .panels.problems import ProblemList
from .panels.run_bar import RunBar
from .running.session import RunSession
from .running.watch import ProblemWatch
from .scopes.docks import ScopeDocks
from .settings import Settings
from .start import StartPage
from .verbs import Verbs

Area = Qt.DockWidgetArea


class EditorWindow(Verbs, Experiments, Messages, QMainWindow):
    """Builds everything and says what belongs together; what it does stands in its bases."""

    others: list[EditorWindow] = []  # windows live as long as they are open  # noqa: RUF012

    def __init__(self, registry: Registry | None = None, settings: Settings | None = None):
        super().__init__()
        registry = registry or standard_blocks()
        self.settings = settings or Settings()
        self.theme = THEMES.get(self.settings.get("theme", "light"), LIGHT)
        self.session = RunSession()
        Collector.start(self.session)
        self.watch = ProblemWatch()
        self.document = Document.new(registry)
        self.filing = Filing(self, self.settings, registry)
        self.scopes: ScopeDocks | None = None
        self.setWindowTitle("railblocks")
        self.resize(1400, 900)
        self.setDockNestingEnabled(True)
        self.statusBar()  # there from the start: what it says moves nothing
        self.setCorner(Qt.Corner.BottomLeftCorner, Area.LeftDockWidgetArea)
        self.setCorner(Qt.Corner.BottomRightCorner, Area.RightDockWidgetArea)
        self.pages = QStackedWidget()
        self.setCentralWidget(self.pages)
        self.library = Library(Catalogue(registry))
        self.problems = ProblemList()
        library_dock = self._dock("Library", self.library, Area.LeftDockWidgetArea)
        self.explorer_dock = self._dock("Explorer", QWidget(), Area.LeftDockWidgetArea)
        self.tabifyDockWidget(library_dock, self.explorer_dock)
        library_dock.raise_()
        self.inspector_dock = self._dock("Inspector", QWidget(), Area.RightDockWidgetArea)
        self.problems_dock = self._dock("Problems", self.problems, Area.BottomDockWidgetArea)
        self.actions: dict[str, QAction] = {}
        self._menus()
        self.watch.found.connect(self._show_problems)
        self.library.inserted.connect(self._insert_in_the_middle)
        self.problems.wanted.connect(self.show_problem)
        self.problems.counted.connect(self._count_problems)
        self.session.said.connect(self.said)
        self.session.ended.connect(self.run_ended)
        self.session.values_restored.connect(self.take_restored_values)
        self.run_bar: RunBar | None = None
        self._curtain = Curtain()
        self.show_document(self.document)
        self.resizeDocks([self.problems_dock], [150], Qt.Orientation.Vertical)
        self.resizeDocks([library_dock, self.inspector_dock], [270, 330], Qt.Orientation.Horizontal)
        self.restoreGeometry(bytes.fromhex(self.settings.get("geometry", "")))
        self.restoreState(bytes.fromhex(self.settings.get("docks", "")))
        self.use_theme(self.theme.name)
        EditorWindow.others.append(self)

    # --- building ------------------------------------------------------------------------------
    def _dock(self, title: str, widget: QWidget, area: Area) -> QDockWidget:
        dock = QDockWidget(title)
        dock.setObjectName(title)
        dock.setWidget(widget)
        self.addDockWidget(area, dock)
        return dock

    def _menus(self) -> None:
        for title, commands in MENUS.items():
            menu = self.menuBar().addMenu(title)
            for command in commands:
                if command is SEPARATOR:
                    menu.addSeparator()
                    continue
                action = menu.addAction(command.text, getattr(self, command.method))
                if command.keys:
                    action.setShortcut(QKeySequence(command.keys))
                if command.on_canvas:
                    action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
                self.actions[command.method] = action
            if title == "&File":
                self.recent_menu = QMenu("Recent files", self)
                menu.insertMenu(self.actions["save"], self.recent_menu)
                self.recent_menu.aboutToShow.connect(self._fill_recent)
            if title == "&Run":
                self.run_menu = menu
            if title == "&View":
                for dock in self.findChildren(QDockWidget):
                    menu.addAction(dock.toggleViewAction())
        for name in ("toggle_theme", "toggle_keep"):
            self.actions[name].setCheckable(True)

    def _fill_recent(self) -> None:
        self.recent_menu.clear()
        for file in self.settings.recent:
            self.recent_menu.addAction(file, partial(self.filing.open, file))
        if self.recent_menu.isEmpty():
            self.recent_menu.addAction("none yet").setEnabled(False)

    def show_document(self, document: Document) -> None:
        """Another document in this window."""
        self.session.close()
        self._curtain.open()
        if self.scopes is not None:
            self.scopes.close()
            self.canvas.let_go()
        self.filing.recovery.discard()
        self.document = document
        self.session.forget()
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self.breadcrumbs = Breadcrumbs(document.name)
        self.canvas = Canvas(document, self.theme)
        self.quick_insert = QuickInsert(self.canvas, self.library.catalogue)
        layout.addWidget(self.breadcrumbs)
        layout.addWidget(self.canvas, 1)
        while self.pages.count():
            old = self.pages.widget(0)
            self.pages.removeWidget(old)
            old.deleteLater()
        self.pages.addWidget(page)
        self.inspector = Inspector(document, self.theme)
        self.explorer = Explorer(document)
        for dock, panel in (
            (self.inspector_dock, self.inspector),
            (self.explorer_dock, self.explorer),
        ):
            old = dock.widget()
            dock.setWidget(panel)
            old.deleteLater()
        if self.run_bar is not None:
            self.removeToolBar(self.run_bar)
            for widget in (self.run_bar.status, self.run_bar.progress):
                self.statusBar().removeWidget(widget)
                widget.deleteLater()
            self.run_bar.deleteLater()
        bar = self.run_bar = RunBar(self.session, document)
        self.addToolBar(bar)
        for widget in (bar.status, bar.progress):
            self.statusBar().addPermanentWidget(widget)
            widget.show()
        self.run_menu.insertActions(
            self.actions["scope_selected"],
            [bar.run_action, bar.step_action, bar.stop_action, bar.back_action, bar.then_action],
        )
        self.scopes = ScopeDocks(self, document, self.session, self.theme, self.problems_dock)
        self.problems.show_run([])
        self._connect()
        document.listeners.append(self._document_changed)
        self._document_changed()
        self.canvas.setFocus()

    def _connect(self) -> None:
        canvas = self.canvas
        for commands in MENUS.values():
            for command in commands:
                if command.on_canvas:
                    canvas.addAction(self.actions[command.method])
                    self.explorer.addAction(self.actions[command.method])
        self.explorer.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        canvas.level_changed.connect(self._level_changed)
        canvas.chosen.connect(self._chosen)
        canvas.opened.connect(self.open_block)
        canvas.said.connect(self.said)
        canvas.hinted.connect(self.hinted)
        canvas.wanted.connect(self.quick_insert.ask)
        canvas.scoped.connect(self.scope_terminal)
        canvas.probe = lambda terminal: self.session.value_text(
            self.document, canvas.path, terminal
        )
        canvas.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        canvas.customContextMenuRequested.connect(self.context_menu)
        self.breadcrumbs.wanted.connect(canvas.enter)
        self.explorer.chosen.connect(self.show_block)
        self.explorer.opened.connect(
            lambda path, block: (self.show_block(path, block), self.open_block(block))
        )
        self.inspector.renamed.connect(lambda name: canvas.items_of_level.choose([name]))
        assert self.run_bar is not None
        self.run_bar.run_wanted.connect(self.start_run)
        self.run_bar.step_wanted.connect(self.step_run)
        self.run_bar.settings_wanted.connect(self.show_settings)
        self.run_bar.refused.connect(self.said)

    # --- keeping in step -----------------------------------------------------------------------
    def _document_changed(self) -> None:
        document = self.document
        self.setWindowTitle(f"{document.name}[*] \N{EM DASH} railblocks")
        self.setWindowModified(not document.is_saved)
        for name, label in (
            ("undo", document.history.undo_label),
            ("redo", document.history.redo_label),
        ):
            self.actions[name].setEnabled(bool(label))
            self.actions[name].setText(f"&{name.capitalize()} {label}".rstrip())
        self.said("")  # what was said before is about the diagram as it was
        self.breadcrumbs.show_path(document.name, self.canvas.path)
        self.actions["expand"].setEnabled(self.canvas.editing.can_expand())
        self.session.follow(document)
        self.watch.look_at(document)
        self.filing.note_change()

    def _show_problems(self, problems: list[Found]) -> None:
        self.problems.show_checked(problems)
        self.inspector.point_out(problems)
        self._show_badges()

    def _show_badges(self) -> None:
        self.canvas.set_problems(marks(self.problems.problems, self.canvas.path))

    def _count_problems(self, summary: str) -> None:
        self.problems_dock.setWindowTitle(f"Problems ({summary})" if summary else "Problems")

    def _level_changed(self, path: tuple) -> None:
        self.breadcrumbs.show_path(self.document.name, path)
        self.inspector.show_level(path)
        self._show_badges()

    def _chosen(self) -> None:
        keys = self.canvas.items_of_level.chosen_blocks()
        self.actions["expand"].setEnabled(self.canvas.editing.can_expand())
        self.inspector.show_block(self.canvas.path, keys[0] if len(keys) == 1 else "")
        self.inspector.point_out(self.problems.problems)

    def use_registry(self, registry: Registry) -> None:
        self.library.use(Catalogue(registry))
        self.quick_insert.catalogue = self.library.catalogue
        self.document.use(registry)

    def use_theme(self, name: str) -> None:
        self.theme = THEMES[name]
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.setStyle("Fusion")
        application.setPalette(self.theme.palette())
        self.canvas.use(self.theme)
        self.inspector.use(self.theme)
        if self.scopes is not None:
            self.scopes.use(self.theme)
        self.actions["toggle_theme"].setChecked(name == "dark")

    # --- going somewhere -----------------------------------------------------------------------
    def show_block(self, path: tuple, block: str) -> None:
        """The block on the canvas, selected and in sight."""
        self.canvas.enter(path)
        self.canvas.items_of_level.choose([block])
        item = self.canvas.items_of_level.blocks.get(block)
        if item is not None:
            self.canvas.ensureVisible(item, 80, 80)

    def open_block(self, key: str) -> None:
        """Parameters of a block, or the inside of a subsystem; a note is edited."""
        entry = self.document.level(self.canvas.path).blocks.get(key)
        if not key:
            self.edit_note()
        elif entry is not None and entry.subsystem is not None and entry.subsystem.diagram:
            self.canvas.enter((*self.canvas.path, key))
        elif entry is not None:
            self.inspector_dock.show()
            self.inspector.show_block(self.canvas.path, key)
            self.inspector.focus_first()
            kind = self.document.registry.get(entry.type.text) if entry.type else None
            if kind is not None and kind.recorded:
                self.scope_block(key)

    def show_problem(self, problem: Found) -> None:
        if problem.block:
            self.show_block(problem.path, problem.block)
            self.inspector.focus_on(problem.parameter)
        else:
            self.canvas.enter(problem.path)
            self.inspector.show_level(problem.path)

    def show_start(self) -> None:
        """The start page in front of the diagram, which stays open behind it."""
        self.leave_start()
        behind = self.document.name if self.document.root.blocks else ""
        page = StartPage(self.filing.registry, self.settings.recent, behind)
        page.opened.connect(self.filing.open)
        page.new_wanted.connect(self.filing.new)
        page.open_wanted.connect(self.filing.open)
        page.back_wanted.connect(self.leave_start)
        self.pages.addWidget(page)
        self.pages.setCurrentWidget(page)
        bar = self.run_bar
        assert bar is not None
        self._curtain.close([*self.findChildren(QDockWidget), bar, bar.status, bar.progress])

    def leave_start(self) -> None:
        while self.pages.count() > 1:
            page = self.pages.widget(1)
            self.pages.removeWidget(page)
            page.deleteLater()
        self._curtain.open()
        self.canvas.setFocus()

    def _insert_in_the_middle(self, kind: str) -> None:
        middle = self.canvas.mapToScene(self.canvas.viewport().rect().center())
        self.canvas.editing.insert_joined(kind, middle)
        self.canvas.setFocus()

    # --- dialogs and the end -------------------------------------------------------------------
    def show_shortcuts(self) -> None:
        dialog = QDialog(self)
        dialog.setWindowTitle("Keyboard and mouse")
        dialog.resize(560, 720)
        page = QTextBrowser()
        page.setHtml(shortcuts_page())
        QVBoxLayout(dialog).addWidget(page)
        dialog.show()

    def ask_text(self, title: str, label: str, text: str = "") -> str:
        answer, taken = QInputDialog.getMultiLineText(self, title, label, text)
        return answer if taken else ""

    def about(self) -> None:
        QMessageBox.about(self, "railblocks", "railblocks: block diagrams, compiled and simulated.")

    def let_go(self) -> None:
        """The end of the run, and no more news of the diagram."""
        self.session.close()
        self.canvas.let_go()

    def closeEvent(self, event) -> None:
        if not self.filing.may_leave():
            event.ignore()
            return
        self._curtain.open()
        self.let_go()
        self.filing.recovery.discard()
        self.settings.set("geometry", bytes(self.saveGeometry().data()).hex())
        self.settings.set("docks", bytes(self.saveState().data()).hex())
        if self in EditorWindow.others:
            EditorWindow.others.remove(self)
        event.accept()


@atexit.register
def _let_go() -> None:
    """A program may end with windows open, whose parts Qt then destroys in any order."""
    for window in EditorWindow.others:
        if isValid(window) and isValid(window.canvas):
            window.let_go()
