"""The numbers beside a scope: values at the cursors, differences, statistics."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea

from ..recording.recording import Recording
from ..style.theme import Theme
from ..system.background import BackgroundWork
from .measures import statistics

WIDTH, MAX_SHARE = 270, 0.42  # pixels, and the part of a narrow scope
Span = tuple[float, float]


class Readout(QScrollArea):
    """Numbers of the signals of a scope; hidden while there are none."""

    def __init__(self) -> None:
        super().__init__()
        self.label = QLabel()
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.label.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.setWidget(self.label)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFixedWidth(WIDTH)
        self._background = BackgroundWork(_numbers, self)
        self._background.answered.connect(self._show)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        font = "font-family: monospace; font-size: 11px; padding: 3px"
        self.label.setStyleSheet(f"{font}; color: {theme.ink}")

    def fit_into(self, width: int) -> None:
        """Leaves most of a narrow scope to the plots."""
        self.setFixedWidth(min(WIDTH, round(MAX_SHARE * width)))

    def text(self) -> str:
        return self.label.text()

    def show_numbers(
        self,
        signals: list[tuple[Recording, str, str]],
        cursors: Span | None,
        span: Span | None,
    ) -> None:
        """Values at two cursors and statistics over a span, each if it is given.

        A signal is a track of a recording and how it is called.

        They are computed in the background: millions of rows take a while.
        """
        self.setVisible(cursors is not None or span is not None)
        if not self.isHidden():
            self._background.ask((signals, cursors, span))

    def _show(self, _, text: str) -> None:
        self.label.setText(text)


def _numbers(
    question: tuple[list[tuple[Recording, str, str]], Span | None, Span | None],
) -> str:
    signals, cursors, span = question
    if not any(len(recording) for recording, _, _ in signals):
        return ""
    lines = _cursor_lines(*cursors) if cursors else []
    for recording, name, label in signals:
        lines += ["", label, *_signal_lines(recording, name, cursors, span)]
    return "\n".join(lines)


def _cursor_lines(a: float, b: float) -> list[str]:
    lines = [f"A = {a:.6g} s", f"B = {b:.6g} s", f"B-A = {b - a:.6g} s"]
    return [*lines, f"1/(B-A) = {1 / (b - a):.6g} Hz"] if b != a else lines


def _signal_lines(
    recording: Recording, name: str, cursors: Span | None, span: Span | None
) -> list[str]:
    lines: list[str] = []
    if cursors:
        at_a, at_b = (recording.value_at(name, time) for time in cursors)
        lines += [f"  A: {at_a:.6g}  B: {at_b:.6g}", f"  B-A: {at_b - at_a:.6g}"]
    if span:
        numbers = statistics(*recording.pair(name), *span)
        lines += [
            f"  min {numbers.lowest:.6g}  max {numbers.highest:.6g}",
            f"  mean {numbers.mean:.6g}  rms {numbers.rms:.6g}",
            f"  span {numbers.span:.6g}",
        ]
    return lines
