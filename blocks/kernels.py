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


def interval(points, x):
    """The i <= n - 2 with points[i] <= x < points[i + 1]; the first or last one outside."""
    low, high = 0, len(points) - 1
    while high - low > 1:
        middle = (low + high) // 2
        if points[middle] <= x:
            low = middle
        else:
            high = middle
    return low


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
