"""radau5: the Radau IIA method of order 5 for stiff problems.

Hairer & Wanner, Solving Ordinary Differential Equations II, IV.8 (their code RADAU5). The three
stage increments z solve z = h (A x I) F(z); with T^-1 A^-1 T = diag(mu, alpha -+ i beta) the Newton
iteration falls into a real system of size n and a complex one, taken here as a real one of 2n:

    (mu/h I - J) dw_1 = ...,   ((alpha + i beta)/h I - J) (dw_2 + i dw_3) = ...               (1)
    err = (mu/h I - J)^-1 (f(t, x) + e_1 z_1/h + e_2 z_2/h + e_3 z_3/h)                       (2)

The Jacobian is made of differences, one evaluation a colour, and kept while Newton converges well;
factors are kept while the step stays the same. The collocation polynomial interpolates and
predicts.
"""

from __future__ import annotations

import math

from railblocks.engine.memory.externals import at, rhs
from railblocks.engine.memory.layout import (
    ATOL,
    EVALUATIONS,
    FRESH,
    H_FACTORS,
    JACOBIANS,
    LU_COUNT,
    N_COLOURS,
    N_X,
    NEW_JACOBIAN,
    OLD_JACOBIAN,
    PATTERN,
    RTOL,
    UNIT_ATOL,
    X0,
    K,
    X,
    Y,
)
from railblocks.engine.solvers.explicit import scaled_error
from railblocks.engine.solvers.linear import factorise, solve

S6 = math.sqrt(6.0)
CUBE_ROOT, CUBE_ROOT_2 = 3.0 ** (1.0 / 3.0), 3.0 ** (2.0 / 3.0)
C1, C2 = (4.0 - S6) / 10.0, (4.0 + S6) / 10.0
MU = 3.0 + CUBE_ROOT_2 - CUBE_ROOT
ALPHA = 3.0 + 0.5 * (CUBE_ROOT - CUBE_ROOT_2)
BETA = -0.5 * (3.0 ** (5.0 / 6.0) + 3.0 ** (7.0 / 6.0))
E1, E2, E3 = (-13.0 - 7.0 * S6) / 3.0, (-13.0 + 7.0 * S6) / 3.0, -1.0 / 3.0
T11, T12, T13 = 0.09443876248897524, -0.14125529502095421, 0.03002919410514742
T21, T22, T23 = 0.25021312296533332, 0.20412935229379994, -0.38294211275726192
TI11, TI12, TI13 = 4.17871859155190428, 0.32768282076106237, 0.52337644549944951
TI21, TI22, TI23 = -4.17871859155190428, -0.32768282076106237, 0.47662355450055044
TI31, TI32, TI33 = 0.50287263494578682, -2.57192694985560522, 0.59603920482822492
P11, P12, P13 = 13.0 / 3.0 + 7.0 * S6 / 3.0, -23.0 / 3.0 - 22.0 * S6 / 3.0, 10.0 / 3.0 + 5.0 * S6
P21, P22, P23 = 13.0 / 3.0 - 7.0 * S6 / 3.0, -23.0 / 3.0 + 22.0 * S6 / 3.0, 10.0 / 3.0 - 5.0 * S6
P31, P32, P33 = 1.0 / 3.0, -8.0 / 3.0, 10.0 / 3.0
MAX_NEWTON_STEPS = 6
NEWTON_FAILED = 30.0  # an error that makes the controller halve the step
EPSILON = 2.220446049250313e-16  # the relative spacing of floats

# Offsets in section K, in units of n; the size of the last step and the matrices follow.
F, Z, V, EVALUATED, Q, START, REAL, PAIR, PIVOTS, VECTORS = 0, 1, 4, 7, 10, 13, 14, 15, 17, 20


def workspace(n: int) -> int:
    """Vectors, one number, and the matrices J (n x n), real (n x n) and pair (2n x 2n)."""
    return VECTORS * n + 1 + 6 * n * n


def step(t, h, w):
    """One step; the scaled error, or `NEWTON_FAILED`."""
    n, k, x = at(N_X), at(K), at(X0)
    f = k + F * n
    if w[FRESH] != 1.0:
        if w[FRESH] != 2.0 or w[JACOBIANS] == 0.0:
            w[k + VECTORS * n] = 0.0
            w[NEW_JACOBIAN] = 1.0
        if w[FRESH] != 3.0:
            rhs(t, w, x, f)
            w[EVALUATIONS] += 1.0
        w[FRESH] = 1.0
        w[OLD_JACOBIAN] = 1.0
    if w[NEW_JACOBIAN] == 1.0:
        jacobian(t, w, x, f)
    while True:
        if w[H_FACTORS] != h and not factorised(w, h):
            return NEWTON_FAILED
        predict(w, h)
        rate = newton(t, h, w)
        if rate < 1.0:
            break
        if w[OLD_JACOBIAN] == 0.0:
            return NEWTON_FAILED
        jacobian(t, w, x, f)
    error = estimate(t, h, w)
    if error <= 1.0:
        keep_polynomial(h, w)
        w[NEW_JACOBIAN] = 1.0 if rate > 1e-3 else 0.0
    return error


