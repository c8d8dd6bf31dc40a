"""The status bar of a window: messages for a while, and hints as long as they hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .window import EditorWindow

MESSAGE_MS = 12_000


class Messages:
    """Mixed into the window."""

    _hint = ""  # shown while the pointer rests on something

    def said(self: EditorWindow, text: str) -> None:
        """A message for a while, or until the next change; empty: what was said is over."""
        self.statusBar().showMessage(text, MESSAGE_MS)

    def hinted(self: EditorWindow, text: str) -> None:
        """A hint while the pointer rests on something; empty when it has left."""
        if text:
            self._hint = text
            self.statusBar().showMessage(text)
        elif self._hint and self.statusBar().currentMessage() == self._hint:
            self.statusBar().clearMessage()
