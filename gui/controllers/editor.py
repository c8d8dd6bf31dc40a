"""The editor of one window: its open document, and the controllers that commands act on."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from railblocks.engine.declaration.registry import Registry

from ..canvas.canvas import Canvas
from ..files.settings import Settings
from ..model.catalogue import Catalogue
from ..model.document import Document
from ..model.levels import Path
from ..model.problems import LocatedProblem, marks
from ..panels.docks import dock_of
from ..panels.library import Library
from ..panels.problems import ProblemList
from ..running.session import RunSession
from ..running.watch import ProblemWatch
from ..style.theme import LIGHT, THEMES
from .diagram import DiagramController
from .dialogs import Dialogs
from .files import FileController
from .frame import WindowFrame
from .messages import StatusMessages
from .runs import RunController
from .workspace import Workspace


class Editor(QObject):
    """Keeps the parts of a window in step: document, canvas, panels, problems and run."""

    document_changed = Signal()
    state_changed = Signal()  # of document, selection or run: what commands can do
    workspace: Workspace  # of the open document

    def __init__(self, frame: WindowFrame, registry: Registry, settings: Settings):
        super().__init__(frame)
        self.frame, self.settings = frame, settings
        self.theme = THEMES.get(settings.get("theme", "light"), LIGHT)
        self.session = RunSession()
        self.watch = ProblemWatch()
        self.library = Library(Catalogue(registry))
        self.problems = ProblemList()
        self.dialogs = Dialogs(frame)
        self.messages = StatusMessages(frame.statusBar())
        self.files = FileController(
            self.dialogs, self.messages, settings, registry, frame.new_window
        )
        self.runs = RunController(self.session, self.problems, self.dialogs, self.messages)
        self.diagram = DiagramController(self.runs, self.dialogs, self.messages)
        self.files.setParent(self)  # its timers end with the window
        self._has_workspace = False
        self.watch.problems_changed.connect(self._show_problems)
        self.library.block_wanted.connect(self.diagram.insert_block)
        self.problems.problem_wanted.connect(self.diagram.show_problem)
        self.files.document_opened.connect(self.show_document)
        self.files.registry_changed.connect(self._use_registry)
        self.runs.problems_changed.connect(self._show_badges)
        self.session.changed.connect(self.state_changed)

    @property
    def document(self) -> Document:
        return self.workspace.document

    @property
    def canvas(self) -> Canvas:
        return self.workspace.canvas

    def show_document(self, document: Document) -> None:
        """Shows another document in this window."""
        self.session.close()
        if self._has_workspace:
            self.frame.leave_start_page()
            self.workspace.detach()
        self.session.forget()
        workspace = Workspace(
            document, self.library.catalogue, self.theme, self.session, self.frame,
            dock_of(self.problems),
        )  # fmt: skip
        self.workspace = self.runs.workspace = self.diagram.workspace = workspace
        self._has_workspace = True
        self.frame.show_workspace(workspace)
        self.problems.show_run([])
        self._connect(workspace)
        document.listeners.append(self._follow_document)
        self._follow_document()
        workspace.canvas.setFocus()

    def _connect(self, workspace: Workspace) -> None:
        canvas, explorer = workspace.canvas, workspace.explorer
        canvas.level_changed.connect(self._follow_level)
        canvas.selection_changed.connect(self._follow_selection)
        canvas.block_opened.connect(self.diagram.open_block)
        canvas.message.connect(self.messages.show)
        canvas.hint_changed.connect(self.messages.show_hint)
        canvas.scope_wanted.connect(self.runs.scope_terminal)
        explorer.block_chosen.connect(self.diagram.show_block)
        explorer.block_opened.connect(self.diagram.show_and_open)

    # --- keeping in step -----------------------------------------------------------------------
    def _follow_document(self) -> None:
        document = self.document
        self.messages.show("")  # the last one is about the diagram as it was
        self.workspace.breadcrumbs.show_path(document.name, self.canvas.path)
        self.session.follow(document)
        self.watch.look_at(document)
        self.files.schedule_autosave()
        self.document_changed.emit()
        self.state_changed.emit()

    def _follow_level(self, path: Path) -> None:
        self.workspace.breadcrumbs.show_path(self.document.name, path)
        self.workspace.inspector.show_level(path)
        self._show_badges()

    def _follow_selection(self) -> None:
        keys = self.canvas.items_of_level.chosen_blocks()
        inspector = self.workspace.inspector
        inspector.show_block(self.canvas.path, keys[0] if len(keys) == 1 else "")
        inspector.point_out(self.problems.problems)
        self.state_changed.emit()

    def _show_problems(self, problems: list[LocatedProblem]) -> None:
        self.problems.show_checked(problems)
        self.workspace.inspector.point_out(problems)
        self._show_badges()

    def _show_badges(self) -> None:
        self.canvas.set_problems(marks(self.problems.problems, self.canvas.path))

    def _use_registry(self, registry: Registry) -> None:
        self.library.show_catalogue(Catalogue(registry))
        self.workspace.quick_insert.catalogue = self.library.catalogue
        self.document.use(registry)

    def set_theme(self, name: str) -> None:
        self.theme = THEMES[name]
        self.workspace.set_theme(self.theme)
        self.state_changed.emit()

    def detach(self) -> None:
        """Ends the run and stops following the document."""
        self.session.close()
        self.canvas.detach()
