"""Commands that change the diagram."""

from __future__ import annotations

from ..controllers.editor import Editor
from .command import SEPARATOR, Command, Menu


def _align(edge: str, text: str, help: str) -> Command:
    """Lines the selected blocks up at an edge or a middle."""

    def act(editor: Editor) -> None:
        editor.canvas.editing.align(edge)

    return Command(f"align_{edge}", text, act, help)


MENU = Menu(
    "&Diagram",
    (
        Command(
            "insert_block", "&Insert block…", lambda editor: editor.diagram.ask_block(),
            "Asks for a block by its name and inserts it.", "Insert", on_canvas=True,
        ),
        Command(
            "add_note", "Add &note…", lambda editor: editor.diagram.add_note(),
            "Writes a note on the canvas.", "Ctrl+T", on_canvas=True,
        ),
        Command(
            "edit_parameters", "&Edit parameters", lambda editor: editor.diagram.edit_selection(),
            "Opens the selected block or note.", "Return", on_canvas=True,
        ),
        Command(
            "join", "&Join selected blocks", lambda editor: editor.canvas.editing.join(),
            "Wires the selected blocks from left to right.", "Ctrl+J", on_canvas=True,
        ),
        Command(
            "comment_out", "Comment &out", lambda editor: editor.canvas.editing.comment_out(),
            "Leaves the selected blocks out of the simulation, or takes them in again.",
            "Ctrl+Shift+X", on_canvas=True,
        ),
        SEPARATOR,
        Command(
            "flip", "&Flip", lambda editor: editor.canvas.editing.flip(),
            "Mirrors the selected blocks.", "Ctrl+I", on_canvas=True,
        ),
        Command(
            "rotate", "&Rotate", lambda editor: editor.canvas.editing.rotate(),
            "Turns the selected blocks a quarter clockwise.", "Ctrl+Shift+R", on_canvas=True,
        ),
        _align("left", "Align left", "Lines the left edges of the selected blocks up."),
        _align("right", "Align right", "Lines the right edges of the selected blocks up."),
        _align("top", "Align top", "Lines the upper edges of the selected blocks up."),
        _align("bottom", "Align bottom", "Lines the lower edges of the selected blocks up."),
        _align("middle", "Align in a row", "Puts the selected blocks at one height."),
        _align("centre", "Align in a column", "Puts the selected blocks below each other."),
        Command(
            "arrange", "A&rrange all", lambda editor: editor.diagram.arrange(),
            "Lays this level out anew.", "Ctrl+Shift+A", on_canvas=True,
        ),
        SEPARATOR,
        Command(
            "group", "&Group into subsystem", lambda editor: editor.canvas.editing.group(),
            "Puts the selected blocks into a subsystem.", "Ctrl+G", on_canvas=True,
        ),
        Command(
            "expand", "E&xpand subsystem", lambda editor: editor.canvas.editing.expand(),
            "Replaces the selected subsystem by its blocks.", "Ctrl+Shift+G",
            on_canvas=True, is_enabled=lambda editor: editor.canvas.editing.can_expand(),
        ),
        Command(
            "go_up", "Go &up", lambda editor: editor.diagram.go_up(),
            "Shows the level around this subsystem.", "Alt+Up",
        ),
    ),
)  # fmt: skip
