"""Commands that undo, copy and find."""

from __future__ import annotations

from .command import SEPARATOR, Command, Menu

MENU = Menu(
    "&Edit",
    (
        Command(
            "undo", "&Undo", lambda editor: editor.document.undo(),
            "Takes the last step back.", "Ctrl+Z",
            label=lambda editor: f"&Undo {editor.document.history.undo_label}".rstrip(),
            is_enabled=lambda editor: bool(editor.document.history.undo_label),
        ),
        Command(
            "redo", "&Redo", lambda editor: editor.document.redo(),
            "Repeats the step that was taken back.", "Ctrl+Y",
            label=lambda editor: f"&Redo {editor.document.history.redo_label}".rstrip(),
            is_enabled=lambda editor: bool(editor.document.history.redo_label),
        ),
        SEPARATOR,
        Command(
            "cut", "Cu&t", lambda editor: editor.diagram.cut(),
            "Moves the selection to the clipboard.", "Ctrl+X", on_canvas=True,
        ),
        Command(
            "copy", "&Copy", lambda editor: editor.diagram.copy(),
            "Copies the selection to the clipboard, as YAML.", "Ctrl+C", on_canvas=True,
        ),
        Command(
            "paste", "&Paste", lambda editor: editor.diagram.paste(),
            "Inserts the blocks of the clipboard at the pointer.", "Ctrl+V", on_canvas=True,
        ),
        Command(
            "duplicate", "&Duplicate", lambda editor: editor.canvas.editing.duplicate(),
            "Copies the selection below itself.", "Ctrl+D", on_canvas=True,
        ),
        Command(
            "delete", "De&lete", lambda editor: editor.canvas.editing.delete(),
            "Removes the selected blocks with their wires, branches and notes.", "Del",
            on_canvas=True,
        ),
        Command(
            "select_all", "Select &all", lambda editor: editor.diagram.select_all(),
            "Selects everything on this level.", "Ctrl+A", on_canvas=True,
        ),
        SEPARATOR,
        Command(
            "find", "&Find…", lambda editor: editor.diagram.find(),
            "Shows a block of any level, by a part of its name or type.", "Ctrl+F",
        ),
    ),
)  # fmt: skip
