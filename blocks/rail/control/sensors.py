"""Sensors of a roller, sampled: noise, resolution, and the rate of what they tell."""

import math

from railblocks.blocks.base.kernels import nearest_multiple
from railblocks.blocks.sources.philox import normal


def rounded(u, step):
    """u to the nearest multiple of step; step <= 0 leaves it."""
    return nearest_multiple(u, step) if step > 0.0 else u


def sensed_speed(omega_rm, k, sensors):
    """The k-th reading of the speed sensor: noise first, then steps of the converter."""
    omega = omega_rm
    if sensors.std_omega > 0.0:
        omega += sensors.std_omega * drawn(2 * k, sensors)
    return rounded(omega, sensors.res_omega)


def sensed_force(T_mis, k, sensors):
    """The k-th reading of the load cell: noise first, then steps of the converter."""
    T = T_mis
    if sensors.std_T > 0.0:
        T += sensors.std_T * drawn(2 * k + 1, sensors)
    return rounded(T, sensors.res_T)


def drawn(number, sensors):
    """A normal number of the sensors' stream."""
    return normal(number, sensors.stream_number, sensors.seed, sensors.run_seed)


def rate_of(omega, x, d, T_f, every):
    """Filtered rate of a speed, from speed and rate at the last sample."""
    e = math.exp(-every / T_f)
    return e * d + (1.0 - e) * (omega - x) / every
