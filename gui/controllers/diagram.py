"""The open diagram of a window: shows parts of it, searches it, and edits it by dialogs."""

from __future__ import annotations

from PySide6.QtCore import QPointF
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QApplication
from railblocks.engine.errors import DiagramError

from ..canvas.canvas import Canvas
from ..canvas.level import snap
from ..files.picture_export import export_picture
from ..model.document import Document
from ..model.levels import Path
from ..model.problems import LocatedProblem
from ..panels.docks import dock_of
from .dialogs import Dialogs
from .messages import StatusMessages
from .runs import RunController
from .workspace import Workspace

PICTURES = "Picture (*.svg *.png *.pdf)"
MARGIN = 80  # pixels around a block that is brought into view


class DiagramController:
    """Shows parts of the open document, and edits it where that takes more than its canvas."""

    workspace: Workspace  # of the open document

    def __init__(self, runs: RunController, dialogs: Dialogs, messages: StatusMessages):
        self._runs, self._dialogs, self._messages = runs, dialogs, messages

    @property
    def document(self) -> Document:
        return self.workspace.document

    @property
    def canvas(self) -> Canvas:
        return self.workspace.canvas

    # --- showing -------------------------------------------------------------------------------
    def show_block(self, path: Path, block: str) -> None:
        """Shows a block on the canvas, selected."""
        self.canvas.enter(path)
        self.canvas.items_of_level.choose([block])
        item = self.canvas.items_of_level.blocks.get(block)
        if item is not None:
            self.canvas.ensureVisible(item, MARGIN, MARGIN)

    def open_block(self, key: str) -> None:
        """Opens a block: its parameters, or the inside of a subsystem; without a key, a note."""
        entry = self.document.level(self.canvas.path).blocks.get(key)
        if not key:
            self.edit_note()
        elif entry is not None and entry.subsystem is not None and entry.subsystem.diagram:
            self.canvas.enter((*self.canvas.path, key))
        elif entry is not None:
            inspector = self.workspace.inspector
            dock_of(inspector).show()
            inspector.show_block(self.canvas.path, key)
            inspector.focus_first()
            kind = self.document.registry.get(entry.type.text) if entry.type else None
            if kind is not None and kind.recorded:
                self._runs.scope_block(key)

    def show_and_open(self, path: Path, block: str) -> None:
        self.show_block(path, block)
        self.open_block(block)

    def show_problem(self, problem: LocatedProblem) -> None:
        """Shows the block or level that a problem is about."""
        if problem.block:
            self.show_block(problem.path, problem.block)
            self.workspace.inspector.focus_on(problem.parameter)
        else:
            self.canvas.enter(problem.path)
            self.workspace.inspector.show_level(problem.path)

    def show_settings(self) -> None:
        """Shows the settings of solver and log in the inspector."""
        dock_of(self.workspace.inspector).show()
        self.workspace.inspector.show_settings()

    def go_up(self) -> None:
        """Shows the level around the present one."""
        self.canvas.enter(self.canvas.path[:-1])

    # --- finding -------------------------------------------------------------------------------
    def find(self) -> None:
        """Asks for a block, by a part of its name or type, and shows it."""
        names = sorted(name for name, _ in self.workspace.explorer.blocks_by_name())
        text = self._dialogs.ask_item("Find", "Block", names)
        if text is not None:
            self.find_block(text)

    def find_block(self, text: str) -> None:
        blocks = sorted(self.workspace.explorer.blocks_by_name(), key=lambda block: len(block[0]))
        for name, (path, block) in blocks:
            if text.lower() in name.lower():
                self.show_block(path, block)
                return
        self._messages.show(f"no block is called {text!r}")

    # --- selecting and copying -----------------------------------------------------------------
    def select_all(self) -> None:
        for item in self.canvas.items_of_level.items():
            item.setSelected(True)

    def copy(self) -> None:
        text = self.canvas.editing.copied()
        if text:
            QApplication.clipboard().setText(text)

    def cut(self) -> None:
        self.copy()
        self.canvas.editing.delete()

    def paste(self) -> None:
        """Inserts the clipboard at the pointer, or where there is room."""
        view = self.canvas.viewport()
        at = view.mapFromGlobal(QCursor.pos())
        point = self.canvas.mapToScene(at)
        corner = (snap(point.x()), snap(point.y())) if view.rect().contains(at) else None
        self.canvas.editing.paste(QApplication.clipboard().text(), corner)

    # --- inserting -----------------------------------------------------------------------------
    def _middle(self) -> QPointF:
        return self.canvas.mapToScene(self.canvas.viewport().rect().center())

    def ask_block(self) -> None:
        """Asks for a block by its name, to be inserted in the middle of the view."""
        self.workspace.quick_insert.ask(self._middle(), "")

    def insert_block(self, kind: str) -> None:
        """Inserts a new block in the middle of the view."""
        self.canvas.editing.insert_joined(kind, self._middle())
        self.canvas.setFocus()

    def add_note(self) -> None:
        text = self._dialogs.ask_text("Note", "Text of the note")
        if text.strip():
            middle = self._middle()
            self.canvas.editing.add_note(round(middle.x()), round(middle.y()), text)

    def edit_note(self) -> None:
        for item in self.canvas.items_of_level.chosen_notes()[:1]:
            text = self._dialogs.ask_text("Note", "Text of the note", item.note.text)
            if text:
                self.canvas.editing.change_note(item.note, text)

    def edit_selection(self) -> None:
        """Opens the parameters of the selected block, or the text of the selected note."""
        keys = self.canvas.items_of_level.chosen_blocks()
        if len(keys) == 1:
            self.open_block(keys[0])
        elif self.canvas.items_of_level.chosen_notes():
            self.edit_note()

    def arrange(self) -> None:
        """Lays the level out anew and shows all of it."""
        self.canvas.editing.arrange()
        self.canvas.fit()

    # --- pictures ------------------------------------------------------------------------------
    def export_picture(self) -> None:
        """Asks for a file and writes a picture of the level to it."""
        start = f"{self.document.folder}/{self.document.name.partition('.')[0]}.svg"
        path = self._dialogs.file_to_save("Export picture", start, PICTURES)
        if path:
            try:
                export_picture(self.document, self.canvas.path, path)
                self._messages.show(f"wrote {path}")
            except DiagramError as error:
                self._messages.show(str(error))
