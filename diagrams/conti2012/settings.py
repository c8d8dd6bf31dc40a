"""Rows of Conti et al. (2012) that are no results of a run: filter, Tables 1, 3 and 4."""

from __future__ import annotations

import math

import numpy as np
from railblocks.blocks.rail.control.elliptic_bank import band_response
from railblocks.blocks.rail.control.similitude import SCALINGS, TABLE_1
from railblocks.diagrams.conti2012.runs import FAST, Run
from railblocks.engine.reproduction.result import Row

FILTER = "simulator.estimation.filter_1"
TABLE_3 = {"MATLAB function": 16.2 * 3600.0, "M-S function": 6.2 * 3600.0, "C-S function": 1500.0}
PRINTED_3 = {"MATLAB function": "16.2 h", "M-S function": "6.2 h", "C-S function": "25 min"}
TABLE_4 = {"method": "ode45", "atol": 1e-8, "rtol": 1e-10}
REAL_TIME, REAL_TIME_IN_PLANE = 1.0, 100.0


def filter_rows(run: Run) -> list[Row]:
    """Bands of the multistate filter, and whether each keeps its limits where it is used."""
    v = run.blocks[FILTER]
    edges, width = v["edges"], v["width"]
    least, most = math.inf, 0.0
    for edge, w in zip(edges, v["w"], strict=True):
        s = 2j * np.pi * np.linspace(edge, edge + width, 41)
        H = band_response(s, v["A"], v["b"], v["c"], w, 2.0 * np.pi * v["W"])
        least, most = min(least, np.min(np.abs(H))), max(most, np.max(np.abs(np.angle(H))))
    phase = math.degrees(v["phase"])
    note = f"{width:.3f} Hz of use in each, from {v['f_low']:g} to {edges[-1] + width:.2f} Hz"
    slack = 1e-6
    return [
        Row("bands of the filter", None, str(len(edges)), "", None, f"not printed; {note}"),
        Row(
            "least amplitude of bands in use", v["amplitude"], float(least), "",
            least >= v["amplitude"] - slack, "Eq. 32: elliptic, sixth order",
        ),
        Row(
            "largest phase of bands in use", f"2 rad/s, read as {phase:g}°", math.degrees(most),
            "°", math.degrees(most) <= phase + slack, "the paper's unit cannot be that of a phase",
        ),
    ]  # fmt: skip


def table_rows(runs: list[Run]) -> list[Row]:
    return [*_table_1(), *_table_3(runs), *_table_4(runs[0])]


def _table_1() -> list[Row]:
    similitude = SCALINGS["iwnicki"]
    rows = []
    for quantity, printed in TABLE_1.items():
        ours = similitude.factor(quantity)
        name = f"Table 1, factor of {quantity.replace('_', ' ')}"
        note = "gravity and steel are those of the full scale"
        if quantity not in ("weight", "young_modulus"):
            note = "from those of length, time and mass"
        rows.append(Row(name, printed, ours, "", math.isclose(ours, printed), note))
    return rows


def _table_3(runs: list[Run]) -> list[Row]:
    first, rows = runs[0], []
    took = first.results.statistics
    for name, seconds in TABLE_3.items():
        note = f"{took.simulated:g} s of scenario 1 on one core, {seconds / took.wall:.0f} times as"
        note += " fast; the paper prints neither the time that it simulated nor the machine"
        met = took.wall <= seconds if first.spatial else None
        if not first.spatial:
            note = "the rig in the plane: not comparable"
        ours = f"{took.wall:.3g} s"
        rows.append(Row(f"Table 3, {name}", PRINTED_3[name], ours, "", met, note))
    goal = REAL_TIME if first.spatial else REAL_TIME_IN_PLANE
    for one in runs:
        took = one.results.statistics
        name = f"{one.title}: real-time factor"
        note = f"a goal of this project; {took.wall:.3g} s, compiled before in "
        note += f"{took.compile_wall:.2g} s"
        goes = took.real_time_factor
        first_one = one.name.removeprefix(FAST) == "scenario_1"
        met = goes >= goal if first_one else None
        text = f"goal {goal:g}" if first_one else None
        rows.append(Row(name, text, goes, "", met, note))
    return rows


def _table_4(run: Run) -> list[Row]:
    settings = run.results.meta["settings"]
    said = {
        "method": ("ODE solver", "ODE 45, Runge-Kutta, variable step"),
        "atol": ("absolute tolerance", TABLE_4["atol"]),
        "rtol": ("relative tolerance", TABLE_4["rtol"]),
    }
    rows = []
    for name, (words, paper) in said.items():
        ours = settings[name]
        note = "Dormand-Prince 5(4)" if name == "method" else ""
        rows.append(Row(f"Table 4, {words}", paper, ours, "", ours == TABLE_4[name], note))
    return rows
