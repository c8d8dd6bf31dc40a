"""Arrays of kernels: the same interpreted and compiled, new for each call, nothing allocated."""

import pytest
from railblocks.engine import compiled
from railblocks.engine.functions.local_array import local_array
from railblocks.engine.memory.externals import SIGNATURES
from railblocks.engine.numba_bridge.lowering import Argument, NotCompilable, Signature, lowered
from railblocks.engine.program.optimiser import optimised_part

SIZE = 50


def backwards(x, n):
    """sum of (i + 1) x_i, with x_i = x + i written from the end."""
    a = local_array(SIZE)
    for i in range(n):
        a[n - 1 - i] = x + (n - 1 - i)
    total = 0.0
    for i in range(n):
        total += (i + 1.0) * a[i]
    return total


def nested(x, n):
    a = local_array(SIZE)
    for i in range(n):
        a[i] = 1.0
        a[i] += backwards(x, n)
    return a[0] + a[n - 1]


def of_any_size(n):
    return local_array(n)[0]


@pytest.mark.parametrize("run", [backwards, compiled(backwards)], ids=["interpreted", "compiled"])
def test_what_is_written_is_read(run):
    expected = sum((i + 1.0) * (2.0 + i) for i in range(SIZE))
    assert run(2.0, SIZE) == expected


def test_arrays_of_callers_and_called_are_apart():
    assert nested(2.0, 9) == compiled(nested)(2.0, 9) == 2.0 + 2.0 * backwards(2.0, 9)


def test_nothing_is_allocated_and_no_helper_of_numba_is_called():
    text = lowered(nested, Signature((Argument(float), Argument(int)), (float,)), "k", SIGNATURES)
    assert text.count("alloca [50 x double]") == 2
    assert "NRT_" not in optimised_part(text)


def test_a_size_that_is_not_constant_is_refused():
    signature = Signature((Argument(int),), (float,))
    with pytest.raises(NotCompilable, match="local_array"):
        lowered(of_any_size, signature, "k", SIGNATURES)
