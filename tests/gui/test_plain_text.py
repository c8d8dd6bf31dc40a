"""Text from diagrams in the editor: shown as it stands, never as HTML or control characters."""

import os

import pytest
from PySide6.QtGui import QTextDocument
from railblocks.gui.files.recovery import Recovery
from railblocks.gui.files.settings import Settings
from railblocks.gui.style.plain_text import plain_text


@pytest.mark.parametrize("text", ["<b>x</b>", "<img src='file:///a.png'>\nsecond", "a < b\nc > d"])
def test_markup_is_shown_as_it_stands(text):
    shown = QTextDocument()
    if plain_text(text).startswith("<span"):
        shown.setHtml(plain_text(text))
    else:
        shown.setPlainText(plain_text(text))
    assert shown.toPlainText().replace("\u2028", "\n") == text


def test_control_characters_are_escapes():
    assert plain_text("a\x1b\u202eb\nc") == "a\\x1b\\u202eb\nc"


@pytest.mark.parametrize("kind", ["fifo", "deep", "folder"])
def test_settings_and_records_that_cannot_be_read_do_no_harm(tmp_path, kind):
    """Settings count as empty; a record that is not JSON is offered as the text that it is."""
    deep = "[" * 100_000
    (tmp_path / "recovery").mkdir()
    for path in (tmp_path / "editor.json", tmp_path / "recovery" / "999999999-a.json"):
        if kind == "fifo":
            os.mkfifo(path)
        elif kind == "deep":
            path.write_text(deep)
        else:
            path.mkdir()
    assert Settings(tmp_path).recent == []
    leftovers = Recovery(tmp_path).leftovers()
    assert [left.text for left in leftovers] == ([deep] if kind == "deep" else [])


def test_planted_links_at_old_temporary_names_are_not_followed(tmp_path):
    victim = tmp_path / "victim"
    victim.write_text("mine")
    (tmp_path / "editor.part").symlink_to(victim)
    settings = Settings(tmp_path)
    settings.set("theme", "dark")
    assert Settings(tmp_path).get("theme", "") == "dark"
    assert victim.read_text() == "mine"
