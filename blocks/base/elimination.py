"""Linear equations by elimination with row exchange, compiled and interpreted alike.

    P A = L R                                                              (1)

Source: Golub and Van Loan, Matrix computations (2013), algorithm 3.4.1.
"""

LARGEST = 64
"""Rows of the largest matrix: what is kept while a kernel runs has to fit on the stack."""
ELEMENTS = LARGEST * LARGEST


def factorise(A, factors, rows):
    """L below and R on and above the diagonal, row by row in `factors`; `rows` are those of A."""
    n = len(A)
    if n > LARGEST or len(A[0]) != n:
        raise ValueError("the matrix is not square or has more than 64 rows")
    for i in range(n):
        rows[i] = i
        for j in range(n):
            factors[i * n + j] = A[i, j]
    for k in range(n):
        pivot = k
        for i in range(k + 1, n):
            if abs(factors[i * n + k]) > abs(factors[pivot * n + k]):
                pivot = i
        if pivot != k:
            rows[k], rows[pivot] = rows[pivot], rows[k]
            for j in range(n):
                a, b = k * n + j, pivot * n + j
                factors[a], factors[b] = factors[b], factors[a]
        for i in range(k + 1, n):
            factor = factors[i * n + k] / factors[k * n + k]
            factors[i * n + k] = factor
            for j in range(k + 1, n):
                factors[i * n + j] -= factor * factors[k * n + j]  # (1)


def substitute(factors, rows, b, x):
    """x with A x = b, from the factors of A; inf or nan where A is singular."""
    n = len(x)
    for i in range(n):
        total = b[int(rows[i])]
        for j in range(i):
            total -= factors[i * n + j] * x[j]
        x[i] = total
    for i in range(n - 1, -1, -1):
        total = x[i]
        for j in range(i + 1, n):
            total -= factors[i * n + j] * x[j]
        x[i] = total / factors[i * n + i]
