"""The status bar of a window: messages for a while, and hints as long as they hold."""

from __future__ import annotations

from PySide6.QtWidgets import QStatusBar

MESSAGE_MS = 12_000


class StatusMessages:
    """Shows messages and hints in a status bar."""

    def __init__(self, bar: QStatusBar):
        self._bar = bar
        self._hint = ""  # shown while the pointer rests on something

    def show(self, text: str) -> None:
        """Shows a message for a while, or until the next change; empty removes the last one."""
        self._bar.showMessage(text, MESSAGE_MS)

    def show_hint(self, text: str) -> None:
        """Shows a hint while the pointer rests on something; empty when it has left."""
        if text:
            self._hint = text
            self._bar.showMessage(text)
        elif self._hint and self._bar.currentMessage() == self._hint:
            self._bar.clearMessage()
