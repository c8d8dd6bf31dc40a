"""Scalar functions that kernels of several families share."""

import math


def clip(x, lower, upper):
    """x, kept between lower and upper."""
    if x < lower:
        return lower
    if x > upper:
        return upper
    return x


def floor(x):
    """The largest whole number <= x, as a float of any size."""
    return math.floor(x) * 1.0 if -4503599627370496.0 < x < 4503599627370496.0 else x


def nearest(x):
    """The nearest whole number, halves away from zero, as a float of any size.

    Without x + 1/2, which rounds to 1 for the number before 1/2.
    """
    size = abs(x)
    whole = floor(size)
    return math.copysign(whole + 1.0 if size - whole >= 0.5 else whole, x)


def nearest_multiple(x, step):
    """The nearest multiple of step > 0, halves away from zero; the remainder is exact."""
    size = abs(x)
    if not size < 4503599627370496.0 * step:
        return x
    rest = size % step
    whole = nearest((size - rest) / step)
    return math.copysign(step * (whole + 1.0 if 2.0 * rest >= step else whole), x)


def length(u):
    """sqrt(u_1^2 + u_2^2 + ...), also where squares overflow or vanish."""
    total = dot(u, u)
    if 1e-280 < total < 1e300 or total != total:
        return math.sqrt(total)
    largest = 0.0
    for i in range(len(u)):
        largest = max(largest, abs(u[i]))
    if largest == 0.0 or largest == math.inf:
        return largest
    total = 0.0
    for i in range(len(u)):
        part = u[i] / largest
        total += part * part
    return largest * math.sqrt(total)


def dot(a, b):
    """sum of a_i b_i."""
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


def row_dot(a, row, b):
    """sum over j of a[row, j] b_j."""
    total = 0.0
    for j in range(len(b)):
        total += a[row, j] * b[j]
    return total


def push(u, past, next_past):
    """next_past: u before all but the last of past; the two may be the same array."""
    for i in range(len(past) - 1, 0, -1):
        next_past[i] = past[i - 1]
    next_past[0] = u
