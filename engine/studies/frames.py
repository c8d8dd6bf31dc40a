"""Studies and results for pandas and xarray, which are extras."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..runs.extras import needed
from .table import StudyTable


def data_frame(study: StudyTable) -> Any:
    """A row a run: parameters, summaries, outcome and reason; units are in `attrs`."""
    pandas = needed("pandas")
    columns = {name: study[name] for name in (*study.names, "outcome", "reason")}
    frame = pandas.DataFrame(columns)
    frame.index.name = "run"
    frame.attrs["units"] = {name: study.unit(name) for name in study.names}
    return frame


def data_set(study: StudyTable) -> Any:
    """Summaries with an axis for each parameter of a grid, else with one of runs."""
    xarray = needed("xarray")
    values = {name: study[name] for name in (*study.summaries, "outcome")}
    if study.meta.get("way") == "grid":
        axes = [np.unique(column, return_index=True)[1] for column in study.table.T]
        coordinates: dict[str, Any] = {
            path: study[path][np.sort(first)]
            for path, first in zip(study.parameters, axes, strict=True)
        }
        shape = tuple(map(len, coordinates.values()))
        variables: dict[str, Any] = {
            name: (study.parameters, column.reshape(shape)) for name, column in values.items()
        }
    else:
        coordinates = {path: ("run", study[path]) for path in study.parameters}
        coordinates["run"] = np.arange(len(study))
        variables = {name: ("run", column) for name, column in values.items()}
    data = xarray.Dataset(variables, coordinates)
    for name in study.names:
        data[name].attrs["units"] = study.unit(name)
    return data
