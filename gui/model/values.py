"""Values of parameters: what was written, what it comes to, and what is wrong with a new one."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from railblocks.engine.analysis.analysis import Analysis
from railblocks.engine.analysis.checking import check_analysis
from railblocks.engine.analysis.settings import LOG, SOLVER
from railblocks.engine.declaration import Param
from railblocks.engine.diagram.assignments import used_names
from railblocks.engine.diagram.diagram import Diagram, parameter_names
from railblocks.engine.diagram.writing import value_text
from railblocks.engine.errors import DiagramError
from railblocks.engine.text.nodes import Entry, Node, Scalar
from railblocks.engine.units import UnitError, parse_quantity

from . import blocks
from .document import Document
from .levels import Path, with_inside
from .nodes import written_node


@dataclass(frozen=True)
class Field:
    """One value that can be edited."""

    name: str
    text: str
    unit: str = ""
    doc: str = ""
    default: str = ""
    bounds: str = ""
    choices: tuple[str, ...] = ()
    required: bool = False
    value: str = ""  # what an expression comes to
    param: Param | None = None

    @property
    def unit_beside(self) -> str:
        """The unit, unless the text names one itself."""
        try:
            return self.unit if parse_quantity(self.text) is None else ""
        except UnitError:
            return ""


def block_fields(document: Document, path: Path, name: str) -> list[Field]:
    """The parameters of a block, from its declaration; of a subsystem, from its diagram."""
    entry = document.level(path).blocks[name]
    inner = entry.subsystem.diagram if entry.subsystem else None
    if inner is not None:
        return [
            Field(n, _text(entry.values.get(n)), default=_text(inner.parameters.get(n)))
            for n in parameter_names(inner)
        ]
    kind = document.registry.get(entry.type.text) if entry.type else None
    if kind is None:
        return [Field(n, _text(given)) for n, given in entry.values.items()]
    instance = document.analysis().instance(".".join((*path, name)))
    resolved = instance.values if instance else {}
    return [
        _field(param, entry.values.get(n), resolved.get(n))
        for n, param in kind.declaration.params.items()
    ]


def level_fields(document: Document, path: Path) -> list[Field]:
    """The parameters that the expressions of a level may use."""
    return [Field(n, _text(entry)) for n, entry in document.level(path).parameters.items()]


def setting_fields(document: Document, part: str) -> list[Field]:
    """The settings of `solver` or `log`."""
    given = getattr(document.root, part)
    params = SOLVER if part == "solver" else LOG
    return [_field(param, given.get(param.name), None) for param in params]


def set_block_value(document: Document, path: Path, block: str, field: Field, text: str) -> None:
    """Takes a value; raises `DiagramError` with the reason if it is wrong."""
    node = _node(text, field)
    level = blocks.with_value(document.level(path), block, field.name, node)
    full = ".".join((*path, block))
    before = _block_problems(document.analysis().current(), full)
    root = _root_with(document, path, level)
    with _failures_refused():
        _refuse_new(before, _block_problems(document.analysis_of(root), full))
    document.edit(f"Set {block}.{field.name}", lambda _: root)


def set_parameter(document: Document, path: Path, name: str, text: str) -> None:
    """A parameter of a level; empty text removes it."""
    level = blocks.with_parameter(document.level(path), name, _node(text, None))
    _take(document, f"Set {name}", _root_with(document, path, level))


def set_setting(document: Document, part: str, field: Field, text: str) -> None:
    """A setting of the run; empty text leaves it to its default."""
    changed = blocks.with_setting(document.root, part, field.name, _node(text, field))
    _take(document, f"Set {part}.{field.name}", changed)


def _take(document: Document, label: str, root: Diagram) -> None:
    before = _problems(document.analysis().current())
    with _failures_refused():
        _refuse_new(before, _problems(document.analysis_of(root)))
    document.edit(label, lambda _: root)


@contextlib.contextmanager
def _failures_refused() -> Iterator[None]:
    """A value on which the check itself fails, or a block's own code, is refused as any other."""
    try:
        yield
    except DiagramError:
        raise
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise DiagramError(f"the value cannot be checked: {reason}") from error


def _root_with(document: Document, path: Path, level: Diagram) -> Diagram:
    return with_inside(document.root, path, level)


def _problems(analysis: Analysis) -> list[str]:
    """What the check finds wrong with a diagram."""
    try:
        check_analysis(analysis)
        return []
    except DiagramError as error:
        return [problem.message for problem in error.problems]


def _block_problems(analysis: Analysis, name: str) -> list[str]:
    """What is wrong with one block, or with the parameters of one subsystem."""
    flat = analysis.flat.problems if analysis.flat is not None else ()
    return [problem.message for problem in (*flat, *analysis.block_problems(name))]


def _refuse_new(before: list[str], after: list[str]) -> None:
    new = [message for message in after if message not in before]
    if new:
        raise DiagramError(new[0])


def _node(text: str, field: Field | None) -> Node | None:
    return written_node(text, field.param if field else None) if text.strip() else None


def _field(param: Param, given: Entry | None, value: object) -> Field:
    text = _text(given)
    shown = _shown(value)
    default = "" if param.required or param.default is None else _shown(param.default)
    return Field(
        param.name,
        text,
        param.unit if param.unit not in ("", "1") and "?" not in param.unit else "",
        param.doc,
        default,
        str(param.bounds),
        param.choices,
        param.required,
        shown if given is not None and used_names(given.node) else "",
        param,
    )


def _text(entry: Entry | None) -> str:
    if entry is None:
        return ""
    if isinstance(entry.node, Scalar) and not entry.node.quoted:
        return entry.node.text
    return value_text(entry.node)


def _shown(value: object) -> str:
    if isinstance(value, bool | np.bool_):
        return str(bool(value)).lower()
    if isinstance(value, int | float):
        return f"{value:.6g}"
    if isinstance(value, str):
        return value
    if isinstance(value, np.ndarray | list | tuple):
        numbers = np.ravel(np.asarray(value, dtype=object))
        if numbers.size > 6:
            return f"{numbers.size} values"
        return "[" + ", ".join(_shown(n) for n in numbers.tolist()) + "]"
    return "" if value is None else "set"
