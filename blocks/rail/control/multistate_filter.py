"""Torque without noise and without the shaking of unbalanced wheels: the multistate filter."""

import math

import numpy as np
from railblocks.blocks.base.kernels import dot, row_dot
from railblocks.blocks.rail.control.elliptic_bank import (
    band_holding,
    bank_responses,
    design,
    design_problem,
    outside,
    sampled_bands,
    sampled_low_pass,
    sampled_response,
    tuned,
)
from railblocks.blocks.rail.control.low_pass import LowPass
from railblocks.engine.declaration import (
    Block,
    Derived,
    Discrete,
    In,
    Out,
    Param,
    Record,
    Sample,
    State,
    der,
    derive,
    guard,
    out,
    reset,
    response,
    update,
    validate,
)


def frequency(omega):
    return abs(omega) / (2.0 * math.pi)


def centre(k, w):
    """Tuning of a band; below all bands, that of the first."""
    return w[min(max(k, 0), len(w) - 1)]


def smooth(u, low, f_noise, der_low):
    """Derivatives of the states of the low-pass."""
    w_n = 2.0 * math.pi * f_noise
    der_low[0] = w_n * low[1]
    der_low[1] = w_n * (u - low[0] - math.sqrt(2.0) * low[1])


def resonate(u, w, prototype, x, z, der_x, der_z):
    """Derivatives of the states of a band-pass about w."""
    B = 2.0 * math.pi * prototype.W
    for i in range(3):
        der_x[i] = B * (row_dot(prototype.A, i, x) + prototype.b[i] * u) - w * z[i]
        der_z[i] = w * x[i]


def fade(k, g, T_g):
    """Rate of the part of C_D that is taken out: to 1 within the bands, to 0 below them."""
    return ((1.0 if k >= 0 else 0.0) - g) / T_g


def tiles(f_low, f_high, ripple, stop, amplitude, phase, overlap, W):
    """The prototype, edges and centres of all bands, and their usable width."""
    limits = (ripple, stop, amplitude, phase)
    A, b, c, reach, edges, width = design(f_low, f_high, *limits, overlap, W)
    return A, b, c, edges, tuned(edges, width, reach)[0], width


@der("x", "z", "g")
def move_unsmoothed(C_tilde, x, z, g, k, prototype, T_g, rates):
    """(2) of C_tilde, and (3)."""
    resonate(C_tilde, centre(k, prototype.w), prototype, x, z, rates.der_x, rates.der_z)
    return fade(k, g, T_g)


@out("C_hat", "C_D")
def clean_unsmoothed(C_tilde, x, g, c, bank):
    """(3) with C_tilde for C_l."""
    C_D = g * dot(c, x) if bank else 0.0
    return C_tilde - C_D, C_D


@out("band")
def tell_band(k):
    """Apart from the torque, which may be in an algebraic loop."""
    return k


UNSMOOTHED = {
    "low": None, "rates": Record("derivatives of the band", "der_x", "der_z"),
    "move": move_unsmoothed, "clean": clean_unsmoothed, "tell_band": tell_band,
}  # fmt: skip


