"""A window for each test, and a hand that moves the mouse and types in it."""

import os

import pytest
from hand import Hand
from railblocks.gui.controllers.dialogs import Button
from railblocks.gui.files.settings import Settings
from railblocks.gui.window.window import EditorWindow

LOOP = """# A loop with a comment.
diagram: 1
title: Loop
parameters:
  T: 0.5 s                      # time constant
blocks:
  ref:   {type: sources.step, time: 0.1 s}
  err:   {type: math.sum, signs: +-}
  gain:  {type: math.gain, k: 2}     # the gain
  plant: {type: continuous.first_order_lag, T: T}
wires:
  - ref -> err.u1
  - err -> gain -> plant
  - plant -> err.u2
solver: {method: ode45, stop: 2 s}
log: {signals: [ref.y, plant.y], every: 10 ms}
"""


@pytest.fixture
def loop_file(tmp_path):
    path = tmp_path / "loop.yaml"
    path.write_text(LOOP)
    return path


@pytest.fixture
def window(qtbot, tmp_path, monkeypatch):
    """An empty window whose questions are answered by `window.answers`."""
    window = EditorWindow(settings=Settings(tmp_path / "config"))
    qtbot.addWidget(window, before_close_func=_let_go)
    window.answers, window.asked = [], []

    def ask(text, more, buttons):
        window.asked.append(f"{text} {more}")
        assert window.answers, f"nobody answers: {text} {more}"
        return window.answers.pop(0)

    monkeypatch.setattr(window.editor.dialogs, "ask", ask)
    monkeypatch.setattr(
        window.editor.dialogs, "inform", lambda text, more: window.asked.append(f"{text}: {more}")
    )
    window.show()
    qtbot.waitExposed(window)
    window.activateWindow()
    return window


def _let_go(window):
    window.answers = [Button.Discard] * 3
    window.editor.session.close()


@pytest.fixture
def records_folder(tmp_path):
    """The folder of records of the window."""
    path = tmp_path / "config" / "recovery"
    path.mkdir(parents=True)
    return path


@pytest.fixture
def hand(window, qtbot):
    return Hand(window, qtbot)


@pytest.fixture
def loop(window, hand, loop_file):
    """The window with the loop open."""
    assert window.editor.files.open(os.fspath(loop_file))
    hand.settle()
    return window
