"""The editor as a program."""

import subprocess
import sys


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


def test_the_editor_refuses_a_file_that_is_not_there(capsys):
    from railblocks.engine.cli import main

    assert main(["edit", "nowhere.yaml"]) == 2
    assert "nowhere.yaml: no such file" in capsys.readouterr().err
