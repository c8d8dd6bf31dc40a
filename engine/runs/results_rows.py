"""Results as they are read: rows in memory or in a file, and what a file says of them."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from ..errors import DiagramError, Position
from ..model.signals import LoggedSignal, Rows
from .data_sets import OpenFile, own, stored
from .statistics import Statistics

FORMAT = "railblocks results"
VERSION = 1
TYPES = {"float": float, "int": int, "bool": bool}
LARGEST_DIMENSIONS, LARGEST_SIZE = 8, 2**31


class FileRows:
    """The committed rows of a file, read as far as they are asked for.

    The file stays open: results go on to show their own run when another one replaces the file. A
    run that still writes may move the index of the rows; the file is then opened anew.
    """

    def __init__(self, path: str, source: OpenFile, committed: int, width: int):
        self._path = path
        self._source = source
        self.shape = committed, width

    def read(self, first: int, count: int, start: int = 0, stop: int | None = None) -> np.ndarray:
        stop = self.shape[0] if stop is None else min(stop, self.shape[0])
        part = (slice(start, stop), slice(first, first + count))
        try:
            return self._source.attempt(lambda: _complete(self._source.file, part))
        except Exception as error:  # h5py raises anything for damaged files
            raise damaged(self._path, error) from None


def _complete(file: Any, part: tuple[slice, slice]) -> np.ndarray:
    """A part of the rows of a file; raises ValueError if the index does not lead to all of it.

    While a run moves the index, chunks may be missing from it; HDF5 would read zeros.
    """
    rows = file["rows"]
    values = rows[part]
    if not file.attrs.get("finished"):
        firsts = [
            range(wanted.start // size * size, wanted.stop, size)
            for wanted, size in zip(part, rows.chunks, strict=True)
        ]
        for corner in product(*firsts):
            if rows.id.get_chunk_info_by_coord(corner).byte_offset is None:
                raise ValueError(f"the rows from {corner[0]} on are not in the index")
    return values


class ArrayRows:
    """Rows in memory."""

    def __init__(self, rows: np.ndarray):
        self._rows = rows

    @property
    def shape(self) -> tuple[int, int]:
        return self._rows.shape[0], self._rows.shape[1]

    def read(self, first: int, count: int, start: int = 0, stop: int | None = None) -> np.ndarray:
        return self._rows[start:stop, first : first + count]


def blocks_of(rows: Rows, numbers: int = 2**20) -> Iterator[np.ndarray]:
    """All rows, some at a time."""
    count, width = rows.shape
    step = max(numbers // width, 1)
    for start in range(0, count, step):
        yield rows.read(0, width, start, start + step)


@dataclass(frozen=True)
class Loaded:
    """What a results file holds."""

    rows: FileRows
    signals: tuple[LoggedSignal, ...]
    meta: dict[str, Any]
    statistics: Statistics | None


def is_results(path: str) -> bool:
    """Whether a regular file is one that a run wrote."""
    try:
        with OpenFile(path) as file:
            return _is(file.attrs.get("format"), FORMAT)
    except Exception:  # h5py raises anything for damaged files
        return False


def load_file(path: str | os.PathLike[str]) -> Loaded:
    """What a results file holds, without its rows; raises DiagramError for any other file."""
    import h5py

    name = os.fspath(path)
    position = Position(name)
    try:
        source = OpenFile(name, "a results file (.h5)")
    except OSError as error:
        if not h5py.is_hdf5(name):
            raise DiagramError(
                "is not an HDF5 file; expected results written by `railblocks run`", position
            ) from None
        raise damaged(name, error) from None
    try:
        file = source.file
        if not _is(file.attrs.get("format"), FORMAT):
            raise DiagramError(
                "is an HDF5 file, but holds no results of railblocks; expected a file written by "
                "`railblocks run`",
                position,
            )
        version = int(file.attrs["version"])
        if version > VERSION:
            raise DiagramError(
                f"was written by a newer railblocks (format {version}, known is {VERSION}); "
                "update railblocks",
                position,
            )
        return _loaded_whole(name, source)
    except DiagramError:
        source.close()
        raise
    except Exception as error:  # h5py raises anything for damaged files
        source.close()
        raise damaged(name, error) from None


def _loaded_whole(path: str, source: OpenFile) -> Loaded:
    """What a file holds; one that grows is opened anew, until what is read of it fits together.

    Rows that were counted before a file is opened can be found after that.
    """

    def reread() -> Loaded:
        count = _count(source.file)
        source.reopen()
        return _loaded(path, source, count)

    if source.file.attrs.get("finished"):
        return _loaded(path, source, _count(source.file))
    return source.attempt(reread)


def _is(value: Any, text: str) -> bool:
    return isinstance(value, str) and value == text


def _loaded(path: str, source: OpenFile, count: int) -> Loaded:
    file = source.file
    signals = signals_of(file)
    width = 1 + sum(signal.size for signal in signals)
    committed = committed_rows(file, width, count)
    numbers = file["statistics"].attrs if "statistics" in file else {}
    statistics = Statistics.from_numbers({key: _plain(value) for key, value in numbers.items()})
    return Loaded(FileRows(path, source, committed, width), signals, meta_of(file), statistics)


def signals_of(file: Any) -> tuple[LoggedSignal, ...]:
    """The signals whose rows a file has; raises ValueError."""
    texts = [texts_of(file, f"signals/{key}") for key in ("name", "unit", "shape", "type")]
    signals = tuple(
        LoggedSignal(name, unit, _shape(shape), TYPES[kind])
        for name, unit, shape, kind in zip(*texts, strict=True)
    )
    if len({signal.name for signal in signals}) < len(signals):
        raise ValueError("two signals have one name")
    return signals


def meta_of(file: Any) -> dict[str, Any]:
    """What a file says of the run and of the diagram; raises ValueError."""
    attrs = {key: _plain(value) for key, value in file.attrs.items()}
    versions = {
        key.removeprefix("version_"): attrs.pop(key)
        for key in list(attrs)
        if key.startswith("version_")
    }
    notices = json.loads(attrs.get("notices", "[]"))
    meta = {
        **{key: value for key, value in attrs.items() if key not in ("format", "version")},
        "seed": int(attrs.get("seed") or 0),
        "notices": [str(notice) for notice in notices],
        "diagram": stored(file, "diagram", "O", 0).asstr()[()],
        "versions": versions,
        "settings": {key: _plain(value) for key, value in file["settings"].attrs.items()},
        "files": _files(file),
    }
    for key in ("title", "file", "folder", "created", "outcome", "reason"):
        if not isinstance(meta.get(key, ""), str):
            raise ValueError(f"'{key}' is not text")
    return meta


def texts_of(file: Any, name: str) -> list[str]:
    """A list of texts; raises ValueError."""
    return [str(text) for text in stored(file, name, "O", 1).asstr()[()]]


def _shape(text: str) -> tuple[int, ...]:
    """A list of sizes whose product stays small enough to be compared with the rows."""
    shape = json.loads(text)
    if not isinstance(shape, list) or len(shape) > LARGEST_DIMENSIONS:
        raise ValueError("a shape is not a list of sizes")
    if not all(type(n) is int and 0 <= n <= LARGEST_SIZE for n in shape):
        raise ValueError("a shape is not a list of sizes")
    return tuple(shape)


def _count(file: Any) -> int:
    return int(stored(file, "committed", "iu", 0)[()])


def committed_rows(file: Any, width: int, count: int) -> int:
    """The number of whole rows; ValueError if the file is too small for as many as it claims."""
    rows = own(file, "rows")
    if rows.dtype != np.float64 or len(rows.shape) != 2 or rows.shape[1] != width:
        raise ValueError("signals and rows do not fit")
    if rows.id.get_create_plist().get_nfilters():
        raise ValueError("the rows are compressed")
    committed = min(count, rows.shape[0])
    held = min(rows.id.get_storage_size(), file.id.get_filesize())
    if committed < 0 or committed * width * rows.dtype.itemsize > held:
        raise ValueError(f"it claims {committed} rows, more than it holds")
    return committed


def _files(file: Any) -> list[dict[str, Any]]:
    if "files" not in file:  # written by a railblocks that did not record them
        return []
    paths, sums = texts_of(file, "files/path"), texts_of(file, "files/sha256")
    sizes = stored(file, "files/size", "i", 1)[()].tolist()
    return [
        {"path": path, "size": size, "sha256": sha256}
        for path, size, sha256 in zip(paths, sizes, sums, strict=True)
    ]


def damaged(path: str, error: Exception) -> DiagramError:
    return DiagramError(
        f"the results file is damaged or cut off: {reason_of(error)}; run the diagram again",
        Position(path),
    )


def reason_of(error: Exception) -> str:
    """The reason of a failure, without what HDF5 says of its own inner workings."""
    number = getattr(error, "errno", None)
    if number:
        return os.strerror(number)
    text = getattr(error, "strerror", None) or str(error)
    quoted = re.search(r"error message = '([^']*)'", text)
    if quoted:
        return quoted[1]
    inner = text[text.find("(") + 1 : text.rfind(")")] if "(" in text else text
    return inner.split(", name =")[0].split(": eof =")[0] or type(error).__name__


def _plain(value: Any) -> Any:
    """An attribute as a number or as text; raises ValueError for anything else."""
    plain = value.item() if isinstance(value, np.generic) else value
    if not isinstance(plain, str | int | float | bool):
        raise ValueError("an attribute is neither text nor a number")
    return plain
