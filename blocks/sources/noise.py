"""Random signals, repeatable: each number follows from stream, seeds and sample count."""

import math

from railblocks.blocks.base.checks import crossed
from railblocks.engine.declaration import (
    EACH,
    Block,
    Discrete,
    Out,
    Param,
    Sample,
    out,
    update,
    validate,
)

from .philox import normal, uniform_pair
from .streams import seed, stream


class UniformNoise(Block):
    """Independent random numbers, uniform between two bounds.

    y_k = low + (high - low) r_k,  r_k uniform on (0, 1)                   (1)

    r_k comes from Philox4x32-10 with counter (k, stream) and key (seed, run_seed). Every block has
    its own stream, from its path; seeds only select the realisation. `stream` names one instead:
    uniform noises that name the same one, with equal seeds, are equal. A list for a bound makes a
    vector of independent noises.
    """

    symbol = "U"
    example = {"every": 0.1}
    y = Out("?y", "random number, held between samples", shape=EACH)
    low = Param("?y", "lower bound", shape=EACH, default=-1.0)
    high = Param("?y", "upper bound", shape=EACH, default=1.0)
    seed = seed()
    stream = stream()
    k = Discrete("1", "number of samples drawn", type=int, start=0)
    every = Sample()

    @validate
    def bounds_are_ordered(low, high):
        return crossed(low, high, ("low", "high"))

    @out("y")
    def draw(k, low, high, seed, stream_number, run_seed):
        r, _ = uniform_pair(k, stream_number, seed, run_seed)
        return low + (high - low) * r  # (1)

    @update("k")
    def count(k):
        return k + 1


class GaussianNoise(Block):
    """Independent random numbers with a normal distribution.

    y_k = mean + std sqrt(-2 ln r_k) cos(2 pi s_k),  r_k and s_k uniform on (0, 1)       (1)

    r_k and s_k come from Philox4x32-10 as in sources.uniform_noise, from a stream of this block's
    own; (1) is the method of Box and Muller (1958). A list for mean or std makes a vector of
    independent noises.
    """

    symbol = "N"
    example = {"every": 0.1}
    y = Out("?y", "random number, held between samples", shape=EACH)
    mean = Param("?y", "mean", shape=EACH, default=0.0)
    std = Param("?y", "standard deviation", shape=EACH, default=1.0, ge=0)
    seed = seed()
    stream = stream()
    k = Discrete("1", "number of samples drawn", type=int, start=0)
    every = Sample()

    @out("y")
    def draw(k, mean, std, seed, stream_number, run_seed):
        return mean + std * normal(k, stream_number, seed, run_seed)  # (1)

    @update("k")
    def count(k):
        return k + 1


class BandLimitedWhiteNoise(Block):
    """Normal noise with a given power spectral density up to about half the sample frequency.

    y_k = sqrt(power / every) n_k,  n_k standard normal                    (1)

    The two-sided density is power sinc^2(f every), flat to 3.5 % up to f = 0.1 / every; choose
    `every` well below the shortest time constant of what it drives. n_k is drawn as in
    sources.gaussian_noise, from a stream of this block's own. A list for power makes a vector of
    independent noises.
    """

    symbol = "W"
    example = {"every": 0.1}
    y = Out("?y", "random number, held between samples", shape=EACH)
    power = Param("?y^2*s", "two-sided power spectral density", shape=EACH, default=0.1, ge=0)
    seed = seed()
    stream = stream()
    k = Discrete("1", "number of samples drawn", type=int, start=0)
    every = Sample()

    @out("y")
    def draw(k, power, every, seed, stream_number, run_seed):
        return math.sqrt(power / every) * normal(k, stream_number, seed, run_seed)  # (1)

    @update("k")
    def count(k):
        return k + 1
