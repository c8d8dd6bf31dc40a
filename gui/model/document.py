"""One open diagram: its file, its history, and listeners to its changes."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Mapping
from dataclasses import replace

from railblocks.engine.analysis.analysis import Analysis
from railblocks.engine.checks.data_paths import data_paths
from railblocks.engine.declaration.registry import Registry
from railblocks.engine.diagram.diagram import Diagram
from railblocks.engine.diagram.reader import load, loads
from railblocks.engine.diagram.saving import text_of, write_text
from railblocks.engine.drawing import Drawing
from railblocks.engine.errors import DiagramError
from railblocks.engine.text.files import file_text

from .drawings import Drawings
from .history import History
from .levels import Path, file_levels, inside, with_file_level, with_inside
from .nodes import new_position, word

NEW = "diagram: 1\ntitle: Untitled\n"


class Document:
    """A diagram that is edited. `listeners` are called after every change."""

    def __init__(self, diagram: Diagram, registry: Registry, file: str = ""):
        self.file = file
        self.history = History(diagram)
        self.registry = registry
        self.listeners: list[Callable[[], None]] = []
        self._drawings = Drawings(registry)
        self._written: dict[str, str] = {}
        if file:
            self._remember()

    @classmethod
    def new(cls, registry: Registry, folder: str = "") -> Document:
        return cls(loads(NEW, "untitled.yaml", folder or os.getcwd()), registry)

    @classmethod
    def open(cls, file: str, registry: Registry) -> Document:
        """A diagram from its file; raises `DiagramError`."""
        file = os.path.abspath(file)
        return cls(load(file), registry, file)

    @classmethod
    def recovered(
        cls, text: str, file: str, registry: Registry, others: Mapping[str, str] | None = None
    ) -> Document:
        """A diagram from text that was not saved; `others` are texts of files of subsystems."""
        folder = os.path.dirname(file) if file else os.getcwd()
        root = loads(text, file or "untitled.yaml", folder)
        for path, other in (others or {}).items():
            root = with_file_level(root, loads(other, path, os.path.dirname(path)))
        document = cls(root, registry, file)
        document.history.mark_unsaved()
        return document

    # --- looking at it -------------------------------------------------------------------------
    @property
    def root(self) -> Diagram:
        return self.history.present.diagram

    @property
    def name(self) -> str:
        return os.path.basename(self.file) or "untitled"

    def level(self, path: Path) -> Diagram:
        level = inside(self.root, path)
        if level is None:
            raise DiagramError(f"there is no subsystem {'.'.join(path)!r}")
        return level

    def has(self, path: Path) -> bool:
        return inside(self.root, path) is not None

    def drawing(self, path: Path) -> Drawing:
        return self._drawings.drawing(self.history.present, path)

    def analysis(self) -> Analysis:
        return self._drawings.analysis(self.history.present)

    def analysis_of(self, root: Diagram) -> Analysis:
        """The analysis of a diagram that the document may become."""
        return self._drawings.tried(root)

    def text(self) -> str:
        """What saving would write."""
        data = data_paths(self.root, self.registry)
        return text_of(self.root, self.folder, self.root.source, data)

    @property
    def folder(self) -> str:
        return os.path.dirname(self.file) if self.file else self.root.folder

    # --- changing it ---------------------------------------------------------------------------
    def edit(
        self, label: str, change: Callable[[Diagram], Diagram], appearance_only: bool = False
    ) -> bool:
        """Makes an edit as one step of the history; False if nothing changed.

        `appearance_only`: the simulation stays the same.
        """
        changed = change(self.root)
        if changed is self.root or changed == self.root:
            return False
        self.history.push(changed, label, appearance_only)
        self._notify()
        return True

    def edit_level(
        self,
        path: Path,
        label: str,
        change: Callable[[Diagram], Diagram],
        appearance_only: bool = False,
    ) -> bool:
        """Makes an edit of the diagram at a path, as one step of the history."""
        return self.edit(
            label, lambda root: with_inside(root, path, change(self.level(path))), appearance_only
        )

    def undo(self) -> None:
        if self.history.undo():
            self._notify()

    def redo(self) -> None:
        if self.history.redo():
            self._notify()

    def use(self, registry: Registry) -> None:
        """Takes another registry of blocks."""
        self.registry = registry
        self._drawings = Drawings(registry)
        self._notify()

    def _notify(self) -> None:
        for listener in list(self.listeners):
            listener()

    # --- the file ------------------------------------------------------------------------------
    @property
    def is_saved(self) -> bool:
        return self.history.is_saved

    def save(self, file: str = "") -> None:
        """Write the file, and those of subsystems that changed; raises `DiagramError`."""
        target = os.path.abspath(file) if file else self.file
        if not target:
            raise DiagramError("the diagram has no file yet; save it under a name")
        for inner, text in self.changed_files().items():
            write_text(inner, text)
        folder = os.path.dirname(target)
        data = data_paths(self.root, self.registry)
        write_text(target, text_of(self.root, folder, self.root.source, data))
        self.file = target
        self.history.mark_saved()
        self._remember()
        self._notify()

    def changed_files(self) -> dict[str, str]:
        """New texts of the files of subsystems that were changed here, outer ones first."""
        texts = {
            inner.file: text_of(inner)
            for inner in file_levels(self.root)
            if inner.source is not None
        }
        return {file: text for file, text in texts.items() if text != self._written.get(file)}

    def changed_on_disk(self) -> bool:
        """Whether another program wrote one of its files."""
        for file, text in self._written.items():
            try:
                if file_text(file) != text:
                    return True
            except DiagramError:
                continue
        return False

    def reload(self) -> None:
        """Reads the file again, as a step that can be undone; raises `DiagramError`."""
        diagram = load(self.file)
        self.history.push(diagram, "Reload")
        self.history.mark_saved()
        self._remember()
        self._notify()

    def keep_own(self) -> None:
        """Keeps the open diagram, although the file has changed."""
        self._remember()
        self.history.mark_unsaved()
        self._notify()

    def _remember(self) -> None:
        self._written = {}
        for file in (self.file, *(inner.file for inner in file_levels(self.root))):
            with contextlib.suppress(DiagramError):  # one that is gone is written anew
                self._written[file] = file_text(file)

    # --- what the file is called ---------------------------------------------------------------
    def set_title(self, text: str) -> None:
        self.edit("Change title", lambda root: replace(root, title=word(text) if text else None))

    def set_description(self, text: str) -> None:
        node = replace(word(text), position=new_position()) if text else None
        self.edit("Change description", lambda root: replace(root, description=node))
