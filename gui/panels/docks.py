"""Panels in docks of a window."""

from __future__ import annotations

from PySide6.QtWidgets import QDockWidget, QWidget


def dock_of(panel: QWidget) -> QDockWidget:
    """The dock that holds a panel."""
    parent = panel.parentWidget()
    while parent is not None and not isinstance(parent, QDockWidget):
        parent = parent.parentWidget()
    assert parent is not None, f"{panel} is not in a dock"
    return parent
