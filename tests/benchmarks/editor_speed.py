"""How fast the editor is: open, drag, pan, scope frames, and memory over many edits and runs.

`python tests/benchmarks/editor_speed.py` prints a table; goals are those of the project.
"""

import os
import resource
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PySide6.QtCore import QEvent, QEventLoop, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from railblocks.gui.canvas.theme import LIGHT
from railblocks.gui.filing import Button
from railblocks.gui.scopes.plan import ScopePlan
from railblocks.gui.scopes.recording import Recording, Track
from railblocks.gui.scopes.scope import Scope
from railblocks.gui.settings import Settings
from railblocks.gui.window import EditorWindow


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
    end = time.perf_counter() + seconds
    while time.perf_counter() < end and not until():
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 5)
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # as `exec` does


def told(what: str, value: float, unit: str, goal: str = "") -> None:
    print(f"{what:58} {value:10.3g} {unit:4} {goal}", flush=True)


def editing(window: EditorWindow, folder: Path) -> None:
    for count in (60, 500, 2000):
        file = folder / f"loops_{count}.yaml"
        file.write_text(rows_of_loops(count))
        begin = time.perf_counter()
        window.filing.open(os.fspath(file))
        QApplication.processEvents()
        window.canvas.grab()
        goal = "goal 2 s" if count == 2000 else ""
        told(f"open {count} blocks", time.perf_counter() - begin, "s", goal)
        wait(3, lambda: window.watch.is_settled)
        canvas = window.canvas
        canvas.set_zoom(1.0)
        item = canvas.items_of_level.blocks["g0_3"]
        canvas.centerOn(item)
        at = canvas.mapFromScene(item.pos() + item.body().center())
        frames = dragged(canvas, at, Qt.MouseButton.LeftButton)
        slow = 1e3 * np.quantile(frames, 0.95)
        told(f"drag a block among {count}: frame (95 %)", slow, "ms", "goal 16 ms")
        begin = time.perf_counter()
        window.document.undo()
        told(f"undo among {count}", 1e3 * (time.perf_counter() - begin), "ms")
        frames = dragged(canvas, QPoint(300, 300), Qt.MouseButton.MiddleButton)
        told(
            f"pan over {count} blocks: frame (95 %)",
            1e3 * np.quantile(frames, 0.95),
            "ms",
            "goal 16 ms",
        )
        canvas.fit()
        frames = dragged(canvas, QPoint(300, 300), Qt.MouseButton.MiddleButton)
        told(
            f"pan with all of {count} in sight: frame (95 %)", 1e3 * np.quantile(frames, 0.95), "ms"
        )


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


def scoping() -> None:
    time_axis = np.linspace(0, 1000, 1_000_000)
    names = [f"s{k}" for k in range(10)]
    recording = Recording([Track(name, "1", k + 1) for k, name in enumerate(names)])
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


def memory() -> float:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 1e6


def endurance(window: EditorWindow, folder: Path, runs: int) -> None:
    file = folder / "endurance.yaml"
    file.write_text(rows_of_loops(60))
    window.filing.open(os.fspath(file))
    for number in range(runs):
        canvas = window.canvas
        item = canvas.items_of_level.blocks[f"g{number % 6}_{number % 8}"]
        at = canvas.mapFromScene(item.pos() + item.body().center())
        view, keys = canvas.viewport(), Qt.KeyboardModifier.NoModifier
        to = at + QPoint(40 * (-1) ** number, 0)
        QTest.mousePress(view, Qt.MouseButton.LeftButton, keys, at)
        QTest.mouseMove(view, to)
        QTest.mouseRelease(view, Qt.MouseButton.LeftButton, keys, to)
        window.start_run()
        wait(20, lambda: window.session.run.is_over)
        QApplication.processEvents()
        if number in (runs // 4, runs - 1):
            told(f"memory after {number + 1} edits and runs", memory(), "MB", "flat")


def main() -> None:
    application = QApplication.instance() or QApplication(sys.argv[:1])
    assert application is not None
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        window = EditorWindow(settings=Settings(folder / "config"))
        window.filing.ask = lambda *_: Button.Discard
        window.show()
        wait(0.3)
        editing(window, folder)
        scoping()
        endurance(window, folder, int(os.environ.get("RUNS", "200")))
        window.document.history.mark_saved()
        window.close()


if __name__ == "__main__":
    main()
