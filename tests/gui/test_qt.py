"""What the editor takes for granted of Qt and its bindings."""

import subprocess
import sys

import pytest
from PySide6.QtWidgets import QGraphicsScene, QLabel
from railblocks.engine.errors import DiagramError
from railblocks.gui.system.window_system import require_window_system


def test_calls_that_return_none_keep_their_references(qtbot):
    """PySide6 6.12.0 on Python 3.11 drops a reference to None a call, and dies after thousands."""
    label, scene = QLabel(), QGraphicsScene()
    qtbot.addWidget(label)
    before = sys.getrefcount(None)
    for number in range(5000):
        label.setText(str(number))
        scene.update()
    assert abs(sys.getrefcount(None) - before) < 500


def test_a_missing_extra_is_told_with_the_pip_command():
    code = """
import sys
sys.modules["PySide6"] = None
from railblocks.engine.cli import main
sys.exit(main(["edit"]))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "pip install 'railblocks[gui]'" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_program_may_end_with_a_window_open(loop_file, tmp_path):
    """Qt destroys what is left in any order; nobody must ask it then."""
    code = f"""
from pathlib import Path
from PySide6.QtWidgets import QApplication
from railblocks.gui.files.settings import Settings
from railblocks.gui.window.window import EditorWindow
application = QApplication([])
window = EditorWindow(settings=Settings(Path({str(tmp_path / "config")!r})))
window.editor.files.open({str(loop_file)!r})
window.show()
window.editor.canvas.items_of_level.choose(["gain"])
window.show_start_page()
raise SystemExit(3)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert "Error" not in done.stderr


def test_a_missing_display_is_told():
    with pytest.raises(DiagramError, match="no display"):
        require_window_system({"QT_QPA_PLATFORM": "xcb"})
    require_window_system({"QT_QPA_PLATFORM": "offscreen"})


def test_the_editor_refuses_a_file_that_is_not_there(capsys):
    from railblocks.engine.cli import main

    assert main(["edit", "nowhere.yaml"]) == 2
    assert "nowhere.yaml: no such file" in capsys.readouterr().err


def test_all_menu_entries_work_on_an_empty_and_on_a_full_window(loop, hand, monkeypatch, qtbot):
    """No entry raises, whatever is selected; dialogs are dismissed."""
    from PySide6.QtWidgets import QApplication, QFileDialog, QInputDialog, QMessageBox
    from railblocks.gui.controllers.dialogs import Button

    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: ("", ""))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: ("", ""))
    monkeypatch.setattr(QInputDialog, "getItem", lambda *_: ("plant", True))
    monkeypatch.setattr(QInputDialog, "getMultiLineText", lambda *_: ("note", True))
    monkeypatch.setattr(QMessageBox, "about", lambda *_: None)
    for everything in (False, True):
        for name, action in loop.commands.items():
            if name in ("close", "new_window"):
                continue
            loop.answers = [Button.Discard] * 5
            for item in hand.scene.items():
                item.setSelected(everything)
            action.trigger()
            QApplication.processEvents()
