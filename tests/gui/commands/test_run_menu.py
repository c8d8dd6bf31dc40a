"""The run menu."""

import os


def test_the_run_menu_runs(loop, hand, qtbot, loop_file):
    for _ in range(2):  # also after another document was opened
        names = [action.text().strip() for action in loop.menus["&Run"].actions()]
        assert sum("Run" in name for name in names) == 1
        loop.menus["&Run"].actions()[0].trigger()
        qtbot.waitUntil(lambda: loop.editor.session.state == "done", timeout=60000)
        assert loop.editor.files.open(os.fspath(loop_file))
        qtbot.wait(50)
