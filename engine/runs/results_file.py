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

Whenever the process dies, all committed rows can be read (`growing_file`).
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ..model.signals import LoggedSignal
from ..text.files import FileRead
from .growing_file import Content, GrowingFile, chunks_of, clean
from .results_rows import FORMAT, VERSION

if TYPE_CHECKING:
    from ..analysis.checking import Checked
    from .simulation import Simulation


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
