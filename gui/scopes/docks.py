"""The scopes of a window: docked or floating, saved with the diagram."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDockWidget, QFileDialog, QMainWindow
from railblocks.engine.errors import DiagramError

from ..model import layouts
from ..model.document import Document
from ..recording.measured_data import load_recording
from ..running.session import RunSession
from ..style.theme import Theme
from .export import export_scope
from .plan import ScopePlan
from .scope import Scope

DATA = "Recorded data (*.csv *.txt *.mat *.h5 *.hdf5)"
SCOPES_HEIGHT, NEIGHBOUR_HEIGHT = 330, 140  # pixels, with scopes and without
MAX_SIGNALS_PER_AXIS, MAX_AXES = 6, 24  # of a scope that opens by itself
PICTURES = "Picture or numbers (*.png *.svg *.csv)"


class ScopeDock(QDockWidget):
    """A scope in a frame that can float; closing it takes it out of the diagram."""

    closed = Signal(object)

    def __init__(self, scope: Scope):
        super().__init__(scope.plan.title)
        self.scope = scope
        self.setWidget(scope)
        self.setObjectName(scope.plan.title)

    def closeEvent(self, event) -> None:
        super().closeEvent(event)
        self.closed.emit(self)


class ScopeDocks:
    """Opens scopes, feeds them and keeps the diagram's list of them."""

    def __init__(
        self,
        window: QMainWindow,
        document: Document,
        session: RunSession,
        theme: Theme,
        neighbour: QDockWidget | None = None,
    ):
        self.window, self.document, self.session, self.theme = window, document, session, theme
        self.neighbour = neighbour
        self.docks: list[ScopeDock] = []
        self._saved_plans = [ScopePlan.of(saved) for saved in layouts.scopes_of(document.root)]
        for saved in layouts.scopes_of(document.root):
            self._add(ScopePlan.of(saved))
        session.recorded.connect(self.draw)
        session.changed.connect(self.show_time)
        document.listeners.append(self.refresh)

    @property
    def scopes(self) -> list[Scope]:
        return [dock.scope for dock in self.docks]

    def signals(self) -> list[str]:
        """All that is to be recorded for them."""
        return list(dict.fromkeys(name for s in self.scopes for name in s.plan.signals))

    # --- scopes come and go --------------------------------------------------------------------
    def new(self, *signals: str) -> Scope:
        titles = {scope.plan.title for scope in self.scopes}
        number = next(n for n in range(1, 1000) if f"Scope {n}" not in titles)
        scope = self._add(ScopePlan(f"Scope {number}", (signals,) if signals else ()))
        self._save()
        return scope

    def preview(self, signals: list[str]) -> None:
        """Opens a scope of all signals, which is not part of the diagram until it is changed."""
        units: dict[str, list[str]] = {}
        for name in signals:
            units.setdefault(self._unit(name), []).append(name)
        axes = [
            tuple(names[first : first + MAX_SIGNALS_PER_AXIS])
            for names in units.values()
            for first in range(0, len(names), MAX_SIGNALS_PER_AXIS)
        ]
        self._add(ScopePlan("Log", tuple(axes[:MAX_AXES])))
        left_out = sum(map(len, axes[MAX_AXES:]))
        if left_out:
            self.session.message.emit(
                f"the scope shows {len(signals) - left_out} of {len(signals)} logged signals; "
                "double-click a wire to show its signal"
            )

    def show_signal(self, name: str) -> Scope:
        """Shows a signal in the last scope used, with those of its unit, or in a new scope."""
        if not self.scopes:
            return self.new(name)
        scope = self.scopes[-1]
        unit = self._unit(name)
        fits = [i for i, axis in enumerate(scope.plan.axes) if self._unit(axis[0]) == unit]
        scope.set_plan(scope.plan.with_signal(name, fits[0] if fits else None))
        self.docks[-1].show()
        self.docks[-1].raise_()
        return scope

    def _unit(self, name: str) -> str:
        """The unit of a signal, if the diagram has it."""
        block, _, port = name.partition("[")[0].rpartition(".")
        output = self.document.analysis().output(block, port)
        return str(output.unit) if output is not None and output.unit is not None else ""

    def _add(self, plan: ScopePlan) -> Scope:
        scope = Scope(plan, self.theme)
        scope.plan_changed.connect(self._save)
        scope.export_wanted.connect(lambda: self.export(scope))
        scope.overlay_wanted.connect(self.ask_overlay)
        dock = ScopeDock(scope)
        dock.closed.connect(self._remove)
        self.window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, dock)
        if self.docks:
            self.window.tabifyDockWidget(self.docks[-1], dock)
        elif self.neighbour is not None:
            self.window.tabifyDockWidget(self.neighbour, dock)
            self.window.resizeDocks([dock], [SCOPES_HEIGHT], Qt.Orientation.Vertical)
        self.docks.append(dock)
        dock.show()
        dock.raise_()
        scope.show_recordings(self.session.recordings)
        return scope

    def _remove(self, dock: ScopeDock) -> None:
        if dock in self.docks:
            self.docks.remove(dock)
            self._save()

    def refresh(self) -> None:
        """Shows the scopes that the diagram has now; undo may have changed them."""
        wanted = [ScopePlan.of(saved) for saved in layouts.scopes_of(self.document.root)]
        if wanted == self._saved_plans:
            return
        self._saved_plans = wanted
        titles = {plan.title: plan for plan in wanted}
        for dock in list(self.docks):
            plan = titles.pop(dock.scope.plan.title, None)
            if plan is None:
                self.docks.remove(dock)
                self._take_down(dock)
            elif plan != dock.scope.plan:
                dock.scope.plan = plan
                dock.scope.rebuild()
        for plan in titles.values():
            self._add(plan)

    def _take_down(self, dock: ScopeDock) -> None:
        if self.neighbour is not None:
            self.window.resizeDocks([self.neighbour], [NEIGHBOUR_HEIGHT], Qt.Orientation.Vertical)
        dock.closed.disconnect()
        self.window.removeDockWidget(dock)
        dock.deleteLater()

    def close(self) -> None:
        """Takes the docks down; the diagram keeps its scopes."""
        self.session.recorded.disconnect(self.draw)
        self.session.changed.disconnect(self.show_time)
        for dock in self.docks:
            self._take_down(dock)
        self.docks = []

    def _save(self) -> None:
        self._saved_plans = [scope.plan for scope in self.scopes if scope.plan.axes]
        plans = [plan.saved() for plan in self._saved_plans]
        change = lambda root: layouts.with_annotation(root, "scopes", plans)  # noqa: E731
        self.document.edit("Change scopes", change, appearance_only=True)

    # --- drawing -------------------------------------------------------------------------------
    def draw(self) -> None:
        for scope in self.scopes:
            if scope.isVisible():
                scope.show_recordings(self.session.recordings)

    def show_time(self) -> None:
        for scope in self.scopes:
            scope.show_time(self.session.shown_time)

    def set_theme(self, theme: Theme) -> None:
        self.theme = theme
        for scope in self.scopes:
            scope.set_theme(theme)

    # --- files ---------------------------------------------------------------------------------
    def ask_overlay(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self.window, "Overlay", self.document.folder, DATA)
        if path:
            self.overlay(path)

    def overlay(self, path: str) -> None:
        try:
            self.session.add_overlay(load_recording(path))
        except DiagramError as error:
            self.session.message.emit(str(error))

    def export(self, scope: Scope, path: str = "") -> None:
        if not path:
            start = f"{self.document.folder}/{scope.plan.title}.png"
            path, _ = QFileDialog.getSaveFileName(self.window, "Export", start, PICTURES)
        if path:
            try:
                export_scope(scope, path)
            except DiagramError as error:
                self.session.message.emit(str(error))
