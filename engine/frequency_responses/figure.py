"""Figure of a measured frequency response: amplitude, phase and coherence, with the linear one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..plots.plotting import COLOURS, plain
from ..plots.style import canvas_of
from .respond import FrequencyResponse

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIZE, DPI = (8.4, 6.4), 130
POINTS = 600


def response_figure(response: FrequencyResponse) -> Figure:
    """The response as points, the linear model as lines."""
    f = response.frequencies
    with canvas_of(SIZE, DPI) as figure:
        upper, middle, lower = figure.subplots(3, 1, sharex=True, height_ratios=(2.0, 2.0, 1.0))
        measured = np.degrees(np.unwrap(np.angle(response.values)))
        if response.model is not None:
            dense = np.geomspace(f[0], f[-1], POINTS)
            line = response.model.response(2.0 * np.pi * dense)[:, 0, 0]
            seen = np.isfinite(line) & (np.abs(line) > 0.0)
            phase = np.degrees(np.unwrap(np.angle(line[seen])))
            if len(phase):
                measured = measured + 360.0 * np.round((phase[0] - measured[0]) / 360.0)
            upper.semilogx(dense[seen], _decibels(line[seen]), color=COLOURS[0], label="linear")
            middle.semilogx(dense[seen], phase, color=COLOURS[0])
        name = f"{response.method}, amplitude {response.amplitude:g}"
        style = {"color": COLOURS[1], "ls": "none", "marker": "o", "ms": 4.5, "mfc": "none"}
        upper.semilogx(f, _decibels(response.values), label=name, **style)
        middle.semilogx(f, measured, **style)
        lower.semilogx(f, response.coherence, **style)
        lower.set_ylim(-0.05, 1.08)
        upper.set_ylabel("amplitude / dB")
        middle.set_ylabel("phase / °")
        lower.set_ylabel("coherence")
        lower.set_xlabel("frequency / Hz")
        upper.legend(loc="best")
        ends = f"{response.output} / {response.input}"
        figure.suptitle(plain(f"{response.title} — {ends}"), fontsize=10, x=0.02, ha="left")
    return figure


def _decibels(values: np.ndarray) -> np.ndarray:
    with np.errstate(divide="ignore"):
        return np.where(np.abs(values) > 0.0, 20.0 * np.log10(np.abs(values)), np.nan)
