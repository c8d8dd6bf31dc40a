"""State-space realisations of rational transfer functions, computed when a diagram is loaded.

    b(s) / a(s) = d + c (s I - A)^-1 B,  A in companion form, B = (1, 0, ..., 0)

The same holds with z for s.
"""

import numpy as np
from railblocks.blocks.base.checks import not_a_number

NEARLY_ZERO = 1e-7  # beside the largest eigenvalue: what rounding makes of a double zero
SIZES = 1e-200, 1e200


def trimmed(coefficients):
    """The coefficients as an array, without zeros before the first other one."""
    array = np.atleast_1d(np.asarray(coefficients, dtype=float)).ravel()
    nonzero = np.flatnonzero(array)
    return array[nonzero[0] :] if len(nonzero) else array[-1:]


def strictly_proper(num, den):
    return len(trimmed(num)) < np.size(den)


def polynomial_problem(num, den):
    """What is wrong with numerator and denominator, or None."""
    num, den = trimmed(num), np.atleast_1d(den)
    if den[0] == 0.0:
        return f"den begins with 0 in {den.tolist()}; expected the highest power that occurs"
    if len(den) < 2:
        return f"den = {den.tolist()} has no pole; use math.gain"
    if len(num) > len(den):
        return (
            f"the numerator has degree {len(num) - 1}, the denominator {len(den) - 1}; "
            "expected a proper transfer function, with a denominator of the same degree or higher"
        )


def canonical(num, den):
    """Denominator row, output row and feedthrough of the controllable canonical form."""
    num, den = trimmed(num), np.asarray(den, dtype=float)
    b = np.concatenate([np.zeros(len(den) - len(num)), num]) / den[0]
    a = den[1:] / den[0]
    return a, b[1:] - a * b[0], b[0]


def state_sizes(A, B, C):
    """How large the states of x' = A x + B u, y = C x are where u and y are of size 1.

    size_i = min(h_i, 1 / o_i)                                             (1)
    h_i = max of |row i of (p I - A)^-1 B|                                 (2)
    o_i = max of |C (p I - A)^-1 column i| |p|                             (3)

    h is the size of a state beside that of the inputs, 1 / o beside that of the outputs which it
    makes; the smaller one serves both. p are complex numbers of the sizes of the eigenvalues, at 1
    1/s for those that are zero, in a direction where poles seldom lie.
    """
    n = len(A)
    rates = np.abs(np.linalg.eigvals(A))
    rates = np.unique(np.where(rates > NEARLY_ZERO * np.max(rates), rates, 1.0))
    driven, seen = np.zeros(n), np.zeros(n)
    for p in rates * np.exp(1j):
        matrix = p * np.eye(n) - A
        driven = np.maximum(driven, np.abs(np.linalg.solve(matrix, B)).sum(axis=1))  # (2)
        rows = np.linalg.solve(matrix.T, np.transpose(C))
        seen = np.maximum(seen, np.abs(p * rows).sum(axis=1))  # (3)
    driven[driven == 0.0] = np.inf
    with np.errstate(divide="ignore"):
        sizes = np.minimum(driven, 1.0 / seen)  # (1)
    return np.where(np.isfinite(sizes), np.clip(sizes, *SIZES), 1.0)


def beside_output(gain):
    """Size of a state of the size of the input, which counts `gain` times in the output."""
    return 1.0 / np.maximum(1.0, gain)


def scaled_canonical(num, den):
    """r, a, c, d of the canonical form with states of the size of input or output.

    x_1' = r_1 u - a_1 x_1 - ... - a_n x_n,  x_i' = r_i x_{i-1},  y = c . x + d u        (1)

    Sizes are taken to the next power of two, so that scaling rounds nothing.
    """
    a, c, d = canonical(num, den)
    n = len(a)
    A = np.diag(np.ones(n - 1), -1)
    A[0] -= a
    sizes = 2.0 ** np.round(np.log2(state_sizes(A, np.eye(n)[:, :1], np.reshape(c, (1, n)))))
    return np.append(1.0, sizes[:-1]) / sizes, a * sizes / sizes[0], c * sizes, d


def canonical_response(p, a, c, d):
    """y / u of the canonical form at complex p, s or z."""
    return np.polyval(c, p) / np.polyval([1.0, *a], p) + d


def rational_response(p, num, den):
    """b(p) / a(p) at complex p."""
    return np.polyval(num, p) / np.polyval(den, p)


def matrix_responses(p, A, B, C, D):
    """Every y / u of a state space at complex p, s or z, by name."""
    unit = np.eye(len(A))
    values = np.array([C @ np.linalg.solve(q * unit - A, B) for q in p]) + D
    outputs, inputs = len(C), np.shape(B)[1]
    if outputs == inputs == 1:
        return {"y / u": values[:, 0, 0]}
    pairs = [(i, j) for i in range(outputs) for j in range(inputs)]
    return {f"y[{i}] / u[{j}]": values[:, i, j] for i, j in pairs}


def listed(roots):
    """The roots as a list of numbers and pairs."""
    return list(roots) if isinstance(roots, list | tuple) else [roots]


def root_problem(name, roots):
    """What is wrong with a list of roots, or None."""
    for i, root in enumerate(listed(roots), 1):
        if isinstance(root, list | tuple) and len(root) != 2:
            return f"entry {i} of {name} is {list(root)}; expected a number or a pair [re, im]"
        for number in listed(root):
            if message := not_a_number(f"entry {i} of {name}", number):
                return message


def roots_problem(zeros, poles):
    """What is wrong with zeros and poles together, or None."""
    if message := root_problem("zeros", zeros) or root_problem("poles", poles):
        return message
    return polynomial_problem(polynomial(zeros), polynomial(poles))


def polynomial(roots):
    """Coefficients with the given roots; a root is a real number or a pair [re, im] for two."""
    coefficients = np.array([1.0])
    for root in listed(roots):
        if isinstance(root, list | tuple):
            re, im = root
            factor = [1.0, -2.0 * re, re * re + im * im]
        else:
            factor = [1.0, -root]
        coefficients = np.convolve(coefficients, factor)
    return coefficients


def pade(order):
    """Numerator and denominator of the (n, n) Pade approximation of exp(-s)."""
    from math import factorial as f

    n = order
    den = [f(2 * n - k) * f(n) / (f(2 * n) * f(k) * f(n - k)) for k in range(n, -1, -1)]
    return [(-1.0) ** (n - i) * coefficient for i, coefficient in enumerate(den)], den
