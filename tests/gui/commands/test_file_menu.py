"""The file menu."""

import os

from PySide6.QtWidgets import QMenu
from railblocks.gui.files.settings import Settings


def test_recent_files_are_remembered(loop, loop_file, tmp_path):
    assert Settings(tmp_path / "config").recent == [os.fspath(loop_file)]
    recent = loop.findChild(QMenu, "Recent files")
    recent.aboutToShow.emit()
    assert [action.text() for action in recent.actions()] == [os.fspath(loop_file)]
