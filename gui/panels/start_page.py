"""The start page: the diagrams that ship with railblocks, with pictures, and recent files."""

from __future__ import annotations

import os
from importlib import resources
from pathlib import Path

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)
from railblocks.engine.declaration.registry import Registry
from railblocks.engine.diagram.reader import load
from railblocks.engine.drawing import svg
from railblocks.engine.errors import DiagramError
from railblocks.engine.errors.shown import shown

from ..style.plain_text import plain_text

PICTURE = QSize(250, 150)
ROLE = Qt.ItemDataRole.UserRole


def shipped_diagrams() -> list[Path]:
    """The diagrams that can be run; those that only serve as subsystems are left out."""
    folder = Path(str(resources.files("railblocks.diagrams")))
    runnable = []
    for path in sorted(folder.rglob("*.yaml"), key=lambda p: (len(p.parts), p.name)):
        text = path.read_text(encoding="utf-8")
        if "\nsolver:" in text:
            runnable.append(path)
    return runnable


class StartPage(QWidget):
    """Examples and recent files; pictures are drawn one after another, when there is time."""

    opened = Signal(str)
    new_wanted = Signal()
    open_wanted = Signal()
    back_wanted = Signal()

    def __init__(self, registry: Registry, recent: list[str], behind: str = ""):
        super().__init__()
        self.registry = registry
        heading = QLabel("<h2>railblocks</h2>")
        buttons = QHBoxLayout()
        choices = [
            ("New diagram", self.new_wanted),
            ("Open\N{HORIZONTAL ELLIPSIS}", self.open_wanted),
        ]
        if behind:
            choices.append((f"Back to {behind}", self.back_wanted))
        for text, signal in choices:
            button = QPushButton(text)
            button.clicked.connect(signal)
            buttons.addWidget(button)
        buttons.addStretch(1)
        self.gallery = QListWidget()
        self.gallery.setViewMode(QListWidget.ViewMode.IconMode)
        self.gallery.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.gallery.setMovement(QListWidget.Movement.Static)
        self.gallery.setIconSize(PICTURE)
        self.gallery.setGridSize(QSize(PICTURE.width() + 24, PICTURE.height() + 54))
        self.gallery.setWordWrap(True)
        self.gallery.setAccessibleName("Examples")
        self.recent = QListWidget()
        self.recent.setMaximumHeight(130)
        self.recent.setAccessibleName("Recent files")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 12, 24, 12)
        layout.addWidget(heading)
        layout.addLayout(buttons)
        if recent:
            layout.addWidget(QLabel("<b>Recent</b>"))
            layout.addWidget(self.recent)
        else:
            self.recent.hide()
        layout.addWidget(QLabel("<b>Examples</b>"))
        layout.addWidget(self.gallery, 1)
        for file in recent:
            item = QListWidgetItem(f"{os.path.basename(file)}   {os.path.dirname(file)}")
            item.setData(ROLE, file)
            self.recent.addItem(item)
        self._waiting = []
        for path in shipped_diagrams():
            item = QListWidgetItem(_blank(), path.stem)
            item.setData(ROLE, str(path))
            item.setTextAlignment(Qt.AlignmentFlag.AlignHCenter)
            self.gallery.addItem(item)
            self._waiting.append(item)
        for items in (self.gallery, self.recent):
            items.itemActivated.connect(lambda item: self.opened.emit(item.data(ROLE)))
            items.itemClicked.connect(lambda item: self.opened.emit(item.data(ROLE)))
        self._timer = QTimer(self)  # which ends with the page
        self._timer.timeout.connect(self._draw_next)
        self._timer.start(0)

    @property
    def is_drawing(self) -> bool:
        return bool(self._waiting)

    def _draw_next(self) -> None:
        if not self._waiting:
            self._timer.stop()
            return
        item = self._waiting.pop(0)
        try:
            diagram = load(item.data(ROLE))
            item.setText(shown(diagram.title.text) if diagram.title else item.text())
            item.setIcon(_picture(svg(diagram, self.registry)))
            about = diagram.description.text if diagram.description else ""
            item.setToolTip(plain_text(about or item.data(ROLE)))
        except DiagramError as error:
            item.setToolTip(plain_text(str(error)))


def _blank() -> QIcon:
    pixmap = QPixmap(PICTURE)
    pixmap.fill(QColor("#ffffff"))
    return QIcon(pixmap)


def _picture(text: str) -> QIcon:
    renderer = QSvgRenderer(QByteArray(text.encode()))
    renderer.setAspectRatioMode(Qt.AspectRatioMode.KeepAspectRatio)
    pixmap = QPixmap(PICTURE * 2)
    pixmap.setDevicePixelRatio(2.0)
    pixmap.fill(QColor("#ffffff"))
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    renderer.render(painter, QRectF(0, 0, PICTURE.width(), PICTURE.height()))
    painter.end()
    return QIcon(pixmap)
