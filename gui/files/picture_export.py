"""The diagram as a file: SVG as `railblocks graph` draws it; PNG and PDF painted from that."""

from __future__ import annotations

import os

from PySide6.QtCore import QByteArray, QMarginsF, QRectF, QSizeF
from PySide6.QtGui import QColor, QImage, QImageWriter, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgRenderer
from railblocks.engine.drawing.svg import drawn
from railblocks.engine.errors import DiagramError, Position
from railblocks.engine.files.output_files import output_file

from ..model.document import Document
from ..model.levels import Path

PIXELS_PER_UNIT = 3  # of a PNG


def export_picture(document: Document, path: Path, file: str) -> None:
    """Writes a level in the format of the file's ending; raises `DiagramError`."""
    level = document.level(path)
    drawing = document.drawing(path)
    title = level.title.text if level.title else ""
    text = drawn(drawing.scene, drawing.spots, drawing.routes, title)
    writers = {".svg": _svg, ".png": _png, ".pdf": _pdf}
    ending = os.path.splitext(file)[1].lower()
    if ending not in writers:
        message = f"{ending or 'no ending'} is not known; expected .svg, .png or .pdf"
        raise DiagramError(message, Position(file))
    with output_file(file, "the picture") as temporary:
        if not writers[ending](text, temporary):
            raise DiagramError("the picture cannot be written; choose another file", Position(file))


def _svg(text: str, file: str) -> bool:
    with open(file, "w", encoding="utf-8") as out:
        return out.write(text) == len(text)


def _png(text: str, file: str) -> bool:
    renderer = QSvgRenderer(QByteArray(text.encode()))
    image = QImage(renderer.defaultSize() * PIXELS_PER_UNIT, QImage.Format.Format_RGB32)
    image.fill(QColor("#ffffff"))
    painter = QPainter(image)
    renderer.render(painter)
    painter.end()
    return QImageWriter(file, QByteArray(b"PNG")).write(image)


def _pdf(text: str, file: str) -> bool:
    renderer = QSvgRenderer(QByteArray(text.encode()))
    size = renderer.defaultSize()
    writer = QPdfWriter(file)
    points = QSizeF(size.width() * 0.75, size.height() * 0.75)
    writer.setPageSize(QPageSize(points, QPageSize.Unit.Point))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    painter = QPainter()
    if not painter.begin(writer):
        return False
    renderer.render(painter, QRectF(0, 0, writer.width(), writer.height()))
    return painter.end()
