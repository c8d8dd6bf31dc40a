"""Garbage collection in the window's thread only.

Python collects cycles in whichever thread happens to allocate. A widget that a worker thread
destroys takes the process down, so automatic collection is off, and a timer does it here.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QCoreApplication, QObject, QTimer

EVERY = 500  # ms
OLDER = 10  # younger collections for one of all objects


class Collector(QObject):
    """One for the application; `start` may be called again."""

    _only: Collector | None = None

    @classmethod
    def start(cls) -> None:
        if cls._only is None:
            cls._only = cls()

    def __init__(self) -> None:
        super().__init__(QCoreApplication.instance())
        gc.disable()
        gc.collect()
        gc.freeze()  # what was loaded stays; looking at it again would take too long
        self._rounds = 0
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.collect)
        self._timer.start(EVERY)

    def collect(self) -> None:
        if gc.get_count()[0] < gc.get_threshold()[0]:
            return
        self._rounds += 1
        gc.collect(2 if self._rounds % OLDER == 0 else 1)
