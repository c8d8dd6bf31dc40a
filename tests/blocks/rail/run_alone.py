"""Runs of one block from any state, with changed tables."""

import numpy as np
from railblocks.engine import Simulation, check
from railblocks.engine.memory import layout as sections


class Alone:
    """A run of a diagram; states `q` and tables of one of its blocks may be changed before."""

    def __init__(self, diagram, block):
        self.simulation, self.block = Simulation(check(diagram)), block
        self.slots = self.simulation.checked.schedule.slots

    @property
    def q(self):
        ref = self.slots.states[self.block, "q"]
        start = self.simulation.layout[sections.X] + ref.offset
        return self.simulation.w[start : start + ref.size]

    def table(self, name):
        """A parameter or derived table, as the compiled block reads it."""
        ref = self.slots.parameters[self.block, name]
        return self.simulation.w[ref.offset : ref.offset + ref.size].reshape(ref.shape)

    def run(self):
        """Time, and logged signals by name."""
        rows = np.concatenate(list(self.simulation.chunks()))
        result, place = {"t": rows[:, 0]}, 1
        for column in self.simulation.columns:
            size = int(np.prod(column.shape))
            result[column.name] = rows[:, place : place + size].reshape(-1, *column.shape)
            place += size
        return result
