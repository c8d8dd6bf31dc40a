"""The report that is written when a mistake of railblocks itself ends a command.

The report has versions, the command and the traceback: what somebody needs who mends it. With
`RAILBLOCKS_DEBUG=1` the error goes through instead, as it does in tests.
"""

from __future__ import annotations

import os
import platform
import secrets
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from pathlib import Path

from ..errors.shown import shown, shown_lines
from .folders import state_folder
from .replacing import NEW_FILE

DEBUG = "RAILBLOCKS_DEBUG"
PACKAGES = ("railblocks", "numpy", "scipy", "numba", "llvmlite", "h5py", "matplotlib", "PySide6")
LONGEST_MESSAGE = 200


def goes_through() -> bool:
    """Whether errors are wanted as they are."""
    return os.environ.get(DEBUG, "") not in ("", "0")


def last_words(error: BaseException, command: Sequence[str]) -> str:
    """One line for the user; the report lies where it says."""
    if isinstance(error, MemoryError):
        what = "there is not enough memory; log fewer signals, or make the diagram smaller"
    elif isinstance(error, RecursionError):
        what = "something is nested too deeply; make the diagram flatter"
    else:
        message = shown(str(error))[:LONGEST_MESSAGE]
        name = type(error).__name__
        what = f"railblocks made a mistake ({name}{': ' if message else ''}{message})"
    written = write_report(error, command)
    where = (
        f"the report {written} has the details; please send it to the authors"
        if written
        else ("no report could be written; set RAILBLOCKS_DEBUG=1 to see more")
    )
    return f"{what}; {where}"


def write_report(error: BaseException, command: Sequence[str]) -> str | None:
    """The path of a new report that only its owner can read; None where none can be written."""
    text = report(error, command)
    name = f"railblocks_{time.strftime('%Y%m%d_%H%M%S')}_{secrets.token_hex(4)}.txt"
    for folder in (state_folder, Path.cwd, lambda: Path(tempfile.gettempdir())):
        try:
            path = folder() / name
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle = os.open(path, NEW_FILE, 0o600)
            with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
                file.write(text)
            return str(path)
        except OSError:
            continue
    return None


def report(error: BaseException, command: Sequence[str]) -> str:
    """Versions, command and traceback."""
    lines = [
        f"time: {time.strftime('%Y-%m-%d %H:%M:%S %z')}",
        f"command: {' '.join(command)}",
        f"folder: {_folder()}",
        f"system: {platform.platform()}",
        f"python: {sys.version.split()[0]}",
        *(f"{name}: {_version(name)}" for name in PACKAGES),
        "",
        *traceback.format_exception(error),
    ]
    return shown_lines("\n".join(line.rstrip("\n") for line in lines) + "\n")


def _version(name: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def _folder() -> str:
    try:
        return os.getcwd()
    except OSError:
        return "gone"
