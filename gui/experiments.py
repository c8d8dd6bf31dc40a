"""Runs and scopes of a window: what is started, what is shown, what went wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from railblocks.engine.diagram.diagram import Diagram

from .model.signals import recorded_names, signal_name
from .model.value_transfer import with_values_of
from .scopes.measured_data import load_recording

if TYPE_CHECKING:
    from railblocks.engine.drawing.scene import Terminal, Way

    from .window import EditorWindow


class Experiments:
    """Mixed into the window."""

    # --- running -------------------------------------------------------------------------------
    def start_run(self: EditorWindow, paused: bool = False) -> None:
        """A new run of the document as it is now."""
        self.problems.show_run([])
        self._show_badges()
        self.said("")
        if not self.scopes.scopes:
            signals = self.document.root.log_signals
            names = [str(end) for end in signals] if isinstance(signals, tuple) else []
            if names:  # so that a first run shows something
                self.scopes.preview(names)
        self.session.start(self.document, self.scopes.signals(), paused)

    def step_run(self: EditorWindow) -> None:
        if not self.session.is_active:
            self.start_run(paused=True)
        self.session.step()

    def run_ended(self: EditorWindow, outcome: str) -> None:
        """Why a run failed, at its block, or what it says about its numbers, among the problems."""
        failure, notices = self.session.failure, self.session.notices
        self.problems.show_run([*failure, *notices])
        self._show_badges()
        if failure:
            self.problems_dock.show()
            self.problems_dock.raise_()
            self.said(failure[0].message)
        elif notices:
            more = f" (and {len(notices) - 1} more, see Problems)" if notices[1:] else ""
            self.said(f"note: {notices[0].message}{more}")

    def take_restored_values(self: EditorWindow, diagram: Diagram, time: float) -> None:
        """A run went on with the values of then: the diagram shows them too."""
        label = f"Values of t = {time:.6g} s"
        self.document.edit(label, lambda root: with_values_of(root, diagram))

    # --- scopes --------------------------------------------------------------------------------
    def scope_terminal(self: EditorWindow, terminal: Terminal, way: Way) -> None:
        """The signal at a port in a scope."""
        name = signal_name(self.document, self.canvas.path, terminal, way)
        if name:
            self.scopes.show_signal(name)
        else:
            self.said("there is no signal here; join it with an output first")

    def scope_block(self: EditorWindow, key: str) -> None:
        """All outputs of a block, or all inputs of a sink."""
        ports = self.canvas.items_of_level.blocks[key].ports()
        for name, way in [port for port in ports if port[1] == "out"] or ports:
            self.scope_terminal((key, name), way)

    def open_results_file(self: EditorWindow, path: str) -> None:
        """Results beside the diagram; a scope for them if there is none."""
        found = load_recording(path)
        if not self.scopes.scopes:
            names = dict.fromkeys(name.partition("[")[0] for name in found.tracks)
            self.scopes.preview(list(names))
        found.names = recorded_names(self.document.analysis(), self.scopes.signals())
        self.session.show_results(found)
