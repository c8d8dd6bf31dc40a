"""The plan of a study: all its runs as a table of values, made before the first one begins."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..errors import DiagramError, Position
from .samples import points, refuse_method, rows_of
from .variations import Variation

WAYS = ("grid", "zip", "samples")
MOST_RUNS = 10_000_000
SEED_PATH = "solver.seed"


@dataclass(frozen=True)
class Sampling:
    """How many samples are drawn, in which way, from which seed; none for listed values."""

    count: int = 0
    method: str = "lhs"
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Plan:
    """A column a parameter, a row a run; words are numbered in the order of their variation.

    With `own_seeds` the random sources of run i have the diagram's seed plus i.
    """

    variations: tuple[Variation, ...]
    table: np.ndarray
    way: str
    sampling: Sampling = Sampling()
    own_seeds: bool = False

    def __len__(self) -> int:
        return len(self.table)

    @property
    def paths(self) -> tuple[str, ...]:
        """All that `values` gives values to."""
        paths = tuple(variation.path for variation in self.variations)
        return (*paths, SEED_PATH) if self.own_seeds else paths

    def values(self, run: int, seed: int = 0) -> dict[str, str]:
        """What `--set` would take for a run; `seed` is that of the diagram."""
        row = self.table[run].tolist()
        values = {v.path: v.text(x) for v, x in zip(self.variations, row, strict=True)}
        if self.own_seeds:
            values[SEED_PATH] = str((seed + run) % 2**32)
        return values

    def digest(self) -> str:
        """A sum over all that the plan says."""
        parts = [(v.path, v.unit, v.words) for v in self.variations]
        content = repr((parts, self.own_seeds, self.table.shape)).encode()
        return hashlib.sha256(content + np.ascontiguousarray(self.table).tobytes()).hexdigest()


def plan_of(
    variations: Sequence[Variation],
    way: str | None = None,
    sampling: Sampling | None = None,
    own_seeds: bool = False,
) -> Plan:
    """The runs of a study: all combinations (`grid`), side by side (`zip`), or drawn samples."""
    _refuse_unclear(variations, own_seeds)
    if sampling is not None and sampling.count:
        if way not in (None, "samples"):
            raise DiagramError(f"samples are not a {way}; give --samples or --{way}")
        table = _samples(variations, sampling)
        return Plan(tuple(variations), table, "samples", sampling, own_seeds)
    for variation in variations:
        if not variation.count:
            raise DiagramError(
                f"{variation.path} is a range or a distribution without a number of values; "
                "write LOW..HIGH:COUNT, or draw samples with --samples N",
                Position("--vary"),
            )
    table = _zip(variations) if way == "zip" else _grid(variations)
    return Plan(tuple(variations), table, way or "grid", own_seeds=own_seeds)


def _refuse_unclear(variations: Sequence[Variation], own_seeds: bool) -> None:
    if not variations:
        raise DiagramError("nothing varies; name a parameter, as in --vary motor.J=1e-4..4e-4:50")
    paths = [variation.path for variation in variations]
    twice = sorted({path for path in paths if paths.count(path) > 1})
    if twice:
        raise DiagramError(f"{twice[0]} varies twice; name each parameter once")
    if own_seeds and SEED_PATH in paths:
        raise DiagramError(f"{SEED_PATH} varies already; leave --own-seeds out")


def _refuse_many(runs: int) -> None:
    if runs > MOST_RUNS:
        raise DiagramError(f"these are {runs} runs; expected at most {MOST_RUNS}")


def _listed(variation: Variation) -> np.ndarray:
    return np.arange(float(variation.count)) if variation.words else np.array(variation.numbers)


def _grid(variations: Sequence[Variation]) -> np.ndarray:
    _refuse_many(math.prod(variation.count for variation in variations))
    axes = np.meshgrid(*map(_listed, variations), indexing="ij")
    return np.stack([axis.ravel() for axis in axes], axis=1)


def _zip(variations: Sequence[Variation]) -> np.ndarray:
    counts = {variation.path: variation.count for variation in variations}
    if len(set(counts.values())) > 1:
        shown = ", ".join(f"{path} has {count}" for path, count in counts.items())
        raise DiagramError(f"values side by side must be equally many: {shown}", Position("--zip"))
    return np.stack([_listed(variation) for variation in variations], axis=1)


def _samples(variations: Sequence[Variation], sampling: Sampling) -> np.ndarray:
    refuse_method(sampling.method)
    _refuse_many(rows_of(sampling.method, sampling.count, len(variations)))
    cube = points(sampling.method, sampling.count, len(variations), sampling.seed)
    columns = [variation.drawn(cube[:, k]) for k, variation in enumerate(variations)]
    table = np.stack(columns, axis=1)
    if not np.isfinite(table).all():
        run, column = (int(i[0]) for i in np.nonzero(~np.isfinite(table)))
        path = variations[column].path
        raise DiagramError(f"{path} is {table[run, column]} in run {run}; choose bounded values")
    return table
