"""Figures of linear models: Bode, Nyquist, poles and zeros, steps, modes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import DiagramError
from ..plots.plotting import COLOURS, plain, unit_text
from ..plots.style import canvas_of
from .frequencies import frequencies_of
from .margins import Margins, margins
from .model import LinearModel, as_rates
from .modes import modes
from .steps import step_response

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KINDS = ("bode", "nyquist", "poles", "step", "modes")
SIZE, DPI = (8.4, 5.6), 130
MOST_LINES = 12
MOST_MODES, MOST_STATES = 8, 30
GREY = "#8a8a8a"


def figure_of(model: LinearModel, kind: str, band: tuple[float, float] | None = None) -> Figure:
    """A figure of a kind; `band` are frequencies in Hz of Bode and Nyquist plots."""
    if kind not in KINDS:
        raise DiagramError(f"'{kind}' is not a kind of figure; expected {', '.join(KINDS)}")
    if kind in ("bode", "nyquist", "step") and not (model.inputs and model.outputs):
        raise DiagramError(
            f"a figure of kind '{kind}' needs an input and an output; give --from and --to, or "
            "--loop, or take --kind poles or modes"
        )
    omega = None if band is None else (2.0 * math.pi * band[0], 2.0 * math.pi * band[1])
    draw: dict[str, Callable[[Figure], None]] = {
        "bode": lambda figure: _bode(figure, model, omega),
        "nyquist": lambda figure: _nyquist(figure, model, omega),
        "poles": lambda figure: _poles(figure, model),
        "step": lambda figure: _step(figure, model),
        "modes": lambda figure: _modes(figure, model),
    }
    with canvas_of(SIZE, DPI) as figure:
        draw[kind](figure)
        figure.suptitle(plain(_title(model)), fontsize=10, x=0.02, ha="left")
    return figure


def _title(model: LinearModel) -> str:
    when = f"about t = {model.time:g} s"
    if model.sample_time is not None:
        when += f", every {model.sample_time:g} s"
    return f"{model.title} — {when}"


def _lines(model: LinearModel) -> list[tuple[int, int, str]]:
    """Outputs and inputs of each line, with its name."""
    both = [
        (i, j, f"{y} / {u}" if y != u else f"loop at {u}")
        for i, y in enumerate(model.outputs)
        for j, u in enumerate(model.inputs)
    ]
    return both[:MOST_LINES]


def _margins(model: LinearModel) -> Margins | None:
    alone = len(model.inputs) == 1 and model.inputs == model.outputs
    return margins(model) if alone else None


def _bode(figure: Any, model: LinearModel, band: tuple[float, float] | None) -> None:
    omega = frequencies_of(model, band)
    values = model.response(omega)
    upper, lower = figure.subplots(2, 1, sharex=True)
    hertz = omega / (2.0 * math.pi)
    for k, (i, j, name) in enumerate(_lines(model)):
        H = values[:, i, j]
        with np.errstate(divide="ignore"):
            decibels = 20.0 * np.log10(np.abs(H))
        seen = np.isfinite(decibels)
        colour = COLOURS[k % len(COLOURS)]
        upper.semilogx(hertz[seen], decibels[seen], color=colour, label=plain(name))
        phase = np.degrees(np.unwrap(np.angle(H[seen])))
        phase -= 360.0 * np.round((phase[0] if len(phase) else 0.0) / 360.0)
        lower.semilogx(hertz[seen], phase, color=colour)
    upper.set_ylabel("amplitude / dB")
    lower.set_ylabel("phase / °")
    lower.yaxis.set_major_locator(_degrees())
    lower.set_xlabel("frequency / Hz")
    upper.margins(x=0.0)
    upper.legend(loc="best")
    edge = _margins(model)
    if edge is not None:
        _mark_margins(upper, lower, edge)


def _degrees() -> Any:
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(nbins=6, steps=[1.5, 3.0, 4.5, 9.0])


def _mark_margins(upper: Any, lower: Any, edge: Margins) -> None:
    texts = []
    upper.axhline(0.0, color=GREY, lw=0.8)
    if math.isfinite(edge.gain):
        f = edge.gain_omega / (2.0 * math.pi)
        upper.plot([f, f], [0.0, -edge.gain_db], color=COLOURS[1], lw=2.0)
        texts.append(f"gain margin {edge.gain_db:.3g} dB at {f:.3g} Hz")
    if math.isfinite(edge.phase_deg):
        f = edge.phase_omega / (2.0 * math.pi)
        for axis in (upper, lower):
            axis.axvline(f, color=COLOURS[2], lw=0.9, ls="--")
        texts.append(f"phase margin {edge.phase_deg:.3g}° at {f:.3g} Hz")
    upper.set_title("; ".join(texts) or "no crossing: all margins are infinite", fontsize=9)


def _nyquist(figure: Any, model: LinearModel, band: tuple[float, float] | None) -> None:
    axis = figure.subplots()
    values = model.response(frequencies_of(model, band))
    reach = 1.5
    for k, (i, j, name) in enumerate(_lines(model)):
        H = values[:, i, j]
        H = H[np.isfinite(H)]
        colour = COLOURS[k % len(COLOURS)]
        axis.plot(H.real, H.imag, color=colour, label=plain(name))
        axis.plot(H.real, -H.imag, color=colour, lw=0.8, ls=":")
        reach = max(reach, min(1.15 * float(np.abs(H).max(initial=0.0)), 6.0))
    turn = np.linspace(0.0, 2.0 * np.pi, 200)
    axis.plot(np.cos(turn), np.sin(turn), color=GREY, lw=0.7)
    axis.plot(-1.0, 0.0, "+", color=COLOURS[1], ms=11, mew=2.0)
    axis.set_xlim(-reach, reach)
    axis.set_ylim(-reach, reach)
    axis.set_aspect("equal", adjustable="datalim")
    axis.set_xlabel("real part")
    axis.set_ylabel("imaginary part")
    axis.legend(loc="upper right")
    edge = _margins(model)
    if edge is not None:
        axis.set_title(f"nearest to -1: {edge.distance:.3g}", fontsize=9)


def _poles(figure: Any, model: LinearModel) -> None:
    axis = figure.subplots()
    poles, zeros = model.poles, model.zeros
    axis.plot(poles.real, poles.imag, "x", color=COLOURS[0], mew=1.8, ms=8, label="poles")
    if len(zeros):
        axis.plot(
            *(zeros.real, zeros.imag), "o", color=COLOURS[1], mfc="none", mew=1.5, label="zeros"
        )
    if model.sample_time is None:
        axis.axvline(0.0, color=GREY, lw=0.9)
        axis.set_xlabel("real part / (1/s)")
        axis.set_ylabel("imaginary part / (rad/s)")
        axis.margins(0.1)
    else:
        turn = np.linspace(0.0, 2.0 * np.pi, 300)
        axis.plot(np.cos(turn), np.sin(turn), color=GREY, lw=0.9)
        axis.set_aspect("equal", adjustable="datalim")
        axis.set_xlabel("real part of z")
        axis.set_ylabel("imaginary part of z")
    axis.axhline(0.0, color=GREY, lw=0.6)
    axis.legend(loc="best")


def _step(figure: Any, model: LinearModel) -> None:
    times, values = step_response(model)
    axis = figure.subplots()
    style = {} if model.sample_time is None else {"drawstyle": "steps-post"}
    for i, j, name in _lines(model):
        axis.plot(times, values[:, i, j], label=plain(name), **style)
    units = {model.units.get(y, "") for y in model.outputs}
    per = {model.units.get(u, "") for u in model.inputs}
    axis.set_xlabel("time / s")
    unit = unit_text(units.pop()) if len(units) == 1 else ""
    of = unit_text(per.pop()) if len(per) == 1 else ""
    per_text = f"1 {of}" if of not in ("", "1") else "1"
    axis.set_ylabel(f"response to a step of {per_text}" + (f" / {unit}" if unit else ""))
    axis.margins(x=0.0)
    axis.legend(loc="best")


def _modes(figure: Any, model: LinearModel) -> None:
    """A bar for each state of the least damped modes: its part, and the phase as colour."""
    chosen = modes(model)[:MOST_MODES]
    if not chosen:
        raise DiagramError("the model has no states, so that there are no modes to draw")
    axes = figure.subplots(1, len(chosen), sharey=True, squeeze=False)[0]
    total = np.array([[mode.parts[n] for n in model.states] for mode in chosen]).max(axis=0)
    order = np.sort(np.argsort(-total, kind="stable")[:MOST_STATES])
    names = [model.states[k] for k in order]
    for axis, mode in zip(axes, chosen, strict=True):
        parts = [mode.parts[name] for name in names]
        grows = mode.rate.real > 0.0
        axis.barh(range(len(names)), parts, color=COLOURS[1] if grows else COLOURS[0])
        axis.set_xlim(0.0, 1.0)
        axis.set_title(
            f"{mode.frequency:.3g} Hz\nD = {mode.damping:.2g}", fontsize=8,
            color=COLOURS[1] if grows else "#333333",
        )  # fmt: skip
        axis.tick_params(labelsize=7)
        axis.set_xticks([0.0, 1.0])
    axes[0].set_yticks(range(len(names)), [plain(name) for name in names], fontsize=7)
    axes[0].invert_yaxis()
    figure.supxlabel("part of each state in the mode; red: grows", fontsize=8)


def pole_rows(model: LinearModel) -> list[tuple[str, str, str, str]]:
    """A row of a table for each mode: rate, frequency, damping ratio, states that take part."""
    rows = []
    for mode in modes(model):
        sign = f" ± {abs(mode.rate.imag):.6g}i" if mode.rate.imag else ""
        parts = ", ".join(f"{name} {part:.2f}" for name, part in mode.main_parts)
        frequency = f"{mode.frequency:.6g}" if mode.rate.imag else ""
        rows.append((f"{mode.rate.real:.6g}{sign}", frequency, f"{mode.damping:.4g}", parts))
    return rows


def zero_texts(model: LinearModel) -> list[str]:
    """Zeros as rates in 1/s, those of a pair once."""
    rates = as_rates(model.zeros, model.sample_time)
    return [
        f"{z.real:.6g}" + (f" ± {z.imag:.6g}i" if z.imag else "") for z in rates if z.imag >= 0.0
    ]
