"""Questions and reports in front of a window."""

from __future__ import annotations

from PySide6.QtWidgets import QFileDialog, QInputDialog, QMessageBox, QWidget

from ..style.plain_text import plain_text

Button = QMessageBox.StandardButton


class Dialogs:
    """The dialogs of one window; each waits for the user's answer."""

    def __init__(self, window: QWidget):
        self._window = window

    def ask(self, text: str, more: str, buttons: Button) -> Button:
        """Asks a question; returns the button that the user chose."""
        return Button(self._box(QMessageBox.Icon.Question, text, more, buttons).exec())

    def inform(self, text: str, more: str) -> None:
        self._box(QMessageBox.Icon.Warning, text, more, Button.Ok).exec()

    def _box(self, icon: QMessageBox.Icon, text: str, more: str, buttons: Button) -> QMessageBox:
        box = QMessageBox(icon, "railblocks", plain_text(text), buttons, self._window)
        box.setInformativeText(plain_text(more))
        return box

    def about(self, text: str) -> None:
        QMessageBox.about(self._window, "railblocks", text)

    def ask_text(self, title: str, label: str, text: str = "") -> str:
        """Asks for some lines of text; empty if the user cancels."""
        answer, accepted = QInputDialog.getMultiLineText(self._window, title, label, text)
        return answer if accepted else ""

    def ask_item(self, title: str, label: str, items: list[str]) -> str | None:
        """Asks for one of some items, or other text; None if the user cancels."""
        answer, accepted = QInputDialog.getItem(self._window, title, label, items, 0, True)
        return answer if accepted else None

    def file_to_open(self, title: str, folder: str, kinds: str) -> str:
        """The path of a file; empty if the user cancels."""
        return QFileDialog.getOpenFileName(self._window, title, folder, kinds)[0]

    def file_to_save(self, title: str, suggestion: str, kinds: str) -> str:
        """The path of a file; empty if the user cancels."""
        return QFileDialog.getSaveFileName(self._window, title, suggestion, kinds)[0]
