"""All menus and commands: one object each, from which menus, keys and help are made."""

from collections import Counter

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication, QFileDialog, QInputDialog, QMessageBox
from railblocks.gui.commands import context_menu
from railblocks.gui.commands.command import Command
from railblocks.gui.commands.help_page import help_page
from railblocks.gui.commands.menus import COMMANDS, MENUS
from railblocks.gui.controllers.dialogs import Button


def test_names_and_keys_are_given_once():
    commands = [command for menu in MENUS for command in menu.commands]
    names = Counter(command.name for command in commands)
    keys = Counter(QKeySequence(command.keys).toString() for command in commands if command.keys)
    assert max(names.values()) == max(keys.values()) == 1
    assert set(names) == set(COMMANDS)


def test_every_command_has_a_sentence_of_help_and_valid_keys():
    for command in COMMANDS.values():
        assert command.help[0].isupper(), command.name
        assert command.help.endswith("."), command.name
        assert not command.keys or not QKeySequence(command.keys).isEmpty(), command.name
        assert command.keys or not command.on_canvas, f"{command.name} has no keys to restrict"


def test_the_help_page_has_all_keys_with_their_help():
    page = help_page()
    for command in COMMANDS.values():
        if command.keys:
            assert f"<b>{command.keys}</b>" in page
            assert command.help in page


def test_context_menus_name_commands_that_exist():
    named = {
        *context_menu.ON_CANVAS, *context_menu.ON_SUBSYSTEM, *context_menu.ON_WIRE,
        *context_menu.ON_NOTE, *context_menu.COPYING,
    }  # fmt: skip
    assert named <= set(COMMANDS)


def test_the_menus_of_a_window_are_those_of_the_list(window):
    titles = [action.text() for action in window.menuBar().actions()]
    assert titles == [menu.title for menu in MENUS]
    for menu in MENUS:
        shown = [a for a in window.menus[menu.title].actions() if a in window.commands.values()]
        wanted = [entry.name for entry in menu.entries if isinstance(entry, Command)]
        assert [action.command.name for action in shown] == wanted


def test_the_run_bar_shows_the_actions_of_the_menu(window):
    shown = window.run_bar.actions()
    wanted = ("run", "step", "stop", "show_settings")
    assert all(window.commands[name] in shown for name in wanted)
    assert window.run_bar.widgetForAction(window.commands["show_settings"]).text() == "Settings"


def test_a_command_shows_whether_it_can_be_done(loop, hand):
    commands = loop.commands
    can = lambda *names: [commands[name].isEnabled() for name in names]  # noqa: E731
    assert can("undo", "redo", "stop", "go_on", "expand") == [False] * 5
    hand.click(hand.block("gain"))
    hand.key(Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier)
    assert can("undo", "redo", "expand") == [True, False, True]
    assert commands["undo"].text() == "&Undo Group"
    hand.click(hand.block("ref"))
    assert can("expand") == [False]
    commands["undo"].trigger()
    assert can("undo", "redo") == [False, True]
    assert commands["redo"].text() == "&Redo Group"


def test_switches_show_what_holds(window):
    keep, dark = window.commands["keep_runs"], window.commands["dark_theme"]
    assert (keep.isChecked(), dark.isChecked()) == (False, False)
    keep.trigger()
    dark.trigger()
    assert (keep.isChecked(), dark.isChecked()) == (True, True)
    assert window.editor.session.keep_previous
    assert window.editor.theme.name == "dark"
    dark.trigger()
    assert (dark.isChecked(), window.editor.theme.name) == (False, "light")


def test_run_becomes_pause_while_a_run_is_under_way(loop, hand, qtbot):
    run = loop.commands["run"]
    hand.fill(loop.run_bar.stop_time, "1000000 s")
    assert run.text().endswith("Run")
    run.trigger()
    assert run.text().endswith("Pause")
    qtbot.waitUntil(lambda: loop.editor.session.state == "running", timeout=60000)
    run.trigger()
    qtbot.waitUntil(lambda: run.text().endswith("Run"), timeout=5000)
    assert loop.editor.session.state == "paused"
    assert loop.commands["stop"].isEnabled()
    loop.commands["stop"].trigger()
    qtbot.waitUntil(lambda: not loop.commands["stop"].isEnabled(), timeout=5000)


def test_all_menu_entries_work_on_an_empty_and_on_a_full_window(loop, hand, monkeypatch, qtbot):
    """No entry raises, whatever is selected; dialogs are dismissed."""
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
