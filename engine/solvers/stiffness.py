"""Signs of stiffness: steps that are as long as stability allows, while accuracy asks for less.

Hairer & Wanner (Solving Ordinary Differential Equations II, IV.2, and their codes DOPRI5 and
DOP853) compare the last two stages of an explicit method, at x_1 and at Y:

    h rho = h |f(x_1) - f(Y)| / |x_1 - Y|                                  (1)

estimates the step times the largest eigenvalue. Beyond the edge of the method's region of
stability, in most steps of a run, the step is limited by it. Norms are in units of the tolerance.
Steps that a sample, the end of the run or `max_step` made shorter do not count, and only one of
`STEPS_PER_PROBE` steps is looked at.
"""

from __future__ import annotations

from railblocks.engine.memory.externals import at
from railblocks.engine.memory.layout import (
    ATOL,
    EDGE,
    EDGE_ROW,
    N_X,
    PROBES,
    RTOL,
    STEPS,
    STIFF_PROBES,
    K,
    X,
    Y,
)

STEPS_PER_PROBE = 8.0


def probe_stiffness(w, h):
    """Looks at a step that was just accepted; changes nothing but its two counters."""
    if w[EDGE] == 0.0 or w[STEPS] % STEPS_PER_PROBE != 0.0:
        return
    n, x, y = at(N_X), at(X), at(Y)
    k = at(K) + int(w[EDGE_ROW]) * n
    rates, apart = 0.0, 0.0
    for i in range(n):
        weight = w[at(ATOL) + i] + w[RTOL] * abs(w[x + i])
        rate, way = (w[k + n + i] - w[k + i]) / weight, (w[x + i] - w[y + i]) / weight
        rates += rate * rate
        apart += way * way
    w[PROBES] += 1.0
    if h * h * rates > w[EDGE] * w[EDGE] * apart:  # (1)
        w[STIFF_PROBES] += 1.0
