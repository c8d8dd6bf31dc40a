"""Studies as they are read, after what a file claims is compared with its size."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import DiagramError, Position
from ..model.signals import LoggedSignal
from ..runs.data_sets import OpenFile, stored
from ..runs.results_rows import (
    ArrayRows,
    FileRows,
    committed_rows,
    meta_of,
    reason_of,
    signals_of,
    texts_of,
)
from .job import OUTCOMES
from .study_tables import COST, FORMAT, TABLES, VERSION, width_of
from .variations import Variation


@dataclass(frozen=True, eq=False)
class Loaded:
    """What a study file holds; `kept` are the rows of the kept signals of all runs."""

    variations: tuple[Variation, ...]
    table: np.ndarray
    names: tuple[str, ...]
    texts: tuple[str, ...]
    units: tuple[str, ...]
    tables: dict[str, np.ndarray]
    signals: tuple[LoggedSignal, ...]
    kept: FileRows | ArrayRows
    identity: dict[str, str]
    meta: dict[str, Any]

    @property
    def runs(self) -> int:
        return len(self.table)


def load_study(path: str | os.PathLike[str]) -> Loaded:
    """What a study file holds; raises DiagramError for any other file."""
    name = os.fspath(path)
    position = Position(name)
    try:
        source = OpenFile(name, "a study file (.h5)")
    except OSError as error:
        raise DiagramError(
            f"cannot be read as a study: {reason_of(error)}; expected a file written by "
            "`railblocks sweep`",
            position,
        ) from None
    try:
        kind = source.file.attrs.get("format")
        if not isinstance(kind, str) or kind != FORMAT:
            raise DiagramError(
                "is an HDF5 file, but not a study; expected a file written by `railblocks sweep`",
                position,
            )
        version = int(source.file.attrs["version"])
        if version > VERSION:
            raise DiagramError(
                f"was written by a newer railblocks (format {version}, known is {VERSION}); "
                "update railblocks",
                position,
            )
        return source.attempt(lambda: _loaded(name, source))
    except DiagramError:
        source.close()
        raise
    except Exception as error:  # h5py raises anything for damaged files
        source.close()
        raise DiagramError(
            f"the study is damaged or cut off: {reason_of(error)}; run it again into another file",
            position,
        ) from None


def _loaded(path: str, source: OpenFile) -> Loaded:
    file = source.file
    variations = tuple(_variations(file))
    table = stored(file, "plan/values", "f", 2)[()]
    if table.shape[1] != len(variations) or not np.isfinite(table).all():
        raise ValueError("the plan does not fit its parameters")
    for k, variation in enumerate(variations):
        words = table[:, k]
        if variation.words and not np.isin(words, np.arange(len(variation.words))).all():
            raise ValueError(f"'{variation.path}' has a word that is not listed")
    names, texts, units = (
        tuple(texts_of(file, f"summaries/{key}")) for key in ("name", "text", "unit")
    )
    if not len(names) == len(texts) == len(units) or len(set(names)) < len(names):
        raise ValueError("the summaries do not fit together")
    tables = _tables(file, len(table), len(names))
    signals = signals_of(file)
    width = 1 + sum(signal.size for signal in signals)
    committed = committed_rows(file, width, int(stored(file, "committed", "iu", 0)[()]))
    ends = tables["first"] + tables["rows"]
    if (tables["first"] < 0).any() or (tables["rows"] < 0).any() or (ends > committed).any():
        raise ValueError("a run claims rows that are not there")
    kept = FileRows(path, source, committed, width)
    identity = json.loads(_text(file, "identity"))
    meta = meta_of(file)
    meta["sampling"] = json.loads(_text(file, "sampling"))
    if not isinstance(identity, dict) or not isinstance(meta["sampling"], dict):
        raise ValueError("'identity' is not a mapping")
    return Loaded(variations, table, names, texts, units, tables, signals, kept, identity, meta)


def _variations(file: Any) -> list[Variation]:
    columns = [texts_of(file, f"plan/{key}") for key in ("path", "unit", "words")]
    variations = []
    for path, unit, words in zip(*columns, strict=True):
        listed = json.loads(words)
        if not isinstance(listed, list) or not all(isinstance(word, str) for word in listed):
            raise ValueError("words are not a list of texts")
        variations.append(Variation(path, words=tuple(listed), unit=unit))
    if not variations:
        raise ValueError("nothing varies")
    return variations


def _tables(file: Any, runs: int, summaries: int) -> dict[str, np.ndarray]:
    tables = {}
    for name, kind in TABLES.items():
        width = width_of(name, summaries)
        if not width:
            tables[name] = np.zeros((runs, 0))
            continue
        shape = (runs, width) if width > 1 or name == "values" else (runs,)
        data = stored(file, f"runs/{name}", np.dtype(kind).kind, len(shape))
        if data.shape != shape or data.dtype.itemsize != np.dtype(kind).itemsize:
            raise ValueError(f"'runs/{name}' does not fit the plan")
        tables[name] = data[()]
    if (tables["outcome"] >= len(OUTCOMES)).any() or tables["cost"].shape != (runs, len(COST)):
        raise ValueError("an outcome is not known")
    return tables


def _text(file: Any, name: str) -> str:
    value = file.attrs[name]
    if not isinstance(value, str):
        raise ValueError(f"'{name}' is not text")
    return value
