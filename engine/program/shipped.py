"""Kernels that come with the package: lowered while the wheel was built, in one file.

The file is a zip archive with a text for each symbol and an index with their traits and checksums.
A symbol is a hash of the function's code and of all that its text depends on, so a block that was
changed finds nothing here and is lowered anew. The processor does not matter: code is made for it
when a program is linked. A file that is damaged, or that was made for another version of LLVM or
another kind of processor, is not used; a notice says why.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import threading
import zipfile
import zlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from ..numba_bridge.runtime import text_key

FILE = Path(__file__).with_name("kernels.zip")
INDEX = "index.json"
FORMAT = 1
DAMAGE = (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError)
"""What zipfile raises for archives that are cut short, changed or unknown to it."""
SLOW = "the first run of a diagram compiles for some seconds"


class Shipped:
    """Texts and traits by symbol; empty if the file cannot be used."""

    def __init__(self, path: Path | None = None):
        self.notice = ""
        self._archive: zipfile.ZipFile | None = None
        self._index: Mapping[str, Mapping[str, str]] = {}
        self._lock = threading.Lock()
        if path is None:
            return
        try:
            self._open(path)
        except FileNotFoundError:
            if not _is_clone(path):
                self.notice = f"{path} is missing: {SLOW}; installing railblocks again mends that"
        except (OSError, ValueError, KeyError, TypeError, *DAMAGE):
            self.notice = _damaged(path)

    def _open(self, path: Path) -> None:
        archive = zipfile.ZipFile(path)
        index = json.loads(archive.read(INDEX))
        if index["format"] != FORMAT or index["made_for"] != text_key():
            self.notice = (
                f"{path} has kernels for {index['made_for']}, this is {text_key()}: {SLOW}"
            )
            return
        self._archive, self._index = archive, dict(index["kernels"])

    def __contains__(self, symbol: str) -> bool:
        return symbol in self._index

    def __len__(self) -> int:
        return len(self._index)

    def traits(self, symbol: str) -> str | None:
        return self._index[symbol]["traits"] if symbol in self._index else None

    def text(self, symbol: str) -> str | None:
        """The text of a symbol; one that is damaged ends the use of the whole file."""
        if symbol not in self._index or self._archive is None:
            return None
        with contextlib.suppress(OSError, KeyError, ValueError, EOFError, *DAMAGE):
            with self._lock:
                content = self._archive.read(symbol)
            if _checksum(symbol, content) == self._index[symbol]["checksum"]:
                return content.decode()
        self.notice = _damaged(Path(str(self._archive.filename)))
        self._archive, self._index = None, {}
        return None


def write_shipped(path: Path, kernels: Mapping[str, tuple[str, str]]) -> None:
    """Writes the file from text and traits by symbol; equal kernels give equal bytes."""
    entries = {
        symbol: {"traits": traits, "checksum": _checksum(symbol, text.encode())}
        for symbol, (text, traits) in sorted(kernels.items())
    }
    index = {"format": FORMAT, "made_for": text_key(), "kernels": entries}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        _add(archive, INDEX, json.dumps(index))
        for symbol, (text, _) in sorted(kernels.items()):
            _add(archive, symbol, text)


def _add(archive: zipfile.ZipFile, name: str, text: str) -> None:
    entry = zipfile.ZipInfo(name)  # its time is that of 1980, always
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, text)


@cache
def shipped_kernels() -> Shipped:
    """The file of this installation."""
    return Shipped(FILE)


def _checksum(symbol: str, content: bytes) -> str:
    return hashlib.sha256(symbol.encode() + b"\0" + content).hexdigest()


def _damaged(path: Path) -> str:
    return f"{path} is damaged and not used: {SLOW}; installing railblocks again mends that"


def _is_clone(path: Path) -> bool:
    """Whether the package lies in its repository, where no such file is made."""
    return (path.parents[2] / "pyproject.toml").is_file()
