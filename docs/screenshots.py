"""`make docs`: pictures of the editor, taken without a screen."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "images"
ERRORS = """diagram: 1
title: A unit that does not fit
blocks:
  height: {type: sources.ramp, slope: 1 m/s}
  gain:   {type: math.gain, k: 2}
  body:   {type: mechanics.mass, m: 3 kg}
  speed:  {type: continuous.first_order_lag, T: -1 s}
wires:
  - height -> gain -> body
  - body.v -> speed
"""


def main() -> None:
    from PySide6.QtCore import QEventLoop
    from PySide6.QtWidgets import QApplication
    from railblocks.gui.files.settings import Settings
    from railblocks.gui.window.window import EditorWindow

    application = QApplication.instance() or QApplication([])

    def wait(seconds: float, until=lambda: False) -> None:
        end = time.perf_counter() + seconds
        while time.perf_counter() < end and not until():
            application.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)

    def take(name: str) -> None:
        wait(0.6)
        window.grab().save(os.fspath(FOLDER / f"editor_{name}.png"))

    with tempfile.TemporaryDirectory() as folder:
        window = EditorWindow(settings=Settings(Path(folder) / "config"))
        window.resize(1320, 840)
        window.show()
        window.show_start_page()
        wait(60, lambda: not window.pages.currentWidget().is_drawing)
        take("start")
        window.editor.files.open(os.fspath(ROOT / "diagrams" / "dc_motor.yaml"))
        window.editor.runs.start()
        wait(60, lambda: window.editor.session.run.is_over)
        window.editor.canvas.items_of_level.choose(["pid"])
        take("run")
        window.set_theme("dark")
        window.editor.workspace.scopes.scopes[0].cursors_action.setChecked(True)
        take("dark")
        window.set_theme("light")
        window.editor.files.open(os.fspath(ROOT / "diagrams" / "conti2012" / "scenario_1.yaml"))
        take("scenario_1")
        window.editor.canvas.enter(("simulator",))
        take("subsystem")
        broken = Path(folder) / "errors.yaml"
        broken.write_text(ERRORS)
        window.editor.files.open(os.fspath(broken))
        wait(2, lambda: bool(window.editor.problems.problems))
        window.editor.canvas.items_of_level.choose(["speed"])
        take("errors")
        window.close()


if __name__ == "__main__":
    main()
