"""Arrays in which a kernel keeps what it needs while it runs."""

import numpy as np
from railblocks.engine.functions.functions import on_stack


@on_stack
def local_array(n):
    """An array of n floats with any values, that is gone when the function returns.

    Compiled it lies on the stack: nothing is allocated, and nothing of numba is needed to run. So n
    is a constant, a few thousand at most, and neither the array nor a part of it may be returned.
    """
    return np.empty(n)
