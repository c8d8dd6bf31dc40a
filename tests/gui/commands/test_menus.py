"""All menus and commands."""


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
