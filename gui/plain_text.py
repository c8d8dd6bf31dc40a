"""Text from files in labels and tool tips, where Qt would take some of it for HTML."""

from __future__ import annotations

from html import escape

from PySide6.QtGui import Qt
from railblocks.engine.errors.shown import shown_lines


def tip(text: str) -> str:
    """Text as Qt shows it as it stands, in tool tips and labels that take both kinds."""
    plain = shown_lines(text)
    if not Qt.mightBeRichText(plain):
        return plain
    return f'<span style="white-space: pre-wrap">{escape(plain)}</span>'
