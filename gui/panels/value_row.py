"""One value in the inspector; wrong input is marked with its reason and not taken."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QGridLayout, QLabel, QLineEdit, QWidget
from railblocks.engine.errors import DiagramError

from ..model.problems import LocatedProblem
from ..model.values import Field
from ..style.plain_text import plain_text
from ..style.theme import Theme


class ValueRow(QWidget):
    """Row of a value, which is taken when Enter is pressed or the row is left."""

    def __init__(self, field: Field, take, theme: Theme):
        super().__init__()
        self.field = field
        self._take = take
        self._theme = theme
        self._refused = ""  # why what was typed is not taken
        self._checked: LocatedProblem | None = None  # with the value in force
        self.label = QLabel()
        self.unit = QLabel()
        self.reason = QLabel()
        self.reason.setWordWrap(True)
        self.reason.hide()
        self.edit: QLineEdit | QComboBox = self._choice() if field.choices else self._line()
        self.edit.setAccessibleName(field.name)
        self.label.setBuddy(self.edit)
        self.note = QLabel()
        self.note.setWordWrap(True)
        self.note.setStyleSheet(f"color: {theme.note}; font-size: 11px")
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 1, 0, 1)
        layout.setVerticalSpacing(1)
        layout.setColumnMinimumWidth(0, 96)
        layout.setColumnStretch(1, 1)
        layout.addWidget(self.label, 0, 0)
        layout.addWidget(self.edit, 0, 1)
        layout.addWidget(self.unit, 0, 2)
        layout.addWidget(self.note, 1, 1, 1, 2)
        layout.addWidget(self.reason, 2, 1, 1, 2)
        self.show_field(field)

    def show_field(self, field: Field) -> None:
        """Shows another value; what is being typed or was refused stays."""
        changed = field.text != self.field.text or not self.label.text()
        self.field = field
        self.label.setText(f"{field.name} *" if field.required else field.name)
        self.unit.setText(field.unit_beside)
        self.note.setText(plain_text(_note(field)))
        self.note.setVisible(bool(_note(field)))
        for widget in (self.label, self.edit):
            widget.setToolTip(plain_text(_tip(field)))
        if changed:
            if isinstance(self.edit, QComboBox):
                self.edit.setCurrentText(field.text or field.default)
            else:
                self.edit.setText(field.text)
                self.edit.setCursorPosition(0)  # long text is read from its beginning
            self._refused, self._checked = "", None
        self._show_reason()

    def _line(self) -> QLineEdit:
        line = QLineEdit()
        line.setPlaceholderText(self.field.default)
        line.editingFinished.connect(lambda: self._try(line.text()))
        return line

    def _choice(self) -> QComboBox:
        box = QComboBox()
        box.setEditable(True)
        box.addItems(list(self.field.choices))
        box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        box.activated.connect(lambda _: self._try(box.currentText()))
        line = box.lineEdit()
        assert line is not None
        line.editingFinished.connect(lambda: self._try(box.currentText()))
        return box

    def _try(self, text: str) -> None:
        same = text.strip() == self.field.text
        self._refused = ""
        if not same and (self.field.text or text.strip() != self.field.default):
            try:
                self._take(self.field, text)
            except DiagramError as error:
                self._refused = error.problems[0].message
        self._show_reason()

    def point_out(self, problem: LocatedProblem | None) -> None:
        """Marks a problem with the value in force; the reason of a refused one stays."""
        self._checked = problem
        self._show_reason()

    def _show_reason(self) -> None:
        missing = "must be given" if self.field.required and not self.field.text else ""
        reason = self._refused or (self._checked.message if self._checked else missing)
        warned = not self._refused and self._checked and self._checked.severity != "error"
        colour = self._theme.warning if warned else self._theme.error
        self.reason.setVisible(bool(reason))
        self.reason.setText(plain_text(f"\N{WARNING SIGN} {reason}"))
        self.reason.setStyleSheet(f"color: {colour}")
        self.edit.setStyleSheet(f"border: 1px solid {colour}" if reason else "")


def _note(field: Field) -> str:
    facts = [f"{field.doc} ({field.bounds})" if field.bounds else field.doc] if field.doc else []
    if field.value:
        facts.append(f"= {field.value} {field.unit}".strip())
    return "; ".join(facts)


def _tip(field: Field) -> str:
    facts = [field.doc, field.unit and f"unit: {field.unit}", field.bounds]
    facts.append(f"default: {field.default}" if field.default else "")
    return "\n".join(fact for fact in facts if fact)
