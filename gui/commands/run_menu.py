"""Commands that run the diagram and show what it computes."""

from __future__ import annotations

from ..controllers.editor import Editor
from .command import Command, Menu

RUN = "\N{BLACK RIGHT-POINTING TRIANGLE} Run"
PAUSE = "\N{DOUBLE VERTICAL LINE} Pause"


def _run_label(editor: Editor) -> str:
    session = editor.session
    return PAUSE if session.is_active and session.state != "paused" else RUN


def _can_go_on(editor: Editor) -> bool:
    return editor.session.run is not None and editor.session.shown_time is not None


def _toggle_keep(editor: Editor) -> None:
    editor.session.keep_previous = not editor.session.keep_previous


MENU = Menu(
    "&Run",
    (
        Command(
            "run", RUN, lambda editor: editor.runs.run_or_pause(),
            "Runs the diagram, or pauses the run.", "F5", label=_run_label,
        ),
        Command(
            "step", "Step", lambda editor: editor.runs.step(),
            "Makes one step of the solver.", "F10",
        ),
        Command(
            "stop", "\N{BLACK SQUARE} Stop", lambda editor: editor.session.stop(),
            "Ends the run.", "Shift+F5", is_enabled=lambda editor: editor.session.is_active,
        ),
        Command(
            "go_on", "Go on from here", lambda editor: editor.session.continue_from_here(),
            "The run goes on from the time that the slider shows, with the values of the diagram.",
            is_enabled=_can_go_on,
        ),
        Command(
            "go_on_with_earlier_values", "Go on from here with the values of that time",
            lambda editor: editor.session.continue_with_earlier_values(),
            "The run goes on from the time that the slider shows, with the values it had then.",
            is_enabled=_can_go_on,
        ),
        Command(
            "show_in_scope", "Show in &scope", lambda editor: editor.runs.scope_selection(),
            "Shows the selected wires and blocks in a scope.", "Ctrl+U", on_canvas=True,
        ),
        Command(
            "new_scope", "New &scope", lambda editor: editor.runs.new_scope(),
            "Opens a scope, with the selection.",
        ),
        Command(
            "keep_runs", "&Keep earlier runs", _toggle_keep,
            "Earlier runs stay in the scopes, below the newest.",
            is_checked=lambda editor: editor.session.keep_previous,
        ),
        Command(
            "clear_overlays", "&Clear overlays", lambda editor: editor.session.clear_overlays(),
            "Removes earlier runs and measured data from the scopes.",
        ),
        Command(
            "show_settings", "Solver and &log settings",
            lambda editor: editor.diagram.show_settings(),
            "Shows the settings of solver and log in the inspector.", bar_text="Settings",
        ),
    ),
)  # fmt: skip
