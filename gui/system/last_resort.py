"""Unexpected errors: shown in a dialog with a report, and the work goes on.

The unsaved diagram stays in the recovery copy, which a window keeps until it is closed well.
"""

from __future__ import annotations

import sys
import threading
from types import TracebackType

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QMessageBox, QWidget
from railblocks.engine.files.last_resort import goes_through, last_words

from ..style.plain_text import plain_text

MAX_DIALOGS = 5
"""Dialogs after which errors are only printed: one that comes at every paint would block."""


class LastResort(QObject):
    """The handler of exceptions that no one else caught, in the window and in threads."""

    _failed = Signal(object)

    def __init__(self, window: QWidget):
        super().__init__(window)
        self._window = window
        self._count = 0
        self._is_open = False
        self._failed.connect(self._report, Qt.ConnectionType.QueuedConnection)

    def install(self) -> None:
        """Installs the handler, but not where errors are wanted as they are, as in tests."""
        if goes_through():
            return
        sys.excepthook = self._hook
        threading.excepthook = lambda args: self._hook(
            args.exc_type, args.exc_value or args.exc_type(), args.exc_traceback
        )

    def _hook(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        """Reports an exception of any thread; the dialog opens in that of the window."""
        if not issubclass(kind, Exception):
            sys.__excepthook__(kind, error, trace)
            return
        self._failed.emit(error.with_traceback(trace))

    def _report(self, error: BaseException) -> None:
        self._count += 1
        if self._count > MAX_DIALOGS or self._is_open:
            sys.__excepthook__(type(error), error, error.__traceback__)
            return
        words = last_words(error, sys.argv)
        print(words, file=sys.stderr)
        self._is_open = True
        self.show_dialog(f"{words}. Save your work under another name and start again.")
        self._is_open = False

    def show_dialog(self, text: str) -> None:
        icon, ok = QMessageBox.Icon.Critical, QMessageBox.StandardButton.Ok
        QMessageBox(icon, "railblocks", plain_text(text), ok, self._window).exec()
