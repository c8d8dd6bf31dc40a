"""Reading files that somebody named: regular files up to a size, or a problem that names the file.

Every file that a diagram or a command names is read here, so that a pipe, a device, a folder or a
file without end is a message at once and never a wait.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import BinaryIO

from ..errors import DiagramError, Position
from .nodes import position_of

LARGEST_SIZE = 16 * 2**20  # bytes of a text file
LARGEST_DATA = 2**30  # bytes of a data file


@dataclass(frozen=True)
class FileRead:
    """A file as it was when it was read; `modified` is its time of change in nanoseconds."""

    path: str
    size: int
    sha256: str
    modified: int = field(default=0, compare=False, repr=False)


Record = dict[str, FileRead]
_records: ContextVar[tuple[Record, ...]] = ContextVar("records", default=())


@contextlib.contextmanager
def files_read() -> Iterator[Record]:
    """The files that are read inside the `with` block, by their absolute paths."""
    record: Record = {}
    with _recording((*_records.get(), record)):
        yield record


def not_recorded() -> contextlib.AbstractContextManager[None]:
    """Reads inside are not recorded: the files are part of railblocks, known by its version."""
    return _recording(())


@contextlib.contextmanager
def _recording(records: tuple[Record, ...]) -> Iterator[None]:
    token = _records.set(records)
    try:
        yield
    finally:
        _records.reset(token)


def file_bytes(
    path: str | os.PathLike[str], expected: str = "a file", largest: int = LARGEST_DATA
) -> bytes:
    """The content of a regular file of at most `largest` bytes; raises `DiagramError`."""
    position = Position(os.fspath(path))
    with regular_file(path, expected) as file:
        state = os.fstat(file.fileno())
        if state.st_size > largest:
            raise DiagramError(too_large(state.st_size, largest), position)
        data = file.read(largest + 1)
    if len(data) > largest:
        raise DiagramError(too_large(len(data), largest), position)
    _remember(path, data, state.st_mtime_ns)
    return data


@contextlib.contextmanager
def regular_file(path: str | os.PathLike[str], expected: str = "a file") -> Iterator[BinaryIO]:
    """A regular file, open for reading; `DiagramError` for anything else and for read errors."""
    position = Position(os.fspath(path))
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise DiagramError(f"is not a regular file; expected {expected}", position)
            yield file
    except FileNotFoundError:
        raise DiagramError("there is no such file; check the path", position) from None
    except (OSError, ValueError) as error:
        if os.path.isdir(path):
            raise DiagramError(f"is a folder; expected {expected}", position) from None
        reason = getattr(error, "strerror", None) or str(error)
        raise DiagramError(f"the file cannot be read: {reason}", position) from None


def _remember(path: str | os.PathLike[str], data: bytes, modified: int) -> None:
    records = _records.get()
    if not records:
        return
    name = os.path.abspath(path)
    entry = FileRead(name, len(data), hashlib.sha256(data).hexdigest(), modified)
    for record in records:
        record[name] = entry


def starting_at(folder: str, text: str) -> str:
    """The path that a text in a file of `folder` names, from the current folder if that is shorter.

    `folder` is absolute, or empty for the current one.
    """
    try:
        here = os.path.join(os.getcwd(), "")
    except OSError:
        here = ""
    inside = os.path.join(folder, "")
    if here and inside.startswith(here):
        return os.path.join(inside[len(here) :], text)
    return os.path.join(folder, text)


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
            position_of(before, len(before), os.fspath(path)),
        ) from None


def too_large(size: int, largest: int = LARGEST_SIZE) -> str:
    return f"{size} bytes are too many; the largest file is {largest} bytes ({largest >> 20} MiB)"
