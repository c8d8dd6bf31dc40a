"""What controllers and commands ask of the window around them."""

from __future__ import annotations

from PySide6.QtWidgets import QMainWindow

from .files import FileController
from .workspace import Workspace


class WindowFrame(QMainWindow):
    """A main window that shows a workspace; `window.window` holds the one of the editor."""

    def new_window(self) -> FileController:
        """Opens another window beside this one; its files."""
        raise NotImplementedError

    def show_workspace(self, workspace: Workspace) -> None:
        """Shows the canvas and the panels of a document instead of those before."""
        raise NotImplementedError

    def show_start_page(self) -> None:
        """Shows the start page in front of the diagram, which stays open behind it."""
        raise NotImplementedError

    def leave_start_page(self) -> None:
        """Shows the diagram again."""
        raise NotImplementedError

    def show_help_page(self) -> None:
        """Shows all keys and gestures in a window of their own."""
        raise NotImplementedError

    def set_theme_of_all(self, name: str) -> None:
        """Sets the theme of all windows, and remembers it for the next time."""
        raise NotImplementedError
