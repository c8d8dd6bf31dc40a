"""Studies on disk: an HDF5 file that is written while runs end, and that goes on after a kill.

    /                attributes: format, title, file, seed, versions, identity, way, sampling, ...
    /diagram         the text of the diagram, with all values given to the study
    /settings        attributes: solver and log settings of the first run
    /files/...       path, sha256 and size of every file that was read
    /plan/...        path, unit and words of each parameter; values: a row a run
    /summaries/...   name, text and unit of each measure
    /runs/...        tables with a row a run: outcome, values, reason, time, cost, first, rows
    /signals/...     the kept signals, as in a results file
    /rows            their rows, run by run; `first` and `rows` say which are a run's
    /committed       how many of these are complete

The tables of `/runs` have their whole size from the start and lie in one piece, so that a row is
written into the file without HDF5, which could leave a file that nobody can read. The outcome comes
last: whenever the process dies, a run is there with all that belongs to it, or is still to be made.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ..errors import DiagramError, Position, SimulationError
from ..files.locks import lock
from ..runs.claim import READ
from ..runs.data_sets import own
from ..runs.growing_file import GrowingFile, clean
from ..runs.results_file import (
    about,
    image_of,
    versions,
    write_about,
    write_signals,
)
from ..runs.results_rows import reason_of
from .job import WAITING, Ended, Job
from .reading import load_study
from .study_tables import FORMAT, REASON_BYTES, TABLES, VERSION, is_study, width_of


@dataclass(frozen=True)
class Table:
    """A table in one piece of the file."""

    offset: int
    dtype: np.dtype[Any]
    width: int

    def put(self, disk: int, run: int, values: Any) -> None:
        data = np.asarray(values, self.dtype).reshape(self.width).tobytes()
        os.pwrite(disk, data, self.offset + run * len(data))


class StudyFile:
    """A study that is being written."""

    def __init__(self, path: str, job: Job):
        """A new file; raises DiagramError where it cannot be written."""
        image = image_of(lambda file: _write_header(file, job))
        self._begin(GrowingFile(path, image), job)

    @classmethod
    def resumed(cls, path: str, job: Job, disk: int) -> StudyFile:
        """A file that has some of the runs; `disk` is its locked handle."""
        study = cls.__new__(cls)
        study._begin(GrowingFile.reopened(path, disk), job)
        return study

    def _begin(self, file: GrowingFile, job: Job) -> None:
        self.path, self._file = file.path, file
        group, summaries = file.group("runs"), len(job.measures)
        self._tables = {
            name: Table(_offset(group, name), np.dtype(kind), width_of(name, summaries))
            for name, kind in TABLES.items()
            if width_of(name, summaries)
        }
        self.outcomes = group["outcome"][:]

    @property
    def waiting(self) -> list[int]:
        """The runs that are still to be made."""
        return [int(k) for k in np.flatnonzero(self.outcomes == WAITING)]

    def add(self, ended: Sequence[Ended]) -> None:
        """Writes runs that have ended; when it returns, they survive the end of the process."""
        kept = [one for one in ended if one.kept is not None and len(one.kept)]
        places = {}
        if kept:
            first = self._file.count
            for one in kept:
                assert one.kept is not None
                places[one.run] = first
                first += len(one.kept)
            self._file.append(np.concatenate([one.kept for one in kept if one.kept is not None]))
        try:
            for one in ended:
                self._put(one, places.get(one.run, 0))
        except OSError as error:
            raise SimulationError(
                f"{self.path}: a run cannot be written: {reason_of(error)}; make room on the disk "
                "and do the same again: the study goes on"
            ) from None

    def _put(self, one: Ended, first: int) -> None:
        rows: dict[str, Any] = {
            "values": one.numbers,
            "time": one.time,
            "cost": one.cost,
            "first": first,
            "rows": 0 if one.kept is None else len(one.kept),
        }
        if one.reason:
            rows["reason"] = _short(one.reason)
        for name, row in rows.items():
            if name in self._tables:
                self._tables[name].put(self._file.disk, one.run, row)
        self._tables["outcome"].put(self._file.disk, one.run, one.outcome)
        self.outcomes[one.run] = one.outcome

    def close(self, notices: Sequence[str] = ()) -> None:
        whole = not np.any(self.outcomes == WAITING)
        outcome = "done" if whole else "unfinished"
        self._file.end({"finished": whole, "outcome": outcome, "notices": list(notices)}, None)


def _short(reason: str) -> bytes:
    """As much of a reason as there is room for, cut between characters."""
    data = clean(reason).encode()
    if len(data) > REASON_BYTES:
        data = data[: REASON_BYTES - 3].decode(errors="ignore").encode() + b"..."
    return data


def _offset(group: Any, name: str) -> int:
    offset = own(group.file, f"runs/{name}").id.get_offset()
    if offset is None:
        raise ValueError(f"'runs/{name}' does not lie in one piece")
    return int(offset)


# --- the header --------------------------------------------------------------------------------
def identity_of(job: Job) -> dict[str, str]:
    """What makes two studies the same, by what a message calls it."""
    import hashlib

    from ..diagram.saving import text_of

    files = sorted((os.path.basename(f.path), f.sha256) for f in job.first.files)
    parts = {
        "railblocks": versions().get("railblocks", ""),
        "the diagram": text_of(job.plain),
        "a file that the diagram reads": repr(files),
        "the varied values": job.plan.digest(),
        "the summaries": repr(
            [(name, m.text) for name, m in zip(job.names, job.measures, strict=True)]
        ),
        "the kept signals": repr(job.kept),
        "the way of running": "compiled" if job.compiled else "interpreted",
    }
    return {name: hashlib.sha256(text.encode()).hexdigest()[:32] for name, text in parts.items()}


def about_of(job: Job) -> dict[str, Any]:
    """What the header says of the diagram."""
    from ..diagram.saving import text_of

    return about(job.first, text_of(job.plain))


def _write_header(file: Any, job: Job) -> None:
    import h5py

    text, plan = h5py.string_dtype(), job.plan
    file.attrs["format"] = FORMAT
    file.attrs["version"] = VERSION
    write_about(file, about_of(job))
    file.attrs["identity"] = json.dumps(identity_of(job))
    file.attrs["way"] = plan.way
    file.attrs["sampling"] = json.dumps(asdict(plan.sampling))
    file.attrs["own_seeds"] = plan.own_seeds
    group = file.create_group("plan")
    group.create_dataset("path", data=[v.path for v in plan.variations], dtype=text)
    group.create_dataset("unit", data=[v.unit for v in plan.variations], dtype=text)
    group.create_dataset("words", data=[json.dumps(v.words) for v in plan.variations], dtype=text)
    group.create_dataset("values", data=plan.table, dtype="f8")
    group = file.create_group("summaries")
    group.create_dataset("name", data=list(job.names), dtype=text, shape=(len(job.names),))
    texts = [measure.text for measure in job.measures]
    group.create_dataset("text", data=texts, dtype=text, shape=(len(texts),))
    group.create_dataset("unit", data=list(job.units), dtype=text, shape=(len(texts),))
    group = file.create_group("runs")
    for name, kind in TABLES.items():
        width = width_of(name, len(job.measures))
        if width:
            _add_table(group, name, kind, len(plan), width)
    write_signals(file, job.kept_signals)


def _add_table(group: Any, name: str, kind: str, rows: int, width: int) -> None:
    """A table of its whole size, in one piece."""
    import h5py

    shape = (rows,) if width == 1 and name != "values" else (rows, width)
    properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    properties.set_layout(h5py.h5d.CONTIGUOUS)
    properties.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
    space = h5py.h5s.create_simple(shape)
    kind_id = h5py.h5t.py_create(np.dtype(kind), logical=True)
    h5py.h5d.create(group.id, name.encode(), kind_id, space, dcpl=properties)


# --- going on ----------------------------------------------------------------------------------
def opened(path: str, job: Job) -> StudyFile:
    """The file of a study: a new one, or one that has some of the runs already.

    Raises DiagramError for a file that is something else, or another study.
    """
    if not os.path.exists(path) or (os.path.isfile(path) and os.path.getsize(path) == 0):
        return StudyFile(path, job)
    position = Position(path)
    if not os.path.isfile(path):
        raise DiagramError("is not a regular file; choose another file", position)
    try:
        disk = os.open(os.path.realpath(path), READ)
    except OSError as error:
        raise DiagramError(
            f"cannot be written: {reason_of(error)}; choose another file", position
        ) from None
    try:
        if not lock(disk):
            raise DiagramError(
                "another study is writing to this file; choose another file with -o, or wait",
                position,
            )
        _refuse_another(path, job)
        return StudyFile.resumed(path, job, disk)
    except DiagramError:
        with contextlib.suppress(OSError):
            os.close(disk)
        raise


def _refuse_another(path: str, job: Job) -> None:
    """Raises DiagramError for a file that is not this study, with the reason."""
    position = Position(path)
    if not is_study(path):
        raise DiagramError(
            "the file exists and is not a study; choose another name, or delete the file", position
        )
    held = load_study(path)
    ours = identity_of(job)
    for name, digest in ours.items():
        if held.identity.get(name) != digest:
            raise DiagramError(_another(name, held.meta, job), position)
    if held.runs != len(job.plan):
        raise DiagramError(_another("the varied values", held.meta, job), position)


def _another(name: str, meta: Mapping[str, Any], job: Job) -> str:
    if name == "railblocks":
        was, now = meta.get("versions", {}).get(name, "another"), versions().get(name, "")
        reason = f"it was made by railblocks {was}, and this is {now}"
    else:
        reason = f"{name} {'is' if 'way' in name or 'diagram' in name else 'are'} not the same"
    return f"holds another study: {reason}; choose another name, or delete the file"
