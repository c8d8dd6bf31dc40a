"""Text from diagrams in the editor: shown as it stands, never as HTML or control characters."""

import pytest
from PySide6.QtGui import QTextDocument
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
