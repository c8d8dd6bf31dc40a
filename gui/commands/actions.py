"""The commands of one window as actions of Qt, and the menus that are made of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar

from ..controllers.editor import Editor
from .command import Command, Menu, Submenu
from .menus import COMMANDS, MENUS


class CommandAction(QAction):
    """One command in one window; shows whether it can be done now."""

    def __init__(self, command: Command, editor: Editor, parent: QObject):
        super().__init__(command.text, parent)
        self.command = command
        self._editor = editor
        self.setObjectName(command.name)
        self.setWhatsThis(command.help)
        self.setToolTip(f"{command.help} ({command.keys})" if command.keys else command.help)
        self.setCheckable(command.is_checked is not None)
        if command.bar_text:
            self.setIconText(command.bar_text)
        if command.keys:
            self.setShortcut(QKeySequence(command.keys))
        if command.on_canvas:
            self.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.triggered.connect(self._perform)

    def _perform(self) -> None:
        self.command.act(self._editor)
        self.refresh()

    def refresh(self) -> None:
        """Text, switch and whether it can be done, as the editor is now."""
        command = self.command
        if command.label is not None:
            self.setText(command.label(self._editor))
        if command.is_checked is not None:
            self.setChecked(command.is_checked(self._editor))
        self.setEnabled(command.is_enabled(self._editor))


class CommandActions(Mapping[str, CommandAction]):
    """The actions of a window by the names of their commands."""

    def __init__(self, editor: Editor, parent: QObject):
        self._editor = editor
        self._by_name = {
            name: CommandAction(command, editor, parent) for name, command in COMMANDS.items()
        }
        editor.state_changed.connect(self.refresh)

    def __getitem__(self, name: str) -> CommandAction:
        return self._by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)

    def refresh(self) -> None:
        for action in self._by_name.values():
            action.refresh()

    def on_canvas(self) -> list[QAction]:
        """The actions whose keys count on the canvas only."""
        return [action for action in self._by_name.values() if action.command.on_canvas]

    def fill(self, bar: QMenuBar) -> dict[str, QMenu]:
        """Adds all menus to a menu bar; the menus by their titles."""
        return {menu.title: self._add(menu, bar) for menu in MENUS}

    def _add(self, menu: Menu, bar: QMenuBar) -> QMenu:
        added = bar.addMenu(menu.title)
        for entry in menu.entries:
            if isinstance(entry, Command):
                added.addAction(self[entry.name])
            elif isinstance(entry, Submenu):
                self._add_submenu(entry, added)
            else:
                added.addSeparator()
        return added

    def _add_submenu(self, submenu: Submenu, menu: QMenu) -> None:
        added = menu.addMenu(submenu.text)
        added.setObjectName(submenu.text)

        def fill() -> None:
            added.clear()
            for text, act in submenu.entries(self._editor):
                added.addAction(text, act)
            if added.isEmpty():
                added.addAction(submenu.empty).setEnabled(False)

        added.aboutToShow.connect(fill)
