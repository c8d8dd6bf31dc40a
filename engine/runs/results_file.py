"""Results on disk: an HDF5 file that grows while a run goes on and survives its end.

    /                attributes: format, title, file, folder, seed, versions, outcome, finished, ...
    /diagram         the text of the diagram that ran, with all values given to the run
    /settings        attributes: solver and log settings
    /files/...       path, sha256 and size of every file that was read: diagrams and data
    /statistics      attributes: steps, events, wall time, ...; written at the end
    /signals/...     name, unit, shape and type of every signal
    /rows            float64, one row a logged time: time, then all elements of all signals
    /committed       how many rows are complete
    /state/...       where the run can go on (`stored_state`)

The header is written under a temporary name, so that a file under the final name is never half
made; the file is locked while rows are added (`claim`). Rows come first, then a flush, then the
count of committed rows: whenever the process dies, all committed rows can be read. (HDF5 keeps that
promise with its default format version only.)
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from ..errors import DiagramError, Position, SimulationError
from ..files.replacing import new_file
from ..model.signals import LoggedSignal
from ..text.files import FileRead
from .checkpoint import Checkpoint
from .claim import put_in_place
from .results_rows import FORMAT, VERSION, reason_of
from .statistics import Statistics
from .stored_state import room_for, write_state

if TYPE_CHECKING:
    from ..analysis.checking import Checked
    from .simulation import Simulation

CHUNK_NUMBERS = 16384  # of a chunk of the file
CHUNK_COLUMNS = 32
BOOKKEEPING = 2**16


def description(simulation: Simulation) -> dict[str, Any]:
    """The header of a results file: what it takes to do the run again."""
    from ..diagram.saving import text_of

    return about(simulation.checked, text_of(simulation.checked.diagram))


def about(checked: Checked, text: str) -> dict[str, Any]:
    """A diagram that was checked, with the text that says it, its files, settings and versions."""
    return {
        "title": checked.model.title,
        "file": checked.model.file,
        "folder": checked.diagram.folder,
        "files": [_shown(file, checked.diagram.folder) for file in checked.files],
        "diagram": text,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": dict(versions()),
        "seed": checked.settings.seed,
        "settings": asdict(checked.settings),
    }


def _shown(file: FileRead, folder: str) -> dict[str, Any]:
    """A file that was read; paths below the folder of the diagram start there."""
    inside = file.path.startswith(os.path.join(folder, ""))
    path = os.path.relpath(file.path, folder) if inside else file.path
    return {"path": path, "size": file.size, "sha256": file.sha256}


@cache
def versions() -> dict[str, str]:
    """The versions of railblocks, its numerical packages as far as they are there, and Python."""
    from importlib import metadata

    known = {"python": platform.python_version()}
    for name in ("railblocks", "numpy", "numba"):
        with contextlib.suppress(metadata.PackageNotFoundError):
            known[name] = metadata.version(name)
    return known


def conclusion(simulation: Simulation) -> dict[str, Any]:
    """How the run ended."""
    return {
        "finished": True,
        "outcome": simulation.outcome or "unfinished",
        "reason": simulation.reason,
        "notices": list(simulation.notices),
    }


@dataclass(frozen=True)
class Content:
    """What a file has from the start: `fill` writes it into room of so many bytes."""

    room: int
    fill: Callable[[Any], None]


def chunks_of(width: int) -> tuple[int, int]:
    """Rows and columns of a chunk of a file with rows of so many numbers."""
    columns = min(width, CHUNK_COLUMNS)
    return CHUNK_NUMBERS // columns, columns


def room_for_rows(count: int, chunks: tuple[int, int], width: int) -> int:
    """The bytes that rows take with the chunks that they open."""
    height, columns = chunks
    return (count // height + 2) * -(-width // columns) * height * columns * 8


class GrowingFile:
    """A file with rows that are added; a results file, or another with such rows.

    Room on the disk is taken before HDF5 writes into it: HDF5 cannot go on after a failed write,
    and would leave a file that nobody can read.
    """

    def __init__(self, path: str, image: bytes, content: Content | None = None):
        """`image` is the file without rows, as `image_of` makes it.

        `content` is put into the file before it has its name.
        """
        import h5py

        with writing(path) as temporary:
            with open(temporary, "wb") as file:
                file.write(image)
                file.flush()
                if content is not None and hasattr(os, "posix_fallocate"):
                    os.posix_fallocate(file.fileno(), 0, len(image) + content.room)
            if content is not None:
                with h5py.File(temporary, "r+", locking=False) as filled:
                    content.fill(filled)
            disk = put_in_place(temporary, path)
        self._open(path, disk)

    @classmethod
    def reopened(cls, path: str, disk: int) -> Self:
        """A file that was written before, to be gone on with; `disk` is its locked handle."""
        file = cls.__new__(cls)
        file._open(path, disk)
        return file

    def _open(self, path: str, disk: int) -> None:
        import h5py

        self.path, self.disk = path, disk
        try:
            self._file = h5py.File(path, "r+", locking=False)
            self._rows = self._file["rows"]
            self._committed = self._file["committed"]
        except BaseException:
            os.close(disk)
            raise
        self._room = 0

    @property
    def count(self) -> int:
        """How many rows there are; after a kill some that were not committed."""
        return int(self._rows.shape[0])

    def group(self, name: str) -> Any:
        """Another part of the file."""
        return self._file[name]

    @property
    def is_open(self) -> bool:
        return bool(self._file)

    def append(self, rows: np.ndarray) -> None:
        """Adds rows; when it returns, they survive the end of the process."""
        done = self.count
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
        room = room_for_rows(len(rows), self._rows.chunks, rows.shape[1])
        needed = self._file.id.get_filesize() + room + BOOKKEEPING
        if needed > self._room and hasattr(os, "posix_fallocate"):
            os.posix_fallocate(self.disk, 0, needed)
            self._room = needed

    def save_state(self, checkpoint: Checkpoint, identity: Mapping[str, str]) -> None:
        """Saves where the run can go on; when it returns, that survives the end of the process."""
        try:
            if hasattr(os, "posix_fallocate"):
                needed = self._file.id.get_filesize() + room_for(checkpoint) + BOOKKEEPING
                self._room = max(self._room, needed)
                os.posix_fallocate(self.disk, 0, self._room)
            write_state(self._file, checkpoint, identity)
        except (OSError, RuntimeError) as error:
            raise SimulationError(
                f"{self.path}: the state at t = {checkpoint.time:.6g} s cannot be written: "
                f"{reason_of(error)}; make room on the disk and run again"
            ) from None

    def end(self, conclusion: Mapping[str, Any], statistics: Statistics | None) -> None:
        """Adds outcome and statistics, gives back the room that was not needed, and closes."""
        if not self._file:
            return
        try:
            write_end(self._file, conclusion, statistics)
            self._file.flush()
            size = self._file.id.get_filesize()
            self._file.close()
            os.ftruncate(self.disk, size)
        except (OSError, RuntimeError) as error:
            raise SimulationError(
                f"{self.path}: the end cannot be written: {reason_of(error)}; "
                "make room on the disk and run again"
            ) from None
        finally:
            os.close(self.disk)


@contextlib.contextmanager
def writing(path: str) -> Iterator[str]:
    """The name of a new, empty file beside `path`, gone afterwards if it got no other name."""
    temporary = None
    try:
        if os.path.isdir(path):
            raise IsADirectoryError(0, "it is a folder")
        target = os.path.realpath(path)
        temporary = new_file(target, None if os.path.isfile(target) else 0o666)
        yield temporary
    except OSError as error:
        raise DiagramError(
            f"the results cannot be written: {reason_of(error)}; choose another file",
            Position(path),
        ) from None
    finally:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)


class ResultsWriter:
    """Writes the rows of a run as they come; memory stays flat.

    Every `checkpoint` seconds of computing, and at the end, it writes the state of the run, too.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        simulation: Simulation,
        checkpoint: float | None = None,
        about: Mapping[str, Any] | None = None,
        content: Content | None = None,
    ):
        from .identity import identity_of

        header = about or description(simulation)
        self._identity = identity_of(simulation.checked)
        self._every = checkpoint
        self._saved = time.monotonic()
        self._file = GrowingFile(
            os.fspath(path), results_image(simulation.columns, header), content
        )

    def append(self, rows: np.ndarray) -> None:
        """Adds rows; when it returns, they survive the end of the process."""
        if len(rows):
            self._file.append(rows)

    def save(self, simulation: Simulation) -> None:
        """Writes the state, if the last one is old enough; all rows must have been added."""
        if self._every is None or time.monotonic() - self._saved < self._every:
            return
        self._save_state(simulation)
        self._saved = time.monotonic()

    def _save_state(self, simulation: Simulation) -> None:
        state = simulation.last_state()
        if state is not None:
            self._file.save_state(state, self._identity)

    def record(
        self, simulation: Simulation, progress: Callable[[Simulation], None] | None = None
    ) -> None:
        """Runs to the end, writing; raises SimulationError if the run fails."""
        try:
            for rows in simulation.chunks():
                self.append(rows)
                self.save(simulation)
                if progress is not None:
                    progress(simulation)
        finally:
            self.close(simulation)

    def close(self, simulation: Simulation) -> None:
        """Adds the last state, statistics and outcome of the run, and ends the file."""
        if self._file.is_open:
            self._save_state(simulation)
        self._file.end(conclusion(simulation), simulation.statistics)


