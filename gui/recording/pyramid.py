"""Minima and maxima of stretches of a signal, so that millions of points are drawn as thousands."""

from __future__ import annotations

import numpy as np

FACTOR = 16  # values of a level in one of the next


class Pyramid:
    """Levels of (lowest, highest) over 16, 256, 4096, ... values; grows with its signal."""

    def __init__(self) -> None:
        self._levels: list[np.ndarray] = []
        self._filled: list[int] = []
        self.count = 0

    def extend(self, values: np.ndarray) -> None:
        """Take in all values that came since the last time; `values` is the whole signal."""
        pairs = values[:, None]
        self.count = len(values)
        level = 0
        while len(pairs) >= FACTOR:
            if level == len(self._levels):
                self._levels.append(np.empty((64, 2)))
                self._filled.append(0)
            done, full = self._filled[level], len(pairs) // FACTOR
            if full > len(self._levels[level]):
                larger = np.empty((2 * full, 2))
                larger[:done] = self._levels[level][:done]
                self._levels[level] = larger
            if full > done:
                part = pairs[done * FACTOR : full * FACTOR].reshape(full - done, FACTOR, -1)
                self._levels[level][done:full, 0] = part[:, :, 0].min(axis=1)
                self._levels[level][done:full, 1] = part[:, :, -1].max(axis=1)
                self._filled[level] = full
            pairs = self._levels[level][:full]
            level += 1

    def limits(self, values: np.ndarray) -> tuple[float, float] | None:
        """The lowest and the highest of all values; None if none is finite."""
        covered, parts = 0, []
        for level in reversed(range(len(self._levels))):
            size = FACTOR ** (level + 1)
            parts.append(self._levels[level][covered // size : self._filled[level]].ravel())
            covered = self._filled[level] * size
        ends = np.concatenate([*parts, values[covered : self.count]])
        ends = ends[np.isfinite(ends)]
        return (float(ends.min()), float(ends.max())) if len(ends) else None

    def envelope(
        self, time: np.ndarray, values: np.ndarray, start: float, stop: float, pixels: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Points to draw between two times: all, or the lowest and highest of each stretch."""
        time, values = time[: self.count], values[: self.count]
        first = max(int(np.searchsorted(time, start)) - 1, 0)
        last = min(int(np.searchsorted(time, stop, side="right")) + 1, len(time))
        size, level = 1, -1
        while (last - first) / size > FACTOR * pixels and level + 1 < len(self._levels):
            level += 1
            size *= FACTOR
        group = max((last - first) // (size * pixels), 1)  # at least one stretch for each pixel
        if level < 0 and group < 3:
            return time[first:last], values[first:last]
        low = first // size
        high = len(values) // size if level < 0 else self._filled[level]
        high = low + (min(-(-last // size), high) - low) // group * group
        lowest, highest = self._stretches(level, values, low, high, group)
        x = np.repeat(time[low * size : high * size : size * group], 2)
        tail = high * size
        after = np.append(values[low * size + size * group : tail : size * group], values[tail - 1])
        falls = after - lowest < highest - after  # then the lowest is nearer to what comes next
        y = np.where(falls, (highest, lowest), (lowest, highest)).T.ravel()
        if tail < last:
            x = np.concatenate([x, time[tail:last]])
            y = np.concatenate([y, values[tail:last]])
        return x, y

    def _stretches(
        self, level: int, values: np.ndarray, low: int, high: int, group: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Lowest and highest of groups of stretches."""
        if level < 0:
            both = values[low:high].reshape(-1, group)
            return both.min(axis=1), both.max(axis=1)
        pairs = self._levels[level][low:high].reshape(-1, group, 2)
        return pairs[:, :, 0].min(axis=1), pairs[:, :, 1].max(axis=1)
