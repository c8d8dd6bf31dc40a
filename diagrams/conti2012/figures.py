"""Pictures of the scenarios of Conti et al. (2012): counterparts of its Figures 12 to 24."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from railblocks.blocks.rail.control.elliptic_bank import band_response
from railblocks.diagrams.conti2012.errors import error_parts
from railblocks.diagrams.conti2012.runs import STEADY_FROM_S, RigRun
from railblocks.diagrams.conti2012.unbalance import Axles, held_shaking, shaking
from railblocks.diagrams.figures import BLUE, GREEN, GREY, ORANGE, PURPLE, RED, legend_above
from railblocks.engine.plots.plotting import reduced
from railblocks.engine.reproduction.result import Figure

SLICES = 700
AXLES = ("front", "rear", "third", "fourth")
COLOURS = (BLUE, RED, GREEN, PURPLE)
FIRST_FIGURE = {"scenario 1": 12, "scenario 2 without filter": 17, "scenario 2 with filter": 21}
"""The paper's first figure of each scenario."""
CLOSE_UP_S = 0.25
"""Seconds that are shown close up."""
ROLLING_FROM_S = 0.1
"""When wheels have come to roll, in s: before that, values may lie outside of a picture."""
SIZE_IN, FLAT_SIZE_IN = (8.4, 5.4), (8.4, 3.4)


def figures(runs: Sequence[RigRun]) -> tuple[Figure, ...]:
    return (
        *(figure for run in runs for figure in _of_scenario(run)),
        _figure("disturbance", DISTURBANCE, draw_disturbance, runs[-1], FLAT_SIZE_IN),
        _figure("error_parts", PARTS, draw_parts, runs[0], (8.4, 5.8)),
        _figure("figure_10_band", BAND, draw_band, runs[-1], SIZE_IN),
    )


DISTURBANCE = (
    "Amplitude of the disturbance in the estimated torque over the speed of the wheels, with "
    "filter: measured, and in closed form (Equation 33 with its lever arm)."
)
BAND = (
    "Figure 10: amplitude and phase of the band of the multistate filter that holds 24 Hz, with "
    "both limits (dashed) and where the selector uses the band (grey)."
)
PARTS = "What the torque error of scenario 1 consists of, front wheelset."


def _figure(name: str, caption: str, draw: Callable, run: RigRun, size: tuple) -> Figure:
    return Figure(name, caption, lambda figure: draw(figure, run), size)


def _of_scenario(run: RigRun) -> list[Figure]:
    number = FIRST_FIGURE[run.title]
    torque = "estimated" if "without" in run.title else "filtered"
    drawn = [
        ("torque", f"{torque} torque and real torque, front wheelset", draw_torque, SIZE_IN),
        ("speed", "speed error of both wheelsets", draw_speed, FLAT_SIZE_IN),
        ("control", "control torques of the rig and of the virtual rig", draw_control, SIZE_IN),
    ]
    if number == 12 and run.spatial:
        drawn.append(
            ("lateral", "lateral displacement of both wheelsets", draw_lateral, FLAT_SIZE_IN)
        )
    drawn.append(("forces", "creep forces T_sim, T_cont and T_hat, front", draw_forces, SIZE_IN))
    numbers = [number + k for k in range(len(drawn))]
    if number == 12 and not run.spatial:
        numbers[-1] = 16
    where = "" if run.spatial else ", rig in the plane"
    return [
        _figure(f"figure_{n}_{name}", f"Figure {n}, {run.title}{where}: {words}.", draw, run, size)
        for n, (name, words, draw, size) in zip(numbers, drawn, strict=True)
    ]


def _line(ax: Any, run: RigRun, values: np.ndarray, label: str, colour: str, **style: Any) -> None:
    kept = reduced(run.t, values, SLICES)
    ax.plot(run.t[kept], values[kept], label=label, color=colour, **{"lw": 0.9, **style})


def _time(ax: Any, run: RigRun) -> None:
    """Sets the axes: all time along x, heights without the start, when wheels come to roll."""
    ax.set_xlim(run.t[0], run.t[-1])
    ax.set_xlabel("time / s")
    _heights(ax)


def _heights(*axes: Any) -> None:
    """Sets one range for all axes, with room around what is drawn after the start."""
    lines = [line for ax in axes for line in ax.lines]
    values = np.concatenate(
        [line.get_ydata()[line.get_xdata() >= ROLLING_FROM_S] for line in lines]
    )
    low, high = float(values.min()), float(values.max())
    for ax in axes:
        ax.set_ylim(low - 0.06 * (high - low), high + 0.06 * (high - low))


