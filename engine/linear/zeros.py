"""Transmission zeros of a state-space model.

The values s at which the rank of [[A - s, B], [C, D]] drops, after Emami-Naeini and Van Dooren
(Computation of zeros of linear multivariable systems, Automatica 18, 1982): states that outputs see
at once, and those that inputs move at once, are taken off by orthogonal transformations until D is
square and regular; then the zeros are the eigenvalues of A - B D^-1 C.
"""

from __future__ import annotations

import numpy as np

TOLERANCE = 1e-9
"""What counts as 0, over the largest element of the balanced model: above its own error."""


def transmission_zeros(A: np.ndarray, B: np.ndarray, C: np.ndarray, D: np.ndarray) -> np.ndarray:
    """All finite zeros; none of a model without inputs or outputs, or without a response."""
    if min(D.shape) == 0 or len(A) == 0:
        return np.zeros(0, dtype=complex)
    A, B, C, D = _balanced(A, B, C, D)
    small = TOLERANCE * max(float(np.abs(part).max(initial=0.0)) for part in (A, B, C, D))
    A, B, C, D = _reduced(A, B, C, D, small)
    A, C, B, D = (part.T for part in _reduced(A.T, C.T, B.T, D.T, small))
    if len(A) == 0 or min(D.shape) == 0:
        return np.zeros(0, dtype=complex)
    return np.linalg.eigvals(A - B @ np.linalg.solve(D, C))


def _balanced(A: np.ndarray, B: np.ndarray, C: np.ndarray, D: np.ndarray) -> tuple:
    """States, inputs and outputs in units in which the numbers are of like size."""
    from scipy.linalg import matrix_balance

    balanced, (scale, _) = matrix_balance(A, permute=False, separate=True)
    B, C = B / scale[:, None], C * scale
    columns = np.maximum(np.abs(B).max(axis=0), np.abs(D).max(axis=0))
    columns[columns == 0.0] = 1.0
    B, D = B / columns, D / columns
    rows = np.maximum(np.abs(C).max(axis=1), np.abs(D).max(axis=1))
    rows[rows == 0.0] = 1.0
    size = max(float(np.abs(balanced).max()), 1e-300)
    return balanced, B * size, C / rows[:, None], D * size / rows[:, None]


def _reduced(
    A: np.ndarray, B: np.ndarray, C: np.ndarray, D: np.ndarray, small: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """A model with the same zeros in which D has full row rank."""
    while len(D):
        rows, sizes, _ = np.linalg.svd(D)
        rank = int(np.sum(sizes > small))
        C, D = rows.T @ C, rows.T @ D
        if rank == len(D):
            break
        seen = C[rank:]
        C, D = C[:rank], D[:rank]
        _, sizes, basis = np.linalg.svd(seen)
        visible = int(np.sum(sizes > small))
        if visible == 0:
            break
        turn = np.concatenate([basis[visible:], basis[:visible]]).T
        A, B, C = turn.T @ A @ turn, turn.T @ B, C @ turn
        kept = len(A) - visible
        C = np.concatenate([C[:, :kept], A[kept:, :kept]])
        D = np.concatenate([D, B[kept:]])
        A, B = A[:kept, :kept], B[:kept]
    return A, B, C, D
