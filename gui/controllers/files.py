"""Files of a window: open, save, recover, reload; no unsaved work is lost silently."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal
from railblocks.engine.declaration.registry import Registry
from railblocks.engine.errors import DiagramError
from railblocks.engine.files.replacing import replace_text

from ..files.recovery import Leftover, Recovery
from ..files.settings import Settings
from ..model.document import Document
from .dialogs import Button, Dialogs
from .messages import StatusMessages

DIAGRAMS = "Diagrams (*.yaml *.yml)"
PYTHON = "Python (*.py)"
AUTOSAVE_DELAY_MS = 2000  # after a change
DISK_CHECK_INTERVAL_MS = 1500


class FileController(QObject):
    """The open document of a window and its file; asks before anything is lost.

    `new_window` opens another window and gives its files.
    """

    document_opened = Signal(object)
    registry_changed = Signal(object)  # blocks were loaded from a Python file

    def __init__(
        self,
        dialogs: Dialogs,
        messages: StatusMessages,
        settings: Settings,
        registry: Registry,
        new_window: Callable[[], FileController],
    ):
        super().__init__()
        self.settings, self.registry = settings, registry
        self.document = Document.new(registry)
        self.recovery = Recovery(settings.folder)
        self._dialogs, self._messages, self._new_window = dialogs, messages, new_window
        self._autosave = QTimer(self)
        self._autosave.setSingleShot(True)
        self._autosave.setInterval(AUTOSAVE_DELAY_MS)
        self._autosave.timeout.connect(self.keep_unsaved)
        self._disk_timer = QTimer(self)
        self._disk_timer.setInterval(DISK_CHECK_INTERVAL_MS)
        self._disk_timer.timeout.connect(self.check_disk)
        self._disk_timer.start()
        self._asking = False

    def show(self, document: Document) -> None:
        """Shows another document instead of the open one."""
        self.recovery.discard()
        self.document = document
        self.document_opened.emit(document)

    # --- opening -------------------------------------------------------------------------------
    def open(self, file: str = "") -> bool:
        """Opens a file in this window; False if it was refused or the user cancelled."""
        if not file:
            file = self._dialogs.file_to_open("Open", self.document.folder, DIAGRAMS)
        if not file or not self.confirm_leaving():
            return False
        try:
            document = Document.open(file, self.registry)
        except DiagramError as error:
            self._dialogs.inform(f"{os.path.basename(file)} cannot be opened", str(error))
            return False
        self._load_neighbours(document)
        self.settings.add_recent(document.file)
        self.show(document)
        return True

    def new(self) -> bool:
        if not self.confirm_leaving():
            return False
        self.show(Document.new(self.registry))
        return True

    def confirm_leaving(self) -> bool:
        """Whether the document may be closed: it is saved, or the user agrees."""
        if self.document.is_saved:
            return True
        answer = self._dialogs.ask(
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
            answer = self._dialogs.ask(
                f"{self.document.name} was changed by another program.",
                "Overwrite the file as it is now?",
                Button.Save | Button.Cancel,
            )
            if answer != Button.Save:
                return False
        return self._write("")

    def save_as(self, file: str = "") -> bool:
        if not file:
            start = self.document.file or os.path.join(self.document.folder, "untitled.yaml")
            file = self._dialogs.file_to_save("Save as", start, DIAGRAMS)
        if not file:
            return False
        if not os.path.splitext(file)[1]:
            file += ".yaml"
        return self._write(file)

    def _write(self, file: str) -> bool:
        try:
            self.document.save(file)
        except DiagramError as error:
            self._dialogs.inform("The diagram cannot be saved", str(error))
            return False
        self.settings.add_recent(self.document.file)
        self.recovery.discard()
        self._messages.show(f"saved {self.document.file}")
        return True

    # --- unsaved work --------------------------------------------------------------------------
    def schedule_autosave(self) -> None:
        """Schedules a copy of unsaved work, a while after the first change even if more follow."""
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
            self._messages.show(f"unsaved work cannot be kept in {self.recovery.folder}: {reason}")
        return not reason

    def offer_leftovers(self) -> list[str]:
        """Restores unsaved work of sessions that crashed, if the user wants it: the files restored.

        The first is opened in this window, each further one in a window of its own.
        """
        restored: list[str] = []
        for leftover in self.recovery.leftovers():
            name = leftover.file or "an untitled diagram"
            answer = self._dialogs.ask(
                f"The editor ended with unsaved changes in {name}.",
                "Restore them? Cancel leaves them for the next start; Discard throws them away.",
                Button.Yes | Button.Discard | Button.Cancel,
            )
            if answer == Button.Yes and self._restore(leftover, bool(restored)):
                restored.append(leftover.file)
            if answer == Button.Discard:
                leftover.discard()
            else:
                leftover.release()
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
        files = self._new_window() if elsewhere else self
        files.show(document)
        if files.keep_unsaved():
            leftover.discard()
        else:
            self._dialogs.inform(
                "The changes are restored, but cannot be kept aside again",
                f"Save them soon. Their copy stays in {leftover.record}.",
            )
        return True

    def _offer_text(self, leftover: Leftover, reason: str) -> None:
        """Offers to save the text of changes that cannot be opened; they stay where they are."""
        answer = self._dialogs.ask(
            "The changes cannot be restored.",
            f"{reason}\n\nThey stay in {leftover.record}, and are offered again at the next "
            "start. Save their text to a file of its own too?",
            Button.Save | Button.Close,
        )
        if answer == Button.Save:
            start = f"{os.path.splitext(leftover.file)[0] or 'untitled'}.restored.yaml"
            self._save_text(leftover, self._dialogs.file_to_save("Save text", start, DIAGRAMS))

    def _save_text(self, leftover: Leftover, file: str) -> None:
        try:
            if file:
                replace_text(file, leftover.text)
                self._messages.show(f"wrote {file}")
        except OSError as error:
            self._dialogs.inform(f"{file} cannot be written", error.strerror or str(error))

    # --- changes by others ---------------------------------------------------------------------
    def check_disk(self) -> None:
        if self._asking or not self.document.file or not self.document.changed_on_disk():
            return
        self._asking = True
        try:
            lost = "" if self.document.is_saved else " Your own changes can be got back with undo."
            answer = self._dialogs.ask(
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
            self._dialogs.inform("The file cannot be read any more", str(error))
            self.document.keep_own()

    # --- Python blocks -------------------------------------------------------------------------
    def load_blocks(self, path: str = "") -> bool:
        """Loads blocks from a Python file, if the user trusts it."""
        if not path:
            path = self._dialogs.file_to_open("Python blocks", self.document.folder, PYTHON)
        registry = self.registry.copy()
        try:
            if not path or not self._is_trusted(path):
                return False
            blocks = registry.add_path(path)
        except DiagramError as error:
            self._dialogs.inform("The blocks cannot be loaded", str(error))
            return False
        self.registry = registry
        self.registry_changed.emit(registry)
        self._messages.show(f"loaded {', '.join(block.declaration.id for block in blocks)}")
        return True

    def _is_trusted(self, path: str) -> bool:
        if self.settings.trusts(path):
            return True
        answer = self._dialogs.ask(
            f"{os.path.basename(path)} holds Python code, which will run with your rights.",
            f"Do you trust {path}?",
            Button.Yes | Button.No,
        )
        if answer == Button.Yes:
            self.settings.trust(path)
        return answer == Button.Yes

    def _load_neighbours(self, document: Document) -> None:
        """Loads Python files beside a diagram that may declare its unknown block types."""
        kinds = {block.type.text for block in document.root.blocks.values() if block.type}
        for family in sorted({kind.partition(".")[0] for kind in kinds}):
            unknown = [k for k in kinds if k.startswith(f"{family}.") and not self.registry.get(k)]
            path = Path(document.folder) / f"{family}.py"
            if unknown and path.exists() and self.load_blocks(str(path)):
                document.use(self.registry)