class MultistateFilter(LowPass, Block):
    """Torque without its noise and without a disturbance at the frequency of the wheel.

    C_l'' / w_n^2 + sqrt(2) C_l' / w_n + C_l = C_tilde,  w_n = 2 pi f_noise               (1)
    C_D = g (C_l through the band-pass that holds f = |omega_w_hat| / (2 pi))             (2)
    C_hat = C_l - C_D,  T_g g' = (1 if f >= f_low else 0) - g              (3)

    Bands are elliptic, of sixth order, and tile f_low to f_high by where their phase is within
    +-phase and their size above `amplitude`: width = Omega_max W, number = 1 + (f_high - f_low -
    width) / ((1 - overlap) width). They share six states, which a change of band carries over: C_D
    is continuous, and bounded whatever the speed does (see elliptic_bank). Overlap is hysteresis
    against chattering. Below f_low the first band goes on, but g fades it out; above f_high the
    last one stays. bank = false leaves (1) only; low_pass = false has C_l = C_tilde and no states
    for (1); with both off C_hat is C_tilde. Source: Conti et al. (2012), section 3.4.2; its
    limit of the phase, "2 rad/s", is read as 2 deg; f_noise, W, ripple and stop are proposals.
    """

    symbol = "≉"
    unsmoothed = UNSMOOTHED
    C_tilde = In("?C", "estimated torque")
    omega_w_hat = In("rad/s", "estimated speed of the wheel")
    C_hat = Out("?C", "filtered torque")
    C_D = Out("?C", "disturbance that was taken out")
    band = Out("1", "number of the present band; -1 below f_low", type=int)
    bank = Param("1", "whether the disturbance is taken out", type=bool, default=True)
    f_low = Param("Hz", "where bands begin", default=10.0, gt=0)
    f_high = Param("Hz", "where bands end", default=32.0, gt=0)
    W = Param("Hz", "bandwidth of a band", default=6.0, gt=0)
    ripple = Param("1", "ripple of the passband in dB", default=0.05, gt=0, le=3)
    stop = Param("1", "attenuation of the stopband in dB", default=40.0, ge=10, le=120)
    amplitude = Param("1", "least size in the usable part", default=0.99, gt=0, le=0.999)
    phase = Param("rad", "largest phase in the usable part", default=math.radians(2.0), gt=0)
    T_g = Param("s", "time constant of fading C_D in and out", default=0.1, gt=0)
    overlap = Param("1", "part by which usable parts overlap", default=0.02, gt=0, lt=0.5)
    A = Derived("1", "system matrix of the prototype", shape=(3, 3))
    b = Derived("1", "its input column", shape=(3,))
    c = Derived("1", "its output row", shape=(3,))
    edges = Derived("Hz", "where bands begin", shape="n")
    w = Derived("rad/s", "their centres", shape="n")
    width = Derived("Hz", "usable width of a band")
    k = Discrete("1", "present band", type=int, start=-1, ge=-1)
    low = State("?C", "low-pass: output, and its rate over w_n", shape=(2,))
    x = State("?C", "first states of the band-pass", shape=(3,))
    z = State("?C", "second states of the band-pass", shape=(3,))
    g = State("1", "part of C_D that is taken out")
    prototype = Record("a band: its prototype, tunings and bandwidth", "A", "b", "w", "W")
    rates = Record("derivatives of the low-pass and the band", "der_low", "der_x", "der_z")

    @validate
    def can_be_tiled(f_low, f_high, ripple, stop, amplitude, phase, overlap, W):
        return design_problem(f_low, f_high, ripple, stop, amplitude, phase, overlap, W)

    @derive("A", "b", "c", "edges", "w", "width")
    def tile(f_low, f_high, ripple, stop, amplitude, phase, overlap, W):
        return tiles(f_low, f_high, ripple, stop, amplitude, phase, overlap, W)

    @der("low", "x", "z", "g")
    def move(C_tilde, low, x, z, g, k, prototype, f_noise, T_g, rates):
        smooth(C_tilde, low, f_noise, rates.der_low)  # (1)
        resonate(low[0], centre(k, prototype.w), prototype, x, z, rates.der_x, rates.der_z)  # (2)
        return fade(k, g, T_g)  # (3)

    @out("C_hat", "C_D", "band")
    def clean(low, x, g, k, c, bank):
        C_D = g * dot(c, x) if bank else 0.0
        return low[0] - C_D, C_D, k  # (3)

    @guard("leaves", initial=True)
    def at_edge(omega_w_hat, k, edges, width, overlap):
        return outside(frequency(omega_w_hat), k, edges, width, overlap * width)

    @reset("leaves", "k")
    def change(omega_w_hat, edges, width, overlap):
        return band_holding(frequency(omega_w_hat), edges, width, overlap * width)

    @response
    def bode(j_omega, A, b, c, w, W, f_noise, low_pass):
        return bank_responses(j_omega, A, b, c, w, 2.0 * math.pi * W, f_noise if low_pass else None)


def step_low(u, u_last, low, i, filters):
    """State i of the low-pass at this sample; without one, u itself."""
    if not filters.low_pass:
        return u if i == 0 else 0.0
    return row_dot(filters.Phi_l, i, low) + filters.Gamma_l[i] * (u + u_last)


def step_band(u, s, j, i, Phi, Gamma):
    """State i of band j at this sample; u is the sum of this input and the last."""
    total = Gamma[j, i] * u
    for n in range(6):
        total += Phi[j, i, n] * s[n]
    return total


