"""One value in the inspector: name, what is written, unit; wrong input is marked with its reason."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QLabel, QLineEdit, QWidget
from railblocks.engine.errors import DiagramError

from ..canvas.theme import Theme
from ..model.values import Field


class ValueRow(QWidget):
    """Takes a value when Enter is pressed or the row is left."""

    taken = Signal(str)

    def __init__(self, field: Field, take, theme: Theme):
        super().__init__()
        self.field = field
        self._take = take
        self._theme = theme
        label = QLabel(f"{field.name} *" if field.required else field.name)
        label.setToolTip(_tip(field))
        unit = QLabel(field.unit)
        self.reason = QLabel()
        self.reason.setWordWrap(True)
        self.reason.hide()
        if field.choices:
            self.edit: QWidget = self._choice()
        else:
            self.edit = self._line()
        self.edit.setAccessibleName(field.name)
        self.edit.setToolTip(_tip(field))
        label.setBuddy(self.edit)
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 1, 0, 1)
        layout.setVerticalSpacing(1)
        layout.setColumnMinimumWidth(0, 96)
        layout.setColumnStretch(1, 1)
        layout.addWidget(label, 0, 0)
        layout.addWidget(self.edit, 0, 1)
        layout.addWidget(unit, 0, 2)
        note = QLabel(_note(field))
        note.setWordWrap(True)
        note.setStyleSheet(f"color: {theme.note}; font-size: 11px")
        layout.addWidget(note, 1, 1, 1, 2)
        layout.addWidget(self.reason, 2, 1, 1, 2)
        if field.required and not field.text:
            self._mark("must be given")

    def _line(self) -> QLineEdit:
        line = QLineEdit(self.field.text)
        line.setPlaceholderText(self.field.default)
        line.editingFinished.connect(lambda: self._try(line.text()))
        return line

    def _choice(self) -> QComboBox:
        box = QComboBox()
        box.setEditable(True)
        box.addItems(list(self.field.choices))
        box.setCurrentText(self.field.text or self.field.default)
        box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        box.activated.connect(lambda _: self._try(box.currentText()))
        line = box.lineEdit()
        assert line is not None
        line.editingFinished.connect(lambda: self._try(box.currentText()))
        return box

    def _try(self, text: str) -> None:
        same = text.strip() == self.field.text
        if same or (not self.field.text and text.strip() == self.field.default):
            self._mark("")
            return
        try:
            self._take(self.field, text)
        except DiagramError as error:
            self._mark(error.problems[0].message)
            return
        self._mark("")
        self.taken.emit(self.field.name)

    def _mark(self, reason: str) -> None:
        self.reason.setVisible(bool(reason))
        self.reason.setText(f"\N{WARNING SIGN} {reason}")
        self.reason.setStyleSheet(f"color: {self._theme.error}")
        self.edit.setStyleSheet(f"border: 1px solid {self._theme.error}" if reason else "")


def _note(field: Field) -> str:
    facts = [field.doc] if field.doc else []
    if field.value:
        facts.append(f"= {field.value} {field.unit}".strip())
    return "; ".join(facts)


def _tip(field: Field) -> str:
    facts = [field.doc, field.unit and f"unit: {field.unit}", field.bounds]
    facts.append(f"default: {field.default}" if field.default else "")
    return "\n".join(fact for fact in facts if fact)
