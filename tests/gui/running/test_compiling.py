"""A run that is still compiled: the window says how far it is, and stops it."""

import os
import threading

from railblocks.engine.program import compiler

DIAGRAM = """diagram: 1
blocks: {s: {type: sources.sine}, x: {type: continuous.integrator}}
wires: [s -> x]
solver: {stop: 1 s}
log: {signals: [x.y]}
"""


def test_the_run_bar_says_how_far_compiling_is_and_stop_ends_it(
    window, hand, tmp_path, qtbot, monkeypatch
):
    file = tmp_path / "sine.yaml"
    file.write_text(DIAGRAM)
    assert window.editor.files.open(os.fspath(file))
    hand.settle()
    polled, ended = threading.Event(), threading.Event()
    with monkeypatch.context() as patch:

        def lower_all(parts, store, report):
            try:
                while True:
                    report(3, 12)
                    polled.wait(0.01)
            finally:
                ended.set()

        patch.setattr(compiler, "lower_all", lower_all)
        patch.setattr(compiler, "_is_stored", lambda *_: False)
        window.commands["run"].trigger()
        qtbot.waitUntil(
            lambda: window.run_bar.status.text() == "compiling 3 of 12 kernels", timeout=5000
        )
        assert window.run_bar.progress.value() == 250
        window.commands["stop"].trigger()
        qtbot.waitUntil(lambda: window.editor.session.state == "cancelled", timeout=5000)
        assert ended.is_set()
    assert window.editor.session.recordings == []
    hand.run()
    assert window.editor.session.state == "done"
