"""exp(-x) by products: against the exponential, and beyond its range."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from railblocks.blocks.rail.contact.tangential.decay import END, decay
from railblocks.engine import compiled


@given(st.floats(0, END))
def test_decay_is_the_exponential(x):
    assert decay(x) == pytest.approx(math.exp(-x), rel=6e-14, abs=2e-18)


@pytest.mark.parametrize("x", [END, 1e3, 1e300, math.inf, math.nan])
def test_decay_ends(x):
    assert decay(x) == compiled(decay)(x) == decay(END) < 5e-18


@pytest.mark.parametrize("x", [-1e-300, -1e-9, -1e30, -math.inf])
def test_decay_of_less_than_nothing_is_one(x):
    assert decay(x) == 1.0
    assert compiled(decay)(x) == 1.0