def draw_torque(figure: Any, run: RigRun) -> None:
    """Draws torques above, their difference below, and both close up where the error is largest."""
    name = r"$\hat C_S\,\phi_C$"
    grid = figure.add_gridspec(2, 2, width_ratios=(2.2, 1.0))
    top, bottom = (figure.add_subplot(grid[row, 0]) for row in range(2))
    close, error = (figure.add_subplot(grid[row, 1]) for row in range(2))
    for ax in (top, close):
        _line(ax, run, run.C_hat[:, 0] / 1e3, name, RED)
        _line(ax, run, run.C_S[:, 0] / 1e3, "$C_S$", BLUE)
    for ax in (bottom, error):
        _line(ax, run, run.e_c[:, 0], "$e_c = C_S - $" + name, GREY)
        ax.set_xlabel("time / s")
    middle = _worst_time(run)
    shown = run.window(middle - CLOSE_UP_S / 2, middle + CLOSE_UP_S / 2)
    for ax, values in ((close, np.array([run.C_hat[:, 0], run.C_S[:, 0]]) / 1e3),
                       (error, run.e_c[None, :, 0])):  # fmt: skip
        ax.set_xlim(middle - CLOSE_UP_S / 2, middle + CLOSE_UP_S / 2)
        for n, line in enumerate(ax.lines):
            line.set_data(run.t[shown], values[n, shown])
        _heights(ax)
    for ax in (top, bottom):
        _time(ax, run)
        legend_above(ax)
    top.set_ylabel("torque / kN m")
    bottom.set_ylabel("error / N m")
    close.set_title("close up")


def _worst_time(run: RigRun) -> float:
    late = np.flatnonzero(run.window(STEADY_FROM_S, run.t[-1] - CLOSE_UP_S))
    return float(run.t[late[np.argmax(np.abs(run.e_c[late, 0]))]])


def draw_speed(figure: Any, run: RigRun) -> None:
    ax = figure.subplots()
    for axle in range(2):
        _line(ax, run, run.e_omega[:, axle], AXLES[axle], COLOURS[axle])
    ax.set_ylabel(r"$e_\omega$ / rad/s")
    _time(ax, run)
    legend_above(ax)


def draw_control(figure: Any, run: RigRun) -> None:
    axes = figure.subplots(2, 1, sharex=True, sharey=True)
    names = ("MDM rig" if run.spatial else "front rig", "virtual rig")
    for ax, first, name in zip(axes, (0, 2), names, strict=True):
        for axle in (first, first + 1):
            label = f"$u_{axle + 1}$, {name}, {AXLES[axle % 2]}"
            _line(ax, run, run.u[:, axle], label, COLOURS[axle])
        ax.set_ylabel("torque / N m")
        legend_above(ax)
    _time(axes[-1], run)
    _heights(*axes)


def draw_lateral(figure: Any, run: RigRun) -> None:
    ax = figure.subplots()
    for axle in range(2):
        _line(ax, run, 1e3 * run.G_y[:, axle], AXLES[axle], COLOURS[axle])
    ax.set_ylabel("$G_y$ / mm")
    ax.set_xlabel("time / s")
    ax.set_xlim(run.t[0], run.t[-1])
    legend_above(ax)


def draw_forces(figure: Any, run: RigRun) -> None:
    """Draws forces: all time above, the last quarter of a second below."""
    axes = figure.subplots(2, 1)
    forces = (
        (r"$\hat T$, measured", run.T_hat, GREEN),
        ("$T_{cont,x}$, contact model", run.T_cont, RED),
        ("$T_{sim}$, virtual train", run.T_sim, BLUE),
    )
    start = run.t[-1] - 1.0
    last = run.window(start, start + CLOSE_UP_S)
    for label, force, colour in forces:
        _line(axes[0], run, force[:, 0], label, colour)
        axes[1].plot(run.t[last], force[last, 0], color=colour, lw=1.1)
    _time(axes[0], run)
    legend_above(axes[0])
    axes[1].set_xlim(start, start + CLOSE_UP_S)
    axes[1].set_xlabel("time / s")
    for ax in axes:
        ax.set_ylabel("force / N")


