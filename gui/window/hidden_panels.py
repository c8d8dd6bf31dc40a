"""Panels that are hidden while they make no sense, and come back as they were."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtWidgets import QDockWidget, QWidget


class HiddenPanels:
    """The widgets that were hidden together, and the docks that were in front of others."""

    def __init__(self) -> None:
        self._hidden: list[QWidget] = []
        self._in_front: list[QDockWidget] = []

    def hide(self, widgets: Iterable[QWidget]) -> None:
        self.restore()
        self._hidden = [widget for widget in widgets if not widget.isHidden()]
        self._in_front = [
            widget
            for widget in self._hidden
            if isinstance(widget, QDockWidget) and not widget.visibleRegion().isEmpty()
        ]
        for widget in self._hidden:
            widget.hide()

    def restore(self) -> None:
        hidden, self._hidden = self._hidden, []
        for widget in hidden:
            widget.show()
        for dock in self._in_front:
            dock.raise_()
        self._in_front = []
