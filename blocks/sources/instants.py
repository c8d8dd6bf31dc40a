"""Times over one denominator, so that sums and multiples of them are rounded only once.

    0.2 s + 0.1 s = (2 + 1) / 10 s

is the float nearest to 0.3, and so is the time of the third sample of 0.1 s: what coincides on
paper also does in a run.
"""

from math import lcm

from railblocks.engine.units.times import LARGEST_WHOLE, seconds


def over_one_denominator(times):
    """Numerators and denominator as floats; the times over 1 where floats cannot hold them."""
    fractions = [seconds(time) for time in times]
    denominator = lcm(*(fraction.denominator for fraction in fractions))
    numerators = [int(fraction * denominator) for fraction in fractions]
    if max(denominator, *map(abs, numerators)) > LARGEST_WHOLE:
        return [float(time) for time in times], 1.0
    return [float(numerator) for numerator in numerators], float(denominator)
