"""Signals at a point: their values, and constants in place of some."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..analysis.checking import Checked
from ..memory.slots import Key
from ..runs.simulation import Simulation
from .ports import PortElements, driver_elements, find_elements, refuse_other_than_real
from .rewiring import Change, Replaced, rewired


def signal_values(simulation: Simulation) -> dict[Key, np.ndarray]:
    """All outputs as they follow from the states of a run now; held ones as they are."""
    return simulation.values_at(simulation.checkpoint())


def replaced_by(checked: Checked, ports: Mapping[str, float]) -> Checked:
    """The diagram with constants in place of what drives some ports."""
    if not ports:
        return checked
    cuts = []
    for name, value in ports.items():
        at = find_elements(checked.model, name, "ports")
        refuse_other_than_real([at], "held", "ports")
        cuts.append(Change(at, Replaced, {"value": value}))
    return rewired(checked, cuts)


def port_values(
    checked: Checked, end: PortElements, values: Mapping[Key, np.ndarray]
) -> np.ndarray:
    """What an output gives, or what arrives at an input, from the values of all outputs."""
    shape = end.port.shape or ()
    if not end.is_input:
        return values[end.key].reshape(shape)
    before = driver_elements(checked.model, end.key)
    if not before:
        return np.full(shape, end.port.default or 0.0)
    numbers = [values[port.block, port.name][element] for port, element in before]
    return np.array(numbers).reshape(shape)
