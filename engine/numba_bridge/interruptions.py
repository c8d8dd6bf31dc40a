"""Ctrl-C while numba is at work: it waits until numba has finished.

An interruption in the middle of numba's modules may be swallowed there, or leave Python with a
wrong exit code (it takes one that passes through `exec` for unhandled, even where it is handled
later).
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def interruptions_deferred() -> Iterator[None]:
    """Calls the handler of Ctrl-C when the `with` block ends, if it was pressed inside."""
    handler = signal.getsignal(signal.SIGINT)
    in_main = threading.current_thread() is threading.main_thread()
    if not in_main or not callable(handler):
        yield
        return
    pressed: list[tuple[Any, ...]] = []
    signal.signal(signal.SIGINT, lambda *details: pressed.append(details))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if pressed:
            handler(*pressed[0])
