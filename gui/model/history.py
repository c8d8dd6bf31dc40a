"""Undo and redo: diagrams are immutable, so a step is the diagram as it was."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from railblocks.engine.diagram.diagram import Diagram

MAX_STEPS = 1000


@dataclass(frozen=True)
class HistoryStep:
    """A diagram and the edit that led to it; steps that differ in appearance share `structure`."""

    diagram: Diagram
    label: str = ""
    structure: object = field(default_factory=object)


class History:
    """The steps of one document; the oldest ones are forgotten."""

    def __init__(self, diagram: Diagram):
        self._steps = [HistoryStep(diagram)]
        self._index = 0
        self._saved: HistoryStep | None = self._steps[0]

    @property
    def present(self) -> HistoryStep:
        return self._steps[self._index]

    def push(self, diagram: Diagram, label: str, appearance_only: bool = False) -> None:
        """Adds a new step; what was undone before is gone."""
        structure = self.present.structure if appearance_only else object()
        del self._steps[self._index + 1 :]
        self._steps.append(HistoryStep(diagram, label, structure))
        if len(self._steps) > MAX_STEPS:
            del self._steps[0]
        self._index = len(self._steps) - 1

    def merge_last(self, label: str) -> None:
        """Makes one step of the last two, which were one gesture."""
        if self._index > 1:
            del self._steps[self._index - 1]
            self._index -= 1
            self._steps[self._index] = replace(self.present, label=label)

    def undo(self) -> bool:
        if self._index == 0:
            return False
        self._index -= 1
        return True

    def redo(self) -> bool:
        if self._index == len(self._steps) - 1:
            return False
        self._index += 1
        return True

    @property
    def undo_label(self) -> str:
        """What `undo` would take back; empty if there is nothing."""
        return self.present.label if self._index else ""

    @property
    def redo_label(self) -> str:
        following = self._steps[self._index + 1 : self._index + 2]
        return following[0].label if following else ""

    @property
    def is_saved(self) -> bool:
        return self.present is self._saved

    def mark_saved(self) -> None:
        self._saved = self.present

    def mark_unsaved(self) -> None:
        """Marks all steps as unsaved: none is what the file holds."""
        self._saved = None
