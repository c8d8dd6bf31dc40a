"""Block symbols on the canvas: the drawing's own SVG, read once for each symbol and colour."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF
from PySide6.QtGui import QPainter
from PySide6.QtSvg import QSvgRenderer
from railblocks.engine.drawing.svg import FONT
from railblocks.engine.drawing.symbols import INK, symbol_svg

HALF_WIDTH, HALF_HEIGHT = 200, 40  # pixels of the largest symbol


def paint_symbol(
    painter: QPainter, symbol: str, x: float, y: float, width: float, colour: str
) -> None:
    """Paints a symbol, centred at (x, y)."""
    renderer = _renderer(symbol, round(width), colour)
    area = QRectF(x - HALF_WIDTH, y - HALF_HEIGHT, 2 * HALF_WIDTH, 2 * HALF_HEIGHT)
    renderer.render(painter, area)


@lru_cache(maxsize=2048)
def _renderer(symbol: str, width: int, colour: str) -> QSvgRenderer:
    body = symbol_svg(symbol, 0, 0, width).replace(INK, colour).replace("#f4f8fb", "none")
    box = f"{-HALF_WIDTH} {-HALF_HEIGHT} {2 * HALF_WIDTH} {2 * HALF_HEIGHT}"
    text = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" font-family="{FONT}">{body}</svg>'
    )
    return QSvgRenderer(QByteArray(text.encode()))
