"""Results for pandas and xarray, which are extras."""

from __future__ import annotations

from typing import Any

from ..model.signals import SignalTable
from .extras import needed


def data_frame(results: SignalTable) -> Any:
    """A row a time, a column a scalar; units are in `attrs`."""
    pandas = needed("pandas")
    columns = {name: results.rows.read(k, 1)[:, 0] for name, _, k in results.elements()}
    frame = pandas.DataFrame(columns, index=pandas.Index(results.time, name="time"))
    for name, signal, _ in results.elements():
        if signal.type is not float:
            frame[name] = frame[name].astype(signal.type)
    frame.attrs["units"] = {name: signal.unit for name, signal, _ in results.elements()}
    return frame


def data_set(results: SignalTable) -> Any:
    """Signals over time; elements of vectors have axes of their own."""
    xarray = needed("xarray")
    variables = {
        name: (
            ("time", *(f"{name}_{axis}" for axis in range(results[name].ndim - 1))),
            results[name],
        )
        for name in results.names
    }
    data = xarray.Dataset(variables, {"time": results.time})
    data["time"].attrs["units"] = "s"
    for name in results.names:
        data[name].attrs["units"] = results.unit(name)
    data.attrs["title"] = str(results.meta.get("title", ""))
    return data
