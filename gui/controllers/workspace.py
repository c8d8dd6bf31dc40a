"""One open document: its canvas, and the panels and scopes that show it."""

from __future__ import annotations

from PySide6.QtWidgets import QDockWidget, QMainWindow, QVBoxLayout, QWidget

from ..canvas.canvas import Canvas
from ..gestures.gestures import GESTURES, begin_drop
from ..gestures.quick_insert import QuickInsert
from ..model.catalogue import Catalogue
from ..model.document import Document
from ..panels.explorer import Breadcrumbs, Explorer
from ..panels.inspector import Inspector
from ..running.session import RunSession
from ..scopes.docks import ScopeDocks
from ..style.theme import Theme


class Workspace(QWidget):
    """The page with breadcrumbs and canvas; inspector, explorer and scopes are docked by a window.

    Scopes come beside `neighbour`.
    """

    def __init__(
        self,
        document: Document,
        catalogue: Catalogue,
        theme: Theme,
        session: RunSession,
        window: QMainWindow,
        neighbour: QDockWidget,
    ):
        super().__init__()
        self.document = document
        self.breadcrumbs = Breadcrumbs(document.name)
        self.canvas = Canvas(document, theme, GESTURES, begin_drop)
        self.quick_insert = QuickInsert(self.canvas, catalogue)
        self.inspector = Inspector(document, theme)
        self.explorer = Explorer(document)
        self.scopes = ScopeDocks(window, document, session, theme, neighbour)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.breadcrumbs)
        layout.addWidget(self.canvas, 1)
        self.canvas.block_wanted.connect(self.quick_insert.ask)
        self.canvas.probe = lambda terminal: session.value_text(
            document, self.canvas.path, terminal
        )
        self.breadcrumbs.level_wanted.connect(self.canvas.enter)
        self.inspector.renamed.connect(lambda name: self.canvas.items_of_level.choose([name]))

    def set_theme(self, theme: Theme) -> None:
        self.canvas.set_theme(theme)
        self.inspector.set_theme(theme)
        self.scopes.set_theme(theme)

    def detach(self) -> None:
        """Stops following the document and the run, since another document is shown."""
        self.scopes.close()
        self.canvas.detach()
