"""The locks under which numba works: a fork that takes one along would wait for it for ever."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

AT_WORK = threading.RLock()
"""Held while a function is lowered, numba's import included."""


@contextmanager
def numba_at_rest() -> Iterator[bool]:
    """True, and other threads kept from numba meanwhile; False if one is at work just now."""
    compiler = sys.modules.get("numba.core.compiler_lock")
    own = getattr(getattr(compiler, "global_compiler_lock", None), "_lock", None)
    with ExitStack() as held:
        yield all(_acquired(lock, held) for lock in (AT_WORK, own) if lock is not None)


def _acquired(lock: Any, held: ExitStack) -> bool:
    if not lock.acquire(blocking=False):
        return False
    held.callback(lock.release)
    return True
