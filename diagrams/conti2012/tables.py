"""Rows "paper / ours" of the filter and of Tables 1, 3 and 4 of Conti et al. (2012)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from railblocks.blocks.rail.control.elliptic_bank import band_response
from railblocks.blocks.rail.control.similitude import SCALINGS, TABLE_1
from railblocks.diagrams.conti2012.runs import RigRun
from railblocks.engine.reproduction.result import Row, Value

FILTER = "simulator.estimation.filter_1"
TABLE_3 = {"MATLAB function": 16.2 * 3600.0, "M-S function": 6.2 * 3600.0, "C-S function": 1500.0}
PRINTED_3 = {"MATLAB function": "16.2 h", "M-S function": "6.2 h", "C-S function": "25 min"}
TABLE_4: dict[str, Value] = {"method": "ode45", "atol": 1e-8, "rtol": 1e-10}
REAL_TIME, REAL_TIME_IN_PLANE = 1.0, 100.0


def filter_rows(run: RigRun) -> list[Row]:
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
        Row.not_compared(
            "bands of the filter", str(len(edges)), "", f"not printed; {note}",
            source="phase limit, see Eq. 32",
        ),
        Row(
            "least amplitude of bands in use", v["amplitude"], float(least), "",
            least >= v["amplitude"] - slack, "elliptic, sixth order", source="Eq. 32",
        ),
        Row(
            "largest phase of bands in use", f"2 rad/s, read as {phase:g}°", math.degrees(most),
            "°", math.degrees(most) <= phase + slack, "the paper's unit cannot be that of a phase",
            source="Eq. 32",
        ),
    ]  # fmt: skip


def table_rows(runs: Sequence[RigRun]) -> list[Row]:
    """Tables 1, 3 and 4; run times are those of the first run."""
    return [*_table_1(), *_table_3(runs[0]), *_real_time(runs), *_table_4(runs[0])]


def _table_1() -> list[Row]:
    similitude = SCALINGS["iwnicki"]
    table = []
    for quantity, printed in TABLE_1.items():
        ours = similitude.factor(quantity)
        name = f"Table 1, factor of {quantity.replace('_', ' ')}"
        note = "gravity and steel are those of the full scale"
        if quantity not in ("weight", "young_modulus"):
            note = "from those of length, time and mass"
        met: bool | None = math.isclose(ours, printed)
        if quantity in ("length", "time", "mass"):
            met, note = None, "given: the others follow from it"
        table.append(Row(name, printed, ours, "", met, note, source="Table 1"))
    return table


def _table_3(run: RigRun) -> list[Row]:
    """Run times; those of the rig in the plane are not compared."""
    took, table = run.results.statistics, []
    for name, seconds in TABLE_3.items():
        note = f"{took.simulated:g} s of scenario 1 on one core, {seconds / took.wall:.0f} times as"
        note += " fast; the paper prints neither the time that it simulated nor the machine"
        met = took.wall <= seconds if run.spatial else None
        if not run.spatial:
            note = "the rig in the plane: not comparable"
        ours = f"{took.wall:.3g} s"
        table.append(
            Row(f"Table 3, {name}", PRINTED_3[name], ours, "", met, note, source="Table 3")
        )
    return table


def _real_time(runs: Sequence[RigRun]) -> list[Row]:
    table = []
    for run in runs:
        took = run.results.statistics
        name, factor = f"{run.title}: real-time factor", took.real_time_factor
        note = f"{took.wall:.3g} s, compiled before in "
        note += f"{took.compile_wall:.2g} s"
        if run is runs[0]:
            goal = REAL_TIME if run.spatial else REAL_TIME_IN_PLANE
            table.append(Row.goal(name, goal, factor, "", note, least=True))
        else:
            table.append(Row.not_compared(name, factor, "", note, source="this run"))
    return table


def _table_4(run: RigRun) -> list[Row]:
    settings = run.results.meta["settings"]
    printed: dict[str, tuple[str, Value]] = {
        "method": ("ODE solver", "ODE 45, Runge-Kutta, variable step"),
        "atol": ("absolute tolerance", TABLE_4["atol"]),
        "rtol": ("relative tolerance", TABLE_4["rtol"]),
    }
    table = []
    for name, (title, paper) in printed.items():
        ours = settings[name]
        note = "Dormand-Prince 5(4)" if name == "method" else ""
        met = ours == TABLE_4[name]
        table.append(Row(f"Table 4, {title}", paper, ours, "", met, note, source="Table 4"))
    return table
