"""Memory of the editor over an hour of editing and a thousand runs: it must stay flat.

`python tests/benchmarks/editor_endurance.py [GESTURES [RUNS [SEED]]]`: a gesture is what a hand
does in three seconds, so that an hour has 1200. Resident memory is told at the same diagram each
time, after a first stretch that fills what is kept for good (fonts, symbols, compiled code). A
gesture that takes more than a minute ends the program with the place where it hangs.
"""

import faulthandler
import gc
import os
import resource
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).parents[1] / "gui"))

from editor_speed import rows_of_loops, told, wait
from hand import Hand
from monkey import Monkey
from PySide6.QtGui import QPixmapCache
from PySide6.QtWidgets import QApplication
from railblocks.gui.controllers.dialogs import Button
from railblocks.gui.files.settings import Settings
from railblocks.gui.window.window import EditorWindow

AN_HOUR, RUNS = 1200, 1000
STUCK = 60  # s
SAVED_EVERY, REOPENED_EVERY, MANY_BLOCKS = 25, 100, 120
STRETCHES = 6


class Waiting:
    """Waits as the tests do."""

    def waitUntil(self, condition, timeout):
        wait(timeout / 1000, condition)


def memory() -> float:
    """Resident memory in MB, after everything that can be freed was freed."""
    QPixmapCache.clear()
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 1e6


def reopen(window: EditorWindow, file: Path) -> None:
    window.editor.files.open(os.fspath(file))
    wait(10, lambda: window.editor.watch.is_settled)


def edited(window: EditorWindow, file: Path, other: Path, gestures: int, seed: int) -> None:
    """Gestures in some stretches; each begins with the file as it was."""
    monkey = Monkey(window, Hand(window, Waiting()), seed)
    blocks = 0
    for number in range(gestures):
        if number % (gestures // STRETCHES) == 0 and number:
            reopen(window, file)
            told(f"memory after {number} gestures", memory(), "MB")
        faulthandler.dump_traceback_later(STUCK, exit=True)
        monkey.act()
        QApplication.processEvents()
        blocks = max(blocks, len(window.editor.canvas.items_of_level.blocks))
        if number % SAVED_EVERY == SAVED_EVERY - 1:
            window.editor.files.save_as(os.fspath(other))
        many = len(window.editor.canvas.items_of_level.blocks) > MANY_BLOCKS
        if many or number % REOPENED_EVERY == REOPENED_EVERY - 1:
            reopen(window, file)
    faulthandler.cancel_dump_traceback_later()
    reopen(window, file)
    told(f"memory after {gestures} gestures ({blocks} blocks at most)", memory(), "MB", "flat")


def run_again_and_again(window: EditorWindow, file: Path, runs: int) -> None:
    reopen(window, file)
    for number in range(runs):
        if number % (runs // STRETCHES) == 0 and number:
            told(f"memory after {number} runs", memory(), "MB")
        faulthandler.dump_traceback_later(STUCK, exit=True)
        window.editor.runs.start()
        wait(50, lambda: window.editor.session.run.is_over)
        assert window.editor.session.run.state == "done", window.editor.session.run.state
    faulthandler.cancel_dump_traceback_later()
    wait(0.5)
    told(f"memory after {runs} runs", memory(), "MB", "flat")


def main(gestures: int = AN_HOUR, runs: int = RUNS, seed: int = 1) -> None:
    application = QApplication.instance() or QApplication(sys.argv[:1])
    assert application is not None
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / "loops.yaml"
        file.write_text(rows_of_loops(60))
        window = EditorWindow(settings=Settings(folder / "config"))
        window.editor.dialogs.ask = lambda *_: Button.Discard
        window.editor.dialogs.inform = lambda *_: None
        window.show()
        reopen(window, file)
        told("memory with a diagram of 60 blocks", memory(), "MB")
        begin = time.perf_counter()
        edited(window, file, folder / "other.yaml", gestures, seed)
        run_again_and_again(window, file, runs)
        told("it took", time.perf_counter() - begin, "s")
        window.editor.document.history.mark_saved()
        window.close()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
