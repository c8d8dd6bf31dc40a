"""What a window needs of the system; a message names what is missing, where Qt would abort."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Mapping

from railblocks.engine.errors import DiagramError

XCB = {
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-shape.so.0": "libxcb-shape0",
}


def require_window_system(environment: Mapping[str, str] = os.environ) -> None:
    """Raises `DiagramError` where no window can open; only Linux needs looking after."""
    platform = environment.get("QT_QPA_PLATFORM", "")
    if not sys.platform.startswith("linux") or platform not in ("", "xcb"):
        return
    if platform == "" and environment.get("WAYLAND_DISPLAY"):
        return
    if not environment.get("DISPLAY"):
        raise DiagramError("there is no display for the editor; set DISPLAY, or use `ssh -X`")
    missing = [package for library, package in XCB.items() if not _loads(library)]
    if missing:
        command = f"apt install {' '.join(missing)}"
        raise DiagramError(f"Qt lacks libraries of the system; on Debian and Ubuntu: {command}")


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True