class SampledMultistateFilter(MultistateFilter):
    """Sampled torque without its noise and without a disturbance at the frequency of the wheel.

    l_k = Phi_l l_{k-1} + Gamma_l (C_tilde_k + C_tilde_{k-1}),  C_l = first of l          (1)
    s_k = Phi_j s_{k-1} + Gamma_j (C_l_k + C_l_{k-1}),  C_D = g_k c s_k    (2)
    C_hat = C_l - C_D,  g_k = g after a lag T_g of (1 if f >= f_low else 0)               (3)

    The low-pass and the bands of rail.multistate_filter by the trapezoidal rule, tuned with warped
    frequencies so that phase and size keep their limits exactly. j is the band that holds |f|; a
    change takes effect one sample later and carries the six states over. Source: Conti et al.
    (2012), section 3.4.2; proposals as in rail.multistate_filter.
    """

    symbol = "≉ z"
    example = {"every": 1e-3}
    A = b = w = x = z = prototype = rates = at_edge = change = unsmoothed = None
    Phi_l = Derived("1", "low-pass: from sample to sample", shape=(2, 2))
    Gamma_l = Derived("1", "low-pass: from inputs", shape=(2,))
    Phi = Derived("1", "bands: from sample to sample", shape=("n", 6, 6))
    Gamma = Derived("1", "bands: from inputs", shape=("n", 6))
    band = Out("1", "number of the present band; -1 below f_low", type=int, before=-1)
    low = Discrete("?C", "low-pass: output, and its rate over w_n", shape=(2,))
    s = Discrete("?C", "states of the band-pass", shape=(6,))
    u_last = Discrete("?C", "input at the last sample")
    g = Discrete("1", "part of the disturbance that is taken out")
    filters = Record("low-pass and bands", "low_pass", "Phi_l", "Gamma_l", "Phi", "Gamma")
    memory = Record("states from the last sample", "u_last", "low", "s", "g", "k")
    tiles = Record("where bands begin, and how wide they are", "edges", "width", "overlap")
    every = Sample()

    @validate
    def is_fast_enough(f_high, f_noise, low_pass, W, every):
        top = (max(f_high, f_noise) if low_pass else f_high) + W
        if 2.0 * top * every >= 1.0:
            return f"every = {every:g} s is too long for {top:g} Hz; sample faster"

    @derive("c", "edges", "width", "Phi", "Gamma", "Phi_l", "Gamma_l")
    def tile(f_low, f_high, ripple, stop, amplitude, phase, overlap, W, f_noise, every):
        A, b, c, reach, edges, width = design(
            f_low, f_high, ripple, stop, amplitude, phase, overlap, W
        )
        Phi, Gamma = sampled_bands(A, b, *tuned(edges, width, reach, every), every)
        return c, edges, width, Phi, Gamma, *sampled_low_pass(f_noise, every)

    @out("C_hat", "C_D", "band")
    def clean(C_tilde, memory, c, bank, filters):
        low, k, Gamma = memory.low, memory.k, filters.Gamma
        j = min(max(k, 0), len(Gamma) - 1)
        C_l = step_low(C_tilde, memory.u_last, low, 0, filters)  # (1)
        C_D = 0.0
        if bank:
            for i in range(3):
                step = step_band(C_l + low[0], memory.s, j, i, filters.Phi, Gamma)
                C_D += memory.g * c[i] * step  # (2)
        return C_l - C_D, C_D, k  # (3)

    @response
    def bode(j_omega, c, Phi, Gamma, Phi_l, Gamma_l, low_pass, every):
        z = np.exp(every * j_omega)
        row = np.concatenate([c, np.zeros(3)])
        bands = [sampled_response(z, *one, row) for one in zip(Phi, Gamma, strict=True)]
        low = {"low-pass": sampled_response(z, Phi_l, Gamma_l, np.array([1.0, 0.0]))}
        return (low if low_pass else {}) | {"band": np.array(bands)}

    @update("k", "u_last", "g", "low", "s")
    def move(C_tilde, omega_w_hat, memory, filters, tiles, T_g, every, next_low, next_s):
        u_last, low, s, g, k = memory
        Phi, Gamma = filters.Phi, filters.Gamma
        edges, width, overlap = tiles
        j = min(max(k, 0), len(Gamma) - 1)
        u = step_low(C_tilde, u_last, low, 0, filters) + low[0]
        for i in range(6):
            next_s[i] = step_band(u, s, j, i, Phi, Gamma)
        for i in range(2):
            next_low[i] = step_low(C_tilde, u_last, low, i, filters)
        f, margin = frequency(omega_w_hat), overlap * width
        leaves = outside(f, k, edges, width, margin) >= 0.0
        fade = (1.0 - math.exp(-every / T_g)) * ((1.0 if k >= 0 else 0.0) - g)  # (3)
        return (band_holding(f, edges, width, margin) if leaves else k), C_tilde, g + fade
