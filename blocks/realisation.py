"""State-space realisations of rational transfer functions, computed when a diagram is loaded.

    b(s) / a(s) = d + c (s I - A)^-1 B,  A in companion form, B = (1, 0, ..., 0)

The same holds with z for s.
"""

import numpy as np
from railblocks.blocks.checks import not_a_number


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


def canonical_response(p, a, c, d):
    """y / u of the canonical form at complex p, s or z."""
    return np.polyval(c, p) / np.polyval([1.0, *a], p) + d


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
