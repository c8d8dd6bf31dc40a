"""Frequency responses of a block: what its `@response` functions give at some frequencies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..declaration import EACH, FREQUENCY, Declaration
from ..errors import DiagramError, Position
from ..model.model import Instance

MIN_FREQUENCY_HZ, MAX_FREQUENCY_HZ = 1e-5, 1e6
SEARCH_POINTS, PLOT_POINTS = 6000, 3000
MIN_TURN_PER_DECADE = np.radians(10.0)
"""Turn of the phase over a decade, in rad, from which a frequency is worth showing."""
DEFAULT_BAND_HZ = (1e-2, 1e2)
"""The band that is shown of blocks whose phase does not turn."""


@dataclass(frozen=True)
class Responses:
    """Complex responses by name over frequencies in Hz; one of two axes is a family."""

    frequencies: np.ndarray
    values: dict[str, np.ndarray]


def can_respond(declaration: Declaration) -> bool:
    return bool(declaration.of_kind("response"))


def responses(
    instance: Instance, declaration: Declaration, band: tuple[float, float] | None = None
) -> Responses:
    """Responses over a band of frequencies in Hz, or where the phase turns.

    The declaration is that of the block type before it was specialised.
    """
    highest = MAX_FREQUENCY_HZ
    if declaration.sampled:
        highest = 0.5 / instance.values[declaration.sampled]
    if band is None:
        band = _interesting(instance, declaration, highest)
    low, high = band[0], min(band[1], highest)
    if not 0.0 < low < high:
        raise DiagramError(
            f"frequencies from {band[0]:g} to {band[1]:g} Hz; expected a rising pair above 0 and "
            f"below {highest:g} Hz",
            Position("--range"),
        )
    f = np.geomspace(low, high, PLOT_POINTS)
    return Responses(f, _values(instance, declaration, f))


def _interesting(
    instance: Instance, declaration: Declaration, highest: float
) -> tuple[float, float]:
    """The band from the first to the last frequency at which a phase turns."""
    f = np.geomspace(MIN_FREQUENCY_HZ, highest, SEARCH_POINTS)
    rows = np.vstack([np.atleast_2d(v) for v in _values(instance, declaration, f).values()])
    turns = np.abs(np.angle(rows[:, 1:] / rows[:, :-1])) / np.diff(np.log10(f))
    busy = np.flatnonzero((np.nan_to_num(turns) > MIN_TURN_PER_DECADE).any(axis=0))
    if not len(busy):
        return max(DEFAULT_BAND_HZ[0], MIN_FREQUENCY_HZ), min(DEFAULT_BAND_HZ[1], highest)
    return float(f[busy[0]]), float(f[busy[-1] + 1])


def _values(instance: Instance, declaration: Declaration, f: np.ndarray) -> dict[str, np.ndarray]:
    """Values of all responses; where a parameter has many values, one for each element."""
    each = {
        name: np.ravel(instance.values[name])
        for name, item in declaration.items.items()
        if item.shape == EACH and np.ndim(instance.values.get(name, 0.0)) > 0
    }
    count = max((len(values) for values in each.values()), default=0)
    by_name: dict[str, np.ndarray] = {}
    for i in range(max(count, 1)):
        chosen = {name: values[i] for name, values in each.items()}
        for name, values in _of_element(instance, declaration, f, chosen).items():
            by_name[f"{name}, element {i}" if count else name] = values
    return by_name


def _of_element(
    instance: Instance, declaration: Declaration, f: np.ndarray, chosen: dict[str, Any]
) -> dict[str, np.ndarray]:
    known = {**instance.values, **chosen, FREQUENCY: 2j * np.pi * f}
    by_name: dict[str, np.ndarray] = {}
    with np.errstate(divide="ignore", invalid="ignore"):
        for equation in declaration.of_kind("response"):
            by_name |= equation.function(*[known[name] for name in equation.arguments])
    return {name: np.asarray(values, dtype=complex) for name, values in by_name.items()}
