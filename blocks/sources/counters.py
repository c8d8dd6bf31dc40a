"""Whole numbers that count samples."""

from railblocks.engine.declaration import Block, Discrete, Out, Param, Sample, out, update


class FreeRunningCounter(Block):
    """Counts its samples, and starts again from 0 after the largest count.

    y_k = k mod (most + 1)                                                 (1)

    A counter of n bits has most = 2^n - 1.
    """

    symbol = "0..n"
    example = {"every": 0.1}
    y = Out("1", "count; 0 also before the first sample", type=int)
    most = Param("1", "largest count", type=int, default=255, ge=1)
    k = Discrete("1", "count of the sample to come", type=int, ge=0)
    every = Sample()

    @out("y")
    def read(k):
        return k

    @update("k")
    def count(k, most):
        return k + 1 if k < most else 0  # (1)
