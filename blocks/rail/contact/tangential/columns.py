"""Marching through a patch column by column: all strips side by side, one cell of each at a time.

Strips do not know of each other, so that a loop over them does the same for each and a processor
works on several at once. What a strip has to remember from column to column are rows of one array,
a strip in each place; rows are `MOST_STRIPS` apart, which tells the compiler that they are apart.
Equations are those of `strips`. Cells that adhere go through the same arithmetic as those that
slide, with P as large as static friction bears, and what comes out is not taken.

Friction of sliding cells (`local_friction`) starts from what the last four cells of its strip tell.
Halley's steps for all strips end when each is as close as `sliding_friction` wants it; a strip that
still is not after `MOST_STEPS` is solved by that alone.
"""

import math

from railblocks.blocks.rail.contact.tangential.grid import half_chord, pressure
from railblocks.blocks.rail.contact.tangential.local_friction import (
    CLOSE,
    halley,
    limits,
    sliding_friction,
)
from railblocks.engine.functions.functions import inlined, merged

MOST_STRIPS = 64  # more are done in turns
MOST_STEPS = 3
LEAST = 1e-290  # of P, where there is neither traction nor friction
ROWS = 20
STATE = ROWS * MOST_STRIPS
"""Size of the array of all strips."""
(
    HALF, G_X, TOP,  # half length, creepage over flexibility, pressure in the middle of the strip
    P_X, P_Y, P_N,  # traction, and pressure
    P, K_S, K_W, MU, OPEN,  # of local_friction; whether friction is not close yet
    MU_1, MU_2, MU_3, MU_4,  # friction in the last four cells
    SUM_X, SUM_Y, SUM_ZY, SUM_MU, SUM_W,  # over cells; z is x over the half length
) = (MOST_STRIPS * row for row in range(ROWS))  # fmt: skip


@merged
def start(w, first, n, patch, p_0, q, static, cells):
    """Strips from `first` on at their leading edges."""
    for j in range(n):
        chord, side = half_chord(first + j, cells.n_y)
        for row in range(ROWS):
            w[MOST_STRIPS * row + j] = 0.0
        w[HALF + j] = chord * patch.a
        w[G_X + j] = q[0] - side * patch.b * q[2]
        w[TOP + j] = p_0 * pressure(0.0, chord, cells.parabolic)
        w[MU_1 + j] = w[MU_2 + j] = w[MU_3 + j] = w[MU_4 + j] = static


@merged
def adhere(w, n, z, dz, top, q, static):
    """Tractions if nothing slides (1), from z + dz to z; how many strips exceed their bound."""
    sliding = 0
    for j in range(n):
        half = w[HALF + j]
        p_x = w[P_X + j] - dz * half * w[G_X + j]  # (1)
        p_y = w[P_Y + j] - dz * half * (q[1] + (z + 0.5 * dz) * half * q[2])  # (1)
        p_n = w[TOP + j] * top
        w[P_X + j], w[P_Y + j], w[P_N + j] = p_x, p_y, p_n
        sliding += 1 if p_x * p_x + p_y * p_y > static * p_n * static * p_n else 0
    return sliding


@inlined
def guess(mu_1, mu_2, mu_3, mu_4):
    """Friction in the next cell from that in the last four: a parabola, a line, or taking turns.

    The way that would have been best for the last cell; fast falling friction takes turns.
    """
    parabola = abs(3.0 * (mu_2 - mu_3) + mu_4 - mu_1)
    line, turn = abs(2.0 * mu_2 - mu_3 - mu_1), abs(mu_3 - mu_1)
    smooth = 3.0 * (mu_1 - mu_2) + mu_3 if parabola < line else 2.0 * mu_1 - mu_2
    return mu_2 if turn < min(line, parabola) else smooth


