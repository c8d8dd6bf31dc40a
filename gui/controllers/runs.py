"""Runs and scopes of a window: what is started, what is shown, what went wrong."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from railblocks.engine.diagram.diagram import Diagram
from railblocks.engine.drawing.scene import Terminal, Way
from railblocks.engine.errors import DiagramError

from ..model.signals import recorded_names, signal_name
from ..model.value_transfer import with_values_of
from ..panels.docks import dock_of
from ..panels.problems import ProblemList
from ..recording.measured_data import load_recording
from ..running.session import RunSession
from .dialogs import Dialogs
from .messages import StatusMessages
from .workspace import Workspace

RESULTS = "Results (*.h5 *.hdf5 *.csv *.mat)"


class RunController(QObject):
    """Starts runs of the open document and shows what they record and report."""

    problems_changed = Signal()  # of the last run
    workspace: Workspace  # of the open document

    def __init__(
        self,
        session: RunSession,
        problems: ProblemList,
        dialogs: Dialogs,
        messages: StatusMessages,
    ):
        super().__init__()
        self.session = session
        self._problems, self._dialogs, self._messages = problems, dialogs, messages
        session.message.connect(messages.show)
        session.ended.connect(self._show_outcome)
        session.values_restored.connect(self._take_restored_values)

    # --- running -------------------------------------------------------------------------------
    def start(self, paused: bool = False) -> None:
        """Starts a new run of the document as it is now."""
        document, scopes = self.workspace.document, self.workspace.scopes
        self._show_problems([])
        self._messages.show("")
        if not scopes.scopes:
            signals = document.root.log_signals
            names = [str(end) for end in signals] if isinstance(signals, tuple) else []
            if names:  # so that a first run shows something
                scopes.preview(names)
        self.session.start(document, scopes.signals(), paused)

    def run_or_pause(self) -> None:
        if self.session.is_active:
            self.session.toggle()
        else:
            self.start()

    def step(self) -> None:
        """Makes one step of the solver; starts a run if there is none."""
        if not self.session.is_active:
            self.start(paused=True)
        self.session.step()

    def _show_problems(self, problems: list) -> None:
        self._problems.show_run(problems)
        self.problems_changed.emit()

    def _show_outcome(self, _: str) -> None:
        """Shows why a run failed, at its block, or what it reports, among the problems."""
        failure, notices = self.session.failure, self.session.notices
        self._show_problems([*failure, *notices])
        if failure:
            dock = dock_of(self._problems)
            dock.show()
            dock.raise_()
            self._messages.show(failure[0].message)
        elif notices:
            more = f" (and {len(notices) - 1} more, see Problems)" if notices[1:] else ""
            self._messages.show(f"note: {notices[0].message}{more}")

    def _take_restored_values(self, diagram: Diagram, time: float) -> None:
        """Takes the values of a run that went on with earlier ones into the diagram."""
        label = f"Values of t = {time:.6g} s"
        self.workspace.document.edit(label, lambda root: with_values_of(root, diagram))

    # --- scopes --------------------------------------------------------------------------------
    def scope_terminal(self, terminal: Terminal, way: Way) -> None:
        """Shows the signal at a port in a scope."""
        workspace = self.workspace
        name = signal_name(workspace.document, workspace.canvas.path, terminal, way)
        if name:
            workspace.scopes.show_signal(name)
        else:
            self._messages.show("there is no signal here; join it with an output first")

    def scope_block(self, key: str) -> None:
        """Shows all outputs of a block, or all inputs of a sink, in a scope."""
        ports = self.workspace.canvas.items_of_level.blocks[key].ports()
        for name, way in [port for port in ports if port[1] == "out"] or ports:
            self.scope_terminal((key, name), way)

    def scope_selection(self) -> None:
        """Shows the selected wires and blocks in a scope."""
        items = self.workspace.canvas.items_of_level
        for item in items.chosen_nets():
            self.scope_terminal(item.net.source, "out")
        for key in items.chosen_blocks():
            self.scope_block(key)

    def new_scope(self) -> None:
        """Opens a new scope, with the selection."""
        self.workspace.scopes.new()
        self.scope_selection()

    # --- results -------------------------------------------------------------------------------
    def open_results(self) -> None:
        """Asks for a file of results and shows it."""
        path = self._dialogs.file_to_open("Open results", self.workspace.document.folder, RESULTS)
        if path:
            try:
                self.show_results(path)
            except DiagramError as error:
                self._messages.show(str(error))

    def show_results(self, path: str) -> None:
        """Shows results beside the diagram, in a new scope if there is none."""
        recording = load_recording(path)
        scopes = self.workspace.scopes
        if not scopes.scopes:
            names = dict.fromkeys(name.partition("[")[0] for name in recording.tracks)
            scopes.preview(list(names))
        recording.names = recorded_names(self.workspace.document.analysis(), scopes.signals())
        self.session.show_results(recording)
