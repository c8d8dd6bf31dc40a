"""All menus of the window, in their order, and all commands by name."""

from __future__ import annotations

from . import diagram_menu, edit_menu, file_menu, help_menu, run_menu, view_menu
from .command import Command, Menu

MENUS: tuple[Menu, ...] = (
    file_menu.MENU,
    edit_menu.MENU,
    diagram_menu.MENU,
    view_menu.MENU,
    run_menu.MENU,
    help_menu.MENU,
)
COMMANDS: dict[str, Command] = {
    command.name: command for menu in MENUS for command in menu.commands
}
