"""The cache on disk: files named by a hash of all that they depend on.

A name is written once, under a temporary name first, and never changed; two processes that write
the same file write the same bytes. Of whole programs only those used last are kept.
`RAILBLOCKS_CACHE` moves the folder.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
import tempfile
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from pathlib import Path

KEPT_PROGRAMS = 500


@cache
def platform_key() -> str:
    """The compiler and the processor that code was made for."""
    import llvmlite.binding as llvm

    parts = [version("numba"), version("llvmlite"), platform.python_version()]
    parts += [llvm.get_process_triple(), llvm.get_host_cpu_name()]
    parts.append(llvm.get_host_cpu_features().flatten())
    return hashlib.sha256(" ".join(parts).encode()).hexdigest()[:16]


def default_folder() -> Path:
    if folder := os.environ.get("RAILBLOCKS_CACHE"):
        return Path(folder)
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "railblocks"


class Store:
    """Content by name; falls back to memory where the folder cannot be written."""

    def __init__(self, folder: Path | None = None):
        self.folder = folder or default_folder()
        self._memory: dict[str, bytes] = {}

    def data(self, name: str, make: Callable[[], bytes]) -> bytes:
        if name in self._memory:
            return self._memory[name]
        found = self.find(name)
        if found is None:
            found = make()
            self._write(name, found)
        self._memory[name] = found
        return found

    def text(self, name: str, make: Callable[[], str]) -> str:
        return self.data(name, lambda: make().encode()).decode()

    def keep(self, name: str, text: str) -> None:
        self.text(name, lambda: text)

    def find(self, name: str) -> bytes | None:
        if name in self._memory:
            return self._memory[name]
        path = self.folder / name
        try:
            content = path.read_bytes()
        except OSError:
            return None
        with contextlib.suppress(OSError):
            os.utime(path)
        return content

    def _write(self, name: str, content: bytes) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=self.folder, delete=False) as file:
                file.write(content)
            os.replace(file.name, self.folder / name)
            self._prune()
        except OSError:
            self._memory[name] = content

    def _prune(self) -> None:
        """Keeps the programs that were used last."""
        programs = sorted(self.folder.glob("p_*.o"), key=lambda path: path.stat().st_mtime)
        for path in programs[:-KEPT_PROGRAMS]:
            path.unlink(missing_ok=True)
