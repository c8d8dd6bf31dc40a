"""Results on disk: an HDF5 file that grows while a run goes on and survives its end.

    /                attributes: format, title, file, seed, versions, outcome, finished, ...
    /diagram         the text of the diagram that ran, with all values given to the run
    /settings        attributes: solver and log settings
    /statistics      attributes: steps, events, wall time, ...; written at the end
    /signals/...     name, unit, shape and type of every signal
    /rows            float64, one row a logged time: time, then all elements of all signals
    /committed       how many rows are complete

The header is written under a temporary name, so that a file under the final name is never half
made. After that, rows come first, then a flush, then the count of committed rows: whenever the
process dies, all committed rows can be read. (HDF5 keeps that promise with its default format
version only.)
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import re
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import DiagramError, Place, SimulationError

if TYPE_CHECKING:
    from .simulation import Simulation

FORMAT = "railblocks results"
VERSION = 1
CHUNK_NUMBERS = 16384
CHUNK_COLUMNS = 32
BOOKKEEPING = 2**16
TYPES = {"float": float, "int": int, "bool": bool}


@dataclass(frozen=True)
class Signal:
    """A logged signal and its columns: from `first` on, as many as its shape has elements."""

    name: str
    unit: str
    shape: tuple[int, ...]
    type: type
    first: int

    @property
    def size(self) -> int:
        return int(np.prod(self.shape, dtype=int))


def placed(columns: Sequence[Any]) -> tuple[Signal, ...]:
    """Signals one after another, behind the time."""
    signals, first = [], 1
    for column in columns:
        shape = tuple(int(n) for n in column.shape)
        signal = Signal(column.name, column.unit, shape, column.type, first)
        signals.append(signal)
        first += signal.size
    return tuple(signals)


def description(simulation: Simulation) -> dict[str, Any]:
    """Who ran what, when and with what: all that it takes to do it again."""
    from importlib.metadata import version

    from .saving import text_of

    checked = simulation.checked
    return {
        "title": checked.model.title,
        "file": checked.model.file,
        "diagram": text_of(checked.diagram),
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": {
            **{name: version(name) for name in ("railblocks", "numpy", "numba")},
            "python": platform.python_version(),
        },
        "seed": checked.settings.seed,
        "settings": asdict(checked.settings),
    }


def conclusion(simulation: Simulation) -> dict[str, Any]:
    """How the run ended."""
    return {
        "finished": True,
        "outcome": simulation.outcome or "unfinished",
        "reason": simulation.reason,
        "notices": list(simulation.notices),
    }


def statistics_of(simulation: Simulation) -> SimpleNamespace:
    statistics = simulation.statistics
    return SimpleNamespace(
        **asdict(statistics), real_time_factor=float(statistics.real_time_factor)
    )


class GrowingFile:
    """A results file to which rows are added.

    Room on the disk is taken before HDF5 writes into it: HDF5 cannot go on after a failed write,
    and would leave a file that nobody can read.
    """

    def __init__(self, path: str, signals: Sequence[Signal], about: Mapping[str, Any]):
        import h5py

        self.path = path
        folder, name = os.path.split(path)
        temporary = os.path.join(folder, f".{name}.{uuid.uuid4().hex[:8]}.part")
        try:
            if os.path.isdir(path):
                raise IsADirectoryError(0, "it is a folder")
            try:
                with open(temporary, "wb") as file:
                    file.write(_header_image(signals, about))
                os.replace(temporary, path)
            finally:
                with contextlib.suppress(OSError):
                    os.unlink(temporary)
            self._disk = os.open(path, os.O_RDWR)
            self._file = h5py.File(path, "r+", locking=False)
        except OSError as error:
            raise DiagramError(
                f"the results cannot be written: {reason_of(error)}; choose another file",
                Place(path),
            ) from None
        self._rows = self._file["rows"]
        self._committed = self._file["committed"]
        self._room = 0

    def append(self, rows: np.ndarray) -> None:
        """Adds rows; when it returns, they survive the end of the process."""
        done = self._rows.shape[0]
        try:
            self._reserve(rows)
            self._rows.resize(done + len(rows), axis=0)
            self._rows[done:] = rows
            self._file.flush()
            self._committed[()] = done + len(rows)
            self._file.flush()
        except (OSError, RuntimeError) as error:
            raise SimulationError(
                f"{self.path}: row {done} cannot be written: {reason_of(error)}; "
                "make room on the disk and run again"
            ) from None

    def _reserve(self, rows: np.ndarray) -> None:
        """Makes the file large enough for the rows, for chunks that they open, and for its end."""
        height, width = self._rows.chunks
        chunks = (len(rows) // height + 2) * -(-rows.shape[1] // width)
        needed = self._file.id.get_filesize() + chunks * height * width * 8 + BOOKKEEPING
        if needed > self._room and hasattr(os, "posix_fallocate"):
            os.posix_fallocate(self._disk, 0, needed)
            self._room = needed

    def end(self, conclusion: Mapping[str, Any], statistics: SimpleNamespace) -> None:
        """Adds outcome and statistics, gives back the room that was not needed, and closes."""
        if not self._file:
            return
        try:
            write_end(self._file, conclusion, statistics)
            self._file.flush()
            size = self._file.id.get_filesize()
            self._file.close()
            os.ftruncate(self._disk, size)
        except (OSError, RuntimeError) as error:
            raise SimulationError(
                f"{self.path}: the end cannot be written: {reason_of(error)}; "
                "make room on the disk and run again"
            ) from None
        finally:
            os.close(self._disk)


class ResultsWriter:
    """Writes the rows of a run as they come; memory stays flat."""

    def __init__(self, path: str | os.PathLike[str], simulation: Simulation):
        about = description(simulation)
        self._file = GrowingFile(os.fspath(path), placed(simulation.columns), about)

    def append(self, rows: np.ndarray) -> None:
        """Adds rows; when it returns, they survive the end of the process."""
        self._file.append(rows)

    def close(self, simulation: Simulation) -> None:
        """Adds statistics and outcome of the run, and ends the file."""
        self._file.end(conclusion(simulation), statistics_of(simulation))


def _header_image(signals: Sequence[Signal], about: Mapping[str, Any]) -> bytes:
    """A file without rows, made in memory."""
    import h5py

    with h5py.File("header", "w", driver="core", backing_store=False) as file:
        write_header(file, signals, about)
        file.flush()
        return file.id.get_file_image()


def write_header(file: Any, signals: Sequence[Signal], about: Mapping[str, Any]) -> None:
    import h5py

    text = h5py.string_dtype()
    file.attrs["format"] = FORMAT
    file.attrs["version"] = VERSION
    file.attrs["finished"] = False
    for name in ("title", "file", "created"):
        file.attrs[name] = _clean(about.get(name, ""))
    file.attrs["seed"] = str(about.get("seed", ""))
    for name, value in about.get("versions", {}).items():
        file.attrs[f"version_{name}"] = value
    file.create_dataset("diagram", data=_clean(about.get("diagram", "")), dtype=text)
    settings = file.create_group("settings").attrs
    for name, value in about.get("settings", {}).items():
        if value is not None:
            settings[name] = value
    group = file.create_group("signals")
    group.create_dataset("name", data=[s.name for s in signals], dtype=text)
    group.create_dataset("unit", data=[s.unit for s in signals], dtype=text)
    group.create_dataset("shape", data=[json.dumps(s.shape) for s in signals], dtype=text)
    group.create_dataset("type", data=[s.type.__name__ for s in signals], dtype=text)
    width = 1 + sum(s.size for s in signals)
    columns = min(width, CHUNK_COLUMNS)
    file.create_dataset(
        "rows",
        shape=(0, width),
        maxshape=(None, width),
        chunks=(CHUNK_NUMBERS // columns, columns),
        dtype="f8",
    )
    file.create_dataset("committed", data=np.int64(0))


def write_end(file: Any, end: Mapping[str, Any], statistics: SimpleNamespace) -> None:
    group = file.require_group("statistics").attrs
    for name, value in vars(statistics).items():
        group[name] = value
    for name in ("outcome", "reason"):
        file.attrs[name] = _clean(end.get(name, ""))
    file.attrs["notices"] = json.dumps(end.get("notices", []))
    file.attrs["finished"] = bool(end.get("finished", False))


class FileRows:
    """The committed rows of a file, read as far as they are asked for.

    The file stays open: results go on to show their own run when another one replaces the file.
    """

    def __init__(self, path: str, rows: Any, committed: int):
        self._path = path
        self._rows = rows
        self._committed = committed

    @property
    def shape(self) -> tuple[int, int]:
        return self._committed, self._rows.shape[1]

    def read(self, first: int, count: int, start: int = 0, stop: int | None = None) -> np.ndarray:
        stop = self._committed if stop is None else min(stop, self._committed)
        try:
            return self._rows[start:stop, first : first + count]
        except (OSError, RuntimeError) as error:
            raise _damaged(self._path, error) from None


class ArrayRows:
    """Rows in memory."""

    def __init__(self, rows: np.ndarray):
        self._rows = rows

    @property
    def shape(self) -> tuple[int, int]:
        return self._rows.shape[0], self._rows.shape[1]

    def read(self, first: int, count: int, start: int = 0, stop: int | None = None) -> np.ndarray:
        return self._rows[start:stop, first : first + count]


def blocks_of(rows: FileRows | ArrayRows, numbers: int = 2**20) -> Iterator[np.ndarray]:
    """All rows, some at a time."""
    count, width = rows.shape
    step = max(numbers // width, 1)
    for start in range(0, count, step):
        yield rows.read(0, width, start, start + step)


@dataclass(frozen=True)
class Loaded:
    rows: FileRows
    signals: tuple[Signal, ...]
    meta: dict[str, Any]
    statistics: SimpleNamespace


def load_file(path: str | os.PathLike[str]) -> Loaded:
    """Everything but the rows themselves; raises DiagramError for a file that is something else."""
    import h5py

    name = os.fspath(path)
    place = Place(name)
    if not os.path.exists(name):
        raise DiagramError("there is no such file; check the path", place)
    if os.path.isdir(name):
        raise DiagramError("is a folder; expected a results file (.h5)", place)
    try:
        file = h5py.File(name, "r", locking=False)
    except OSError as error:
        if isinstance(error, PermissionError):
            raise DiagramError("the file cannot be read: Permission denied", place) from None
        if not h5py.is_hdf5(name):
            raise DiagramError(
                "is not an HDF5 file; expected results written by `railblocks run`", place
            ) from None
        raise _damaged(name, error) from None
    try:
        if file.attrs.get("format") != FORMAT:
            raise DiagramError(
                "is an HDF5 file, but holds no results of railblocks; expected a file written by "
                "`railblocks run`",
                place,
            )
        if int(file.attrs["version"]) > VERSION:
            raise DiagramError(
                f"was written by a newer railblocks (format {file.attrs['version']}, known is "
                f"{VERSION}); update railblocks",
                place,
            )
        return _loaded(name, file)
    except (OSError, KeyError, ValueError, TypeError, RuntimeError) as error:
        raise _damaged(name, error) from None


def _loaded(path: str, file: Any) -> Loaded:
    texts = {key: file["signals"][key].asstr()[()] for key in ("name", "unit", "shape", "type")}
    columns = [
        SimpleNamespace(name=name, unit=unit, shape=json.loads(shape), type=TYPES[kind])
        for name, unit, shape, kind in zip(*texts.values(), strict=True)
    ]
    signals = placed(columns)
    rows = file["rows"]
    if rows.ndim != 2 or rows.shape[1] != 1 + sum(signal.size for signal in signals):
        raise ValueError("signals and rows do not fit")
    committed = min(int(file["committed"][()]), rows.shape[0])
    attrs = {key: _plain(value) for key, value in file.attrs.items()}
    versions = {
        key.removeprefix("version_"): attrs.pop(key)
        for key in list(attrs)
        if key.startswith("version_")
    }
    meta = {
        **{key: value for key, value in attrs.items() if key not in ("format", "version")},
        "seed": int(attrs.get("seed") or 0),
        "notices": json.loads(attrs.get("notices", "[]")),
        "diagram": file["diagram"].asstr()[()],
        "versions": versions,
        "settings": {key: _plain(value) for key, value in file["settings"].attrs.items()},
    }
    found = file["statistics"].attrs if "statistics" in file else {}
    statistics = SimpleNamespace(**{key: _plain(value) for key, value in found.items()})
    return Loaded(FileRows(path, rows, committed), signals, meta, statistics)


def _damaged(path: str, error: Exception) -> DiagramError:
    return DiagramError(
        f"the results file is damaged or cut off: {reason_of(error)}; run the diagram again",
        Place(path),
    )


def reason_of(error: Exception) -> str:
    """The reason without the inner workings of HDF5 that stand around it."""
    number = getattr(error, "errno", None)
    if number:
        return os.strerror(number)
    text = getattr(error, "strerror", None) or str(error)
    told = re.search(r"error message = '([^']*)'", text)
    if told:
        return told[1]
    inner = text[text.find("(") + 1 : text.rfind(")")] if "(" in text else text
    return inner.split(", name =")[0].split(": eof =")[0] or type(error).__name__


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _clean(text: str) -> str:
    """Text that HDF5 can hold: UTF-8 without null characters."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()
