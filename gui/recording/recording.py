"""What a run recorded, growing while it runs; also measurements and earlier runs."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping

import numpy as np
from railblocks.engine.model.signals import LoggedSignal, elements_of
from railblocks.engine.runs.results import Results

from .pyramid import Pyramid

MAX_NUMBERS = 40_000_000  # of all rows together
FIRST_ROWS, GROWTH_FACTOR = 65_536, 8
LOCK_TIMEOUT_S = 0.005  # then a frame is left out


class Recording:
    """Rows of numbers, time first, written by one thread and drawn by another.

    A track is one number over time: a signal, or one element of it (`rig.omega[2]`). Beyond
    `max_numbers` every second row is forgotten, so that a run without end has room too; of
    `stride` rows one is kept.
    """

    def __init__(
        self, signals: Iterable[LoggedSignal], name: str = "", max_numbers: int = MAX_NUMBERS
    ):
        self.name = name
        self.names: Mapping[str, str] = {}  # other names of signals, by what they are called here
        self.stride = 1
        self.revision = 0  # another number whenever rows came or went
        self._max_numbers = max_numbers
        self._phase = 0
        self._lock = threading.Lock()
        elements = list(elements_of(signals))
        self.tracks = {track: signal for track, signal, _ in elements}
        self._columns = {track: column for track, _, column in elements}
        self._rows = np.empty((FIRST_ROWS, 1 + len(elements)), order="F")
        self._table = self._rows[:0]  # what is recorded; another one as a whole, never in part
        self._pyramids: dict[str, Pyramid] = {}
        self._parts: dict[tuple[str, str], list[str]] = {}

    @classmethod
    def of_results(cls, results: Results, name: str = "") -> Recording:
        """All that a results file, or a measurement, holds."""
        recording = cls(results.signals.values(), name)
        recording.append(results.rows.read(0, results.rows.shape[1]))
        return recording

    def __len__(self) -> int:
        return len(self._table)

    def append(self, rows: np.ndarray) -> None:
        with self._lock:
            kept = rows[self._phase :: self.stride]
            self._phase = (self._phase - len(rows)) % self.stride
            before, count = len(self._table), len(self._table) + len(kept)
            if count > len(self._rows):
                self._grow(count)
            self._rows[before:count] = kept[:, : self._rows.shape[1]]
            self._table = self._rows[:count]
            if self._table.size > self._max_numbers:
                self._thin()
            self.revision += 1
            for name, pyramid in self._pyramids.items():
                pyramid.extend(self.values(name))

    def _grow(self, count: int) -> None:
        """Grows seldom and by much: unwritten pages take no memory, but copies take time."""
        width = self._rows.shape[1]
        larger = np.empty(
            (max(min(GROWTH_FACTOR * count, self._max_numbers // width), 2 * count), width),
            order="F",
        )
        for column in range(width):
            larger[: len(self._table), column] = self._table[:, column]
        self._rows = larger

    def _thin(self) -> None:
        kept = self._table[::2]
        self._phase += self.stride if len(self._table) % 2 else 0
        self.stride *= 2
        self._rows = np.empty((2 * len(kept), kept.shape[1]), order="F")
        self._rows[: len(kept)] = kept
        self._table = self._rows[: len(kept)]
        self._pyramids = {name: Pyramid() for name in self._pyramids}

    def cut(self, time: float) -> None:
        """Forget what came after a time: the run goes on from there."""
        with self._lock:
            self._table = self._table[: int(np.searchsorted(self.time, time, side="right"))]
            self._phase = 0
            self.revision += 1
            self._pyramids = {name: Pyramid() for name in self._pyramids}

    def ends_at(self, time: float) -> bool:
        return len(self._table) > 0 and float(self._table[-1, 0]) == time

    @property
    def time(self) -> np.ndarray:
        return self._table[:, 0]

    def values(self, name: str) -> np.ndarray:
        return self._table[:, self._columns[name]]

    def over_time(self, *names: str) -> list[np.ndarray]:
        """The time and tracks, all of one length even while rows are being written."""
        table = self._table
        return [table[:, 0], *(table[:, self._columns[name]] for name in names)]

    def pair(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """The time and one track, of one length even while rows are being written."""
        table = self._table
        return table[:, 0], table[:, self._columns[name]]

    def parts(self, signal: str) -> list[str]:
        """The tracks of a signal: itself, or its elements."""
        name = self.names.get(signal, signal)
        if (signal, name) not in self._parts:
            elements = [track for track in self.tracks if track.startswith(f"{name}[")]
            self._parts[signal, name] = [name] if name in self.tracks else elements
        return self._parts[signal, name]

    def label(self, signal: str, track: str) -> str:
        """A part of a signal, as the signal is called, with its unit."""
        unit = self.tracks[track].unit
        text = signal + track[len(self.names.get(signal, signal)) :]
        return f"{text} [{unit}]" if unit not in ("", "1") else text

    def unit(self, signal: str) -> str:
        parts = self.parts(signal)
        return self.tracks[parts[0]].unit if parts else ""

    def envelopes(
        self, names: list[str], start: float, stop: float, pixels: int
    ) -> dict[str, tuple[np.ndarray, np.ndarray]] | None:
        """Points of tracks to draw between two times; None while rows are being written."""
        if not self._lock.acquire(timeout=LOCK_TIMEOUT_S):
            return None
        try:
            points = {}
            for name in names:
                pyramid = self._pyramids.setdefault(name, Pyramid())
                time, values = self.pair(name)
                if pyramid.count != len(values):
                    pyramid.extend(values)
                points[name] = pyramid.envelope(time, values, start, stop, pixels)
            return points
        finally:
            self._lock.release()

    def limits(self, name: str) -> tuple[float, float] | None:
        """The lowest and the highest value of a track that was drawn before."""
        with self._lock:
            pyramid = self._pyramids.get(name)
            return pyramid.limits(self.values(name)) if pyramid is not None else None

    def value_at(self, name: str, when: float) -> float:
        """The value at a time, by straight lines between rows."""
        time, values = self.pair(name)
        return float(np.interp(when, time, values)) if len(time) else float("nan")

    def results(self) -> Results:
        time, *columns = self.over_time(*self.tracks)
        units = {name: signal.unit for name, signal in self.tracks.items()}
        return Results.from_arrays(time, dict(zip(self.tracks, columns, strict=True)), units)
