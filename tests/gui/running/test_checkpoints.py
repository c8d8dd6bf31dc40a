"""Checkpoints of a run: spread over time, within a bound."""

import numpy as np
import pytest
from railblocks.engine.runs.checkpoint import Checkpoint
from railblocks.gui.running import checkpoints
from railblocks.gui.running.checkpoints import Checkpoints


def checkpoint_at(time, size=64):
    memory = np.zeros(size)
    memory[0] = time
    return Checkpoint(memory, None)


def test_checkpoints_are_spread_over_time_within_a_bound(monkeypatch):
    kept = Checkpoints()
    for step in range(20_000):
        if kept.is_due(step * 0.01):
            kept.add(checkpoint_at(step * 0.01))
    assert len(kept) <= checkpoints.MAX_COUNT
    for time in np.linspace(0, 199.9, 57):
        assert 0 <= time - kept.before(time).time < 4 * 200 / checkpoints.MAX_COUNT


@pytest.mark.parametrize(("numbers", "most"), [(2**18, 32), (2**20, 8), (2**22, 8), (2**25, 2)])
def test_checkpoints_of_large_diagrams_are_few(numbers, most):
    """64 MiB of them, but eight up to 512 MiB, and two whatever they take."""
    kept = Checkpoints()
    for step in range(40):
        kept.add(checkpoint_at(float(step), size=numbers))
    assert most // 2 <= len(kept) <= most
    assert kept.before(0.5).time == 0.0


def test_changes_of_values_are_never_thinned_out():
    kept = Checkpoints()
    for step in range(1, 3000):
        kept.add(checkpoint_at(step * 0.1), pinned=step % 100 == 0)
    for change in range(10, 300, 10):
        assert kept.before(change + 0.01).time == change
    for step in range(3000, 4000):
        kept.add(checkpoint_at(step * 0.1), pinned=True)
    assert len(kept) == checkpoints.MAX_COUNT
    assert kept.before(1.0) is None
