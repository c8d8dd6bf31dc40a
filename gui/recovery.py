"""Unsaved work, kept beside the files while they are edited, and found again after a crash."""

from __future__ import annotations

import contextlib
import json
import os
import uuid
from dataclasses import dataclass
from pathlib import Path

from railblocks.engine.errors import DiagramError
from railblocks.engine.text.files import LARGEST_DATA, file_text
from railblocks.engine.text.replacing import replace_text


@dataclass(frozen=True)
class Leftover:
    """Work of a session that did not end well."""

    record: Path
    file: str
    text: str

    def discard(self) -> None:
        with contextlib.suppress(OSError):
            self.record.unlink()


class Recovery:
    """The record of one window."""

    def __init__(self, folder: Path):
        self.folder = folder / "recovery"
        self._record = self.folder / f"{os.getpid()}-{uuid.uuid4().hex[:8]}.json"

    def keep(self, file: str, text: str) -> None:
        """Write what is not saved; a full disk must not stop the work."""
        with contextlib.suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            replace_text(self._record, json.dumps({"file": file, "text": text}), 0o600)

    def discard(self) -> None:
        with contextlib.suppress(OSError):
            self._record.unlink(missing_ok=True)

    def leftovers(self) -> list[Leftover]:
        """What sessions that are no longer there left behind."""
        found = []
        for record in sorted(self.folder.glob("*.json")) if self.folder.exists() else []:
            if _is_running(record.name.partition("-")[0]):
                continue
            with contextlib.suppress(DiagramError, ValueError, KeyError, TypeError, RecursionError):
                content = json.loads(file_text(record, "unsaved work", LARGEST_DATA))
                found.append(Leftover(record, str(content["file"]), str(content["text"])))
        return found


def _is_running(process: str) -> bool:
    if os.name == "nt":  # there, signal 0 would end the process
        return False
    try:
        os.kill(int(process), 0)
    except (ValueError, ProcessLookupError):
        return False
    except OSError:
        return True
    return True
