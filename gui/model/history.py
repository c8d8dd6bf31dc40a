"""Undo and redo: diagrams are immutable, so a step is the diagram as it was."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from railblocks.engine.diagram.diagram import Diagram

LONGEST = 1000


@dataclass(frozen=True)
class Step:
    """A diagram and what led to it; steps that differ only in looks share their `structure`."""

    diagram: Diagram
    label: str = ""
    structure: object = field(default_factory=object)


class History:
    """The steps of one document; the oldest ones are forgotten."""

    def __init__(self, diagram: Diagram):
        self._steps = [Step(diagram)]
        self._place = 0
        self._saved: Step | None = self._steps[0]

    @property
    def present(self) -> Step:
        return self._steps[self._place]

    def push(self, diagram: Diagram, label: str, looks_only: bool = False) -> None:
        """A new step; what was undone before is gone."""
        structure = self.present.structure if looks_only else object()
        del self._steps[self._place + 1 :]
        self._steps.append(Step(diagram, label, structure))
        if len(self._steps) > LONGEST:
            del self._steps[0]
        self._place = len(self._steps) - 1

    def merge_last(self, label: str) -> None:
        """The last two steps become one: they were one gesture."""
        if self._place > 1:
            del self._steps[self._place - 1]
            self._place -= 1
            self._steps[self._place] = replace(self.present, label=label)

    def undo(self) -> bool:
        self._place -= (can := self._place > 0)
        return can

    def redo(self) -> bool:
        self._place += (can := self._place < len(self._steps) - 1)
        return can

    @property
    def undo_label(self) -> str:
        """What `undo` would take back; empty if there is nothing."""
        return self.present.label if self._place else ""

    @property
    def redo_label(self) -> str:
        following = self._steps[self._place + 1 : self._place + 2]
        return following[0].label if following else ""

    @property
    def is_saved(self) -> bool:
        return self.present is self._saved

    def mark_saved(self) -> None:
        self._saved = self.present

    def mark_unsaved(self) -> None:
        """No step is what stands in the file."""
        self._saved = None
