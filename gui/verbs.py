"""What the menus of a window do, by name; see `actions.MENUS`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QApplication, QFileDialog, QInputDialog, QMenu
from railblocks.engine.errors import DiagramError

from .picture import export_picture

if TYPE_CHECKING:
    from .window import EditorWindow

PICTURES = "Picture (*.svg *.png *.pdf)"
RESULTS = "Results (*.h5 *.hdf5 *.csv *.mat)"


class Verbs:
    """Mixed into the window; each method is one line of a menu."""

    # --- files ---------------------------------------------------------------------------------
    def new(self: EditorWindow) -> None:
        self.filing.new()

    def new_window(self: EditorWindow) -> None:
        self.another()

    def another(self: EditorWindow) -> EditorWindow:
        """A new window beside this one."""
        other = type(self)(self.filing.registry, self.settings)
        other.show()
        return other

    def open(self: EditorWindow) -> None:
        self.filing.open()

    def save(self: EditorWindow) -> None:
        self.filing.save()

    def save_as(self: EditorWindow) -> None:
        self.filing.save_as()

    def reload(self: EditorWindow) -> None:
        self.filing.reload()

    def load_blocks(self: EditorWindow) -> None:
        self.filing.load_blocks()

    def open_results(self: EditorWindow) -> None:
        path, _ = QFileDialog.getOpenFileName(self, "Open results", self.document.folder, RESULTS)
        if path:
            try:
                self.open_results_file(path)
            except DiagramError as error:
                self.said(str(error))

    def export_picture(self: EditorWindow) -> None:
        start = f"{self.document.folder}/{self.document.name.partition('.')[0]}.svg"
        path, _ = QFileDialog.getSaveFileName(self, "Export picture", start, PICTURES)
        if path:
            try:
                export_picture(self.document, self.canvas.path, path)
                self.said(f"wrote {path}")
            except DiagramError as error:
                self.said(str(error))

    # --- editing -------------------------------------------------------------------------------
    def undo(self: EditorWindow) -> None:
        self.document.undo()

    def redo(self: EditorWindow) -> None:
        self.document.redo()

    def copy(self: EditorWindow) -> None:
        text = self.canvas.editing.copied()
        if text:
            QApplication.clipboard().setText(text)

    def cut(self: EditorWindow) -> None:
        self.copy()
        self.canvas.editing.delete()

    def paste(self: EditorWindow) -> None:
        view = self.canvas.viewport()
        at = view.mapFromGlobal(QCursor.pos())
        inside = view.rect().contains(at)
        point = self.canvas.mapToScene(at)
        corner = (round(point.x() / 10) * 10, round(point.y() / 10) * 10) if inside else None
        self.canvas.editing.paste(QApplication.clipboard().text(), corner)

    def duplicate(self: EditorWindow) -> None:
        self.canvas.editing.duplicate()

    def delete(self: EditorWindow) -> None:
        self.canvas.editing.delete()

    def select_all(self: EditorWindow) -> None:
        for item in self.canvas.items_of_level.items():
            item.setSelected(True)

    def find(self: EditorWindow) -> None:
        """A block anywhere, by a part of its name or type."""
        names = {}
        for item in self.explorer.items_by_place():
            names[item[0]] = item[1]
        text, taken = QInputDialog.getItem(self, "Find", "Block", sorted(names), 0, True)
        if taken:
            self.find_block(text)

    def find_block(self: EditorWindow, text: str) -> None:
        for name, (path, block) in sorted(self.explorer.items_by_place(), key=lambda n: len(n[0])):
            if text.lower() in name.lower():
                self.show_block(path, block)
                return
        self.said(f"no block is called {text!r}")

    # --- the diagram ---------------------------------------------------------------------------
    def type_block(self: EditorWindow) -> None:
        middle = self.canvas.mapToScene(self.canvas.viewport().rect().center())
        self.quick_insert.ask(middle, "")

    def add_note(self: EditorWindow) -> None:
        text = self.ask_text("Note", "Text of the note")
        if text.strip():
            middle = self.canvas.mapToScene(self.canvas.viewport().rect().center())
            self.canvas.editing.add_note(round(middle.x()), round(middle.y()), text)

    def edit_note(self: EditorWindow) -> None:
        for item in self.canvas.items_of_level.chosen_notes()[:1]:
            text = self.ask_text("Note", "Text of the note", item.note.text)
            if text:
                self.canvas.editing.change_note(item.note, text)

    def edit_parameters(self: EditorWindow) -> None:
        keys = self.canvas.items_of_level.chosen_blocks()
        if len(keys) == 1:
            self.open_block(keys[0])
        elif self.canvas.items_of_level.chosen_notes():
            self.edit_note()

    def join(self: EditorWindow) -> None:
        self.canvas.editing.join()

    def comment_out(self: EditorWindow) -> None:
        self.canvas.editing.comment_out()

    def flip(self: EditorWindow) -> None:
        self.canvas.editing.flip()

    def rotate(self: EditorWindow) -> None:
        self.canvas.editing.rotate()

    def align_left(self: EditorWindow) -> None:
        self.canvas.editing.align("left")

    def align_right(self: EditorWindow) -> None:
        self.canvas.editing.align("right")

    def align_top(self: EditorWindow) -> None:
        self.canvas.editing.align("top")

    def align_bottom(self: EditorWindow) -> None:
        self.canvas.editing.align("bottom")

    def align_middle(self: EditorWindow) -> None:
        self.canvas.editing.align("middle")

    def align_centre(self: EditorWindow) -> None:
        self.canvas.editing.align("centre")

    def arrange(self: EditorWindow) -> None:
        self.canvas.editing.arrange()
        self.canvas.fit()

    def group(self: EditorWindow) -> None:
        self.canvas.editing.group()

    def expand(self: EditorWindow) -> None:
        self.canvas.editing.expand()

    def go_up(self: EditorWindow) -> None:
        self.canvas.enter(self.canvas.path[:-1])

    def context_menu(self: EditorWindow, at: QPoint) -> None:
        """Shows what can be done with what lies at a place."""
        menu = self.menu_at(at)
        menu.exec(self.canvas.viewport().mapToGlobal(at))
        menu.deleteLater()

    def menu_at(self: EditorWindow, at: QPoint) -> QMenu:
        """What can be done with what lies at a place, which is selected."""
        scene, point = self.canvas.items_of_level, self.canvas.mapToScene(at)
        menu = QMenu(self)
        port, net, block = scene.port_at(point), scene.net_at(point), scene.block_at(point)
        note = scene.note_at(point)
        terminal = port if port else ((net.net.source, "out") if net else None)
        if terminal is not None:
            menu.addAction("Show in scope", lambda: self.scope_terminal(*terminal))
            menu.addSeparator()
        names: tuple[str, ...] = ("type_block", "add_note", "paste", "arrange", "fit")
        if block is not None:
            if not block.isSelected():
                scene.choose([block.key])
            names = ("edit_parameters", "comment_out", "flip", "rotate", "group")
            names += ("expand",) if self.canvas.editing.can_expand() else ()
            names += ("cut", "copy", "duplicate", "delete")
        elif net is not None:
            if not net.isSelected():
                net.chosen = net.target_at(point) if len(net.net.targets) > 1 else None
                scene.choose_items([net])
            names = ("delete",)
        elif note is not None:
            if not note.isSelected():
                scene.choose_items([note])
            names = ("edit_parameters", "cut", "copy", "duplicate", "delete")
        for name in names:
            menu.addAction(self.actions[name])
        return menu

    # --- looking -------------------------------------------------------------------------------
    def zoom_in(self: EditorWindow) -> None:
        self.canvas.set_zoom(self.canvas.zoom * 1.25)

    def zoom_out(self: EditorWindow) -> None:
        self.canvas.set_zoom(self.canvas.zoom / 1.25)

    def fit(self: EditorWindow) -> None:
        self.canvas.fit()

    def toggle_theme(self: EditorWindow) -> None:
        name = "light" if self.theme.name == "dark" else "dark"
        self.settings.set("theme", name)
        for window in self.others:
            window.use_theme(name)

    # --- running -------------------------------------------------------------------------------
    def scope_selected(self: EditorWindow) -> None:
        for item in self.canvas.items_of_level.chosen_nets():
            self.scope_terminal(item.net.source, "out")
        for key in self.canvas.items_of_level.chosen_blocks():
            self.scope_block(key)

    def new_scope(self: EditorWindow) -> None:
        self.scopes.new()
        self.scope_selected()

    def toggle_keep(self: EditorWindow) -> None:
        self.session.keep_previous = self.actions["toggle_keep"].isChecked()

    def clear_overlays(self: EditorWindow) -> None:
        self.session.clear_overlays()

    def show_settings(self: EditorWindow) -> None:
        self.inspector_dock.show()
        self.inspector.show_settings()
