"""Copies of unsaved work, made while it is edited and offered again after a crash.

Each window has a record of its own, and holds a lock beside it as long as it lives: a record whose
lock is free was left behind. A record is thrown away only by the window that wrote it, or once its
content is kept elsewhere.
"""

from __future__ import annotations

import contextlib
import json
import os
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from railblocks.engine.errors import DiagramError
from railblocks.engine.files.folders import recovery_folder
from railblocks.engine.files.locks import HAS_LOCKS, lock
from railblocks.engine.files.replacing import replace_text
from railblocks.engine.text.files import LARGEST_DATA, file_text

PRIVATE_FOLDER, PRIVATE_FILE = 0o700, 0o600


class Lock:
    """A file that one process holds until it releases it or ends, however it ends."""

    def __init__(self, path: Path):
        self.path = path
        self._handle: int | None = None

    def take(self) -> bool:
        """Takes the lock; False if another holds it, True where the system has no locks."""
        if self._handle is not None or not HAS_LOCKS:
            return True
        handle = os.open(self.path, os.O_CREAT | os.O_RDWR, PRIVATE_FILE)
        if not lock(handle):
            os.close(handle)
            return False
        self._handle = handle
        return True

    def release(self) -> None:
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def remove(self) -> None:
        with contextlib.suppress(OSError):
            self.path.unlink(missing_ok=True)
        self.release()


@dataclass(frozen=True)
class Leftover:
    """Work of a session that did not end well; nobody else is offered it meanwhile.

    `others` are the texts of files of subsystems that were changed too, by their paths.
    """

    record: Path
    file: str
    text: str
    others: Mapping[str, str] = field(default_factory=dict)
    lock: Lock | None = None

    def release(self) -> None:
        """Leaves it for the next start."""
        if self.lock is not None:
            self.lock.release()

    def discard(self) -> None:
        with contextlib.suppress(OSError):
            self.record.unlink()
        if self.lock is not None:
            self.lock.remove()


class Recovery:
    """The record of one window, beside the settings in `folder`."""

    def __init__(self, folder: Path):
        self.folder = recovery_folder(folder)
        self._record = self.folder / f"{os.getpid()}-{uuid.uuid4().hex[:8]}.json"
        self._lock = Lock(self._record.with_suffix(".lock"))

    def keep(self, file: str, text: str, others: Mapping[str, str] | None = None) -> str:
        """Writes what is not saved; the reason if that fails, which must not stop the work."""
        content = {"file": file, "text": text, "others": dict(others or {})}
        try:
            self.folder.mkdir(PRIVATE_FOLDER, parents=True, exist_ok=True)
            self.folder.chmod(PRIVATE_FOLDER)
            self._lock.take()
            replace_text(self._record, json.dumps(content), PRIVATE_FILE)
        except OSError as error:
            return error.strerror or str(error)
        return ""

    def discard(self) -> None:
        with contextlib.suppress(OSError):
            self._record.unlink(missing_ok=True)
        self._lock.remove()

    def leftovers(self) -> list[Leftover]:
        """What sessions that are no longer there left behind."""
        left = []
        for record in sorted(self.folder.glob("*.json")):
            with contextlib.suppress(OSError, DiagramError):
                lock = Lock(record.with_suffix(".lock"))
                if _is_abandoned(record, lock):
                    left.append(_read(record, lock))
        return left


def _read(record: Path, lock: Lock) -> Leftover:
    """What a record holds; one that is damaged counts as the text of a diagram."""
    text = file_text(record, "unsaved work", LARGEST_DATA)
    try:
        content = json.loads(text)
        others = {str(path): str(other) for path, other in content.get("others", {}).items()}
        return Leftover(record, str(content["file"]), str(content["text"]), others, lock)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return Leftover(record, "", text, {}, lock)


def _is_abandoned(record: Path, lock: Lock) -> bool:
    """Whether nobody holds its lock; without a lock, whether its process is gone."""
    if HAS_LOCKS and lock.path.exists():
        return lock.take()
    return not _is_running(record.name.partition("-")[0]) and lock.take()


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
