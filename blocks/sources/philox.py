"""Random bits from a counter: Philox4x32-10.

A bijection of four 32-bit words keyed by two; ten rounds pass all known statistical tests. Every
number is a function of (counter, key) alone, so that runs are repeatable in any order of
evaluation. Source: Salmon et al., Parallel random numbers: as easy as 1, 2, 3 (SC 2011).
"""

import math

MASK = 0xFFFFFFFF
MULTIPLIER_0, MULTIPLIER_1 = 0xD2511F53, 0xCD9E8D57
WEYL_0, WEYL_1 = 0x9E3779B9, 0xBB67AE85


def product(a, b):
    """High and low word of a b, in steps that fit 63 bits."""
    upper = a * (b >> 16)
    lower = a * (b & 0xFFFF) + ((upper & 0xFFFF) << 16)
    return (upper >> 16) + (lower >> 32), lower & MASK


def philox(c0, c1, c2, c3, k0, k1):
    """The four random words of a counter under a key."""
    for _ in range(10):
        high_0, low_0 = product(MULTIPLIER_0, c0)
        high_1, low_1 = product(MULTIPLIER_1, c2)
        c0, c1, c2, c3 = high_1 ^ c1 ^ k0, low_1, high_0 ^ c3 ^ k1, low_0
        k0, k1 = (k0 + WEYL_0) & MASK, (k1 + WEYL_1) & MASK
    return c0, c1, c2, c3


def uniform_pair(k, stream, seed, run_seed):
    """Two independent numbers, uniform on the open interval (0, 1), for sample k of a stream."""
    a, b, c, d = philox(
        k & MASK,
        (k >> 32) & MASK,
        stream & MASK,
        (stream >> 32) & MASK,
        seed & MASK,
        run_seed & MASK,
    )
    return unit_interval(a, b), unit_interval(c, d)


def unit_interval(a, b):
    """52 random bits and a half: never 0, never 1."""
    return ((a >> 6) * 67108864 + (b >> 6) + 0.5) / 4503599627370496.0


def normal(k, stream, seed, run_seed):
    """A standard normal number for sample k of a stream, by Box and Muller."""
    u, v = uniform_pair(k, stream, seed, run_seed)
    return math.sqrt(-2.0 * math.log(u)) * math.cos(2.0 * math.pi * v)
