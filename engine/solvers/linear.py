"""Small dense linear systems in the program's memory: LU with partial pivoting."""

from __future__ import annotations


def factorise(w, a, pivots, n):
    """The n x n matrix at `a` becomes its factors; False if it is singular."""
    for column in range(n):
        best = column
        for row in range(column + 1, n):
            if abs(w[a + row * n + column]) > abs(w[a + best * n + column]):
                best = row
        w[pivots + column] = best
        if w[a + best * n + column] == 0.0:
            return False
        if best != column:
            for j in range(n):
                held = w[a + column * n + j]
                w[a + column * n + j] = w[a + best * n + j]
                w[a + best * n + j] = held
        for row in range(column + 1, n):
            factor = w[a + row * n + column] / w[a + column * n + column]
            w[a + row * n + column] = factor
            if factor != 0.0:
                for j in range(column + 1, n):
                    w[a + row * n + j] -= factor * w[a + column * n + j]
    return True


def solve(w, a, pivots, b, n):
    """b := A^-1 b with the factors of A."""
    for row in range(n):
        best = int(w[pivots + row])
        if best != row:
            held = w[b + row]
            w[b + row] = w[b + best]
            w[b + best] = held
    for row in range(n):
        total = w[b + row]
        for j in range(row):
            total -= w[a + row * n + j] * w[b + j]
        w[b + row] = total
    for row in range(n - 1, -1, -1):
        total = w[b + row]
        for j in range(row + 1, n):
            total -= w[a + row * n + j] * w[b + j]
        w[b + row] = total / w[a + row * n + row]
