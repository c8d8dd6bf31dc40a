"""Locks of files, held by a process until it closes the file or ends, however it ends."""

from __future__ import annotations

import errno

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

HAS_LOCKS = fcntl is not None
BUSY = (errno.EAGAIN, errno.EACCES)


def lock(handle: int) -> bool:
    """Locks an open file; False if somebody else holds the lock.

    True also where the system or the file system has no locks.
    """
    if fcntl is None:
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in BUSY
    return True
