"""What a run recorded, growing while it runs; also measurements and earlier runs."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from railblocks.engine.diagram.endpoints import index_text
from railblocks.engine.runs.results import Results

from .pyramid import Pyramid

MOST_NUMBERS = 40_000_000
PATIENCE = 0.005  # s; a frame that comes later is not missed


@dataclass(frozen=True)
class Track:
    """One number over time: a signal, or one element of a vector."""

    name: str
    unit: str
    column: int


class Recording:
    """Rows of numbers, time first, written by one thread and drawn by another.

    Room is doubled when it is used up. Beyond `most` numbers every second row is forgotten, so
    that a run without end has room too; `stride` tells of how many rows one is kept.
    """

    def __init__(self, tracks: Iterable[Track], name: str = "", most: int = MOST_NUMBERS):
        self.name = name
        self.stride = 1
        self._most = most
        self._phase = 0
        self._lock = threading.Lock()
        self.tracks = {track.name: track for track in tracks}
        width = 1 + max((track.column for track in self.tracks.values()), default=0)
        self._rows = np.empty((1024, width), order="F")
        self._count = 0
        self._pyramids: dict[str, Pyramid] = {}

    @classmethod
    def of_columns(cls, columns, name: str = "") -> Recording:
        """For the log rows of a simulation."""
        tracks, place = [], 1
        for column in columns:
            for index in np.ndindex(*column.shape):
                tracks.append(Track(column.name + index_text(index or None), column.unit, place))
                place += 1
        return cls(tracks, name)

    @classmethod
    def of_results(cls, results: Results, name: str = "") -> Recording:
        """All that a results file, or a measurement, holds."""
        tracks = [Track(n, signal.unit, column) for n, signal, column in results.elements()]
        recording = cls(tracks, name)
        recording.append(results.rows.read(0, results.rows.shape[1]))
        return recording

    def __len__(self) -> int:
        return self._count

    def append(self, rows: np.ndarray) -> None:
        with self._lock:
            kept = rows[self._phase :: self.stride]
            self._phase = (self._phase - len(rows)) % self.stride
            count = self._count + len(kept)
            if count > len(self._rows):
                larger = np.empty((2 * count, self._rows.shape[1]), order="F")
                larger[: self._count] = self._rows[: self._count]
                self._rows = larger
            self._rows[self._count : count] = kept[:, : self._rows.shape[1]]
            self._count = count
            if count * self._rows.shape[1] > self._most:
                self._thin()
            for name, pyramid in self._pyramids.items():
                pyramid.extend(self.values(name))

    def _thin(self) -> None:
        kept = self._rows[: self._count : 2]
        self._phase += self.stride if self._count % 2 else 0
        self.stride *= 2
        self._rows = np.concatenate([kept, np.empty_like(kept)]).copy(order="F")
        self._count = len(kept)
        self._pyramids = {name: Pyramid() for name in self._pyramids}

    def cut(self, time: float) -> None:
        """Forget what came after a time: the run goes on from there."""
        with self._lock:
            self._count = int(np.searchsorted(self.time, time, side="right"))
            self._pyramids = {name: Pyramid() for name in self._pyramids}

    @property
    def time(self) -> np.ndarray:
        return self._rows[: self._count, 0]

    def values(self, name: str) -> np.ndarray:
        return self._rows[: self._count, self.tracks[name].column]

    def parts(self, signal: str) -> list[str]:
        """The tracks of a signal: itself, or its elements."""
        if signal in self.tracks:
            return [signal]
        return [name for name in self.tracks if name.startswith(f"{signal}[")]

    def unit(self, signal: str) -> str:
        found = self.parts(signal)
        return self.tracks[found[0]].unit if found else ""

    def envelope(
        self, name: str, start: float, stop: float, pixels: int
    ) -> tuple[np.ndarray, np.ndarray] | None:
        """Points of a track to draw between two times; None while rows are being written."""
        if not self._lock.acquire(timeout=PATIENCE):
            return None
        try:
            pyramid = self._pyramids.setdefault(name, Pyramid())
            values = self.values(name)
            if pyramid.count != len(values):
                pyramid.extend(values)
            return pyramid.envelope(self.time, values, start, stop, pixels)
        finally:
            self._lock.release()

    def value_at(self, name: str, time: float) -> float:
        """The value at a time, by straight lines between rows."""
        return float(np.interp(time, self.time, self.values(name))) if self._count else float("nan")

    def results(self) -> Results:
        signals = {name: self.values(name) for name in self.tracks}
        units = {name: track.unit for name, track in self.tracks.items()}
        return Results.from_arrays(self.time, signals, units)
