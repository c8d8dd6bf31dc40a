"""The page of all keys and gestures."""

from __future__ import annotations

from html import escape

from .menus import MENUS

MOUSE = (
    ("drag from the library", "insert a block; on a wire: in between"),
    ("type a name on the canvas", "insert a block"),
    ("double click on the canvas", "insert a block by its name"),
    ("double click on a block", "edit its parameters, or enter the subsystem"),
    ("drag from a port", "draw a wire; to an empty spot: insert a block and join it"),
    ("drag from a wire", "branch off"),
    ("double click on a wire", "show it in a scope"),
    ("click on a wire", "select the branch; again: the whole net"),
    ("drag a block", "move the selection; an open block on a wire: put it in between"),
    ("Ctrl + drag", "move copies"),
    ("Shift + click", "add to the selection"),
    ("drag on the canvas", "select with a rubber band"),
    ("middle button or Alt + drag", "pan"),
    ("wheel", "zoom at the pointer; with Shift: pan sideways"),
    ("right click", "menu of what is there; on a wire: show in scope"),
    ("arrow keys", "move the selection by one step of the grid"),
    ("Esc", "cancel a gesture, or select nothing"),
)


def help_page() -> str:
    """Keys by menu, each with its command and what it does; then what the mouse does."""
    parts = []
    for menu in MENUS:
        rows = [(c.keys, f"{c.plain_text}: {c.help}") for c in menu.commands if c.keys]
        parts.append(_table(menu.title.replace("&", ""), rows))
    return "".join([*parts, _table("Canvas", list(MOUSE))])


def _table(title: str, rows: list[tuple[str, str]]) -> str:
    cells = "".join(
        f"<tr><td><b>{escape(keys)}</b></td><td>{escape(text)}</td></tr>" for keys, text in rows
    )
    return f"<h4>{escape(title)}</h4><table cellpadding=3>{cells}</table>"
