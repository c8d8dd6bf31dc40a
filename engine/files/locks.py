"""Locks of files, held by a process until it closes the file or ends, however it ends.

On Linux they are locks of an open file (`F_OFD_SETLK`), which those of HDF5 do not meet: whoever
only reads results does not keep the next run from writing them.
"""

from __future__ import annotations

import errno
import os
import struct

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

HAS_LOCKS = fcntl is not None
BUSY = (errno.EAGAIN, errno.EACCES)


def lock(handle: int, byte: int | None = None) -> bool:
    """Locks a file that is open for writing; False if somebody else holds the lock.

    With the number of a `byte`, which the file need not have, only that is locked; systems without
    such locks lock the whole file. True also where the system or the file system has no locks.
    """
    if fcntl is None:
        return True
    start, length = (0, 0) if byte is None else (byte, 1)
    try:
        if hasattr(fcntl, "F_OFD_SETLK"):
            part = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, start, length, 0)
            fcntl.fcntl(handle, fcntl.F_OFD_SETLK, part)
        else:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in BUSY
    return True
