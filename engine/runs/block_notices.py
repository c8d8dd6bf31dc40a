"""Notices of blocks about the results of a run that has ended."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..analysis.checking import Checked
from ..model.model import Instance
from ..program.failures import described


def block_notices(checked: Checked, w: np.ndarray) -> list[str]:
    """The messages of all `@notice` functions, each after the name of its block."""
    notices = []
    for instance in checked.model.blocks.values():
        for equation in instance.declaration.of_kind("notice"):
            values = [_value(checked, instance, name, w) for name in equation.arguments]
            try:
                message = equation.function(*values)
            except Exception as error:
                message = f"function '{equation.function.__name__}' raised {described(error)}"
            if message:
                notices.append(f"{instance.name} ({instance.declaration.id}): {message}")
    return notices


def _value(checked: Checked, instance: Instance, name: str, w: np.ndarray) -> Any:
    """A parameter, or a discrete state as it is now."""
    ref = checked.schedule.slots.discretes.get((instance.name, name))
    if ref is None:
        return instance.values[name]
    values = w[ref.offset : ref.offset + ref.size].reshape(ref.shape)
    return values.copy() if ref.shape else ref.type(values)
