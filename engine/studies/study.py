"""A study as it is looked at: a table of runs, with the signals that were kept.

study = Study.load("study.h5")
study["motor.J"], study["peak"]     # arrays over the runs; nan where a run has no value
study.run(7)["motor.i"]             # the kept signals of one run, as results
study.to_pandas(), study.to_xarray()
"""

from __future__ import annotations

import html
import os
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import DiagramError, Position, suggestion
from ..errors.shown import shown
from ..model.signals import LoggedSignal
from ..runs.results import Results
from ..runs.results_rows import ArrayRows
from .job import DONE, OUTCOMES, STOPPED, WAITING, Ended, Job, described_values
from .plan import SEED_PATH
from .reading import Loaded, load_study
from .study_file import about_of
from .study_tables import COST, TABLES, width_of
from .variations import Variation

if TYPE_CHECKING:
    import pandas
    import xarray
    from matplotlib.figure import Figure

SHOWN_ROWS = 20


class Study:
    """All runs of a study, those still to be made included."""

    def __init__(self, loaded: Loaded, file: str = ""):
        self.file = file
        self.variations: dict[str, Variation] = {v.path: v for v in loaded.variations}
        self.table = loaded.table
        self.summaries = dict(zip(loaded.names, loaded.texts, strict=True))
        self.signals = {signal.name: signal for signal in loaded.signals}
        self.meta = loaded.meta
        self._units = dict(zip(loaded.names, loaded.units, strict=True))
        self._tables, self._kept = loaded.tables, loaded.kept

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Study:
        """A study file, also one that is being written or whose writer was killed."""
        return cls(load_study(path), os.fspath(path))

    @classmethod
    def of(cls, job: Job, ended: list[Ended], notices: tuple[str, ...] = ()) -> Study:
        """A study in memory."""
        runs, count = len(job.plan), len(job.measures)
        tables = {
            name: np.zeros((runs, width_of(name, count)) if name in ("values", "cost") else runs, k)
            for name, k in TABLES.items()
        }
        tables["reason"] = np.full(runs, b"", object)
        parts, rows = [np.zeros((0, 1 + sum(s.size for s in job.kept_signals)))], 0
        for one in ended:
            tables["outcome"][one.run] = one.outcome
            tables["values"][one.run] = one.numbers
            tables["reason"][one.run] = one.reason.encode()
            tables["time"][one.run], tables["cost"][one.run] = one.time, one.cost
            if one.kept is not None:
                tables["first"][one.run], tables["rows"][one.run] = rows, len(one.kept)
                parts.append(one.kept)
                rows += len(one.kept)
        texts = tuple(measure.text for measure in job.measures)
        meta = about_of(job) | {"way": job.plan.way, "notices": list(notices)}
        meta["sampling"] = {"method": job.plan.sampling.method, "count": job.plan.sampling.count}
        meta["sampling"]["seed"] = job.plan.sampling.seed
        meta["own_seeds"] = job.plan.own_seeds
        kept = ArrayRows(np.concatenate(parts))
        return cls(
            Loaded(
                job.plan.variations, job.plan.table, job.names, texts, job.units, tables,
                job.kept_signals, kept, {}, meta,
            )
        )  # fmt: skip

    # --- columns -------------------------------------------------------------------------------
    @property
    def parameters(self) -> tuple[str, ...]:
        return tuple(self.variations)

    @property
    def names(self) -> tuple[str, ...]:
        """Parameters, then summaries."""
        return (*self.variations, *self.summaries)

    def __getitem__(self, name: str) -> np.ndarray:
        """A column: of numbers, or of words where a parameter is one; also `outcome`, `reason`."""
        if name in self.variations:
            column = self.table[:, list(self.variations).index(name)]
            words = self.variations[name].words
            return np.array(words)[column.astype(int)] if words else column.copy()
        if name in self.summaries:
            values = self._tables["values"][:, list(self.summaries).index(name)]
            return np.where(self._has_values, values, np.nan)
        if name == "outcome":
            return np.array(OUTCOMES)[self._tables["outcome"]]
        if name == "reason":
            return np.array([_text(reason) for reason in self._tables["reason"]], dtype=object)
        if name in COST:
            return np.asarray(self._tables["cost"][:, COST.index(name)])
        known = [*self.names, "outcome", "reason", *COST]
        raise DiagramError(
            f"'{name}' is not a column{suggestion(name, known)}; there are {', '.join(known)}",
            self._position,
        )

    @property
    def _has_values(self) -> np.ndarray:
        return np.isin(self._tables["outcome"], (DONE, STOPPED))

    def unit(self, name: str) -> str:
        """The unit of a column; empty where there is none, or the declared one is meant."""
        if name in self.variations:
            return self.variations[name].unit
        if name in self._units:
            return self._units[name]
        return "s" if name == "seconds" else ""

    def __len__(self) -> int:
        return len(self.table)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    @property
    def counts(self) -> dict[str, int]:
        """How many runs came to each outcome; `waiting` ones are still to be made."""
        found = Counter(self._tables["outcome"].tolist())
        return {name: found[k] for k, name in enumerate(OUTCOMES) if found[k]}

    @property
    def is_finished(self) -> bool:
        return not np.any(self._tables["outcome"] == WAITING)

    @property
    def ended(self) -> np.ndarray:
        """The numbers of runs that have values."""
        return np.flatnonzero(self._has_values)

    # --- one run -------------------------------------------------------------------------------
    def values(self, run: int) -> dict[str, str]:
        """What a run was given, as `--set` takes it."""
        row = self.table[self._checked(run)].tolist()
        given = {v.path: v.text(x) for v, x in zip(self.variations.values(), row, strict=True)}
        if self.meta.get("own_seeds"):
            given[SEED_PATH] = str((self._seed + run) % 2**32)
        return given

    @property
    def _seed(self) -> int:
        return int(self.meta.get("seed", 0))

    def command(self, run: int) -> str:
        """The command that makes one run by itself."""
        return f"railblocks run {self.meta.get('file', '')} {described_values(self.values(run))}"

    def run(self, run: int) -> Results:
        """The kept signals of one run; raises DiagramError where there are none."""
        index = self._checked(run)
        if not self.signals:
            raise DiagramError(
                "no signals were kept; name some, as in --keep-signals motor.i", self._position
            )
        first, count = int(self._tables["first"][index]), int(self._tables["rows"][index])
        rows = self._kept.read(0, self._kept.shape[1], first, first + count)
        meta = {"title": f"run {run}", "file": self.meta.get("file", "")}
        return Results(ArrayRows(rows), tuple(self.signals.values()), meta, file=self.file)

    def _checked(self, run: int) -> int:
        if not 0 <= run < len(self):
            raise DiagramError(
                f"there is no run {run}; expected 0 to {len(self) - 1}", self._position
            )
        return run

    def signal(self, name: str) -> LoggedSignal:
        """A kept signal by its name; raises DiagramError."""
        if name in self.signals:
            return self.signals[name]
        kept = ", ".join(self.signals) or "none"
        raise DiagramError(
            f"'{name}' was not kept{suggestion(name, self.signals)}; kept are {kept}",
            self._position,
        )

    # --- ways out ------------------------------------------------------------------------------
    def to_pandas(self) -> pandas.DataFrame:
        """The table of runs as a data frame; units are in `attrs`."""
        from .frames import data_frame

        return data_frame(self)

    def to_xarray(self) -> xarray.Dataset:
        """Summaries over parameters: a grid has an axis a parameter, others one of runs."""
        from .frames import data_set

        return data_set(self)

    def plot(
        self, *names: str, kind: str | None = None, file: str | os.PathLike[str] | None = None
    ) -> Figure:
        """A figure: `lines`, `families`, `scatter` or `tornado`; by default the one that fits."""
        from ..plots.plotting import save_figure
        from .study_figures import figure

        drawn = figure(self, names, kind)
        if file is not None:
            save_figure(drawn, file)
        return drawn

    @property
    def _position(self) -> Position | None:
        return Position(self.file) if self.file else None

    def __repr__(self) -> str:
        counts = ", ".join(f"{count} {name}" for name, count in self.counts.items())
        return f"<Study of {self.meta.get('title') or 'a diagram'}: {len(self)} runs, {counts}>"

    def cells(self, run: int) -> list[str]:
        """Values, summaries and outcome of a run, for people."""
        row = self.table[run].tolist()
        given = [v.shown(x) for v, x in zip(self.variations.values(), row, strict=True)]
        numbers = [f"{self[name][run]:.6g}" for name in self.summaries]
        return [*given, *numbers, str(self["outcome"][run]), str(self["reason"][run])]

    def _repr_html_(self) -> str:
        heads = ["run", *self.names, "outcome", "reason"]
        lines = ["".join(f"<th>{html.escape(head)}</th>" for head in heads)]
        for run in range(min(len(self), SHOWN_ROWS)):
            cells = map(shown, (str(run), *self.cells(run)))
            lines.append("".join(f"<td>{html.escape(cell)}</td>" for cell in cells))
        body = "".join(f"<tr>{line}</tr>" for line in lines)
        return (
            f"<table><caption>{html.escape(shown(repr(self).strip('<>')))}</caption>{body}</table>"
        )


def _text(reason: Any) -> str:
    return reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
