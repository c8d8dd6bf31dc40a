"""A scope as a file: PNG and SVG show it, CSV holds its numbers."""

from __future__ import annotations

import csv
import os

import numpy as np
from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter
from PySide6.QtSvg import QSvgGenerator
from railblocks.engine.errors import DiagramError, Position
from railblocks.engine.files.output_files import output_file

from .scope import Scope


def export_scope(scope: Scope, path: str) -> None:
    """Writes a scope in the format of the file's ending; raises `DiagramError`."""
    ending = os.path.splitext(path)[1].lower()
    writers = {".png": _png, ".svg": _svg, ".csv": _csv}
    if ending not in writers:
        raise DiagramError(
            f"{ending or 'no ending'} is not known; expected .png, .svg or .csv", Position(path)
        )
    if ending == ".csv" and not scope.recordings:
        raise DiagramError("there is nothing to export; run the diagram first", Position(path))
    with output_file(path, "the file") as temporary:
        if not writers[ending](scope, temporary):
            raise DiagramError("the picture cannot be written; choose another file", Position(path))


def _png(scope: Scope, path: str) -> bool:
    return scope.plots.grab().save(path, "PNG")


def _svg(scope: Scope, path: str) -> bool:
    """Writes SVG through Qt's generator: pyqtgraph's own exporter raises on some versions."""
    generator = QSvgGenerator()
    generator.setFileName(path)
    generator.setSize(scope.plots.size())
    generator.setViewBox(QRect(0, 0, scope.plots.width(), scope.plots.height()))
    generator.setTitle(scope.plan.title)
    painter = QPainter()
    if not painter.begin(generator):
        return False
    scope.plots.render(painter)
    return painter.end()


def _csv(scope: Scope, path: str) -> bool:
    recording = scope.recordings[0]
    names = scope.tracks(recording)
    columns = recording.over_time(*names)
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["time [s]", *names.values()])
        writer.writerows(np.column_stack(columns).tolist())
    return True
