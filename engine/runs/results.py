"""Results of a run: logged signals by name, with time, units, and where they came from.

results = simulate(load("motor.yaml"))
results["motor.omega"]          # an array over results.time; also "rig.omega[2]"
results.unit("motor.omega")     # "rad/s"
"""

from __future__ import annotations

import html
import math
import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..diagram.endpoints import Index, read_index
from ..errors import DiagramError, Position, suggestion
from ..errors.shown import shown
from ..model.signals import LoggedSignal, elements_of, first_columns
from .claim import put_in_place, refuse_taken
from .export import export
from .growing_file import GrowingFile, writing
from .results_file import ResultsWriter, conclusion, description, results_image
from .results_rows import ArrayRows, FileRows, blocks_of, load_file
from .statistics import Statistics

if TYPE_CHECKING:
    import pandas
    import xarray
    from matplotlib.figure import Figure

    from .simulation import Simulation

__all__ = ["LoggedSignal", "Results", "ResultsWriter", "Statistics"]

TIME = LoggedSignal("time", "s")
MAX_LISTED = 30


class Results:
    """Logged signals over time, in memory or in a file that is read as far as it is used."""

    def __init__(
        self,
        rows: ArrayRows | FileRows,
        signals: tuple[LoggedSignal, ...],
        meta: Mapping[str, Any] | None = None,
        statistics: Statistics | None = None,
        file: str = "",
    ):
        self.rows = rows
        self.signals = {signal.name: signal for signal in signals}
        self.meta = dict(meta or {})
        self.file = file
        self._statistics = statistics
        self._first_columns = {TIME.name: 0} | first_columns(signals)

    @classmethod
    def of(cls, simulation: Simulation, rows: np.ndarray) -> Results:
        """The results of a run from its log rows."""
        meta = description(simulation) | conclusion(simulation)
        return cls(ArrayRows(rows), simulation.columns, meta, simulation.statistics)

    @classmethod
    def from_arrays(
        cls,
        time: Any,
        signals: Mapping[str, Any],
        units: Mapping[str, str] | None = None,
        meta: Mapping[str, Any] | None = None,
    ) -> Results:
        """Results from arrays of any origin; the first axis of each is time."""
        time = np.asarray(time, dtype=float)
        arrays = {name: np.asarray(values) for name, values in signals.items()}
        for name, values in arrays.items():
            if values.shape[:1] != time.shape:
                raise DiagramError(
                    f"signal '{name}' has shape {values.shape}; expected {len(time)} rows, as many "
                    "as times"
                )
        logged = tuple(
            LoggedSignal(name, (units or {}).get(name, ""), values.shape[1:], _type_of(values))
            for name, values in arrays.items()
        )
        parts = [time[:, None]]
        parts += [
            values.reshape(len(time), math.prod(values.shape[1:])).astype(float)
            for values in arrays.values()
        ]
        return cls(ArrayRows(np.hstack(parts)), logged, meta)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Results:
        """The committed rows of a results file, also of a run that was killed."""
        file = load_file(path)
        return cls(file.rows, file.signals, file.meta, file.statistics, os.fspath(path))

    # --- signals -------------------------------------------------------------------------------
    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.signals)

    @property
    def time(self) -> np.ndarray:
        return self.rows.read(0, 1)[:, 0]

    def __getitem__(self, name: str) -> np.ndarray:
        """The signal as (times, *shape); `name[2]` or `name[0:2]` is a part of a vector."""
        signal, index = self.find(name)
        values = self.rows.read(self._first_columns[signal.name], signal.size)
        values = values.reshape(len(values), *signal.shape)
        if signal.type is not float:
            values = values.astype(signal.type)
        if index is None:
            return values
        try:
            return values[(slice(None), *index)]
        except IndexError:
            size = " x ".join(map(str, signal.shape)) or "one element"
            raise DiagramError(
                f"'{name}' is out of range: {signal.name} has {size}; indices start at 0",
                self._position,
            ) from None

    def find(self, name: str) -> tuple[LoggedSignal, Index | None]:
        """The signal of a name and the index that it carries."""
        if name in self.signals:  # names from elsewhere may have brackets of their own
            return self.signals[name], None
        base, bracket, rest = name.partition("[")
        index: Index | None = None
        if bracket:
            try:
                index = read_index(rest.removesuffix("]"))
            except ValueError as error:
                raise DiagramError(f"'{name}': [{rest} {error}", self._position) from None
        if base in self.signals:
            return self.signals[base], index
        if base == TIME.name:
            return TIME, index
        inside = [n for n in self.signals if n.rpartition(".")[0] == base]
        if len(inside) == 1:
            return self.signals[inside[0]], index
        known = ", ".join(self.names[:MAX_LISTED]) or "none"
        more = f" and {len(self.names) - MAX_LISTED} more" if len(self.names) > MAX_LISTED else ""
        raise DiagramError(
            f"'{base}' is not a logged signal{suggestion(base, self.names)}; logged are "
            f"{known}{more}",
            self._position,
        )

    def unit(self, name: str) -> str:
        """The unit of a signal; empty if it has none."""
        return self.find(name)[0].unit

    def elements(self) -> Iterator[tuple[str, LoggedSignal, int]]:
        """Every scalar: its name (`rig.omega[2]`), its signal and its column."""
        return elements_of(self.signals.values())

    def __contains__(self, name: object) -> bool:
        return name in self.signals

    def __iter__(self) -> Iterator[str]:
        return iter(self.signals)

    def __len__(self) -> int:
        """The number of logged times."""
        return self.rows.shape[0]

    @property
    def statistics(self) -> Statistics:
        """What the run took; raises DiagramError where that is not known."""
        if self._statistics is None:
            raise DiagramError(
                "there are no statistics: these are not results of a run, or it was killed",
                self._position,
            )
        return self._statistics

    # --- ways out ------------------------------------------------------------------------------
    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a results file, in one step: the file is either the old or the new one."""
        name = os.fspath(path)
        refuse_taken(name)
        with writing(name) as temporary:
            signals = tuple(self.signals.values())
            file = GrowingFile(temporary, results_image(signals, self.meta))
            try:
                for block in blocks_of(self.rows):
                    file.append(block)
            finally:
                file.end(self.meta, self._statistics)
            os.close(put_in_place(temporary, name))

    def export(self, path: str | os.PathLike[str], to: str | None = None) -> None:
        """Writes CSV, MAT or Parquet, by the ending of the path or by `to`."""
        export(self, path, to)

    def to_pandas(self) -> pandas.DataFrame:
        """A data frame: a row a time, a column a scalar; units are in `attrs`."""
        from .results_frames import data_frame

        return data_frame(self)

    def to_xarray(self) -> xarray.Dataset:
        """A data set: signals over time, with their units."""
        from .results_frames import data_set

        return data_set(self)

    def plot(
        self, *names: str, file: str | os.PathLike[str] | None = None, title: str | None = None
    ) -> Figure:
        """A figure of some signals, or of all; signals of one unit share a panel."""
        from ..plots.plotting import figure, save_figure

        drawn = figure(self, *names, title=title)
        if file is not None:
            save_figure(drawn, file)
        return drawn

    # --- showing -------------------------------------------------------------------------------
    @property
    def _position(self) -> Position | None:
        return Position(self.file) if self.file else None

    def __repr__(self) -> str:
        times = self.rows.read(0, 1)[:, 0] if len(self) else np.zeros(1)
        return (
            f"<Results of {self.meta.get('title') or 'a run'}: {len(self.signals)} signals, "
            f"{len(self)} times from {times[0]:g} s to {times[-1]:g} s>"
        )

    def _repr_html_(self) -> str:
        last = self.rows.read(0, self.rows.shape[1], max(len(self) - 1, 0))
        lines = []
        for signal in list(self.signals.values())[:MAX_LISTED]:
            first = self._first_columns[signal.name]
            values = last[:1, first : first + signal.size].ravel()
            numbers = ", ".join(f"{value:.6g}" for value in values[:4])
            numbers += ", ..." if signal.size > 4 else ""
            shape = " x ".join(map(str, signal.shape))
            cells = map(shown, (signal.name, signal.unit, shape, numbers))
            lines.append("<tr>" + "".join(f"<td>{html.escape(c)}</td>" for c in cells) + "</tr>")
        if len(self.signals) > MAX_LISTED:
            lines.append(f"<tr><td>and {len(self.signals) - MAX_LISTED} more</td></tr>")
        heads = "".join(f"<th>{head}</th>" for head in ("signal", "unit", "shape", "last value"))
        caption = html.escape(shown(repr(self).strip("<>")))
        return (
            f"<table><caption>{caption}</caption><thead><tr>{heads}</tr></thead>"
            f"<tbody>{''.join(lines)}</tbody></table>"
        )


def _type_of(values: np.ndarray) -> type:
    if values.dtype == bool:
        return bool
    return int if np.issubdtype(values.dtype, np.integer) else float
