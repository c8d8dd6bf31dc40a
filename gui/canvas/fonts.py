"""Fonts of the canvas, in pixels so that drawings look alike on every screen."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtGui import QFont


@lru_cache(maxsize=32)
def font(size: int, bold: bool = False) -> QFont:
    chosen = QFont("DejaVu Sans")
    chosen.setStyleHint(QFont.StyleHint.SansSerif)
    chosen.setPixelSize(size)
    chosen.setBold(bold)
    return chosen