def image_of(write: Callable[[Any], None]) -> bytes:
    """A file without rows, written in memory."""
    import h5py

    with h5py.File("header", "w", driver="core", backing_store=False) as file:
        write(file)
        file.flush()
        return bytes(file.id.get_file_image())


def results_image(signals: Sequence[LoggedSignal], about: Mapping[str, Any]) -> bytes:
    """A results file without rows."""
    return image_of(lambda file: write_header(file, signals, about))


def write_header(file: Any, signals: Sequence[LoggedSignal], about: Mapping[str, Any]) -> None:
    """All of a results file but its rows."""
    file.attrs["format"] = FORMAT
    file.attrs["version"] = VERSION
    write_about(file, about)
    write_signals(file, signals)


def write_about(file: Any, about: Mapping[str, Any]) -> None:
    """What was run: diagram, settings, versions and the files that were read."""
    import h5py

    text = h5py.string_dtype()
    file.attrs["finished"] = False
    for name in ("title", "file", "folder", "created"):
        file.attrs[name] = clean(about.get(name, ""))
    file.attrs["seed"] = str(about.get("seed", ""))
    for name, value in about.get("versions", {}).items():
        file.attrs[f"version_{name}"] = value
    file.create_dataset("diagram", data=clean(about.get("diagram", "")), dtype=text)
    settings = file.create_group("settings").attrs
    for name, value in about.get("settings", {}).items():
        if value is not None:
            settings[name] = value
    files = about.get("files", [])
    group = file.create_group("files")
    group.create_dataset("path", data=[clean(f["path"]) for f in files], dtype=text)
    group.create_dataset("sha256", data=[f["sha256"] for f in files], dtype=text)
    group.create_dataset("size", data=[f["size"] for f in files], dtype="i8")


