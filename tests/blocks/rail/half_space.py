"""Pressures between elastic half-spaces for a gap of any shape: a reference that shares no code.

The surface of two half-spaces sinks by 1 / (pi E_star r) under a unit force at the distance r; over
a rectangular cell of even pressure by Love's formula (1929). Pressures that are not negative, and
displacements that fill the gap where they act, are found by conjugate gradients on the cells in
contact: I. A. Polonsky and L. M. Keer, Wear 231 (1999) 206, here at a given approach.
"""

import numpy as np


def influence(dx, dy, n_x, n_y):
    """E_star times the displacement around a cell of unit pressure, by Love's formula."""
    x = np.arange(1 - n_x, n_x) * dx
    y = np.arange(1 - n_y, n_y) * dy
    x, y = np.meshgrid(x, y)

    def corner(u, v):
        return u * np.arcsinh(v / np.abs(u)) + v * np.arcsinh(u / np.abs(v))

    sums = corner(x + dx / 2, y + dy / 2) + corner(x - dx / 2, y - dy / 2)
    return (sums - corner(x - dx / 2, y + dy / 2) - corner(x + dx / 2, y - dy / 2)) / np.pi


def pressures(gap, dx, dy, approach, E_star, close=1e-7, rounds=2000):
    """Pressures of all cells, rows along y, for the gap in their centres."""
    n_y, n_x = gap.shape
    size = (3 * n_y, 3 * n_x)
    spectrum = np.fft.rfft2(influence(dx, dy, n_x, n_y) / E_star, s=size)

    def displaced(p):
        whole = np.fft.irfft2(spectrum * np.fft.rfft2(p, s=size), s=size)
        return whole[n_y - 1 : 2 * n_y - 1, n_x - 1 : 2 * n_x - 1]

    wanted = approach - gap
    p = np.where(wanted > 0.5 * approach, E_star * approach / (dx * n_x), 0.0)
    way, before, goes_on = np.zeros_like(p), 1.0, 0.0
    for _ in range(rounds):
        rest = displaced(p) - wanted
        inside = p > 0.0
        square = np.sum(rest[inside] ** 2)
        way = np.where(inside, rest + goes_on * square / before * way, 0.0)
        before = square
        step = np.sum((rest * way)[inside]) / np.sum((displaced(way) * way)[inside])
        following = np.where(inside, np.maximum(p - step * way, 0.0), 0.0)
        overlaps = (following == 0.0) & (rest < 0.0)
        goes_on = 0.0 if overlaps.any() else 1.0
        following = np.where(overlaps, following - step * rest, following)
        change = np.abs(following - p).sum() / following.sum()
        p = following
        if change < close:
            return p
    raise ValueError("pressures do not settle")


def pressed(A, s, h, approach, E_star, cells=(64, 128)):
    """Load, largest pressure, area and centre in s of the gap A x^2 + h(s)."""
    n_x, n_y = cells
    touched = s[h < approach]
    low, high = touched[0], touched[-1]
    half = np.sqrt(approach / A)
    dx, dy = 2.0 * half / n_x, (high - low) / n_y
    x = -half + dx * (np.arange(n_x) + 0.5)
    y = low + dy * (np.arange(n_y) + 0.5)
    p = pressures(A * x[None, :] ** 2 + np.interp(y, s, h)[:, None], dx, dy, approach, E_star)
    cell = dx * dy
    centre = float(np.sum(p.sum(axis=1) * y) / p.sum())
    return float(p.sum() * cell), float(p.max()), float(np.sum(p > 0.0) * cell), centre
