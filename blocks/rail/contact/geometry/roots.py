"""A root inside a bracket, as an iteration that its caller steps.

Chandrupatla's method: inverse quadratic interpolation where it is safe, else halving.
"""

MIN_BRACKET_M = 1e-17
EPSILON = 2.3e-16  # the relative spacing of floats


def next_fraction(a, b, c, f_a, f_b, f_c):
    """Where to look next between a and b, as a fraction; negative when the bracket is closed."""
    best = a if abs(f_a) < abs(f_b) else b
    least = (2.0 * EPSILON * abs(best) + MIN_BRACKET_M) / abs(b - a)
    if least > 0.5 or f_a == 0.0 or f_b == 0.0:
        return -1.0
    xi = (a - b) / (c - b)
    phi = (f_a - f_b) / (f_c - f_b)
    fraction = 0.5
    if phi * phi < xi and (1.0 - phi) * (1.0 - phi) < 1.0 - xi:
        fraction = f_a / (f_b - f_a) * f_c / (f_b - f_c)
        fraction += (c - a) / (b - a) * f_a / (f_c - f_a) * f_b / (f_c - f_b)
    return min(max(fraction, least), 1.0 - least)
