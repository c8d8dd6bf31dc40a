"""The cache on disk: files named by a hash of all that they depend on.

A name is written in one step and never changed; two processes that write the same file write code
that does the same. Every file begins with a checksum of its name and content: whatever does not
match it, cut short, changed or under a wrong name, is never used but deleted and made again. The
folder is private, since what it holds is run as machine code. Of whole programs only those used
last are kept. `RAILBLOCKS_CACHE` moves the folder.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable
from pathlib import Path

from ..errors import DiagramError
from ..files.folders import cache_folder, refusal
from ..files.replacing import replace_bytes
from ..text.files import file_bytes

KEPT_PROGRAMS = 500
FORMAT = b"railblocks cache 1\n"
CHECKSUM_SIZE = hashlib.sha256().digest_size


class Store:
    """Content by name; falls back to memory where the folder cannot be used."""

    def __init__(self, folder: Path | None = None):
        self.folder = folder or cache_folder()
        self._memory: dict[str, bytes] = {}
        reason = refusal(self.folder)
        self.usable = not reason
        self.notices: tuple[str, ...] = ()
        if reason:
            advice = "delete the folder, or name another one in the variable RAILBLOCKS_CACHE"
            self.notices = (f"{reason}; nothing in it is used or kept; {advice}",)

    def data(self, name: str, make: Callable[[], bytes]) -> bytes:
        content = self.find(name)
        if content is None:
            content = self._memory[name] = make()
            self._write(name, content)
        return content

    def text(self, name: str, make: Callable[[], str]) -> str:
        return self.data(name, lambda: make().encode()).decode()

    def keep(self, name: str, text: str) -> None:
        self.text(name, lambda: text)

    def forget(self, name: str) -> None:
        """Deletes the content of a name."""
        self._memory.pop(name, None)
        if self.usable:
            with contextlib.suppress(OSError):
                (self.folder / name).unlink(missing_ok=True)

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

    def _write(self, name: str, content: bytes) -> None:
        if not self.usable:
            return
        with contextlib.suppress(OSError):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            replace_bytes(self.folder / name, wrapped(name, content), mode=0o600)
            self._prune()

    def _prune(self) -> None:
        """Keeps the programs that were used last."""
        programs = sorted(self.folder.glob("p_*.o"), key=lambda path: path.stat().st_mtime)
        for path in programs[:-KEPT_PROGRAMS]:
            path.unlink(missing_ok=True)


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
