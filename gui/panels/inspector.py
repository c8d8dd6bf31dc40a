"""The inspector: the values of what is selected, from its declaration."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)
from railblocks.engine.errors import DiagramError

from ..model import blocks, naming, values
from ..model.document import Document
from ..model.levels import Path
from ..model.problems import LocatedProblem
from ..model.values import Field
from ..style.theme import Theme
from .documentation import declaration_page
from .value_row import ValueRow


@dataclass(frozen=True)
class _Entry:
    """A value, and the function that takes a new one."""

    field: Field
    take: Callable[[Field, str], None]


class Inspector(QScrollArea):
    """Shows a block, a level, or the settings of a run."""

    renamed = Signal(str)

    def __init__(self, document: Document, theme: Theme):
        super().__init__()
        self.document = document
        self.theme = theme
        self.path: Path = ()
        self.block = ""
        self.settings = False
        self._shown: object = None
        self.rows: dict[str, ValueRow] = {}
        self.disabled: QCheckBox | None = None
        self.setMinimumWidth(300)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        document.listeners.append(self.refresh)
        self.refresh()

    # --- what is shown -------------------------------------------------------------------------
    def show_block(self, path: Path, block: str) -> None:
        self.path, self.block, self.settings = path, block, False
        self.refresh()

    def show_level(self, path: Path) -> None:
        self.show_block(path, "")

    def show_settings(self) -> None:
        self.settings = True
        self.refresh()

    def set_theme(self, theme: Theme) -> None:
        self.theme = theme
        self._shown = None
        self.refresh()

    def focus_first(self) -> None:
        """Puts the cursor into the first value that must be given, or into the first of all."""
        empty = [row for row in self.rows.values() if row.field.required and not row.field.text]
        for row in [*empty, *self.rows.values()][:1]:
            row.edit.setFocus()
            if isinstance(row.edit, QLineEdit):
                row.edit.selectAll()

    def focus_on(self, name: str) -> None:
        if name in self.rows:
            self.rows[name].edit.setFocus()

    def refresh(self) -> None:
        """Show the document as it is now; rows stay if they are the same ones."""
        if not self.document.has(self.path):
            self.path, self.block = (), ""
        level = self.document.level(self.path)
        ports = (*(f"<{name}" for name in level.inputs), *(f">{name}" for name in level.outputs))
        if self.block not in level.blocks and self.block not in ports:
            self.block = ""
        entries = self._entries()
        shown = (
            self.settings,
            self.path,
            self.block,
            self._kind(),
            [e.field.name for e in entries],
        )
        if shown == self._shown:
            for entry in entries:
                self.rows[entry.field.name].show_field(entry.field)
            self._show_disabled()
            return
        self._shown = shown
        old = self.takeWidget()
        if old is not None:
            old.deleteLater()  # one of its rows may be the reason for this
        self._build(entries)

    def _kind(self) -> str:
        """The title above the values."""
        if self.settings:
            return "Solver and log"
        if self.block[:1] in ("<", ">"):
            return f"{'Input' if self.block[0] == '<' else 'Output'} {self.block[1:]}"
        if not self.block:
            return f"Inside {'.'.join(self.path)}" if self.path else "Diagram"
        entry = self.document.level(self.path).blocks[self.block]
        if entry.subsystem is not None and entry.subsystem.path is not None:
            return f"subsystem {entry.subsystem.path.text}"
        return entry.type.text if entry.type else "subsystem"

    # --- pages ---------------------------------------------------------------------------------
    def _entries(self) -> list[_Entry]:
        """All values of what is shown, with the functions that take them."""
        if self.settings:
            return [
                _Entry(field, partial(values.set_setting, self.document, part))
                for part in ("solver", "log")
                for field in values.setting_fields(self.document, part)
            ]
        if self.block[:1] in ("<", ">"):
            return [_Entry(Field("name", self.block[1:]), self._rename_port)]
        level = self.document.level(self.path)
        if self.block:
            block = level.blocks[self.block]
            fields = values.block_fields(self.document, self.path, self.block)
            about = block.comment.text if block.comment else ""
            return [
                _Entry(Field("name", self.block), self._rename),
                *(_Entry(f, self._set_block) for f in fields),
                _Entry(Field("comment", about), self._comment),
            ]
        fields = values.level_fields(self.document, self.path)
        entries = [_Entry(f, self._set_parameter) for f in fields]
        new = Field("new parameter", "", default="name = value")
        if self.path:
            return [*entries, _Entry(new, self._add_parameter)]
        title = level.title.text if level.title else ""
        about = level.description.text if level.description else ""
        return [
            _Entry(Field("title", title), self._set_title),
            _Entry(Field("description", about), self._set_description),
            *entries,
            _Entry(new, self._add_parameter),
        ]

    def _build(self, entries: list[_Entry]) -> None:
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setAlignment(Qt.AlignmentFlag.AlignTop)
        title = QLabel(f"<b>{self._kind()}</b>")
        title.setWordWrap(True)
        layout.addWidget(title)
        self.rows, self.disabled = {}, None
        for entry in entries:
            row = ValueRow(entry.field, entry.take, self.theme)
            self.rows[entry.field.name] = row
            layout.addWidget(row)
        block = self.document.level(self.path).blocks.get(self.block)
        if block is not None and not self.settings:
            self.disabled = QCheckBox("commented out")
            self._show_disabled()
            self.disabled.toggled.connect(self._disable)
            layout.addWidget(self.disabled)
            kind = self.document.registry.get(block.type.text) if block.type else None
            if kind is not None:
                about = QTextBrowser()
                about.setHtml(declaration_page(kind.declaration))
                about.setMinimumHeight(260)
                layout.addWidget(about)
        elif not self.block and not self.settings:
            button = QPushButton("Solver and log")
            button.clicked.connect(self.show_settings)
            layout.addWidget(button)
        self.setWidget(page)

    def point_out(self, problems: list[LocatedProblem]) -> None:
        """Marks the values with errors or warnings of the check, and no others."""
        here = {
            problem.parameter: problem
            for problem in reversed(problems)
            if (problem.path, problem.block) == (self.path, self.block)
        }
        for name, row in self.rows.items():
            row.point_out(here.get(name))

    def _show_disabled(self) -> None:
        block = self.document.level(self.path).blocks.get(self.block)
        if self.disabled is not None and block is not None:
            self.disabled.blockSignals(True)
            self.disabled.setChecked(block.disabled)
            self.disabled.blockSignals(False)

    # --- taking values -------------------------------------------------------------------------
    def _set_block(self, field: Field, text: str) -> None:
        values.set_block_value(self.document, self.path, self.block, field, text)

    def _set_parameter(self, field: Field, text: str) -> None:
        values.set_parameter(self.document, self.path, field.name, text)

    def _add_parameter(self, _: Field, text: str) -> None:
        name, equals, value = text.partition("=")
        if not equals or not value.strip() or not naming.NAME.fullmatch(name.strip()):
            raise DiagramError(f"{text!r} is not a parameter; expected name = value")
        values.set_parameter(self.document, self.path, name.strip(), value)

    def _rename(self, _: Field, text: str) -> None:
        old, new = self.block, text.strip()
        root = naming.with_name(self.document.root, self.path, old, new)
        self.block = new
        self.document.edit(f"Rename {old}", lambda _: root)
        self.renamed.emit(new)

    def _rename_port(self, _: Field, text: str) -> None:
        old, new = self.block, text.strip()
        root = naming.with_port_name(self.document.root, self.path, old, new)
        self.block = old[0] + new
        self.document.edit(f"Rename {old[1:]}", lambda _: root)
        self.renamed.emit(old[0] + new)

    def _comment(self, _: Field, text: str) -> None:
        block = self.block
        self.document.edit_level(
            self.path, "Comment", lambda level: blocks.with_comment(level, block, text)
        )

    def _disable(self, disabled: bool) -> None:
        label = "Comment out" if disabled else "Uncomment"
        keys = [self.block]
        self.document.edit_level(
            self.path, label, lambda level: blocks.with_disabled(level, keys, disabled)
        )

    def _set_title(self, _: Field, text: str) -> None:
        self.document.set_title(text.strip())

    def _set_description(self, _: Field, text: str) -> None:
        self.document.set_description(text.strip())
