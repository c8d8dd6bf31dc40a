"""A short way to run a diagram in a test, compiled and interpreted."""

import numpy as np
import pytest
from railblocks.engine import loads, simulate

TIGHT = "solver: {method: ode45, rtol: 1.0e-9, atol: 1.0e-11, stop: 4 s}"


def run(text, compiled=True, solver=TIGHT, **values):
    return simulate(loads(f"diagram: 1\n{text}\n{solver}\n"), values, compiled=compiled)


def at(results, name, t):
    """A logged signal at a logged time."""
    (i,) = np.flatnonzero(np.isclose(results.time, t, rtol=0, atol=1e-12))[-1:]
    return results[name][i]


both = pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "interpreted"])
LOG = "\nlog: {every: 0.01 s, signals: all}"