def write_signals(file: Any, signals: Sequence[LoggedSignal]) -> None:
    """The names of signals, and an empty table of their rows, time first."""
    import h5py

    text = h5py.string_dtype()
    group = file.create_group("signals")
    group.create_dataset("name", data=[s.name for s in signals], dtype=text)
    group.create_dataset("unit", data=[s.unit for s in signals], dtype=text)
    group.create_dataset("shape", data=[json.dumps(s.shape) for s in signals], dtype=text)
    group.create_dataset("type", data=[s.type.__name__ for s in signals], dtype=text)
    width = 1 + sum(s.size for s in signals)
    file.create_dataset(
        "rows",
        shape=(0, width),
        maxshape=(None, width),
        chunks=chunks_of(width),
        dtype="f8",
    )
    file.create_dataset("committed", data=np.int64(0))


def write_end(file: Any, end: Mapping[str, Any], statistics: Statistics | None) -> None:
    group = file.require_group("statistics").attrs
    for name, value in statistics.numbers().items() if statistics is not None else ():
        group[name] = value
    for name in ("outcome", "reason"):
        file.attrs[name] = clean(end.get(name, ""))
    file.attrs["notices"] = json.dumps(end.get("notices", []))
    file.attrs["finished"] = bool(end.get("finished", False))


def clean(text: str) -> str:
    """Text that HDF5 can hold: UTF-8 without null characters."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()