@merged
def look(w, n, dz, V, L, law):
    """What `local_friction` needs of each strip, and friction to start from."""
    static = law[0] + law[1]
    low, most = limits(law)
    for j in range(n):
        p_x, p_y, p_n = w[P_X + j], w[P_Y + j], w[P_N + j]
        size = max(math.sqrt(p_x * p_x + p_y * p_y), static * p_n, LEAST)
        over = 1.0 / (size * dz * w[HALF + j])
        s_x, s_y = L[0] * p_x * over, L[1] * p_y * over  # over V, and over what is cut from P
        w[P + j] = size
        w[K_S + j] = V * math.sqrt(s_x * s_x + s_y * s_y)
        w[K_W + j] = (s_x * p_x + s_y * p_y) / size
        mu = guess(w[MU_1 + j], w[MU_2 + j], w[MU_3 + j], w[MU_4 + j])
        w[MU + j] = min(max(mu, low), min(most, size / p_n))


@merged
def step_all(w, n, law):
    """One of Halley's steps for all strips; how many are not close to their root."""
    low, most = limits(law)
    remaining = 0
    for j in range(n):
        mu, size, p_n = w[MU + j], w[P + j], w[P_N + j]
        step, change, straight, _, _ = halley(mu, size, p_n, w[K_S + j], w[K_W + j], law)
        following = mu + step
        inside = (low <= following) & (following <= most) & (following * p_n <= size)
        close = inside & straight & (abs(step) * max(1.0, mu * change) <= CLOSE * mu)
        w[MU + j] = following if inside else mu
        w[OPEN + j] = 0.0 if close else 1.0
        remaining += 0 if close else 1
    return remaining


@merged
def solve(w, n, law):
    """Friction of all strips (16)."""
    remaining = n
    for _ in range(MOST_STEPS):
        if remaining > 0:
            remaining = step_all(w, n, law)
    if remaining == 0:
        return
    for j in range(n):
        if w[OPEN + j] == 1.0:
            w[MU + j] = sliding_friction(
                w[P + j], w[P_N + j], w[K_S + j], w[K_W + j], w[MU + j], law
            )


@merged
def cut(w, n, z, static):
    """Tractions of strips that slide cut to mu p_n; sums with this column's cells."""
    for j in range(n):
        p_x, p_y, p_n, size = w[P_X + j], w[P_Y + j], w[P_N + j], w[P + j]
        slides = p_x * p_x + p_y * p_y > static * p_n * static * p_n
        mu = w[MU + j] if slides else static
        part = mu * p_n / size if slides else 1.0
        power = w[K_W + j] * max(size - mu * p_n, 0.0) * mu * p_n if slides else 0.0
        p_x, p_y = part * p_x, part * p_y
        w[P_X + j], w[P_Y + j], w[MU + j] = p_x, p_y, mu
        w[MU_4 + j], w[MU_3 + j], w[MU_2 + j] = w[MU_3 + j], w[MU_2 + j], w[MU_1 + j]
        w[MU_1 + j] = mu
        w[SUM_X + j] += p_x
        w[SUM_Y + j] += p_y
        w[SUM_ZY + j] += z * p_y
        w[SUM_MU + j] += mu * p_n
        w[SUM_W + j] += power


@merged
def keep(w, n, z, static):
    """Sums with the cells of a column in which all strips adhere."""
    for j in range(n):
        w[SUM_X + j] += w[P_X + j]
        w[SUM_Y + j] += w[P_Y + j]
        w[SUM_ZY + j] += z * w[P_Y + j]
        w[SUM_MU + j] += static * w[P_N + j]


def put_adhering(fields, first, n, i, w, static):
    """Fills the fields of a column as if all its cells adhered."""
    for j in range(n):
        cell = fields[first + j, i]
        cell[0], cell[1] = w[P_X + j], w[P_Y + j]
        cell[2], cell[3], cell[4], cell[5] = 0.0, 0.0, static, 0.0


def put_sliding(fields, first, n, i, w, dz, V, L):
    """Fills the fields of a column whose tractions have been cut (2), after `put_adhering`."""
    for j in range(n):
        cell, k = fields[first + j, i], V / (dz * w[HALF + j])
        p_x, p_y = w[P_X + j], w[P_Y + j]
        s_x, s_y = k * L[0] * (p_x - cell[0]), k * L[1] * (p_y - cell[1])
        cell[0], cell[1], cell[2], cell[3] = p_x, p_y, s_x, s_y
        cell[4], cell[5] = w[MU + j], abs(p_x * s_x + p_y * s_y)
