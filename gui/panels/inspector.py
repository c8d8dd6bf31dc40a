"""The inspector: everything that can be said about what is selected, from its declaration."""

from __future__ import annotations

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

from ..canvas.theme import Theme
from ..model import blocks, naming, values
from ..model.document import Document
from ..model.levels import Path
from ..model.values import Field
from .documentation import declaration_page
from .value_row import ValueRow


class Inspector(QScrollArea):
    """Shows a block, a level, or the settings of a run."""

    tuned = Signal(str, str)  # a value was taken: its path, as live tuning names it, and its text
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

    def use(self, theme: Theme) -> None:
        self.theme = theme
        self._shown = None
        self.refresh()

    def focus_first(self) -> None:
        """Ready to type: the first value that must be given, or the first."""
        empty = [row for row in self.rows.values() if row.field.required and not row.field.text]
        for row in [*empty, *self.rows.values()][:1]:
            row.edit.setFocus()
            if isinstance(row.edit, QLineEdit):
                row.edit.selectAll()

    def focus_on(self, name: str) -> None:
        if name in self.rows:
            self.rows[name].edit.setFocus()

    def refresh(self) -> None:
        """Build anew, if anything that is shown changed."""
        if not self.document.has(self.path):
            self.path, self.block = (), ""
        level = self.document.level(self.path)
        if self.block not in level.blocks and self.block[:1] not in ("<", ">"):
            self.block = ""
        root = self.document.root
        about = level.blocks.get(self.block) or (level.parameters, level.title, level.description)
        shown = (
            self.settings,
            self.path,
            self.block,
            about,
            root.parameters,
            root.solver,
            root.log,
        )
        if shown == self._shown:
            return
        focused = next((n for n, row in self.rows.items() if row.edit.hasFocus()), "")
        self._shown = shown
        self.rows = {}
        page = QWidget()
        self._layout = QVBoxLayout(page)
        self._layout.setAlignment(Qt.AlignmentFlag.AlignTop)
        if self.settings:
            self._settings()
        elif self.block[:1] in ("<", ">"):
            self._title(f"{'Input' if self.block[0] == '<' else 'Output'} {self.block[1:]}")
        elif self.block:
            self._block()
        else:
            self._level()
        self.setWidget(page)
        self.focus_on(focused)

    # --- pages ---------------------------------------------------------------------------------
    def _block(self) -> None:
        entry = self.document.level(self.path).blocks[self.block]
        kind = self.document.registry.get(entry.type.text) if entry.type else None
        what = entry.type.text if entry.type else "subsystem"
        if entry.subsystem is not None and entry.subsystem.path is not None:
            what = f"subsystem {entry.subsystem.path.text}"
        self._title(what)
        self._line("name", self.block, self._rename)
        for field in values.block_fields(self.document, self.path, self.block):
            self._row(field, self._set_block, ".".join((*self.path, self.block, field.name)))
        self._line("comment", entry.comment.text if entry.comment else "", self._comment)
        box = QCheckBox("commented out")
        box.setChecked(entry.disabled)
        box.toggled.connect(self._disable)
        self._layout.addWidget(box)
        if kind is not None:
            page = QTextBrowser()
            page.setHtml(declaration_page(kind.declaration))
            page.setMinimumHeight(260)
            self._layout.addWidget(page)

    def _level(self) -> None:
        level = self.document.level(self.path)
        self._title("Diagram" if not self.path else f"Inside {'.'.join(self.path)}")
        if not self.path:
            self._line("title", level.title.text if level.title else "", self._set_title)
            about = level.description.text if level.description else ""
            self._line("description", about, self._set_description)
        self._layout.addWidget(QLabel("Parameters"))
        for field in values.level_fields(self.document, self.path):
            self._row(field, self._set_parameter, ".".join((*self.path, field.name)))
        self._line("new parameter", "", self._add_parameter, "name = value")
        button = QPushButton("Solver and log")
        button.clicked.connect(self.show_settings)
        self._layout.addWidget(button)

    def _settings(self) -> None:
        self._title("Solver")
        for field in values.setting_fields(self.document, "solver"):
            self._row(field, lambda f, text: values.set_setting(self.document, "solver", f, text))
        self._title("Log")
        for field in values.setting_fields(self.document, "log"):
            self._row(field, lambda f, text: values.set_setting(self.document, "log", f, text))

    # --- parts of a page -----------------------------------------------------------------------
    def _title(self, text: str) -> None:
        label = QLabel(f"<b>{text}</b>")
        label.setWordWrap(True)
        self._layout.addWidget(label)

    def _row(self, field: Field, take, path: str = "") -> None:
        row = ValueRow(field, take, self.theme)
        if path:
            row.taken.connect(lambda _: self._tell_tuned(path))
        self.rows[field.name] = row
        self._layout.addWidget(row)

    def _line(self, name: str, text: str, take, hint: str = "") -> None:
        row = ValueRow(Field(name, text, default=hint), lambda _, new: take(new), self.theme)
        self.rows[name] = row
        self._layout.addWidget(row)

    def _tell_tuned(self, path: str) -> None:
        name = path.rpartition(".")[2]
        row = self.rows.get(name)
        self.tuned.emit(path, row.field.text if row else "")

    # --- taking values -------------------------------------------------------------------------
    def _set_block(self, field: Field, text: str) -> None:
        values.set_block_value(self.document, self.path, self.block, field, text)

    def _set_parameter(self, field: Field, text: str) -> None:
        values.set_parameter(self.document, self.path, field.name, text)

    def _add_parameter(self, text: str) -> None:
        name, equals, value = text.partition("=")
        if not equals or not value.strip() or not naming.NAME.fullmatch(name.strip()):
            raise DiagramError(f"{text!r} is no parameter; expected name = value")
        values.set_parameter(self.document, self.path, name.strip(), value)

    def _rename(self, text: str) -> None:
        old, new = self.block, text.strip()
        root = naming.with_name(self.document.root, self.path, old, new)
        self.block = new
        self.document.edit(f"Rename {old}", lambda _: root)
        self.renamed.emit(new)

    def _comment(self, text: str) -> None:
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

    def _set_title(self, text: str) -> None:
        self.document.set_title(text.strip())

    def _set_description(self, text: str) -> None:
        self.document.set_description(text.strip())
