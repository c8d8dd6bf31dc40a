"""Frequency responses C (s - A)^-1 B + D, for many s at the cost of a triangular solution each."""

from __future__ import annotations

import numpy as np


def response(
    A: np.ndarray, B: np.ndarray, C: np.ndarray, D: np.ndarray, points: np.ndarray
) -> np.ndarray:
    """The response at complex points: an axis of points, outputs, inputs; infinite at poles."""
    n = len(A)
    result = np.broadcast_to(D.astype(complex), (len(points), *D.shape)).copy()
    if n == 0:
        return result
    from scipy.linalg import matrix_balance, schur

    balanced, (scale, _) = matrix_balance(A, permute=False, separate=True)
    triangle, basis = schur(balanced.astype(complex), output="complex")
    inner = basis.conj().T @ (B / scale[:, None])
    outer = (C * scale) @ basis
    solution = np.zeros((len(points), n, B.shape[1]), dtype=complex)
    with np.errstate(divide="ignore", invalid="ignore"):
        for i in range(n - 1, -1, -1):
            known = inner[i] + np.tensordot(
                solution[:, i + 1 :], triangle[i, i + 1 :], ((1,), (0,))
            )
            solution[:, i] = known / (points - triangle[i, i])[:, None]
        result += np.einsum("ij,kjl->kil", outer, solution)
    return result
