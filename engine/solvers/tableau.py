"""Explicit Runge-Kutta methods as data.

    k_i = f(t + c_i h, x + h sum_j a_ij k_j),   x_1 = x + h sum_i b_i k_i                    (1)
    err = h sum_i e_i k_i,   x(t + theta h) = x + h sum_i k_i p_i(theta)                      (2)

The last stage is the derivative at x_1, which is the first of the next step. Without e the method
has a fixed step; the polynomials p_i have no constant term, their rows start at theta^1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction


def row(text: str) -> tuple[float, ...]:
    """Coefficients as they are printed: fractions and decimals, separated by blanks."""
    return tuple(float(Fraction(number)) for number in text.split())


HERMITE = (row("1 -2 1"), row("0 3 -2"), row("0 -1 1"))  # weights of x', of the increment, of x_1'


@dataclass(frozen=True)
class Tableau:
    """Coefficients of one method; `a` without its empty first row, the last row is b."""

    name: str
    doc: str
    order: int
    c: tuple[float, ...]
    a: tuple[tuple[float, ...], ...]
    e: tuple[float, ...] = ()
    p: tuple[tuple[float, ...], ...] = ()
    estimate: int = 0  # order of the error estimate
    edge: float = 0.0  # step times largest eigenvalue at the edge of stability

    @property
    def stages(self) -> int:
        return len(self.c)

    @property
    def b(self) -> tuple[float, ...]:
        return self.a[-1]

    @property
    def variable(self) -> bool:
        return bool(self.e)

    def dense(self) -> tuple[tuple[float, ...], ...]:
        """The method's own interpolant, or the cubic through both ends with their slopes."""
        if self.p:
            return self.p
        first, increment, last = HERMITE
        rows = [[b * q for q in increment] for b in (*self.b, 0.0)]
        rows[0] = [r + q for r, q in zip(rows[0], first, strict=True)]
        rows[-1] = [r + q for r, q in zip(rows[-1], last, strict=True)]
        return tuple(map(tuple, rows))


def combination(coefficients: Sequence[float], vector: str) -> str:
    """`c0*w[k+i] + c1*w[k+n+i] + ...` without the terms that are zero."""
    terms = [
        f"{float(value)!r} * w[{vector} + {j} * n + i]"
        for j, value in enumerate(coefficients)
        if value
    ]
    return " + ".join(terms) or "0.0"
