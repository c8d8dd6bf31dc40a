"""A mistake of railblocks itself: one line, a report, an exit code of its own; never in tests."""

import os
import stat
import subprocess
import sys

import pytest
from railblocks.engine import cli
from railblocks.engine.cli import check
from railblocks.engine.files import last_resort


@pytest.fixture
def broken(monkeypatch, tmp_path):
    """A command that raises `error`, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RAILBLOCKS_STATE", str(tmp_path / "state"))

    def run(error, debug=""):
        def fail(options):
            raise error

        monkeypatch.setenv(last_resort.DEBUG, debug)
        monkeypatch.setattr(check, "main", fail)
        return cli.main(["check", "some.yaml"])

    return run


def test_one_line_a_private_report_and_exit_code_70(broken, capsys, tmp_path):
    assert broken(KeyError("no such thing\x1b[31m")) == 70
    line = capsys.readouterr().err
    assert line.count("\n") == 1
    assert "\x1b" not in line
    assert "Traceback" not in line
    (report,) = (tmp_path / "state").iterdir()
    assert str(report) in line
    assert stat.S_IMODE(report.stat().st_mode) == 0o600
    text = report.read_text()
    for part in (
        "command: railblocks check some.yaml",
        "numpy: ",
        "Traceback",
        "in fail",
        "KeyError",
    ):
        assert part in text


def test_two_reports_have_two_names(broken, tmp_path):
    broken(ValueError("a"))
    broken(ValueError("b"))
    assert len(list((tmp_path / "state").iterdir())) == 2


def test_with_debug_the_error_goes_through(broken):
    with pytest.raises(ValueError, match="this one"):
        broken(ValueError("this one"), debug="1")


def test_tests_run_with_debug():
    assert last_resort.goes_through()


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (MemoryError(), "there is not enough memory"),
        (RecursionError("maximum recursion depth exceeded"), "nested too deeply"),
    ],
)
def test_memory_and_depth_are_told_in_words(broken, capsys, error, words):
    assert broken(error) == 70
    assert words in capsys.readouterr().err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_without_a_state_folder_the_report_lies_in_the_current_one(broken, monkeypatch, tmp_path):
    (tmp_path / "locked").mkdir(mode=0o500)
    monkeypatch.setenv("RAILBLOCKS_STATE", str(tmp_path / "locked" / "state"))
    assert broken(ValueError("a")) == 70
    assert list(tmp_path.glob("railblocks_*.txt"))


def test_a_state_folder_that_is_a_file_does_not_stop_the_report(broken, monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    monkeypatch.setenv("RAILBLOCKS_STATE", str(tmp_path / "file"))
    assert broken(ValueError("a")) == 70
    assert list(tmp_path.glob("railblocks_*.txt"))


def test_mistakes_of_users_stay_what_they_are(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv(last_resort.DEBUG, "")
    monkeypatch.chdir(tmp_path)
    assert cli.main(["check", "none.yaml"]) == 2
    assert capsys.readouterr().err == "none.yaml: there is no such file; check the path\n"


EDITOR = """
import sys, threading
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QWidget
from railblocks.gui.system.last_resort import LastResort

application = QApplication([])
window = QWidget()
resort = LastResort(window)
lines = []
resort.show_dialog = lines.append
resort.install()

def fail():
    raise ValueError("in the window")

def fail_in_a_thread():
    raise ValueError("in a thread")

QTimer.singleShot(0, fail)
QTimer.singleShot(50, lambda: threading.Thread(target=fail_in_a_thread).start())
QTimer.singleShot(600, lambda: application.exit(5))
code = application.exec()
for line in lines:
    print(line)
sys.exit(code)
"""


def test_the_editor_tells_and_goes_on(tmp_path):
    """Errors in slots and in threads reach the dialog; the event loop ends as it was asked to."""
    pytest.importorskip("PySide6")
    environment = os.environ | {"RAILBLOCKS_STATE": str(tmp_path), last_resort.DEBUG: ""}
    done = subprocess.run(
        [sys.executable, "-c", EDITOR], capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 5, done.stderr
    assert "in the window" in done.stdout
    assert "in a thread" in done.stdout
    assert len(list(tmp_path.iterdir())) == 2


def test_the_editor_does_not_take_errors_from_tests():
    pytest.importorskip("PySide6")
    from PySide6.QtWidgets import QApplication, QWidget
    from railblocks.gui.system.last_resort import LastResort

    _ = QApplication.instance() or QApplication([])
    before = sys.excepthook
    LastResort(QWidget()).install()
    assert sys.excepthook is before
