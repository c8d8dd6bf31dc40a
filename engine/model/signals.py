"""Logged signals: what they are, and which columns of a row hold their numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from ..diagram.endpoints import Index, index_text


@dataclass(frozen=True)
class LoggedSignal:
    """A signal over time: an output of a block, or some of its elements.

    `block`, `port` and `elements` name the output in the model; they are empty for signals that
    were read from a file or made of arrays.
    """

    name: str
    unit: str = ""
    shape: tuple[int, ...] = ()
    type: type = float
    block: str = ""
    port: str = ""
    elements: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        return int(np.prod(self.shape, dtype=int))


def first_columns(signals: Iterable[LoggedSignal]) -> dict[str, int]:
    """The first column of each signal in a row: one after another, behind the time."""
    columns, column = {}, 1
    for signal in signals:
        columns[signal.name] = column
        column += signal.size
    return columns


def elements_of(signals: Iterable[LoggedSignal]) -> Iterator[tuple[str, LoggedSignal, int]]:
    """Every scalar: its name (`rig.omega[2]`), its signal and its column."""
    column = 1
    for signal in signals:
        for index in np.ndindex(*signal.shape):
            yield signal.name + index_text(index or None), signal, column
            column += 1


class Rows(Protocol):
    """Rows of numbers, time first, read as far as they are asked for."""

    @property
    def shape(self) -> tuple[int, int]: ...

    def read(
        self, first: int, count: int, start: int = 0, stop: int | None = None
    ) -> np.ndarray: ...


class SignalTable(Protocol):
    """Logged signals by name, over one time: what figures and other files are made of."""

    meta: dict[str, Any]

    @property
    def rows(self) -> Rows: ...

    @property
    def names(self) -> tuple[str, ...]: ...

    @property
    def time(self) -> np.ndarray: ...

    def __getitem__(self, name: str) -> np.ndarray: ...

    def find(self, name: str) -> tuple[LoggedSignal, Index | None]: ...

    def unit(self, name: str) -> str: ...

    def elements(self) -> Iterator[tuple[str, LoggedSignal, int]]: ...
