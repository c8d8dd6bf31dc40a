"""What can be wrong with parameters, for blocks of several families: a message, or None."""

import numpy as np


def crossed(lower, upper, names=("lower", "upper")):
    """Two limits in the wrong order."""
    if lower > upper:
        a, b = names
        return f"{a} = {lower:g} is above {b} = {upper:g}; expected {a} <= {b}"


def not_increasing(name, values):
    """A list that should be strictly increasing."""
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


def not_a_number(name, value):
    """Anything but a number inside a structured parameter, where nothing is evaluated."""
    if isinstance(value, str):
        return f"{name} is '{value}'; expected a plain number, without unit, name or formula"
    if isinstance(value, bool) or not isinstance(value, float | int):
        return f"{name} is {value}; expected a number"
