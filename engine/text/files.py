"""The text of files: regular files of UTF-8 up to 16 MiB, or a problem that names the file."""

from __future__ import annotations

import os
import stat

from ..errors import DiagramError, Place
from .nodes import place_of

LARGEST_SIZE = 16 * 2**20


def file_text(path: str) -> str:
    """The text of a regular file of UTF-8, not larger than 16 MiB."""
    place = Place(path)
    try:
        state = os.stat(path)
        if stat.S_ISDIR(state.st_mode):
            raise DiagramError("is a folder; expected a YAML file", place)
        if not stat.S_ISREG(state.st_mode):
            raise DiagramError("is not a regular file; expected a YAML file", place)
        if state.st_size > LARGEST_SIZE:
            raise DiagramError(too_large(state.st_size), place)
        with open(path, "rb") as file:
            data = file.read(LARGEST_SIZE + 1)
    except FileNotFoundError:
        raise DiagramError("there is no such file; check the path", place) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise DiagramError(f"the file cannot be read: {reason}", place) from None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        raise DiagramError(
            f"byte 0x{data[error.start]:02x} is not UTF-8; save the file as UTF-8",
            place_of(before, len(before), path),
        ) from None


def too_large(size: int) -> str:
    return f"{size} bytes are too many; the largest file is {LARGEST_SIZE} bytes (16 MiB)"
