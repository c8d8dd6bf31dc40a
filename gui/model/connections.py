"""Which ports may be joined, and why not."""

from __future__ import annotations

from railblocks.engine.diagram.endpoints import Endpoint
from railblocks.engine.drawing.scene import Scene, Terminal, Way

from .document import Document
from .levels import Path, with_inside
from .wires import connected, end_of

End = tuple[Terminal, Way]


class ConnectionRules:
    """The rules for one level while a wire is drawn; what was asked once is remembered."""

    def __init__(self, document: Document, path: Path):
        self.document = document
        self.path = path
        self.scene: Scene = document.drawing(path).scene
        self.analysis = document.analysis()
        self._known: dict[tuple[End, End], str] = {}

    def pair(self, one: End, other: End) -> tuple[Terminal, Terminal]:
        """Source and target, whichever was drawn first."""
        return (one[0], other[0]) if one[1] == "out" else (other[0], one[0])

    def reason_against(self, one: End, other: End) -> str:
        """Why two ports cannot be joined; empty if they can."""
        key = (one, other)
        if key not in self._known:
            self._known[key] = self._reason(one, other)
        return self._known[key]

    def _reason(self, one: End, other: End) -> str:
        if one[1] == other[1]:
            what = "outputs" if one[1] == "out" else "inputs"
            both = f"{_name(one[0])} and {_name(other[0])} are both {what}"
            return f"{both}; join an output with an input"
        source, target = self.pair(one, other)
        for net in self.scene.nets:
            if target in net.targets and target not in net.parts:
                if net.source == source:
                    return f"{_name(source)} drives {_name(target)} already"
                return (
                    f"{_name(target)} is driven by {_name(net.source)} already; "
                    "delete that wire, or add the signals with math.sum"
                )
        if source[0].startswith("<") and target[0].startswith(">"):
            return "an input of a subsystem cannot be its output; put a block in between"
        return self._new_problem(source, target)

    def _new_problem(self, source: Terminal, target: Terminal) -> str:
        """The first problem of the diagram with this wire that it does not have now."""
        pair = (end_of(self.scene, source, "out"), end_of(self.scene, target, "in"))
        level = connected(self.document.level(self.path), [pair])
        root = with_inside(self.document.root, self.path, level)
        tried = self.document.analysis_of(root).drawn
        known = {problem.message for problem in self.analysis.drawn.problems}
        return next((p.message for p in tried.problems if p.message not in known), "")


def _name(terminal: Terminal) -> str:
    block, port = terminal
    return block[1:] if block[0] in "<>" else str(Endpoint(block, port or None))
