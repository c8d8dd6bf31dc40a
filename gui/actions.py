"""All that menus and keys can do, in one table: menus and the shortcuts page are made of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Command:
    """A line of a menu: what it is called, its keys, and the method of the window."""

    text: str
    method: str
    keys: str = ""
    on_canvas: bool = False  # keys count only while the canvas has the focus


SEPARATOR = Command("", "")
MENUS: dict[str, tuple[Command, ...]] = {
    "&File": (
        Command("&New", "new", "Ctrl+N"),
        Command("New &window", "new_window", "Ctrl+Shift+N"),
        Command("&Open…", "open", "Ctrl+O"),
        Command("Start page", "show_start", "Ctrl+Home"),
        SEPARATOR,
        Command("&Save", "save", "Ctrl+S"),
        Command("Save &as…", "save_as", "Ctrl+Shift+S"),
        Command("&Reload", "reload", "Ctrl+R"),
        SEPARATOR,
        Command("Open &results…", "open_results"),
        Command("Load Python &blocks…", "load_blocks"),
        Command("&Export picture…", "export_picture", "Ctrl+E"),
        SEPARATOR,
        Command("&Close", "close", "Ctrl+W"),
    ),
    "&Edit": (
        Command("&Undo", "undo", "Ctrl+Z"),
        Command("&Redo", "redo", "Ctrl+Y"),
        SEPARATOR,
        Command("Cu&t", "cut", "Ctrl+X", True),
        Command("&Copy", "copy", "Ctrl+C", True),
        Command("&Paste", "paste", "Ctrl+V", True),
        Command("&Duplicate", "duplicate", "Ctrl+D", True),
        Command("De&lete", "delete", "Del", True),
        Command("Select &all", "select_all", "Ctrl+A", True),
        SEPARATOR,
        Command("&Find…", "find", "Ctrl+F"),
    ),
    "&Diagram": (
        Command("&Insert block…", "type_block", "Insert", True),
        Command("Add &note…", "add_note", "Ctrl+T", True),
        Command("&Edit parameters", "edit_parameters", "Return", True),
        Command("&Join selected blocks", "join", "Ctrl+J", True),
        Command("Comment &out", "comment_out", "Ctrl+Shift+X", True),
        SEPARATOR,
        Command("&Flip", "flip", "Ctrl+I", True),
        Command("&Rotate", "rotate", "Ctrl+Shift+R", True),
        Command("Align left", "align_left"),
        Command("Align right", "align_right"),
        Command("Align top", "align_top"),
        Command("Align bottom", "align_bottom"),
        Command("Align in a row", "align_middle"),
        Command("Align in a column", "align_centre"),
        Command("A&rrange all", "arrange", "Ctrl+Shift+A", True),
        SEPARATOR,
        Command("&Group into subsystem", "group", "Ctrl+G", True),
        Command("E&xpand subsystem", "expand", "Ctrl+Shift+G", True),
        Command("Go &up", "go_up", "Alt+Up"),
    ),
    "&View": (
        Command("Zoom &in", "zoom_in", "Ctrl++"),
        Command("Zoom &out", "zoom_out", "Ctrl+-"),
        Command("&Fit", "fit", "Ctrl+0"),
        Command("&Dark theme", "toggle_theme", "Ctrl+Shift+D"),
    ),
    "&Run": (
        Command("Show in &scope", "scope_selected", "Ctrl+U", True),
        Command("New &scope", "new_scope"),
        Command("&Keep earlier runs", "toggle_keep"),
        Command("&Clear overlays", "clear_overlays"),
        Command("Solver and &log settings", "show_settings"),
    ),
    "&Help": (
        Command("&Keyboard and mouse", "show_shortcuts", "F1"),
        Command("&About", "about"),
    ),
}
MOUSE = (
    ("drag from the library", "insert a block; on a wire: in between"),
    ("type a name on the canvas", "insert a block"),
    ("double click on the canvas", "insert a block by its name"),
    ("double click on a block", "edit its parameters, or enter the subsystem"),
    ("drag from a port", "draw a wire; to an empty place: insert a block and join it"),
    ("drag from a wire", "branch off"),
    ("double click on a wire", "show it in a scope"),
    ("click on a wire", "select the branch; again: the whole net"),
    ("drag a block", "move the selection; an open block on a wire: put it in between"),
    ("Ctrl + drag", "move copies"),
    ("Shift + click", "add to the selection"),
    ("drag on the canvas", "select with a rubber band"),
    ("middle button or Alt + drag", "pan"),
    ("wheel", "zoom at the pointer; with Shift: pan sideways"),
    ("right click", "menu for the place; on a wire: show in scope"),
    ("arrow keys", "move the selection by one step of the grid"),
    ("Esc", "cancel a gesture, or select nothing"),
    ("F5, F10, Shift+F5", "run or pause, step, stop"),
)


def shortcuts_page() -> str:
    """All keys and gestures as a page."""
    parts = []
    for title, commands in MENUS.items():
        rows = [
            f"<tr><td><b>{c.keys}</b></td><td>{c.text.replace('&', '')}</td></tr>"
            for c in commands
            if c.keys
        ]
        if rows:
            parts.append(
                f"<h4>{title.replace('&', '')}</h4><table cellpadding=3>{''.join(rows)}</table>"
            )
    rows = [f"<tr><td><b>{keys}</b></td><td>{text}</td></tr>" for keys, text in MOUSE]
    parts.append(f"<h4>Canvas and run</h4><table cellpadding=3>{''.join(rows)}</table>")
    return "".join(parts)
