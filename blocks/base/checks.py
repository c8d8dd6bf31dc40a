"""Checks of parameters that blocks of several families share: each gives a message, or None."""

import numpy as np


def crossed(lower, upper, names=("lower", "upper")):
    """The message about two limits in the wrong order, or None."""
    for low, high in np.broadcast(lower, upper):
        if low > high:
            a, b = names
            return f"{a} = {low:g} is above {b} = {high:g}; expected {a} <= {b}"


def not_increasing(name, values):
    """The message about a list that is not strictly increasing, or None."""
    values = np.atleast_1d(values)
    if len(values) < 2:
        return f"{name} has {len(values)} entries; expected at least 2"
    rises = np.diff(values) > 0
    if not np.all(rises):
        i = int(np.argmin(rises))
        return (
            f"{name} goes from {values[i]:g} to {values[i + 1]:g} at entry {i + 2}; "
            "expected increasing numbers"
        )


def not_ascending(name, values, jumps):
    """The message about a list that falls, or that has equal numbers which are no jump, or None.

    Two equal numbers are a jump, where `jumps` allows them; not at the ends, where one side of
    it would be nowhere.
    """
    values = np.atleast_1d(values)
    steps = np.diff(values)
    equal = np.flatnonzero(steps == 0.0)
    if not jumps or len(equal) == 0 or np.any(steps < 0.0):
        return not_increasing(name, values)
    if {0, len(steps) - 1} & set(equal):
        return f"{name} begins or ends with a jump; expected points on both sides of it"
    if np.any(np.diff(equal) == 1):
        i = equal[np.argmax(np.diff(equal) == 1)]
        return f"{name} has {values[i]:g} three times; expected at most two values at a point"


def not_a_number(name, value):
    """The message about a value in a structured parameter that is not a plain number, or None."""
    if isinstance(value, str):
        return f"{name} is '{value}'; expected a plain number, without unit, name or formula"
    if isinstance(value, bool) or not isinstance(value, float | int):
        return f"{name} is {value}; expected a number"
