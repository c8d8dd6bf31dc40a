"""What the runs of a study log: what the diagram says, and what summaries and kept signals need."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..analysis.checking import Checked, check
from ..declaration.registry import Registry
from ..diagram.diagram import Diagram
from ..diagram.endpoints import Index
from ..diagram.values import node_of
from ..errors import DiagramError, Position
from ..model.signals import LoggedSignal, first_columns
from ..runs.results import Results
from ..runs.results_rows import ArrayRows
from ..text.nodes import Entry

TIME = "time"


def with_logged(
    diagram: Diagram, checked: Checked, names: Iterable[str], where: str = "--summary"
) -> Diagram:
    """The diagram with more signals in its log; it logs what it did, too."""
    table = empty_table(checked.logged)
    missing = [name for name in dict.fromkeys(names) if name != TIME and not _is_in(table, name)]
    if not missing:
        return diagram
    position, aliases = Position(where), checked.analysis.aliases
    for name in missing:
        port, bracket, index = name.partition("[")
        if port in aliases:
            logged = ".".join(aliases[port]) + bracket + index
            raise DiagramError(
                f"'{name}' is a port of a subsystem, which a run logs as {logged}; name it so",
                position,
            )
    signals = node_of([*(signal.name for signal in checked.logged), *missing], position)
    return replace(diagram, log=diagram.log | {"signals": Entry(position, signals)})


def checked_with_logged(
    diagram: Diagram, registry: Registry, names: Iterable[str], where: str = "--summary"
) -> tuple[Diagram, Checked]:
    """A diagram that logs some signals, and its check; raises DiagramError for unknown ones."""
    checked = check(diagram, registry)
    wider = with_logged(diagram, checked, names, where)
    return wider, checked if wider is diagram else check(wider, registry, checked.analysis)


def empty_table(signals: Sequence[LoggedSignal]) -> Results:
    """Results without rows: names, units and shapes."""
    width = 1 + sum(signal.size for signal in signals)
    return Results(ArrayRows(np.zeros((0, width))), tuple(signals))


def _is_in(table: Results, name: str) -> bool:
    try:
        table.find(name)
    except DiagramError:
        return False
    return True


@dataclass(frozen=True)
class Column:
    """A scalar of a row: where it stands, its unit, and whether it keeps its value until the next
    row."""

    index: int
    unit: str
    held: bool


def column_of(signals: Sequence[LoggedSignal], name: str) -> Column:
    """The column of a scalar signal; raises DiagramError."""
    if name == TIME:
        return Column(0, "s", False)
    signal, index = empty_table(signals).find(name)
    first = first_columns(tuple(signals))[signal.name]
    chosen = _chosen(signal, index, name)
    if chosen.size != 1:
        raise DiagramError(f"'{name}' has {chosen.size} elements; name one, as {signal.name}[0]")
    return Column(first + int(chosen.ravel()[0]), signal.unit, signal.type is not float)


def columns_of(signals: Sequence[LoggedSignal], name: str) -> tuple[LoggedSignal, list[int]]:
    """A signal or a part of one, and where its elements stand in a row."""
    signal, index = empty_table(signals).find(name)
    first = first_columns(tuple(signals))[signal.name]
    chosen = _chosen(signal, index, name)
    part = LoggedSignal(name, signal.unit, chosen.shape, signal.type)
    return part, [first + int(k) for k in chosen.ravel()]


def _chosen(signal: LoggedSignal, index: Index | None, name: str) -> np.ndarray:
    """The numbers, within their signal, of the elements that a name means."""
    elements = np.arange(signal.size).reshape(signal.shape)
    try:
        return elements if index is None else np.asarray(elements[index])
    except IndexError:
        raise DiagramError(
            f"'{name}' is out of range: {signal.name} has shape {signal.shape}"
        ) from None
