"""What is added to a signal: a sine or a chirp, in continuous time or held from sample to sample.

    sine:   d = A sin(2 pi f (t - t_0))                                     (1)
    chirp:  d = A sin(2 pi f P / ln r (r^(p / P) - 1)),  p = (t - t_0) mod P      (2)

The chirp goes from f to r f within each period P. P f (r - 1) / ln r is a whole number, so that it
begins and ends at 0.
"""

from __future__ import annotations

import math

from ..declaration import Block, Out, Param, Sample, out


class Sine(Block):
    """Sine (1)."""

    id = "waves.sine"
    d = Out("?u", "wave")
    amplitude = Param("?u", "amplitude", default=1.0)
    frequency = Param("Hz", "frequency", default=1.0)
    ratio = Param("1", "not used", default=1.0)
    length = Param("s", "not used", default=1.0)
    begin = Param("s", "time at which it begins", default=0.0)

    @out("d")
    def swing(t, amplitude, frequency, begin):
        return amplitude * math.sin(2.0 * math.pi * frequency * (t - begin))  # (1)


class Chirp(Block):
    """Chirp (2), again and again."""

    id = "waves.chirp"
    d = Out("?u", "wave")
    amplitude = Param("?u", "amplitude", default=1.0)
    frequency = Param("Hz", "first frequency", default=1.0)
    ratio = Param("1", "last frequency over the first", default=10.0)
    length = Param("s", "period", default=1.0)
    begin = Param("s", "time at which it begins", default=0.0)

    @out("d")
    def swing(t, amplitude, frequency, ratio, length, begin):
        p = (t - begin) - length * math.floor((t - begin) / length)
        turns = frequency * length / math.log(ratio) * (ratio ** (p / length) - 1.0)
        return amplitude * math.sin(2.0 * math.pi * turns)  # (2)


class HeldSine(Sine):
    """Sine (1), held from sample to sample."""

    id = "waves.held_sine"
    every = Sample(default=1.0)


class HeldChirp(Chirp):
    """Chirp (2), held from sample to sample."""

    id = "waves.held_chirp"
    every = Sample(default=1.0)
