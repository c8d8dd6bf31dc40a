"""Vishnu, Singh and Saha: a wheelset as a serial chain, by natural orthogonal complements.

The paper derives a wheelset at constant speed as a chain of four links and compares it with the
conventional equations in one figure, without numbers. Here it is the wheelset of the Manchester
wagon, exact in all angles, with linear, conical and curved profiles; numbers to compare with come
from closed forms, or from other code for the linear wheelset (named in the notes).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from railblocks.blocks.rail.contact.geometry.conicity import klingel_wavelength
from railblocks.blocks.rail.contact.normal.hertz import composite_modulus, patch
from railblocks.blocks.rail.contact.tangential.kalker import kalker, kalker_table
from railblocks.blocks.rail.wheelset.shape import SHAPES
from railblocks.blocks.rail.wheelset.stability import LinearWheelset, RollingWheelset
from railblocks.diagrams.vishnu.figures import figures
from railblocks.diagrams.vishnu.runs import (
    checked,
    critical_speed_of_runs,
    differences,
    free_run,
    growth,
    wavelength,
)
from railblocks.engine.reproduction.result import Reproduction, Row
from railblocks.engine.runs.results import Results
from railblocks.engine.runs.run import simulate

TITLE = "A railway wheelset as a serial chain, by natural orthogonal complements"
SOURCE = (
    "S. Vishnu, S. P. Singh, S. K. Saha: Multibody model of railway wheelset using Natural "
    "Orthogonal Compliments. Department of Mechanical Engineering, Indian Institute of Technology "
    "Delhi (extended abstract)"
)
LAM = 0.18
EIGENVALUES = {  # of other code, linear wheelset with LAM: speed in m/s, 1/s
    5: (0.006778, 3.611550),
    10: (0.054214, 7.222337),
    20: (0.431889, 14.420409),
    40: (3.246746, 28.133094),
}
WAVELENGTHS = {0.05: 16.5046, 0.18: 8.6987}
SPRINGS = {"k_y": 5e5, "k_psi": 2e6}
CRITICAL = 44.6456
EVERY_SPEED = np.geomspace(0.5, 150.0, 25)
E, NU, R_HEAD, N_W = 2.1e11, 0.3, 0.3, 54550.0
WEIGHT = 109092.0
SMALL, LARGE = 1e-5, (1e-3, 2e-3, 3e-3)
"""Sways from which the suspended wheelset is let go, in metres."""
OTHER = "reference: other code"


def arguments(parser: argparse.ArgumentParser) -> None:
    """The paper has no choices to make."""


@dataclass(frozen=True)
class Study:
    """All that rows and figures are made of."""

    runs: dict[str, Results]  # Figure 2, by kind of profiles
    wheelsets: dict[str, RollingWheelset]  # free, by kind of profiles
    suspended: RollingWheelset
    critical: list[tuple[float, float]]  # speed and amplitude, by runs
    hunting: Results


def reproduce(options: Any, tell: Callable[[str], None]) -> Reproduction:
    study = _study(tell)
    tell("comparing")
    rows = [
        *_equal(study),
        *_unstable(study),
        *_linear(study),
        *_wavelengths(),
        *_suspended(study),
        *_setting(),
    ]
    return Reproduction(TITLE, SOURCE, tuple(rows), figures(study))


def _study(tell: Callable[[str], None]) -> Study:
    tell("Figure 2: compiling, running both methods")
    runs = {shape: free_run(shape) for shape in SHAPES}
    tell("eigenvalues")
    wheelsets = {shape: RollingWheelset(shape=shape, lam=LAM) for shape in SHAPES}
    suspended = RollingWheelset(shape="linear", lam=LAM, **SPRINGS)
    tell("critical speed by runs")
    critical = [critical_speed_of_runs(SMALL, 43.0, 46.0)]
    critical += [critical_speed_of_runs(y_0, 20.0, critical[0][0] + 0.5) for y_0 in LARGE]
    tell("hunting from flange to flange")
    return Study(runs, wheelsets, suspended, critical, simulate(checked("hunting", {})))


def _equal(study: Study) -> list[Row]:
    rows = []
    for shape, results in study.runs.items():
        worst = float(differences(results).max())
        note = "largest of sway, yaw and their rates over their own size; goal of this project 1e-9"
        name = f"DeNOC less conventional equations, {shape}"
        rows.append(Row(name, "same curves", worst, "", worst <= 1e-9, f"Fig. 2; {note}"))
    return rows


def _unstable(study: Study) -> list[Row]:
    rows = []
    for shape, wheelset in study.wheelsets.items():
        least = min(wheelset.eigenvalues(V)[0].real for V in EVERY_SPEED)
        note = (
            f"least growth rate of {len(EVERY_SPEED)} speeds from 0.5 to 150 m/s, 1/s: {least:.2g}"
        )
        name = f"free wheelset, {shape}"
        ours = "unstable" if least > 0.0 else "stable at some"
        rows.append(Row(name, "unstable", ours, "", least > 0.0, note))
    heavy = RollingWheelset(shape="conical", lam=LAM, W=WEIGHT)
    limit = heavy.critical_speed(np.arange(0.5, 60.0, 0.5))
    note = f"not in the paper: gravity centres it; axle load {WEIGHT / 1e3:.0f} kN"
    name = "the same with its load, conical: stable below"
    return [*rows, Row(name, None, limit, "m/s", None, note)]


def _linear(study: Study) -> list[Row]:
    rows = []
    for V, (sigma, omega) in EIGENVALUES.items():
        found = study.wheelsets["linear"].eigenvalues(float(V))[0]
        for what, other, ours in (
            ("growth", sigma, float(found.real)),
            ("frequency", omega, float(found.imag)),
        ):
            met = abs(ours - other) <= 1e-5 * abs(other) + 5e-7
            name = f"{what} at {V} m/s, linear"
            rows.append(Row(name, other, ours, "1/s", met, f"{OTHER}; conicity {LAM}"))
    formula = LinearWheelset(LAM).growth(10.0)
    exact = float(study.wheelsets["linear"].eigenvalues(10.0)[0].real)
    met = abs(formula / exact - 1.0) < 1e-3
    note = "V omega_0^2 / 4 (m / f22 + I_z / (f11 b^2)), for low speeds"
    rows.append(
        Row("growth formula at 10 m/s", round(exact, 6), formula, "1/s", met, f"eigenvalue; {note}")
    )
    for shape in SHAPES:
        measured = growth(study.runs[shape], "denoc.y")
        exact = float(study.wheelsets[shape].eigenvalues(20.0)[0].real)
        met = abs(measured / exact - 1.0) < 0.01
        name = f"growth along the run at 20 m/s, {shape}"
        note = "eigenvalue; from 1 mm on"
        rows.append(Row(name, round(exact, 6), measured, "1/s", met, note))
    return rows


def _wavelengths() -> list[Row]:
    rows = []
    for lam, other in WAVELENGTHS.items():
        closed = klingel_wavelength(lam)
        note = f"{OTHER}, Klingel's formula"
        met = abs(closed - other) < 5e-5
        rows.append(Row(f"wavelength by formula, conicity {lam}", other, closed, "m", met, note))
        for shape in ("linear", "conical"):
            found = wavelength(free_run(shape, V="2 m/s", lam=lam, **{"solver.stop": "40 s"}), 2.0)
            met = abs(found / other - 1.0) < 1e-4
            name = f"the same by a run at 2 m/s, {shape}"
            rows.append(Row(name, other, found, "m", met, OTHER))
    return rows


def _suspended(study: Study) -> list[Row]:
    routh = LinearWheelset(LAM, **SPRINGS).critical_speed()
    by_values = study.suspended.critical_speed()
    speed, sway = study.critical[0]
    rows = []
    for name, ours, within in (
        ("by Routh", routh, 1e-4),
        ("by eigenvalues of the block", by_values, 1e-4),
        (f"by runs with friction, sway {1e3 * sway:.2g} mm", speed, 0.02),
    ):
        met = ours is not None and abs(ours - CRITICAL) <= within
        note = f"{OTHER}; k_y 0.5 MN/m, k_psi 2 MN m/rad, conicity {LAM}"
        rows.append(Row(f"critical speed {name}", CRITICAL, ours, "m/s", met, note))
    speed, sway = study.critical[-1]
    name = f"the same, sway {1e3 * sway:.2g} mm"
    note = "not in the paper: friction 0.3 softens creep forces, a large sway grows a bit earlier"
    return [*rows, Row(name, None, speed, "m/s", None, note)]


def _setting() -> list[Row]:
    a, b, _, _ = patch(0.5 / 0.46, 0.5 / R_HEAD, N_W, composite_modulus(E, NU))
    C11, C22, _, _ = kalker(a, b, NU, kalker_table(NU))
    k = E / (2.0 * (1.0 + NU)) * a * b
    rows = []
    for name, other, ours in (("f11", 9.6175, 1e-6 * k * C11), ("f22", 8.6861, 1e-6 * k * C22)):
        note = f"{OTHER}; Hertz and Kalker's table: 54.55 kN, wheel 0.46 m on a head of 0.3 m"
        rows.append(
            Row(f"creep coefficient {name}", other, ours, "MN", abs(ours - other) < 5e-5, note)
        )
    return rows
