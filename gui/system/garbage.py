"""Garbage collection in the window's thread only.

Python collects cycles in whichever thread happens to allocate. A widget that a worker thread
destroys takes the process down, so automatic collection is off, and a timer does it here. A full
collection may take a tenth of a second once something was compiled: it waits for runs to end,
and the longer it takes, the less often it is done. Nothing is collected while LLVM is at work,
since its modules are freed under a lock that the optimiser holds for a second.
"""

from __future__ import annotations

import gc
import time
from typing import Protocol
from weakref import WeakSet

from PySide6.QtCore import QCoreApplication, QObject, QTimer
from railblocks.engine.numba_bridge.llvm_lock import llvm_at_rest

INTERVAL_MS = 100  # short, so that little is collected each time
MIN_FULL_INTERVAL_S = 5.0  # between full collections, and at least so many times their duration:
MIN_FULL_INTERVAL_DURATIONS = 200
MAX_DEFERRAL_S = 600.0  # for which a full collection waits for runs to end


class Worker(Protocol):
    """Something that a full collection would disturb while it is active."""

    @property
    def is_active(self) -> bool: ...


class GarbageCollector(QObject):
    """Collects garbage for the whole application; `start` may be called again."""

    _only: GarbageCollector | None = None

    @classmethod
    def start(cls, worker: Worker) -> None:
        """Collects from now on, and leaves a worker in peace while it is active."""
        if cls._only is None:
            cls._only = cls()
        cls._only._workers.add(worker)

    def __init__(self) -> None:
        super().__init__(QCoreApplication.instance())
        gc.disable()
        gc.collect()
        gc.freeze()  # what was loaded stays; looking at it again would take too long
        self._workers: WeakSet[Worker] = WeakSet()
        self._next_full = time.monotonic() + MIN_FULL_INTERVAL_S
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.collect)
        self._timer.start(INTERVAL_MS)

    def collect(self) -> None:
        if gc.get_count()[0] >= gc.get_threshold()[0]:
            with llvm_at_rest() as at_rest:
                if at_rest:
                    self._collect()

    def _collect(self) -> None:
        now = time.monotonic()
        waits = now < self._next_full + MAX_DEFERRAL_S and any(
            worker.is_active for worker in self._workers
        )
        if now < self._next_full or waits:
            gc.collect(1)
            return
        gc.collect()
        spent = time.monotonic() - now
        self._next_full = now + max(MIN_FULL_INTERVAL_S, MIN_FULL_INTERVAL_DURATIONS * spent)
