"""Modes of a vehicle, as its block declares them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from railblocks.engine.declaration import Modes
from railblocks.engine.errors import DiagramError


def modes_of_vehicle(values: Mapping[str, Any]) -> Modes:
    """Modes of a vehicle at its speed v_0, with parameters as in a diagram."""
    from .stability import RollingVehicle

    values = {name: value for name, value in values.items() if value != ""}
    speed = values.pop("v_0")
    try:
        return RollingVehicle(**values).modes(speed)
    except ValueError as error:
        raise DiagramError(f"v_0 = {speed:g} m/s: {error}") from None
