"""Limits of memory hold for each test, also after one that took more."""

import numpy as np
import pytest
from peak_memory import CLEAR, memory_up_to

MB = 2**20


def use(size):
    return int(np.ones(size, np.uint8)[-1])


@pytest.mark.skipif(not CLEAR.exists(), reason="only Linux can forget the largest peak")
def test_a_limit_holds_after_work_that_took_more():
    use(400 * MB)
    taken = pytest.raises(AssertionError, match="MiB of memory were taken; expected 100 at most")
    with taken, memory_up_to(100 * MB):
        use(200 * MB)
    with memory_up_to(100 * MB):
        use(50 * MB)
