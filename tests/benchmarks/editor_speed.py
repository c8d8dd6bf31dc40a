"""How fast the editor is: open, drag, pan, zoom, scope frames, and how long a run keeps it waiting.

`python tests/benchmarks/editor_speed.py` prints a table; goals are those of the project. Names of
parts (`editing scoping responding`) do those alone.
"""

import os
import sys
import tempfile
import time
from importlib import resources
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PySide6.QtCore import QEventLoop, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from railblocks.engine.model.signals import LoggedSignal
from railblocks.gui.controllers.dialogs import Button
from railblocks.gui.files.settings import Settings
from railblocks.gui.recording.recording import Recording
from railblocks.gui.scopes.plan import ScopePlan
from railblocks.gui.scopes.scope import Scope
from railblocks.gui.style.theme import LIGHT
from railblocks.gui.window.window import EditorWindow

DIAGRAMS = Path(str(resources.files("railblocks.diagrams")))
BEAT = 4  # ms


def rows_of_loops(count: int) -> str:
    """Diagrams of loops with ten blocks each."""
    blocks, wires = [], []
    for row in range(count // 10):
        blocks += [
            f"  s{row}: {{type: sources.sine}}",
            f"  e{row}: {{type: math.sum, signs: +-}}",
        ]
        wires.append(f"  - s{row} -> e{row}.u1")
        last = f"e{row}"
        for place in range(8):
            kind = "math.gain, k: 2" if place % 2 else "continuous.first_order_lag, T: 1 s"
            blocks.append(f"  g{row}_{place}: {{type: {kind}}}")
            wires.append(f"  - {last} -> g{row}_{place}")
            last = f"g{row}_{place}"
        wires.append(f"  - {last} -> e{row}.u2")
    body = "\n".join(["blocks:", *blocks, "wires:", *wires])
    return f"diagram: 1\n{body}\nsolver: {{stop: 1 s}}\n"


def wait(seconds: float, until=lambda: False) -> None:
    """As the application waits: nothing is done between events."""
    loop, look = QEventLoop(), QTimer()
    QTimer.singleShot(round(1000 * seconds), loop, loop.quit)
    look.timeout.connect(lambda: loop.quit() if until() else None)
    look.start(10)
    loop.exec()


def told(what: str, value: float, unit: str, goal: str = "") -> None:
    print(f"{what:58} {value:10.3g} {unit:4} {goal}", flush=True)


def editing(window: EditorWindow, folder: Path) -> None:
    for count in (60, 500, 2000):
        file = folder / f"loops_{count}.yaml"
        file.write_text(rows_of_loops(count))
        begin = time.perf_counter()
        window.editor.files.open(os.fspath(file))
        QApplication.processEvents()
        window.editor.canvas.grab()
        goal = "goal 2 s" if count == 2000 else ""
        told(f"open {count} blocks", time.perf_counter() - begin, "s", goal)
        wait(3, lambda: window.editor.watch.is_settled)
        canvas = window.editor.canvas
        canvas.set_zoom(1.0)
        item = canvas.items_of_level.blocks["g0_3"]
        canvas.centerOn(item)
        at = canvas.mapFromScene(item.pos() + item.body().center())
        frames = dragged(canvas, at, Qt.MouseButton.LeftButton)
        slow = 1e3 * np.quantile(frames, 0.95)
        told(f"drag a block among {count}: frame (95 %)", slow, "ms", "goal 16 ms")
        begin = time.perf_counter()
        window.editor.document.undo()
        told(f"undo among {count}", 1e3 * (time.perf_counter() - begin), "ms")
        wait(0.2)
        panned(f"pan over {count} blocks while they are checked", canvas)
        wait(5, lambda: window.editor.watch.is_settled)
        panned(f"pan over {count} blocks", canvas)
        canvas.fit()
        wait(0.1)
        panned(f"pan with all of {count} in sight", canvas)
        slow = 1e3 * np.quantile(zoomed(canvas), 0.95)
        told(f"zoom with all of {count} in sight: frame (95 %)", slow, "ms")


def panned(what: str, canvas) -> None:
    frames = dragged(canvas, QPoint(300, 300), Qt.MouseButton.MiddleButton)
    told(f"{what}: frame (95 %)", 1e3 * np.quantile(frames, 0.95), "ms", "goal 16 ms")


def dragged(canvas, start: QPoint, button) -> list[float]:
    view = canvas.viewport()
    QTest.mousePress(view, button, Qt.KeyboardModifier.NoModifier, start)
    frames = []
    for step in range(1, 60):
        begin = time.perf_counter()
        QTest.mouseMove(view, start + QPoint(3 * step, step))
        QApplication.processEvents()
        frames.append(time.perf_counter() - begin)
    QTest.mouseRelease(view, button, Qt.KeyboardModifier.NoModifier, start + QPoint(180, 60))
    return frames


def zoomed(canvas) -> list[float]:
    at = QPointF(300, 300)
    frames = []
    for step in range(40):
        begin = time.perf_counter()
        turn = QPoint(0, 40 if step % 10 < 5 else -40)
        wheel = QWheelEvent(
            at, canvas.viewport().mapToGlobal(at), QPoint(), turn, Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(canvas.viewport(), wheel)
        QApplication.processEvents()
        frames.append(time.perf_counter() - begin)
    return frames


def scoping(*_) -> None:
    time_axis = np.linspace(0, 1000, 1_000_000)
    names = [f"s{k}" for k in range(10)]
    recording = Recording(LoggedSignal(name, "1") for name in names)
    waves = [np.sin((k + 1) * time_axis) + 0.1 * np.sin(977 * time_axis) for k in range(10)]
    recording.append(np.column_stack([time_axis, *waves]))
    scope = Scope(ScopePlan("Scope", (tuple(names),)), LIGHT)
    scope.resize(1200, 600)
    scope.show()
    scope.show_recordings([recording])
    wait(1)
    frames = []
    plot = scope.axes[0].plot
    for step in range(60):
        begin = time.perf_counter()
        plot.setXRange(step, 900 - step, padding=0)
        QApplication.processEvents()
        frames.append(time.perf_counter() - begin)
    told("scope, 10 signals of 1e6 points", 1 / np.mean(frames), "Hz", "goal 30 Hz")
    scope.close()


MUCH = """diagram: 1
blocks:
  ref: {type: sources.sine}
  plant: {type: continuous.first_order_lag, T: 0.5 s}
wires: [ref -> plant]
solver: {stop: 1000000 s, max_step: 1 ms}
log: {signals: [ref.y, plant.y], every: 10 ms}
"""


def responding(window: EditorWindow, folder: Path) -> None:
    """Gaps between the beats of a clock in the window's thread: idle, then with runs."""
    told_gaps("idle", beats(lambda: wait(3)))
    much = folder / "much.yaml"
    much.write_text(MUCH)
    rig = DIAGRAMS / "conti2012" / "scenario_1.yaml"
    for title, file, seconds in (
        ("a loop that writes much", much, 10.0),
        ("roller rig", rig, 60.0),
    ):
        window.editor.files.open(os.fspath(file))
        wait(5, lambda: window.editor.watch.is_settled)
        window.editor.runs.start()
        compiling = beats(lambda: wait(300, lambda: window.editor.session.state != "compiling"))
        told_gaps(f"{title}, compiling", compiling)
        told_gaps(
            f"{title}, running",
            beats(lambda s=seconds: wait(s, lambda: window.editor.session.run.is_over)),
        )
        window.editor.session.close()


def beats(during) -> np.ndarray:
    seen: list[float] = []
    clock = QTimer()
    clock.setTimerType(Qt.TimerType.PreciseTimer)
    clock.timeout.connect(lambda: seen.append(time.perf_counter()))
    clock.start(BEAT)
    during()
    clock.stop()
    return 1e3 * np.diff(seen)


def told_gaps(title: str, gaps: np.ndarray) -> None:
    told(f"window: gaps, {title} (99 %)", np.quantile(gaps, 0.99), "ms")
    told(f"window: gaps, {title} (longest)", gaps.max(), "ms", "goal 50 ms")


def main(parts: list[str]) -> None:
    application = QApplication.instance() or QApplication(sys.argv[:1])
    assert application is not None
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["RAILBLOCKS_CACHE"] = os.fspath(folder / "cache")  # so that all is compiled
        window = EditorWindow(settings=Settings(folder / "config"))
        window.editor.dialogs.ask = lambda *_: Button.Discard
        window.show()
        wait(0.3)
        for part in (editing, scoping, responding):
            if not parts or part.__name__ in parts:
                part(window, folder)
        window.editor.document.history.mark_saved()
        window.close()


if __name__ == "__main__":
    main(sys.argv[1:])
