"""Tables in the cache: computed once, and again when what they depend on has changed."""

import numpy as np
import pytest
from railblocks.engine.program.cached_tables import cached_table


def doubled(x):
    return 2.0 * x


def tripled(x):
    return 3.0 * x


@pytest.fixture
def computed(tmp_path, monkeypatch):
    """How often a table was computed, with a cache of its own."""
    monkeypatch.setenv("RAILBLOCKS_CACHE", str(tmp_path))
    return []


def table(computed, kernel=doubled, inputs=("3",)):
    def compute():
        computed.append(kernel)
        return np.array([[1.0, 2.0], [3.0, -0.0]])

    return cached_table(compute, (kernel,), inputs)


def test_a_table_is_computed_once_and_has_the_same_bits_afterwards(computed):
    first, second = table(computed), table(computed)
    assert first.tobytes() == second.tobytes() == np.array([1.0, 2.0, 3.0, -0.0]).tobytes()
    assert len(computed) == 1
    second[0] = 7.0  # a copy that may be changed
    assert table(computed)[0] == 1.0


@pytest.mark.parametrize("change", [{"kernel": tripled}, {"inputs": ("4",)}])
def test_a_table_is_computed_anew_when_its_kernel_or_an_input_changes(computed, change):
    table(computed)
    table(computed, **change)
    assert len(computed) == 2
