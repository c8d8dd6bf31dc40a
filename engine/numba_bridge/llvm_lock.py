"""The lock under which LLVM works: whoever frees one of its modules waits for it."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator


@contextlib.contextmanager
def llvm_at_rest() -> Iterator[bool]:
    """True, and LLVM kept from working meanwhile; False if it is at work just now.

    The optimiser may hold the lock for a second, and garbage may hold modules: a thread that must
    not wait collects only while LLVM is at rest.
    """
    binding = sys.modules.get("llvmlite.binding.ffi")
    lock = getattr(getattr(getattr(binding, "lib", None), "_lock", None), "_lock", None)
    if lock is None:
        yield True
    elif lock.acquire(blocking=False):
        try:
            yield True
        finally:
            lock.release()
    else:
        yield False
