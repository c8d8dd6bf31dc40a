"""exp(-x) for x >= 0 by products and sums alone, so that loops over it run in vectors.

    exp(-x) = P(-x / 256)^256,  P the series of exp to the seventh power   (1)

Eight squarings make 256. What P leaves out is below 2e-18, rounding below 6e-14 of the value.
"""

from railblocks.engine.functions.functions import inlined

END = 40.0  # beyond, exp(-x) stays at its 4e-18
PART = -1.0 / 256.0


@inlined
def decay(x):
    """exp(-x) for 0 <= x <= END; as at END beyond, and 1 before."""
    x = x if x < END else END
    t = PART * (x if x > 0.0 else 0.0)
    square = t * t
    high = (1.0 / 24.0 + t * (1.0 / 120.0)) + square * (1.0 / 720.0 + t * (1.0 / 5040.0))
    e = ((1.0 + t) + square * (0.5 + t * (1.0 / 6.0))) + square * square * high  # (1)
    e = e * e
    e = e * e
    e = e * e
    e = e * e
    e = e * e
    e = e * e
    e = e * e
    return e * e
