"""Reading files that somebody named: regular files up to a size, or a problem that names the file.

Every file that a diagram or a command names is read here, so that a pipe, a device, a folder or a
file without end is a message at once and never a wait.
"""

from __future__ import annotations

import os
import stat

from ..errors import DiagramError, Place
from .nodes import place_of

LARGEST_SIZE = 16 * 2**20
LARGEST_DATA = 2**30


def file_bytes(
    path: str | os.PathLike[str], expected: str = "a file", largest: int = LARGEST_DATA
) -> bytes:
    """The content of a regular file of at most `largest` bytes; raises `DiagramError`."""
    place = Place(os.fspath(path))
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(handle, "rb") as file:
            state = os.fstat(handle)
            if not stat.S_ISREG(state.st_mode):
                raise DiagramError(f"is not a regular file; expected {expected}", place)
            if state.st_size > largest:
                raise DiagramError(too_large(state.st_size, largest), place)
            data = file.read(largest + 1)
    except FileNotFoundError:
        raise DiagramError("there is no such file; check the path", place) from None
    except (OSError, ValueError) as error:
        if os.path.isdir(path):
            raise DiagramError(f"is a folder; expected {expected}", place) from None
        reason = getattr(error, "strerror", None) or str(error)
        raise DiagramError(f"the file cannot be read: {reason}", place) from None
    if len(data) > largest:
        raise DiagramError(too_large(len(data), largest), place)
    return data


def file_text(
    path: str | os.PathLike[str], expected: str = "a YAML file", largest: int = LARGEST_SIZE
) -> str:
    """The text of a regular file of UTF-8; raises `DiagramError`."""
    data = file_bytes(path, expected, largest)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        raise DiagramError(
            f"byte 0x{data[error.start]:02x} is not UTF-8; save the file as UTF-8",
            place_of(before, len(before), os.fspath(path)),
        ) from None


def too_large(size: int, largest: int = LARGEST_SIZE) -> str:
    return f"{size} bytes are too many; the largest file is {largest} bytes ({largest >> 20} MiB)"
