"""Starts the editor."""

from __future__ import annotations

import os
import sys

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from railblocks.engine.declaration.registry import Registry

from .files.settings import Settings
from .system.last_resort import LastResort
from .system.window_system import require_window_system
from .window.window import EditorWindow


def run(file: str | None = None, registry: Registry | None = None) -> int:
    """The editor with a diagram, or with its start page; returns when its windows are closed."""
    require_window_system()
    application = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(application, QApplication)
    application.setApplicationName("railblocks")
    window = EditorWindow(registry, Settings())
    window.show()
    LastResort(window).install()
    QTimer.singleShot(0, lambda: _begin(window, file))
    return application.exec()


def _begin(window: EditorWindow, file: str | None) -> None:
    restored = window.editor.files.offer_leftovers()
    if file is not None and os.path.abspath(file) not in restored:
        (window.new_window() if restored else window.editor.files).open(file)
    elif not restored:
        window.show_start_page()
