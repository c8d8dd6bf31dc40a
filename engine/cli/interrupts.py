"""Ctrl-C, also while machine code is at work that never comes back.

Python sees a signal only between two of its own instructions, so a block whose compiled function
loops for ever would hold the command for ever. Here the operating system wakes a thread as well.
The first Ctrl-C asks: a run ends after the step at work, anything else by KeyboardInterrupt. After
the second one, what has not ended within `GRACE` is ended: the thread saves what there is, says
where the run was and ends the process.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

GRACE = 1.0  # seconds from the second Ctrl-C until the process is ended
SAVING = 5.0  # seconds for saving what there is
INTERRUPTED = 130


class Watch:
    """Watches for Ctrl-C inside its `with` block; elsewhere than in the main thread it does not."""

    def __init__(self) -> None:
        import socket

        self._ask: Callable[[], None] | None = None
        self._end: Callable[[], str] | None = None
        self._presses = 0
        self._over = threading.Event()
        self._before: Any = None
        self._wakeup = -1
        self._sender, self._receiver = socket.socketpair()

    def __enter__(self) -> Watch:
        if threading.current_thread() is threading.main_thread():
            self._sender.setblocking(False)
            self._before = signal.signal(signal.SIGINT, self._interrupt)
            self._wakeup = signal.set_wakeup_fd(self._sender.fileno(), warn_on_full_buffer=False)
            threading.Thread(target=self._listen, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        if self._before is not None:
            signal.set_wakeup_fd(self._wakeup)
            signal.signal(signal.SIGINT, self._before)
        self._sender.close()

    @contextlib.contextmanager
    def during(self, ask: Callable[[], None], end: Callable[[], str]) -> Iterator[None]:
        """Watches work: the first Ctrl-C calls `ask`; `end` saves and returns what to print."""
        self._ask, self._end = ask, end
        try:
            yield
        finally:
            self._ask = self._end = None

    def _interrupt(self, _: int, frame: FrameType | None) -> None:
        """Handles the signal in Python, as soon as Python comes to it."""
        self._presses += 1
        if self._ask is None or self._presses > 1:
            signal.default_int_handler(signal.SIGINT, frame)
        self._ask()

    def _listen(self) -> None:
        """Counts interrupts in a thread, since the handler may never get its turn."""
        presses = 0
        while data := self._receiver.recv(1):
            if data[0] != signal.SIGINT:
                continue
            presses += 1
            if presses == 1 and self._ask is not None:
                self._ask()
            elif presses > 1 and not self._over.wait(GRACE):
                self._force()
        self._receiver.close()

    def _force(self) -> None:
        message = ["interrupted"]

        def save() -> None:
            if self._end is not None:
                message[0] = self._end()

        saving = threading.Thread(target=save, daemon=True)
        saving.start()
        saving.join(SAVING)
        sys.stderr.write(message[0] + "\n")
        sys.stderr.flush()
        os._exit(INTERRUPTED)
