"""Going on with a run from its results file: after a kill, after Ctrl-C, or past its end.

    railblocks run rig.yaml --checkpoint 60s
    railblocks resume rig.h5

Rows and statistics become those of a run without interruption, to the bit. So all that decides
them must be as it was: the diagram, the files that it reads, its blocks and the versions.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ..analysis.checking import check
from ..declaration.registry import Registry
from ..diagram.diagram import Diagram
from ..diagram.reader import loads
from ..diagram.values import text_node
from ..errors import DiagramError, Position, Problem
from ..memory import layout as sections
from ..program.lowering_processes import Report, unreported
from .checkpoint import Checkpoint, in_seconds
from .claim import refuse_taken
from .data_sets import OpenFile
from .growing_file import BOOKKEEPING, Content, chunks_of, room_for_rows
from .identity import difference, identity_of
from .results import Results
from .results_file import ResultsWriter, description, versions
from .results_rows import Loaded, blocks_of, damaged, load_file
from .simulation import Simulation
from .stored_state import StoredState, read_state, room_for, write_state

DECISIVE = ("railblocks", "numpy", "numba")
"""Packages of which another version may change bits."""


def resume(
    path: str | os.PathLike[str],
    stop: float | str | None = None,
    registry: Registry | None = None,
    compiled: bool = True,
    checkpoint: float | str | None = None,
    progress: Callable[[Simulation], None] | None = None,
) -> Results:
    """Goes on with the run of a results file, to its end or to `stop`, and returns all results.

    Every `checkpoint` seconds of computing the state is saved. Raises `DiagramError` where the run
    cannot go on as it began.
    """
    interrupted = find_interrupted(path, stop)
    simulation = interrupted.simulation(registry, compiled)
    every = None if checkpoint is None else in_seconds(checkpoint)
    interrupted.writer(simulation, every).record(simulation, progress)
    return Results.load(path)


def find_interrupted(
    path: str | os.PathLike[str], stop: float | str | None = None, as_stored: bool = False
) -> Interrupted:
    """The run of a results file, if it can go on; raises `DiagramError` with all reasons if not.

    With `as_stored`, the file of the diagram may have changed: the stored text is what runs.
    """
    name = os.fspath(path)
    loaded = load_file(name)
    refuse_taken(name)
    position = Position(name)
    asked = None if stop is None else in_seconds(stop)
    _refuse_ended(loaded, asked, position)
    state = _state_of(name, loaded, position)
    if asked is not None and asked <= state.time:
        raise DiagramError(
            f"the run goes on from t = {state.time:.9g} s; --stop {asked:g} s is not after that",
            position,
        )
    problems = [*_other_versions(loaded, position), *_changed_files(loaded, position, as_stored)]
    if problems:
        raise DiagramError(problems)
    meta = loaded.meta
    diagram = loads(meta["diagram"], meta["file"] or "<text>", meta["folder"])
    if asked is not None:
        diagram = diagram.with_values(_new_end(asked, loaded, state, position))
    return Interrupted(name, loaded, state, diagram)


@dataclass(frozen=True, eq=False)
class Interrupted:
    """A run in its results file that can go on: its diagram, and where it is."""

    path: str
    loaded: Loaded
    state: StoredState
    diagram: Diagram

    def simulation(
        self,
        registry: Registry | None = None,
        compiled: bool = True,
        report: Report = unreported,
    ) -> Simulation:
        """The run, as it was; raises DiagramError if the diagram computes something else now."""
        checked = check(self.diagram, registry)
        wrong = difference(self.state.identity, identity_of(checked))
        if wrong:
            raise self._refusal(f"cannot go on: {wrong}; run it anew")
        simulation = Simulation(checked, compiled, report=report)
        if len(self.state.memory) != len(simulation.w):
            raise self._refusal("cannot go on: the state is of another diagram; run it anew")
        simulation.go_on(Checkpoint(self.state.memory, checked, self.state.wall, self.state.rows))
        return simulation

    def writer(self, simulation: Simulation, checkpoint: float | None = None) -> ResultsWriter:
        """A writer whose file has all rows up to the state; it takes the place of the old one."""
        about = description(simulation) | {"created": self.loaded.meta["created"]}

        state, width = simulation.checkpoint(), self.loaded.rows.shape[1]
        room = room_for_rows(self.state.rows, chunks_of(width), width) + room_for(state)
        content = Content(room + BOOKKEEPING, lambda file: self._fill(file, state))
        return ResultsWriter(self.path, simulation, checkpoint, about, content)

    def _fill(self, file: Any, state: Checkpoint) -> None:
        """Copies the rows up to the state, some at a time, and the state."""
        rows, done = file["rows"], 0
        rows.resize(self.state.rows, axis=0)
        for block in blocks_of(self.loaded.rows):
            part = block[: self.state.rows - done]
            if not len(part):
                break
            rows[done : done + len(part)] = part
            done += len(part)
        file["committed"][()] = self.state.rows
        write_state(file, state, self.state.identity)

    def _refusal(self, message: str) -> DiagramError:
        return DiagramError(message, Position(self.path))


def _state_of(path: str, loaded: Loaded, position: Position) -> StoredState:
    try:
        with OpenFile(path) as file:
            state = read_state(file, loaded.rows.shape[0])
    except DiagramError:
        raise
    except Exception as error:  # h5py raises anything for damaged files
        raise damaged(path, error) from None
    if state is None:
        raise DiagramError(
            "holds no state from which the run could go on; a run saves it at its end, and while "
            "it goes on with --checkpoint: run the diagram again",
            position,
        )
    return state


def _refuse_ended(loaded: Loaded, stop: float | None, position: Position) -> None:
    """Refuses runs that ended by themselves, and ends that lie behind."""
    outcome, end = loaded.meta.get("outcome", ""), float(loaded.meta["settings"]["stop"])
    if outcome == "stopped":
        reason = loaded.meta.get("reason") or "a block stopped it"
        raise DiagramError(f"the run has ended by itself: {reason}", position)
    if outcome == "done" and (stop is None or stop <= end):
        asked = "" if stop is None else f", and --stop {stop:g} s is not after that"
        raise DiagramError(
            f"the run is done, at t = {end:g} s{asked}; expected a later end, as in --stop "
            f"'{2 * end:g} s'",
            position,
        )


def _other_versions(loaded: Loaded, position: Position) -> Iterator[Problem]:
    present, then = versions(), loaded.meta["versions"]
    for name in DECISIVE:
        if name in then and present.get(name, "") != then[name]:
            here = present.get(name) or "missing"
            yield Problem(
                position,
                f"the run began with {name} {then[name]}, and this is {here}; numbers might "
                f"differ: run the diagram anew, or go on with {name} {then[name]}",
            )


def _changed_files(loaded: Loaded, position: Position, as_stored: bool) -> Iterator[Problem]:
    """What is no longer as the run has read it."""
    folder, diagram = loaded.meta["folder"], os.path.basename(loaded.meta["file"])
    for entry in loaded.meta["files"]:
        path = os.path.join(folder, entry["path"])
        change = _change(path, entry["size"], entry["sha256"])
        if not change:
            continue
        if entry["path"] != diagram:
            yield Problem(
                position,
                f"the file {path} {change} since the run began; put it back, or run the diagram "
                "anew",
            )
        elif not as_stored and change != "is missing":
            yield Problem(
                position,
                f"the diagram {path} {change} since the run began; run it anew, or go on with "
                "the one that ran, which is stored here, by --as-stored",
            )


def _change(path: str, size: int, sha256: str) -> str:
    try:
        if os.path.getsize(path) != size:
            return "has changed"
        with open(path, "rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return "is missing"
    return "" if digest == sha256 else "has changed"


def _new_end(stop: float, loaded: Loaded, state: StoredState, position: Position) -> dict[str, Any]:
    """Settings for another end; the largest step stays as it was, so that the steps do too."""
    if stop == loaded.meta["settings"]["stop"]:
        return {}
    if state.memory[sections.NEAR_STOP] != 0.0:
        raise DiagramError(
            "the state is one in which the end of the run has bounded a step; go on without --stop",
            position,
        )
    settings = {"solver.stop": text_node(f"{stop!r} s", Position("--stop"))}
    if "max_step" not in loaded.meta["settings"]:
        longest = float(state.memory[sections.H_MAX])
        settings["solver.max_step"] = text_node(f"{longest!r} s", position)
    return settings
