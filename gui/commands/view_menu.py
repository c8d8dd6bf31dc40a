"""Commands for what is seen of the diagram; the window adds its panels to this menu."""

from __future__ import annotations

from ..controllers.editor import Editor
from .command import Command, Menu

ZOOM_STEP = 1.25


def _toggle_theme(editor: Editor) -> None:
    editor.frame.set_theme_of_all("light" if editor.theme.name == "dark" else "dark")


MENU = Menu(
    "&View",
    (
        Command(
            "zoom_in", "Zoom &in",
            lambda editor: editor.canvas.set_zoom(editor.canvas.zoom * ZOOM_STEP),
            "Shows the diagram larger.", "Ctrl++",
        ),
        Command(
            "zoom_out", "Zoom &out",
            lambda editor: editor.canvas.set_zoom(editor.canvas.zoom / ZOOM_STEP),
            "Shows the diagram smaller.", "Ctrl+-",
        ),
        Command(
            "fit", "&Fit", lambda editor: editor.canvas.fit(),
            "Shows all of this level.", "Ctrl+0",
        ),
        Command(
            "dark_theme", "&Dark theme", _toggle_theme,
            "Light or dark colours, in all windows.", "Ctrl+Shift+D",
            is_checked=lambda editor: editor.theme.name == "dark",
        ),
    ),
)  # fmt: skip
