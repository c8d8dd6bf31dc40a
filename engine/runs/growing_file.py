"""An HDF5 file with rows that are added; whenever the process dies, the rows so far can be read.

Its header is written under a temporary name, so that a file under the final name is never half
made; the file is locked while rows are added (`claim`). Rows come first, then a flush, then the
count of committed rows. (HDF5 keeps that promise with its default format version only.)
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from ..errors import DiagramError, Position, SimulationError
from ..files.replacing import new_file
from .checkpoint import Checkpoint
from .claim import put_in_place
from .results_rows import reason_of
from .statistics import Statistics
from .stored_state import room_for, write_state

CHUNK_NUMBERS = 16384  # of a chunk of the file
CHUNK_COLUMNS = 32
BOOKKEEPING = 2**16


@dataclass(frozen=True)
class Content:
    """What a file has from the start: `fill` writes it into room of so many bytes."""

    room: int
    fill: Callable[[Any], None]


def chunks_of(width: int) -> tuple[int, int]:
    """Rows and columns of a chunk of a file with rows of so many numbers."""
    columns = min(width, CHUNK_COLUMNS)
    return CHUNK_NUMBERS // columns, columns


def room_for_rows(count: int, chunks: tuple[int, int], width: int) -> int:
    """The bytes that rows take with the chunks that they open."""
    height, columns = chunks
    return (count // height + 2) * -(-width // columns) * height * columns * 8


class GrowingFile:
    """A file with rows that are added; a results file, or another with such rows.

    Room on the disk is taken before HDF5 writes into it: HDF5 cannot go on after a failed write,
    and would leave a file that nobody can read.
    """

    def __init__(self, path: str, image: bytes, content: Content | None = None):
        """`image` is the file without rows, as `image_of` makes it.

        `content` is put into the file before it has its name.
        """
        import h5py

        with writing(path) as temporary:
            with open(temporary, "wb") as file:
                file.write(image)
                file.flush()
                if content is not None and hasattr(os, "posix_fallocate"):
                    os.posix_fallocate(file.fileno(), 0, len(image) + content.room)
            if content is not None:
                with h5py.File(temporary, "r+", locking=False) as filled:
                    content.fill(filled)
            disk = put_in_place(temporary, path)
        self._open(path, disk)

    @classmethod
    def reopened(cls, path: str, disk: int) -> Self:
        """A file that was written before, to be gone on with; `disk` is its locked handle."""
        file = cls.__new__(cls)
        file._open(path, disk)
        return file

    def _open(self, path: str, disk: int) -> None:
        import h5py

        self.path, self.disk = path, disk
        try:
            self._file = h5py.File(path, "r+", locking=False)
            self._rows = self._file["rows"]
            self._committed = self._file["committed"]
        except BaseException:
            os.close(disk)
            raise
        self._room = 0

    @property
    def count(self) -> int:
        """How many rows there are; after a kill some that were not committed."""
        return int(self._rows.shape[0])

    def group(self, name: str) -> Any:
        """Another part of the file."""
        return self._file[name]

    @property
    def is_open(self) -> bool:
        return bool(self._file)

    def append(self, rows: np.ndarray) -> None:
        """Adds rows; when it returns, they survive the end of the process."""
        done = self.count
        try:
            self._reserve(rows)
            self._rows.resize(done + len(rows), axis=0)
            self._rows[done:] = rows
            self._file.flush()
            self._committed[()] = done + len(rows)
            self._file.flush()
        except (OSError, RuntimeError) as error:
            raise SimulationError(
                f"{self.path}: row {done} cannot be written: {reason_of(error)}; "
                "make room on the disk and run again"
            ) from None

    def _reserve(self, rows: np.ndarray) -> None:
        """Makes the file large enough for the rows, for chunks that they open, and for its end."""
        room = room_for_rows(len(rows), self._rows.chunks, rows.shape[1])
        needed = self._file.id.get_filesize() + room + BOOKKEEPING
        if needed > self._room and hasattr(os, "posix_fallocate"):
            os.posix_fallocate(self.disk, 0, needed)
            self._room = needed

    def save_state(self, checkpoint: Checkpoint, identity: Mapping[str, str]) -> None:
        """Saves where the run can go on; when it returns, that survives the end of the process."""
        try:
            if hasattr(os, "posix_fallocate"):
                needed = self._file.id.get_filesize() + room_for(checkpoint) + BOOKKEEPING
                self._room = max(self._room, needed)
                os.posix_fallocate(self.disk, 0, self._room)
            write_state(self._file, checkpoint, identity)
        except (OSError, RuntimeError) as error:
            raise SimulationError(
                f"{self.path}: the state at t = {checkpoint.time:.6g} s cannot be written: "
                f"{reason_of(error)}; make room on the disk and run again"
            ) from None

    def end(self, conclusion: Mapping[str, Any], statistics: Statistics | None) -> None:
        """Adds outcome and statistics, gives back the room that was not needed, and closes."""
        if not self._file:
            return
        try:
            write_end(self._file, conclusion, statistics)
            self._file.flush()
            size = self._file.id.get_filesize()
            self._file.close()
            os.ftruncate(self.disk, size)
        except (OSError, RuntimeError) as error:
            raise SimulationError(
                f"{self.path}: the end cannot be written: {reason_of(error)}; "
                "make room on the disk and run again"
            ) from None
        finally:
            os.close(self.disk)


@contextlib.contextmanager
def writing(path: str) -> Iterator[str]:
    """The name of a new, empty file beside `path`, gone afterwards if it got no other name."""
    temporary = None
    try:
        if os.path.isdir(path):
            raise IsADirectoryError(0, "it is a folder")
        target = os.path.realpath(path)
        temporary = new_file(target, None if os.path.isfile(target) else 0o666)
        yield temporary
    except OSError as error:
        raise DiagramError(
            f"the results cannot be written: {reason_of(error)}; choose another file",
            Position(path),
        ) from None
    finally:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)


def write_end(file: Any, end: Mapping[str, Any], statistics: Statistics | None) -> None:
    group = file.require_group("statistics").attrs
    for name, value in statistics.numbers().items() if statistics is not None else ():
        group[name] = value
    for name in ("outcome", "reason"):
        file.attrs[name] = clean(end.get(name, ""))
    file.attrs["notices"] = json.dumps(end.get("notices", []))
    file.attrs["finished"] = bool(end.get("finished", False))


def clean(text: str) -> str:
    """Text that HDF5 can hold: UTF-8 without null characters."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()