def jacobian(t, w, x, f):
    """J by forward differences, all states of a colour at once; widths follow their sizes."""
    n, k, colours, y, pattern = at(N_X), at(K), at(N_COLOURS), at(Y), at(PATTERN)
    j, changed = k + VECTORS * n + 1, k + EVALUATED * n
    for i in range(n * n):
        w[j + i] = 0.0
    for colour in range(colours):
        for i in range(n):
            w[y + i] = w[x + i]
        for i in range(n):
            column = int(w[pattern + i * colours + colour])
            if column >= 0:
                held, size = w[x + column], w[at(ATOL) + column] / w[UNIT_ATOL]
                w[y + column] = held + size * math.sqrt(EPSILON * max(1e-5, abs(held) / size))
        rhs(t, w, y, changed)
        for i in range(n):
            column = int(w[pattern + i * colours + colour])
            if column >= 0:
                width = w[y + column] - w[x + column]
                w[j + i * n + column] = (w[changed + i] - w[f + i]) / width
    w[EVALUATIONS] += colours
    w[JACOBIANS] += 1.0
    w[OLD_JACOBIAN] = 0.0
    w[NEW_JACOBIAN] = 0.0
    w[H_FACTORS] = 0.0


def factorised(w, h):
    """Factors of both matrices of (1) for the step h; False if one is singular."""
    n, k = at(N_X), at(K)
    m = 2 * n
    j = k + VECTORS * n + 1
    real, pair, pivots = j + n * n, j + 2 * n * n, k + PIVOTS * n
    for i in range(m * m):
        w[pair + i] = 0.0
    for i in range(n):
        for c in range(n):
            value = -w[j + i * n + c]
            w[real + i * n + c] = value
            w[pair + i * m + c] = value
            w[pair + (n + i) * m + n + c] = value
        w[real + i * n + i] += MU / h
        w[pair + i * m + i] += ALPHA / h
        w[pair + (n + i) * m + n + i] += ALPHA / h
        w[pair + i * m + n + i] = -BETA / h
        w[pair + (n + i) * m + i] = BETA / h
    w[LU_COUNT] += 2.0
    w[H_FACTORS] = h
    return factorise(w, real, pivots, n) and factorise(w, pair, pivots + n, m)


def predict(w, h):
    """First guess of the increments: the last polynomial continued, or zero."""
    n, k, x = at(N_X), at(K), at(X0)
    z, v, q, start, last = k + Z * n, k + V * n, k + Q * n, k + START * n, w[k + VECTORS * n]
    for i in range(n):
        if last == 0.0:
            w[z + i] = w[z + n + i] = w[z + 2 * n + i] = 0.0
        else:
            for stage in range(3):
                c = C1 if stage == 0 else (C2 if stage == 1 else 1.0)
                theta = 1.0 + c * h / last
                value = w[q + n + i] + theta * w[q + 2 * n + i]
                value = w[start + i] + theta * (w[q + i] + theta * value)
                w[z + stage * n + i] = value - w[x + i]
        z1, z2, z3 = w[z + i], w[z + n + i], w[z + 2 * n + i]
        w[v + i] = TI11 * z1 + TI12 * z2 + TI13 * z3
        w[v + n + i] = TI21 * z1 + TI22 * z2 + TI23 * z3
        w[v + 2 * n + i] = TI31 * z1 + TI32 * z2 + TI33 * z3


