"""Tables of numbers that take long to compute, kept in the cache on disk."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

import numpy as np

from ..functions.functions import fingerprint
from ..numba_bridge.runtime import platform_key
from .store import Store


def cached_table(
    compute: Callable[[], np.ndarray], kernels: Sequence[Callable], inputs: Sequence[str]
) -> np.ndarray:
    """The numbers that `compute` returns, as a vector; from the cache if they are in it.

    They are computed anew when the code of a kernel, one of the inputs, the compiler or the
    processor is another one.
    """
    parts = [*map(fingerprint, kernels), platform_key(), *inputs]
    name = hashlib.sha256(" ".join(parts).encode()).hexdigest()[:24]
    content = Store().data(f"t_{name}.bin", lambda: compute().tobytes())
    return np.frombuffer(content).copy()