def draw_disturbance(figure: Any, run: RigRun) -> None:
    axes = figure.subplots(1, 2, sharey=True)
    step = 0.4
    starts = np.arange(0.6, run.t[-1] - step, step)
    for axle, ax in enumerate(axes):
        omega = [np.mean(run.omega_w[run.window(t, t + step), axle]) for t in starts]
        pairs = list(zip(starts, omega, strict=True))
        measured = [shaking(run, axle, run.C_tilde[:, axle], t, t + step) for t in starts]
        held = [held_shaking(run, axle, t + 0.5 * step, w) for t, w in pairs]
        label = r"measured in $\tilde C_S$"
        ax.plot(omega, np.array(measured) / 1e3, "o", ms=4, color=RED, label=label)
        ax.plot(omega, np.array(held) / 1e3, color=BLUE, label=r"$r\,m e\,\omega^2$, axles held")
        if run.spatial:
            model = Axles(run)
            sprung = [model.shaking(run, t + 0.5 * step, w)[axle] for t, w in pairs]
            ax.plot(omega, np.array(sprung) / 1e3, color=GREY, ls="--", label="axles on springs")
        ax.set_title(f"{AXLES[axle]} wheelset")
        ax.set_xlabel("speed of the wheelset / rad/s")
    axes[0].set_ylim(bottom=0.0)
    axes[0].set_ylabel("amplitude / kN m")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)


def draw_parts(figure: Any, run: RigRun) -> None:
    axes = figure.subplots(2, 1, sharex=True)
    _line(axes[0], run, run.e_c[:, 0], "$e_c$, the whole", GREY)
    colours = (BLUE, GREEN, ORANGE, GREY, RED, PURPLE)
    for (name, values), colour in zip(error_parts(run).items(), colours, strict=True):
        if np.max(np.abs(values[:, 0])) > 1.0:
            _line(axes[1], run, values[:, 0], name, colour)
    for ax in axes:
        ax.set_ylabel("torque / N m")
        legend_above(ax)
        _time(ax, run)
    axes[0].set_xlabel("")


def draw_band(figure: Any, run: RigRun) -> None:
    v = run.blocks["simulator.estimation.filter_1"]
    band = int(np.searchsorted(v["edges"], 150.0 / (2.0 * np.pi))) - 1
    low, high = v["edges"][band], v["edges"][band] + v["width"]
    f = np.linspace(low - 0.75 * v["W"], high + 0.75 * v["W"], 1201)
    H = band_response(2j * np.pi * f, v["A"], v["b"], v["c"], v["w"][band], 2.0 * np.pi * v["W"])
    limit = np.degrees(v["phase"])
    grid = figure.add_gridspec(2, 2, width_ratios=(1.8, 1.0))
    for column, (start, stop) in enumerate(((f[0], f[-1]), (low - 0.3, high + 0.3))):
        upper, lower = (figure.add_subplot(grid[row, column]) for row in range(2))
        upper.plot(f, np.abs(H), color=BLUE)
        lower.plot(f, np.degrees(np.unwrap(np.angle(H))), color=RED)
        upper.axhline(v["amplitude"], color=GREY, ls="--", lw=0.9)
        for sign in (-1.0, 1.0):
            lower.axhline(sign * limit, color=GREY, ls="--", lw=0.9)
        for ax in (upper, lower):
            ax.axvspan(low, high, color="#d9d9d9", lw=0)
            ax.set_xlim(start, stop)
        lower.set_xlabel("frequency / Hz")
        if column:
            upper.set_ylim(0.985, 1.003)
            lower.set_ylim(-3.0 * limit, 3.0 * limit)
            upper.set_title("close up")
        else:
            upper.set_ylabel("amplitude / 1")
            lower.set_ylabel("phase / °")


def draw_overview(figure: Any, run: RigRun) -> None:
    """Draws a run of the three-dimensional rig at a glance."""
    axes = figure.subplots(2, 2, sharex=True)
    torque, error, lateral, force = axes.flat
    for axle in range(2):
        _line(torque, run, run.C_S[:, axle] / 1e3, f"motor, {AXLES[axle]}", COLOURS[axle])
        _line(error, run, run.e_c[:, axle], AXLES[axle], COLOURS[axle])
        _line(lateral, run, 1e3 * run.G_y[:, axle], AXLES[axle], COLOURS[axle])
    _line(force, run, run.T_hat[:, 0], "measured, front", GREEN)
    _line(force, run, run.T_sim[:, 0], "virtual train, front", BLUE)
    labels = ("torque / kN m", "torque error / N m", "lateral shift / mm")
    for ax, label in zip(axes.flat, (*labels, "creep force / N"), strict=True):
        ax.set_ylabel(label)
        _time(ax, run)
        legend_above(ax)
    for ax in axes[0]:
        ax.set_xlabel("")
    lateral.autoscale(axis="y")
