"""Files of a window: open, save, recover, reload; nothing that is not saved gets lost silently."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFileDialog, QMessageBox
from railblocks.engine.declaration.registry import Registry
from railblocks.engine.errors import DiagramError
from railblocks.engine.files.replacing import replace_text

from .model.document import Document
from .plain_text import tip
from .recovery import Leftover, Recovery
from .settings import Settings

if TYPE_CHECKING:
    from .window import EditorWindow

DIAGRAMS = "Diagrams (*.yaml *.yml)"
AUTOSAVE = 2000  # ms after a change
LOOK = 1500  # ms between looks at the disk
Button = QMessageBox.StandardButton


class Filing:
    """What a window does with files."""

    def __init__(self, window: EditorWindow, settings: Settings, registry: Registry):
        self.window, self.settings, self.registry = window, settings, registry
        self.recovery = Recovery(settings.folder)
        self._autosave = QTimer(window)
        self._autosave.setSingleShot(True)
        self._autosave.setInterval(AUTOSAVE)
        self._autosave.timeout.connect(self.keep_unsaved)
        self._look = QTimer(window)
        self._look.setInterval(LOOK)
        self._look.timeout.connect(self.look_at_disk)
        self._look.start()
        self._asking = False

    @property
    def document(self) -> Document:
        return self.window.document

    # --- opening -------------------------------------------------------------------------------
    def open(self, file: str = "") -> bool:
        """A file in this window; False if it was refused or the user thought better of it."""
        if not file:
            file, _ = QFileDialog.getOpenFileName(
                self.window, "Open", self.document.folder, DIAGRAMS
            )
        if not file or not self.may_leave():
            return False
        try:
            document = Document.open(file, self.registry)
        except DiagramError as error:
            self.tell(f"{os.path.basename(file)} cannot be opened", str(error))
            return False
        self._load_neighbours(document)
        self.settings.add_recent(document.file)
        self.window.show_document(document)
        return True

    def new(self) -> bool:
        if not self.may_leave():
            return False
        self.window.show_document(Document.new(self.registry))
        return True

    def may_leave(self) -> bool:
        """Whether the document may be closed: it is saved, or the user says so."""
        if self.document.is_saved:
            return True
        answer = self.ask(
            f"{self.document.name} has changes that are not saved.",
            "Save them?",
            Button.Save | Button.Discard | Button.Cancel,
        )
        if answer == Button.Save:
            return self.save()
        return answer == Button.Discard

    # --- saving --------------------------------------------------------------------------------
    def save(self) -> bool:
        if not self.document.file:
            return self.save_as()
        if self.document.changed_on_disk():
            answer = self.ask(
                f"{self.document.name} was changed by another program.",
                "Overwrite what stands there now?",
                Button.Save | Button.Cancel,
            )
            if answer != Button.Save:
                return False
        return self._write("")

    def save_as(self, file: str = "") -> bool:
        if not file:
            start = self.document.file or os.path.join(self.document.folder, "untitled.yaml")
            file, _ = QFileDialog.getSaveFileName(self.window, "Save as", start, DIAGRAMS)
        if not file:
            return False
        if not os.path.splitext(file)[1]:
            file += ".yaml"
        return self._write(file)

    def _write(self, file: str) -> bool:
        try:
            self.document.save(file)
        except DiagramError as error:
            self.tell("The diagram cannot be saved", str(error))
            return False
        self.settings.add_recent(self.document.file)
        self.recovery.discard()
        self.window.said(f"saved {self.document.file}")
        return True

    # --- unsaved work --------------------------------------------------------------------------
    def note_change(self) -> None:
        """Unsaved work is kept a while after the first change, also if more and more follow."""
        if not self._autosave.isActive():
            self._autosave.start()

    def keep_unsaved(self) -> bool:
        """Writes unsaved work aside; False if that is not possible."""
        document = self.document
        if document.is_saved:
            self.recovery.discard()
            return True
        reason = self.recovery.keep(document.file, document.text(), document.changed_files())
        if reason:
            self.window.said(f"unsaved work cannot be kept in {self.recovery.folder}: {reason}")
        return not reason

    def offer_leftovers(self) -> list[str]:
        """Unsaved work of sessions that crashed, if the user wants it back: the files restored.

        The first is opened in this window, each further one in a window of its own.
        """
        restored: list[str] = []
        for leftover in self.recovery.leftovers():
            name = leftover.file or "an untitled diagram"
            answer = self.ask(
                f"The editor ended with unsaved changes in {name}.",
                "Restore them? Cancel leaves them for the next start; Discard throws them away.",
                Button.Yes | Button.Discard | Button.Cancel,
            )
            if answer == Button.Yes and self._restore(leftover, bool(restored)):
                restored.append(leftover.file)
            if answer == Button.Discard:
                leftover.discard()
            else:
                leftover.let_go()
        return restored

    def _restore(self, leftover: Leftover, elsewhere: bool) -> bool:
        """Opens what was left; its copy goes only once the open document is itself kept."""
        try:
            document = Document.recovered(
                leftover.text, leftover.file, self.registry, leftover.others
            )
        except DiagramError as error:
            self._offer_text(leftover, str(error))
            return False
        window = self.window.another() if elsewhere else self.window
        window.show_document(document)
        if window.filing.keep_unsaved():
            leftover.discard()
        else:
            self.tell(
                "The changes are restored, but cannot be kept aside again",
                f"Save them soon. Their copy stays in {leftover.record}.",
            )
        return True

    def _offer_text(self, leftover: Leftover, reason: str) -> None:
        """Changes that cannot be opened stay where they are; their text can be saved elsewhere."""
        answer = self.ask(
            "The changes cannot be restored.",
            f"{reason}\n\nThey stay in {leftover.record}, and are offered again at the next "
            "start. Save their text to a file of its own too?",
            Button.Save | Button.Close,
        )
        if answer == Button.Save:
            start = f"{os.path.splitext(leftover.file)[0] or 'untitled'}.restored.yaml"
            file, _ = QFileDialog.getSaveFileName(self.window, "Save text", start, DIAGRAMS)
            self._save_text(leftover, file)

    def _save_text(self, leftover: Leftover, file: str) -> None:
        try:
            if file:
                replace_text(file, leftover.text)
                self.window.said(f"wrote {file}")
        except OSError as error:
            self.tell(f"{file} cannot be written", error.strerror or str(error))

    # --- changes by others ---------------------------------------------------------------------
    def look_at_disk(self) -> None:
        if self._asking or not self.document.file or not self.document.changed_on_disk():
            return
        self._asking = True
        try:
            lost = "" if self.document.is_saved else " Your own changes can be got back with undo."
            answer = self.ask(
                f"{self.document.name} was changed by another program.",
                f"Reload it?{lost}",
                Button.Yes | Button.No,
            )
            if answer == Button.Yes:
                self.reload()
            else:
                self.document.keep_own()
        finally:
            self._asking = False

    def reload(self) -> None:
        if not self.document.file:
            return
        try:
            self.document.reload()
        except DiagramError as error:
            self.tell("The file cannot be read any more", str(error))
            self.document.keep_own()

    # --- Python blocks -------------------------------------------------------------------------
    def load_blocks(self, path: str = "") -> bool:
        """Blocks from a Python file, if the user trusts it."""
        if not path:
            path, _ = QFileDialog.getOpenFileName(
                self.window, "Python blocks", self.document.folder, "Python (*.py)"
            )
        registry = self.registry.copy()
        try:
            if not path or not self._is_trusted(path):
                return False
            found = registry.add_path(path)
        except DiagramError as error:
            self.tell("The blocks cannot be loaded", str(error))
            return False
        self.registry = registry
        self.window.use_registry(registry)
        self.window.said(f"loaded {', '.join(block.declaration.id for block in found)}")
        return True

    def _is_trusted(self, path: str) -> bool:
        if self.settings.trusts(path):
            return True
        answer = self.ask(
            f"{os.path.basename(path)} holds Python code, which will run with your rights.",
            f"Do you trust {path}?",
            Button.Yes | Button.No,
        )
        if answer == Button.Yes:
            self.settings.trust(path)
        return answer == Button.Yes

    def _load_neighbours(self, document: Document) -> None:
        """Files beside a diagram that may hold block types that are not known."""
        kinds = {block.type.text for block in document.root.blocks.values() if block.type}
        for family in sorted({kind.partition(".")[0] for kind in kinds}):
            unknown = [k for k in kinds if k.startswith(f"{family}.") and not self.registry.get(k)]
            path = Path(document.folder) / f"{family}.py"
            if unknown and path.exists() and self.load_blocks(str(path)):
                document.use(self.registry)

    # --- asking --------------------------------------------------------------------------------
    def ask(self, text: str, more: str, buttons: Button) -> Button:
        box = QMessageBox(QMessageBox.Icon.Question, "railblocks", tip(text), buttons, self.window)
        box.setInformativeText(tip(more))
        return Button(box.exec())

    def tell(self, text: str, more: str) -> None:
        box = QMessageBox(QMessageBox.Icon.Warning, "railblocks", tip(text), Button.Ok, self.window)
        box.setInformativeText(tip(more))
        box.exec()
