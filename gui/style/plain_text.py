"""Text from files in labels and tool tips, where Qt would take some of it for HTML."""

from __future__ import annotations

from html import escape

from PySide6.QtGui import Qt
from railblocks.engine.errors.shown import shown_lines


def plain_text(text: str) -> str:
    """Text that Qt shows literally, in tool tips and labels that take HTML too."""
    plain = shown_lines(text)
    if not Qt.mightBeRichText(plain):
        return plain
    return f'<span style="white-space: pre-wrap">{escape(plain)}</span>'
