"""What a specialist would write by hand: whole numba programs with the same method as ode45.

Dormand-Prince 5(4), the PI controller, first step, quarter-wise event location and the tolerances
are those of the engine, so that the numbers of steps agree; the equations are written out.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

JIT = njit(error_model="numpy")


def dormand_prince(f, n):
    """Functions for the system f(t, x, dx, p) of n states: a step, the interpolant, the first h."""

    @JIT
    def attempt(t, h, x, x1, y, k, p, rtol, atol):
        for i in range(n):
            y[i] = x[i] + h * (0.2 * k[0, i])
        f(t + 0.2 * h, y, k[1], p)
        for i in range(n):
            y[i] = x[i] + h * (0.075 * k[0, i] + 0.225 * k[1, i])
        f(t + 0.3 * h, y, k[2], p)
        for i in range(n):
            y[i] = x[i] + h * (44 / 45 * k[0, i] - 56 / 15 * k[1, i] + 32 / 9 * k[2, i])
        f(t + 0.8 * h, y, k[3], p)
        for i in range(n):
            y[i] = x[i] + h * (
                19372 / 6561 * k[0, i]
                - 25360 / 2187 * k[1, i]
                + 64448 / 6561 * k[2, i]
                - 212 / 729 * k[3, i]
            )
        f(t + 8 / 9 * h, y, k[4], p)
        for i in range(n):
            y[i] = x[i] + h * (
                9017 / 3168 * k[0, i]
                - 355 / 33 * k[1, i]
                + 46732 / 5247 * k[2, i]
                + 49 / 176 * k[3, i]
                - 5103 / 18656 * k[4, i]
            )
        f(t + h, y, k[5], p)
        for i in range(n):
            x1[i] = x[i] + h * (
                35 / 384 * k[0, i]
                + 500 / 1113 * k[2, i]
                + 125 / 192 * k[3, i]
                - 2187 / 6784 * k[4, i]
                + 11 / 84 * k[5, i]
            )
        f(t + h, x1, k[6], p)
        worst = 0.0
        for i in range(n):
            e = h * (
                -71 / 57600 * k[0, i]
                + 71 / 16695 * k[2, i]
                - 71 / 1920 * k[3, i]
                + 17253 / 339200 * k[4, i]
                - 22 / 525 * k[5, i]
                + 1 / 40 * k[6, i]
            )
            worst = max(worst, abs(e) / (atol + rtol * max(abs(x[i]), abs(x1[i]))))
        return worst

    @JIT
    def between(theta, h, x, k, y):
        p0 = theta * (
            1.0
            + theta
            * (
                -8048581381 / 2820520608
                + theta * (8663915743 / 2820520608 - theta * 12715105075 / 11282082432)
            )
        )
        p2 = (
            theta
            * theta
            * (
                131558114200 / 32700410799
                + theta * (-68118460800 / 10900136933 + theta * 87487479700 / 32700410799)
            )
        )
        p3 = (
            theta
            * theta
            * (
                -1754552775 / 470086768
                + theta * (14199869525 / 1410260304 - theta * 10690763975 / 1880347072)
            )
        )
        p4 = (
            theta
            * theta
            * (
                127303824393 / 49829197408
                + theta * (-318862633887 / 49829197408 + theta * 701980252875 / 199316789632)
            )
        )
        p5 = (
            theta
            * theta
            * (
                -282668133 / 205662961
                + theta * (2019193451 / 616988883 - theta * 1453857185 / 822651844)
            )
        )
        p6 = (
            theta
            * theta
            * (40617522 / 29380423 + theta * (-110615467 / 29380423 + theta * 69997945 / 29380423))
        )
        for i in range(n):
            y[i] = x[i] + h * (
                p0 * k[0, i]
                + p2 * k[2, i]
                + p3 * k[3, i]
                + p4 * k[4, i]
                + p5 * k[5, i]
                + p6 * k[6, i]
            )

    @JIT
    def first_step(t, x, y, k, p, rtol, atol, h_max):
        f(t, x, k[0], p)
        size, speed = 0.0, 0.0
        for i in range(n):
            weight = atol + rtol * abs(x[i])
            size = max(size, abs(x[i]) / weight)
            speed = max(speed, abs(k[0, i]) / weight)
        h = 1e-6 if size < 1e-5 or speed < 1e-5 else 0.01 * size / speed
        h = min(h, h_max)
        for i in range(n):
            y[i] = x[i] + h * k[0, i]
        f(t + h, y, k[1], p)
        second = 0.0
        for i in range(n):
            second = max(second, abs(k[1, i] - k[0, i]) / (atol + rtol * abs(x[i])) / h)
        largest = max(speed, second)
        other = max(1e-6, 1e-3 * h) if largest <= 1e-15 else (0.01 / largest) ** 0.2
        return min(min(100.0 * h, other), h_max)

    @JIT
    def controlled(t, limit, h, x, x1, y, k, p, rtol, atol, h_max, old):
        """One accepted step: (time after, step done, step wanted, error)."""
        wanted_before = h
        h = min(h, h_max)
        rejected = False
        while True:
            cut = False
            if t + 1.01 * h >= limit:
                h = limit - t
                cut = True
            elif t + 2.0 * h > limit:
                h = 0.5 * (limit - t)
            error = attempt(t, h, x, x1, y, k, p, rtol, atol)
            raw = error**0.17
            if error <= 1.0:
                wanted = h / max(0.1, min(5.0, raw / old**0.04 / 0.9))
                if rejected:
                    wanted = min(wanted, h)
                elif cut:
                    wanted = max(wanted, wanted_before)
                return (limit if cut else t + h), h, wanted, max(error, 1e-4)
            rejected = True
            h = h * max(0.1, 0.9 / raw)

    return between, first_step, controlled


def van_der_pol():
    """run(mu, stop, rtol, atol) -> (x, steps)."""

    @JIT
    def f(t, x, dx, p):
        dx[0] = x[1]
        dx[1] = p * (1.0 - x[0] * x[0]) * x[1] - x[0]

    _, first_step, controlled = dormand_prince(f, 2)

    @JIT
    def run(mu, stop, rtol, atol):
        x, x1, y, k = np.array([2.0, 0.0]), np.empty(2), np.empty(2), np.empty((7, 2))
        t, steps, old = 0.0, 0, 1e-4
        h = first_step(t, x, y, k, mu, rtol, atol, stop)
        while t < stop:
            t, _, h, old = controlled(t, stop, h, x, x1, y, k, mu, rtol, atol, stop, old)
            x[:] = x1
            k[0] = k[6]
            steps += 1
        return x[0], steps

    return run


def bounces():
    """run(stop, rtol, atol) -> (height, events) of a ball that loses nothing."""

    @JIT
    def f(t, x, dx, p):
        dx[0] = x[1]
        dx[1] = -9.81

    between, first_step, controlled = dormand_prince(f, 2)

    @JIT
    def run(stop, rtol, atol):
        x, x1, y, k = np.array([1.0, 0.0]), np.empty(2), np.empty(2), np.empty((7, 2))
        t, events, old, last = 0.0, 0, 1e-4, -math.inf
        h_max = stop / 50.0
        before = -x[0]
        h = first_step(t, x, y, k, 0.0, rtol, atol, h_max)
        while t < stop:
            end, done, h, old = controlled(t, stop, h, x, x1, y, k, 0.0, rtol, atol, h_max, old)
            low, g_low, hit = 0.0, before, False
            for quarter in range(1, 5):
                high = 0.25 * quarter
                between(high, done, x, k, y)
                g_high = -(x1[0] if quarter == 4 else y[0])
                if g_low < 0.0 and g_high >= 0.0:
                    hit = True
                    break
                low, g_low = high, g_high
            if not hit:
                before = g_high
                t = end
                x[:] = x1
                k[0] = k[6]
                continue
            narrow = (1e-13 + 9e-16 * end) / done
            turn = 0
            while high - low > narrow:
                turn += 1
                middle = 0.5 * (low + high)
                if turn % 3 != 0:
                    root = low - g_low * (high - low) / (g_high - g_low)
                    middle = min(max(root, low + 0.5 * narrow), high - 0.5 * narrow)
                between(middle, done, x, k, y)
                if -y[0] >= 0.0:
                    high, g_high = middle, -y[0]
                else:
                    low, g_low = middle, -y[0]
            between(high, done, x, k, y)
            t += high * done
            x[0], x[1] = 0.0, -y[1]
            before = -0.0
            events += 1
            h = first_step(t, x, y, k, 0.0, rtol, atol, h_max)
            if last > 0.0:
                h = min(h, 0.1 * (t - last))
            last, old = t, 1e-4
        return x[0], events

    return run


def sampled_motor():
    """run(stop, rtol, atol) -> (speed, steps): a motor under a PI controller at 1 kHz."""

    @JIT
    def f(t, x, dx, p):
        dx[0] = (p - 1.2 * x[0] - 0.05 * x[1]) / 8e-4
        dx[1] = (0.05 * x[0] - 1e-5 * x[1]) / 2e-4

    _, first_step, controlled = dormand_prince(f, 2)

    @JIT
    def run(stop, rtol, atol):
        x, x1, y, k = np.zeros(2), np.empty(2), np.empty(2), np.empty((7, 2))
        t, steps, old, integral, h = 0.0, 0, 1e-4, 0.0, 0.0
        for hit in range(1, round(stop * 1000) + 1):
            error = 100.0 - x[1]
            free = 0.25 * error + integral
            u = min(max(free, -12.0), 12.0)
            integral += 1e-3 * (3.0 * error + 20.0 * (u - free))
            limit = hit * 1.0 / 1000.0
            if hit == 1:
                h = first_step(t, x, y, k, u, rtol, atol, stop / 50.0)
            else:
                f(t, x, k[0], u)
            while t < limit:
                t, _, h, old = controlled(t, limit, h, x, x1, y, k, u, rtol, atol, stop / 50.0, old)
                x[:] = x1
                k[0] = k[6]
                steps += 1
        return x[1], steps

    return run
