"""The cache on disk: files named by a hash of all that they depend on.

A name is written in one step and never changed; two processes that write the same file write code
that does the same. Every file begins with a checksum of its name and content: whatever does not
match it, cut short, changed or under a wrong name, is never used but deleted and made again. The
folder is private, since what it holds is run as machine code. What nobody used for long is removed,
and of whole programs only those used last are kept. `RAILBLOCKS_CACHE` moves the folder.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from ..errors import DiagramError
from ..files.folders import cache_folder, refusal
from ..files.locks import lock
from ..files.replacing import replace_bytes
from ..text.files import file_bytes
from .shipped import Shipped, shipped_kernels

KEPT_PROGRAMS = 5000
KEPT_DAYS = 90
DAY_S = 86400.0
SECONDS_BETWEEN_CLEANINGS = 3600.0
CLAIMS = "claims"  # whoever makes something holds the lock of one of its bytes
CLEANED = "cleaned"  # its time is that of the last cleaning
OWN_NAME = re.compile(rf"{CLAIMS}|{CLEANED}|\.?[kpt]_[\w.]+")
FORMAT = b"railblocks cache 1\n"
CHECKSUM_SIZE = hashlib.sha256().digest_size


class Store:
    """Content by name; falls back to memory where the folder cannot be used."""

    def __init__(self, folder: Path | None = None, shipped: Shipped | None = None):
        self.folder = folder or cache_folder()
        self._memory: dict[str, bytes] = {}
        self._shipped = shipped
        reason = refusal(self.folder)
        self.usable = not reason
        self._notices: tuple[str, ...] = ()
        if reason:
            advice = "delete the folder, or name another one in the variable RAILBLOCKS_CACHE"
            self._notices = (f"{reason}; nothing in it is used or kept; {advice}",)

    @property
    def shipped(self) -> Shipped:
        """What came with the package."""
        if self._shipped is None:
            self._shipped = shipped_kernels()
        return self._shipped

    @property
    def notices(self) -> tuple[str, ...]:
        """Why the folder, or a shipped file that was asked for, is not used."""
        shipped = self._shipped.notice if self._shipped is not None else ""
        return (*self._notices, shipped) if shipped else self._notices

    # --- content -------------------------------------------------------------------------------
    def data(self, name: str, make: Callable[[], bytes]) -> bytes:
        content = self.find(name)
        if content is None:
            content = self._memory[name] = make()
            self._write(name, content)
        return content

    def text(self, name: str, make: Callable[[], str]) -> str:
        return self.data(name, lambda: make().encode()).decode()

    def keep(self, name: str, text: str, lasting: bool = True) -> None:
        """Keeps a text, if it is not `lasting` only as long as this store is there."""
        self._memory[name] = text.encode()
        if lasting:
            self._write(name, self._memory[name])

    def forget(self, name: str) -> None:
        """Deletes the content of a name."""
        self._memory.pop(name, None)
        if self.usable:
            with contextlib.suppress(OSError):
                (self.folder / name).unlink(missing_ok=True)

    def holds(self, name: str) -> bool:
        """Whether there is a file of this name; what it holds is not looked at."""
        return name in self._memory or (self.usable and (self.folder / name).is_file())

    def find(self, name: str) -> bytes | None:
        """The content, if it is there and whole."""
        if name in self._memory:
            return self._memory[name]
        if not self.usable:
            return None
        path = self.folder / name
        try:
            file = file_bytes(path)
        except DiagramError:
            return None
        content = unwrapped(name, file)
        with contextlib.suppress(OSError):
            if content is None:
                path.unlink()
            else:
                self._memory[name] = content
                os.utime(path)
        return content

    @contextlib.contextmanager
    def claimed(self, name: str) -> Iterator[bool]:
        """True if nobody else is at work on this name, and nobody will be in the `with` block.

        The claim of a process that dies ends with it.
        """
        if not self.usable:
            yield True
            return
        try:
            self._make_folder()
            handle = os.open(self.folder / CLAIMS, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError:
            yield True
            return
        try:
            yield lock(handle, int(hashlib.sha256(name.encode()).hexdigest()[:15], 16))
        finally:
            os.close(handle)

    # --- the folder ----------------------------------------------------------------------------
    def clear(self) -> int:
        """Empties the folder; the number of files that were deleted."""
        self._memory.clear()
        return sum(_delete(path) for path in self.files())

    def files(self) -> list[Path]:
        """All files of the cache, also those that a killed process has left, and no others."""
        if not self.usable:
            return []
        try:
            return [p for p in self.folder.iterdir() if OWN_NAME.fullmatch(p.name) and p.is_file()]
        except OSError:
            return []

    @property
    def is_writable(self) -> bool:
        """Whether content can be kept; a notice says why not."""
        if not self.usable:
            return False
        try:
            self._make_folder()
            os.close(os.open(self.folder / CLAIMS, os.O_RDWR | os.O_CREAT, 0o600))
        except OSError as error:
            reason = f"{self.folder}: the cache cannot be written ({error.strerror or error})"
            advice = "everything is compiled anew in each run; name another folder in the variable"
            notice = f"{reason}; {advice} RAILBLOCKS_CACHE"
            if notice not in self._notices:
                self._notices = (*self._notices, notice)
            return False
        return True

    def _make_folder(self) -> None:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def _write(self, name: str, content: bytes) -> None:
        if not self.usable:
            return
        with contextlib.suppress(OSError):
            self._make_folder()
            file = wrapped(name, content)
            replace_bytes(self.folder / name, file, mode=0o600, durable=False)
            if name.startswith("p_"):
                self._clean()

    def _clean(self) -> None:
        """Once an hour: keeps the programs that were used last, and only what was used lately."""
        stamp, now = self.folder / CLEANED, time.time()
        if now - _used(stamp) < SECONDS_BETWEEN_CLEANINGS:
            return
        stamp.touch(mode=0o600)
        programs = sorted(self.folder.glob("p_*.o"), key=_used)
        for path in programs[:-KEPT_PROGRAMS]:
            _delete(path)
        last_use: dict[str, float] = {}
        for path in self.files():  # the text of a kernel is in use as long as its traits are
            last_use[path.stem] = max(last_use.get(path.stem, 0.0), _used(path))
        for path in self.files():
            if now - last_use.get(path.stem, now) > KEPT_DAYS * DAY_S and path.name != CLAIMS:
                _delete(path)


def _used(path: Path) -> float:
    """When a file was used last; 0 if it is gone."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _delete(path: Path) -> bool:
    """Deletes a file; whether it was there and could be."""
    try:
        path.unlink()
    except OSError:
        return False
    return True


def wrapped(name: str, content: bytes) -> bytes:
    """The file that holds the content under this name."""
    return FORMAT + _checksum(name, content) + content


def unwrapped(name: str, file: bytes) -> bytes | None:
    """The content of a file, or None if it is not exactly what was written under this name."""
    start = len(FORMAT) + CHECKSUM_SIZE
    content = file[start:]
    intact = file[:start] == FORMAT + _checksum(name, content)
    return content if intact else None


def _checksum(name: str, content: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\0" + content).digest()
