"""The right to write a results file: one run at a time, and never over a file of another kind.

A run locks its file before the file has its name, and keeps the lock while it writes. Whoever wants
the name next locks the file that has it now: that fails while the run goes on, and the lock ends
with its process, however that ends. (Where there is no `flock`, on Windows, the system itself
refuses to replace a file that is open.)
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator

from ..errors import DiagramError, Position
from ..files.locks import HAS_LOCKS, lock
from .results_rows import is_results, reason_of

READ = os.O_RDWR | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
SAMPLE_BYTES = 4096


def refuse_taken(path: str) -> None:
    """Raises DiagramError where results cannot be written now; called before the work begins."""
    target = os.path.realpath(path)
    try:
        with _locked(target, path):
            _refuse_other_kinds(target, path)
    except FileNotFoundError:
        return
    except OSError as error:
        reason = "it is a folder" if os.path.isdir(path) else reason_of(error)
        raise DiagramError(
            f"the results cannot be written: {reason}; choose another file", Position(path)
        ) from None


def put_in_place(temporary: str, path: str) -> int:
    """Gives a written file its name; the lock is held until the handle that comes back is closed.

    Raises DiagramError where another run writes to `path` or where the file there does not hold
    results, OSError where the system refuses.
    """
    target = os.path.realpath(path)
    handle = _own(temporary) if HAS_LOCKS else -1
    try:
        while not _placed(temporary, target, path):
            pass
    except BaseException:
        _close(handle)
        raise
    return handle if HAS_LOCKS else os.open(target, READ)


def _placed(temporary: str, target: str, path: str) -> bool:
    """Whether the file got its name; if not, another one appeared or vanished meanwhile."""
    try:
        with _locked(target, path) as old:
            if not _is_still(target, old):
                return False
            _refuse_other_kinds(target, path)
            if not HAS_LOCKS:
                os.close(old)
            os.replace(temporary, target)
            return True
    except FileNotFoundError:
        return _linked(temporary, target)


def _linked(temporary: str, target: str) -> bool:
    """Takes a name that is free; False if it is not, so that the first of two runs has it."""
    try:
        os.link(temporary, target)
    except FileExistsError:
        return False
    except OSError:  # a file system without links
        os.replace(temporary, target)
        return True
    os.unlink(temporary)
    return True


@contextlib.contextmanager
def _locked(target: str, path: str) -> Iterator[int]:
    """The file of that name, locked; FileNotFoundError if there is none."""
    handle = os.open(target, READ)
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise DiagramError("is not a regular file; choose another file", Position(path))
        if not lock(handle):
            raise DiagramError(
                "another run is writing to this file; choose another file with -o, or wait until "
                "it ends",
                Position(path),
            )
        yield handle
    finally:
        _close(handle)


def _own(temporary: str) -> int:
    """A handle of our own file, with its lock."""
    handle = os.open(temporary, READ)
    lock(handle)
    os.fsync(handle)
    return handle


def _close(handle: int) -> None:
    with contextlib.suppress(OSError):
        os.close(handle)


def _is_still(target: str, handle: int) -> bool:
    """Whether the path still names the file that was opened."""
    try:
        return os.path.samestat(os.stat(target), os.fstat(handle))
    except FileNotFoundError:
        return False


def _refuse_other_kinds(target: str, path: str) -> None:
    """Results replace results and empty files, nothing else."""
    with open(target, "rb") as file:
        start = file.read(SAMPLE_BYTES)
    if not start or is_results(target):
        return
    what = "text" if _is_text(start) else "something else"
    if start.startswith(b"\x89HDF"):
        what = "HDF5 data that are not results of a run, or damaged ones"
    raise DiagramError(
        f"the file exists and holds {what}; results replace only results: choose another name, "
        "or delete the file",
        Position(path),
    )


def _is_text(start: bytes) -> bool:
    try:
        start.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start > len(start) - 4
    return b"\0" not in start
