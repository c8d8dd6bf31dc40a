"""The menu of what lies under the pointer on the canvas."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QMenu, QWidget

from ..controllers.editor import Editor
from .actions import CommandActions

ON_CANVAS = ("insert_block", "add_note", "paste", "arrange", "fit")
ON_BLOCK = ("edit_parameters", "comment_out", "flip", "rotate", "group")
ON_SUBSYSTEM = (*ON_BLOCK, "expand")
ON_WIRE = ("delete",)
ON_NOTE = ("edit_parameters",)
COPYING = ("cut", "copy", "duplicate", "delete")


def context_menu(editor: Editor, actions: CommandActions, at: QPoint, parent: QWidget) -> QMenu:
    """What can be done with the thing at a point of the view, which is selected."""
    menu = QMenu(parent)
    scene, point = editor.canvas.items_of_level, editor.canvas.mapToScene(at)
    port, net = scene.port_at(point), scene.net_at(point)
    terminal = port or ((net.net.source, "out") if net else None)
    if terminal is not None:
        menu.addAction("Show in scope", lambda: editor.runs.scope_terminal(*terminal))
        menu.addSeparator()
    for name in _select_at(editor, at):
        menu.addAction(actions[name])
    return menu


def _select_at(editor: Editor, at: QPoint) -> tuple[str, ...]:
    """Selects what lies at a point of the view: the names of the commands for it."""
    scene, point = editor.canvas.items_of_level, editor.canvas.mapToScene(at)
    block, net, note = scene.block_at(point), scene.net_at(point), scene.note_at(point)
    if block is not None:
        if not block.isSelected():
            scene.choose([block.key])
        return (*(ON_SUBSYSTEM if editor.canvas.editing.can_expand() else ON_BLOCK), *COPYING)
    if net is not None:
        if not net.isSelected():
            net.chosen = net.target_at(point) if len(net.net.targets) > 1 else None
            scene.choose_items([net])
        return ON_WIRE
    if note is not None:
        if not note.isSelected():
            scene.choose_items([note])
        return (*ON_NOTE, *COPYING)
    return ON_CANVAS
