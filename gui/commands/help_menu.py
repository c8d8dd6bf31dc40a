"""Commands that explain the editor."""

from __future__ import annotations

from .command import Command, Menu

ABOUT = "railblocks: block diagrams, compiled and simulated."
MENU = Menu(
    "&Help",
    (
        Command(
            "shortcuts", "&Keyboard and mouse", lambda editor: editor.frame.show_help_page(),
            "All keys and gestures.", "F1",
        ),
        Command(
            "about", "&About", lambda editor: editor.dialogs.about(ABOUT), "What railblocks is.",
        ),
    ),
)  # fmt: skip
