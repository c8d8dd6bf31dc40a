"""The multistate filter as it is drawn: a bank of band-passes that all run, and a selector."""

from railblocks.blocks.base.kernels import dot
from railblocks.blocks.rail.control.multistate_filter import (
    UNSMOOTHED,
    MultistateFilter,
    fade,
    resonate,
    smooth,
)
from railblocks.engine.declaration import State, der, out


def resonate_all(u, prototype, x, z, rates):
    """Derivatives of the states of all bands."""
    for i in range(len(x)):
        resonate(u, prototype.w[i], prototype, x[i], z[i], rates.der_x[i], rates.der_z[i])


def chosen(x, k, c):
    """Output of the band that the selector takes."""
    return dot(c, x[min(max(k, 0), len(x) - 1)])


@der("x", "z", "g")
def move_unsmoothed(C_tilde, x, z, g, k, prototype, T_g, rates):
    """(2) of C_tilde."""
    resonate_all(C_tilde, prototype, x, z, rates)
    return fade(k, g, T_g)  # (4)


@out("C_hat", "C_D")
def clean_unsmoothed(C_tilde, x, g, k, c, bank):
    """(3), and (4) with C_tilde for C_l."""
    C_D = g * chosen(x, k, c) if bank else 0.0
    return C_tilde - C_D, C_D


class FilterBank(MultistateFilter):
    """Torque without noise and disturbance, by a bank of band-passes with a selector.

    C_l'' / w_n^2 + sqrt(2) C_l' / w_n + C_l = C_tilde,  w_n = 2 pi f_noise               (1)
    C_i = C_l through band-pass i, for all i                               (2)
    C_D = g C_i of the band that holds f = |omega_w_hat| / (2 pi)          (3)
    C_hat = C_l - C_D,  T_g g' = (1 if f >= f_low else 0) - g              (4)

    The bands of rail.multistate_filter, each with six states of its own: 148 bands at the phase
    limit of 2 deg are 888 states, and the solver keeps as many numbers for each stage. Where the
    selector goes on to the next band, C_D jumps by up to 2 `phase` of its amplitude; elsewhere both
    filters differ by no more than that once bands have settled. What changes faster than a band
    settles, 1 / W, is followed by neither. Source: Conti et al. (2012), Figure 11.
    """

    symbol = "≉ ∥"
    unsmoothed = UNSMOOTHED | {"move": move_unsmoothed, "clean": clean_unsmoothed}
    x = State("?C", "first states of the band-passes", shape=("n", 3))
    z = State("?C", "second states of the band-passes", shape=("n", 3))

    @der("low", "x", "z", "g")
    def move(C_tilde, low, x, z, g, k, prototype, f_noise, T_g, rates):
        smooth(C_tilde, low, f_noise, rates.der_low)  # (1)
        resonate_all(low[0], prototype, x, z, rates)  # (2)
        return fade(k, g, T_g)  # (4)

    @out("C_hat", "C_D", "band")
    def clean(low, x, g, k, c, bank):
        C_D = g * chosen(x, k, c) if bank else 0.0  # (3)
        return low[0] - C_D, C_D, k  # (4)