def newton(t, h, w):
    """Solves for the increments; the rate of convergence, 1 or more where there is none."""
    n, k, x, y = at(N_X), at(K), at(X0), at(Y)
    z, v, evaluated = k + Z * n, k + V * n, k + EVALUATED * n
    real, pair, pivots = k + REAL * n, k + PAIR * n, k + PIVOTS * n
    matrices = k + VECTORS * n + 1
    tolerance = max(10.0 * EPSILON / w[RTOL], min(0.03, math.sqrt(w[RTOL])))
    rate, old = 0.0, 0.0
    for turn in range(MAX_NEWTON_STEPS):
        for stage in range(3):
            c = C1 if stage == 0 else (C2 if stage == 1 else 1.0)
            for i in range(n):
                w[y + i] = w[x + i] + w[z + stage * n + i]
            rhs(t + c * h, w, y, evaluated + stage * n)
        w[EVALUATIONS] += 3.0
        for i in range(n):
            f1, f2, f3 = w[evaluated + i], w[evaluated + n + i], w[evaluated + 2 * n + i]
            v1, v2, v3 = w[v + i], w[v + n + i], w[v + 2 * n + i]
            w[real + i] = TI11 * f1 + TI12 * f2 + TI13 * f3 - MU / h * v1
            w[pair + i] = TI21 * f1 + TI22 * f2 + TI23 * f3 - (ALPHA * v2 - BETA * v3) / h
            w[pair + n + i] = TI31 * f1 + TI32 * f2 + TI33 * f3 - (ALPHA * v3 + BETA * v2) / h
        solve(w, matrices + n * n, pivots, real, n)
        solve(w, matrices + 2 * n * n, pivots + n, pair, 2 * n)
        change = 0.0
        for i in range(n):
            held, atol = w[x + i], w[at(ATOL) + i]
            change = scaled_error(change, w[real + i], held, held, atol, w[RTOL])
            change = scaled_error(change, w[pair + i], held, held, atol, w[RTOL])
            change = scaled_error(change, w[pair + n + i], held, held, atol, w[RTOL])
        if turn > 0:
            rate = change / old
            left = MAX_NEWTON_STEPS - turn
            if not (rate < 1.0) or rate ** float(left) / (1.0 - rate) * change > tolerance:
                return 2.0
        if not (change < math.inf):
            return 2.0
        for i in range(n):
            w[v + i] += w[real + i]
            w[v + n + i] += w[pair + i]
            w[v + 2 * n + i] += w[pair + n + i]
            v1, v2, v3 = w[v + i], w[v + n + i], w[v + 2 * n + i]
            w[z + i] = T11 * v1 + T12 * v2 + T13 * v3
            w[z + n + i] = T21 * v1 + T22 * v2 + T23 * v3
            w[z + 2 * n + i] = v1 + v2
        if change == 0.0 or (turn > 0 and rate / (1.0 - rate) * change < tolerance):
            return rate
        old = change
    return 2.0


def estimate(t, h, w):
    """The new state, and the scaled error (2); filtered once more where it is too large."""
    n, k, x, x1, y = at(N_X), at(K), at(X0), at(X), at(Y)
    z, b = k + Z * n, k + REAL * n
    real, pivots = k + VECTORS * n + 1 + n * n, k + PIVOTS * n
    for i in range(n):
        w[x1 + i] = w[x + i] + w[z + 2 * n + i]
    worst = 0.0
    source = k + F * n
    for turn in range(2):
        for i in range(n):
            stages = E1 * w[z + i] + E2 * w[z + n + i] + E3 * w[z + 2 * n + i]
            w[b + i] = w[source + i] + stages / h
        solve(w, real, pivots, b, n)
        worst = 0.0
        for i in range(n):
            atol = w[at(ATOL) + i]
            worst = scaled_error(worst, w[b + i], w[x + i], w[x1 + i], atol, w[RTOL])
        if worst <= 1.0 or turn == 1:
            return worst
        for i in range(n):
            w[y + i] = w[x + i] + w[b + i]
        source = k + EVALUATED * n
        rhs(t, w, y, source)
        w[EVALUATIONS] += 1.0
    return worst


def keep_polynomial(h, w):
    """Coefficients of the collocation polynomial over this step, and where it starts."""
    n, k, x = at(N_X), at(K), at(X0)
    z, q, start = k + Z * n, k + Q * n, k + START * n
    for i in range(n):
        z1, z2, z3 = w[z + i], w[z + n + i], w[z + 2 * n + i]
        w[q + i] = P11 * z1 + P21 * z2 + P31 * z3
        w[q + n + i] = P12 * z1 + P22 * z2 + P32 * z3
        w[q + 2 * n + i] = P13 * z1 + P23 * z2 + P33 * z3
        w[start + i] = w[x + i]
    w[k + VECTORS * n] = h


def interpolate(theta, w, y):
    n, k = at(N_X), at(K)
    q, start = k + Q * n, k + START * n
    for i in range(n):
        value = w[q + n + i] + theta * w[q + 2 * n + i]
        w[y + i] = w[start + i] + theta * (w[q + i] + theta * value)
