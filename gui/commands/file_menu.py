"""Commands for files and windows."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ..controllers.editor import Editor
from .command import SEPARATOR, Command, Menu, Submenu


def _recent(editor: Editor) -> list[tuple[str, Callable[[], object]]]:
    return [(file, partial(editor.files.open, file)) for file in editor.settings.recent]


MENU = Menu(
    "&File",
    (
        Command(
            "new", "&New", lambda editor: editor.files.new(),
            "An empty diagram in this window.", "Ctrl+N",
        ),
        Command(
            "new_window", "New &window", lambda editor: editor.frame.new_window(),
            "Another window with an empty diagram.", "Ctrl+Shift+N",
        ),
        Command(
            "open", "&Open…", lambda editor: editor.files.open(),
            "Opens a diagram in this window.", "Ctrl+O",
        ),
        Command(
            "start_page", "Start page", lambda editor: editor.frame.show_start_page(),
            "Examples and recent files; the diagram stays open behind them.", "Ctrl+Home",
        ),
        SEPARATOR,
        Submenu("Recent files", _recent, "none yet"),
        Command(
            "save", "&Save", lambda editor: editor.files.save(),
            "Writes the diagram, and changed files of subsystems.", "Ctrl+S",
        ),
        Command(
            "save_as", "Save &as…", lambda editor: editor.files.save_as(),
            "Writes the diagram to another file.", "Ctrl+Shift+S",
        ),
        Command(
            "reload", "&Reload", lambda editor: editor.files.reload(),
            "Reads the file again; this can be undone.", "Ctrl+R",
        ),
        SEPARATOR,
        Command(
            "open_results", "Open &results…", lambda editor: editor.runs.open_results(),
            "Shows a results file beside the diagram.",
        ),
        Command(
            "load_blocks", "Load Python &blocks…", lambda editor: editor.files.load_blocks(),
            "Takes the blocks of a Python file into the library.",
        ),
        Command(
            "export_picture", "&Export picture…", lambda editor: editor.diagram.export_picture(),
            "Writes the level that is shown as SVG, PNG or PDF.", "Ctrl+E",
        ),
        SEPARATOR,
        Command(
            "close", "&Close", lambda editor: editor.frame.close(),
            "Closes this window; asks if something is not saved.", "Ctrl+W",
        ),
    ),
)  # fmt: skip
