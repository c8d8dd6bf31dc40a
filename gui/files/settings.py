"""What the editor remembers between sessions: recent files, theme, trusted block files."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from pathlib import Path
from typing import Any

from railblocks.engine.errors import DiagramError
from railblocks.engine.files.folders import settings_folder
from railblocks.engine.files.replacing import replace_text
from railblocks.engine.text.files import file_bytes, file_text

MAX_RECENT = 12


class Settings:
    """Settings of the editor in a small JSON file; one that cannot be read counts as empty."""

    def __init__(self, folder: str | os.PathLike[str] | None = None):
        self.folder = Path(folder) if folder else settings_folder()
        self._file = self.folder / "editor.json"
        self._values = self._read()

    def _read(self) -> dict[str, Any]:
        with contextlib.suppress(DiagramError, ValueError, RecursionError):
            values = json.loads(file_text(self._file, "settings of the editor"))
            return values if isinstance(values, dict) else {}
        return {}

    def get(self, name: str, default: Any) -> Any:
        """A value, or the default if there is none of its kind."""
        value = self._values.get(name, default)
        return value if isinstance(value, type(default)) else default

    def set(self, name: str, value: Any) -> None:
        """Writes one value; what another window wrote meanwhile stays."""
        self._values = self._values | self._read() | {name: value}
        with contextlib.suppress(OSError):
            self.folder.mkdir(0o700, parents=True, exist_ok=True)
            replace_text(self._file, json.dumps(self._values, indent=1), 0o600)

    # --- recent files --------------------------------------------------------------------------
    @property
    def recent(self) -> list[str]:
        return [str(f) for f in self.get("recent", []) if os.path.exists(str(f))]

    def add_recent(self, file: str) -> None:
        files = [file, *(other for other in self.recent if other != file)]
        self.set("recent", files[:MAX_RECENT])

    # --- trust ---------------------------------------------------------------------------------
    def trusts(self, path: str) -> bool:
        """Whether a user let this file, with this very content, be run before."""
        return self.get("trusted", {}).get(os.path.abspath(path)) == _content(path)

    def trust(self, path: str) -> None:
        self.set("trusted", self.get("trusted", {}) | {os.path.abspath(path): _content(path)})


def _content(path: str) -> str:
    """A hash of a file, or of all Python files in a folder."""
    files = sorted(Path(path).glob("*.py")) if os.path.isdir(path) else [Path(path)]
    digest = hashlib.sha256()
    for file in files:
        content = file_bytes(file, "a Python file")
        digest.update(file.name.encode() + b"\0" + content + b"\0")
    return digest.hexdigest()
