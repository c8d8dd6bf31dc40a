"""The user's folders: cache, reports, settings of the editor and its unsaved work.

They lie where the system keeps such things (platformdirs). `RAILBLOCKS_CACHE`, `RAILBLOCKS_STATE`
and `RAILBLOCKS_CONFIG` name others.
"""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

CACHE = "RAILBLOCKS_CACHE"
STATE = "RAILBLOCKS_STATE"
CONFIG = "RAILBLOCKS_CONFIG"
NAME = "railblocks"
OTHERS_MAY_WRITE = stat.S_IWGRP | stat.S_IWOTH


def cache_folder() -> Path:
    """Where compiled code is kept; our own folder is made private."""
    if named := os.environ.get(CACHE):
        return Path(named)
    import platformdirs

    folder = platformdirs.user_cache_path(NAME, appauthor=False)
    with contextlib.suppress(OSError):
        _make_private(folder)
    return folder


def state_folder() -> Path:
    """Where reports of mistakes are kept."""
    if named := os.environ.get(STATE):
        return Path(named)
    import platformdirs

    return platformdirs.user_state_path(NAME, appauthor=False)


def settings_folder() -> Path:
    """Where the editor keeps its settings.

    Earlier versions used `~/.config` on every system: such a folder stays in use.
    """
    if named := os.environ.get(CONFIG):
        return Path(named)
    import platformdirs

    earlier = Path.home() / ".config" / NAME
    folder = platformdirs.user_config_path(NAME, appauthor=False)
    return earlier if earlier.is_dir() and not folder.is_dir() else folder


def recovery_folder(settings: Path) -> Path:
    """Where the editor keeps unsaved work, beside its settings."""
    return settings / "recovery"


def refusal(folder: Path) -> str:
    """Why an existing folder cannot be trusted with machine code; empty if it can."""
    if os.name == "nt":
        return ""
    try:
        state = folder.stat()
    except OSError:
        return ""
    if state.st_uid != os.geteuid():
        return f"{folder}: the cache belongs to another user (number {state.st_uid})"
    if state.st_mode & OTHERS_MAY_WRITE:
        mode = stat.S_IMODE(state.st_mode)
        return f"{folder}: other users may write into the cache (its permissions are {mode:o})"
    return ""


def _make_private(folder: Path) -> None:
    """Takes the rights of others away, and what they may have put into a folder of ours."""
    state = folder.stat()
    if os.name == "nt" or state.st_uid != os.geteuid() or not state.st_mode & 0o077:
        return
    folder.chmod(0o700)
    if state.st_mode & OTHERS_MAY_WRITE:
        for path in folder.iterdir():
            path.unlink()
