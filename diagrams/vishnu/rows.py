"""Rows of Vishnu, Singh and Saha beside closed forms and other code: the paper has no numbers."""

from __future__ import annotations

import numpy as np
from railblocks.blocks.rail.contact.geometry.conicity import klingel_wavelength
from railblocks.blocks.rail.contact.normal.hertz import composite_modulus, patch
from railblocks.blocks.rail.contact.tangential.kalker import kalker, kalker_table
from railblocks.blocks.rail.wheelset.shape import SHAPES
from railblocks.blocks.rail.wheelset.stability import LinearWheelset, RollingWheelset
from railblocks.diagrams.vishnu.bogies import (
    CALM,
    HUNTING,
    CarStudy,
    acceleration_difference,
    eigenvalue_difference,
)
from railblocks.diagrams.vishnu.runs import LAM, SPRINGS, Study, differences, growth
from railblocks.engine.reproduction.result import Row

EIGENVALUES = {  # of other code, linear wheelset with LAM: speed in m/s, 1/s
    5: (0.006778, 3.611550),
    10: (0.054214, 7.222337),
    20: (0.431889, 14.420409),
    40: (3.246746, 28.133094),
}
WAVELENGTHS = {0.05: 16.5046, 0.18: 8.6987}  # by conicity, in m
CRITICAL_SPEED = 44.6456
"""Critical speed on springs, in m/s."""
CREEP_COEFFICIENTS = {"f11": 9.6175, "f22": 8.6861}  # in MN
EQUAL_WITHIN = 1e-9
"""A goal of this project: how far two formulations of one wheelset may be apart."""
EVERY_SPEED = np.geomspace(0.5, 150.0, 25)
E, NU, R_HEAD, N_W = 2.1e11, 0.3, 0.3, 54550.0
WEIGHT = 109092.0
OTHER, EIGENVALUE = "other code", "eigenvalue of the linear form"


def rows(study: Study) -> list[Row]:
    return [
        *_equal(study),
        *_unstable(study),
        *_linear(study),
        *_wavelengths(study),
        *_suspended(study),
        *_car(study.car),
        *_setting(),
    ]


def _equal(study: Study) -> list[Row]:
    table = []
    note = "largest of sway, yaw and their rates over their own size; goal of this project 1e-9"
    for shape, run in study.runs.items():
        worst = float(differences(run).max())
        name = f"DeNOC less conventional equations, {shape}"
        met = worst <= EQUAL_WITHIN
        table.append(Row(name, "same curves", worst, "", met, note, source="Fig. 2"))
    return table


def _unstable(study: Study) -> list[Row]:
    table = []
    for shape, wheelset in study.wheelsets.items():
        least = min(wheelset.eigenvalues(V)[0].real for V in EVERY_SPEED)
        note = (
            f"least growth rate of {len(EVERY_SPEED)} speeds from 0.5 to 150 m/s, 1/s: {least:.2g}"
        )
        ours = "unstable" if least > 0.0 else "stable at some"
        name = f"free wheelset, {shape}"
        table.append(Row(name, "unstable", ours, "", least > 0.0, note, source="text below Fig. 2"))
    heavy = RollingWheelset(shape="conical", lam=LAM, W=WEIGHT)
    limit = heavy.critical_speed(np.arange(0.5, 60.0, 0.5))
    note = f"not in the paper: gravity centres it; axle load {WEIGHT / 1e3:.0f} kN"
    name = "the same with its load, conical: stable below"
    return [*table, Row.not_compared(name, limit, "m/s", note)]


def _linear(study: Study) -> list[Row]:
    linear = study.wheelsets["linear"]
    table = []
    for V, (sigma, omega) in EIGENVALUES.items():
        eigenvalue = linear.eigenvalues(float(V))[0]
        for what, other, ours in (
            ("growth", sigma, float(eigenvalue.real)),
            ("frequency", omega, float(eigenvalue.imag)),
        ):
            within = 1e-5 * abs(other) + 5e-7
            name, note = f"{what} at {V} m/s, linear", f"conicity {LAM}"
            table.append(Row.matching(name, other, ours, within, "1/s", note, source=OTHER))
    formula = LinearWheelset(LAM).growth(10.0)
    exact = float(linear.eigenvalues(10.0)[0].real)
    name, note = (
        "growth formula at 10 m/s",
        "V omega_0^2 / 4 (m / f22 + I_z / (f11 b^2)), low speeds",
    )
    within = 1e-3 * abs(exact)
    table.append(
        Row.matching(name, round(exact, 6), formula, within, "1/s", note, source=EIGENVALUE)
    )
    for shape in SHAPES:
        measured = growth(study.runs[shape], "denoc.y")
        exact = float(study.wheelsets[shape].eigenvalues(20.0)[0].real)
        name, within = f"growth along the run at 20 m/s, {shape}", 0.01 * abs(exact)
        note, value = "from 1 mm on", round(exact, 6)
        table.append(Row.matching(name, value, measured, within, "1/s", note, source=EIGENVALUE))
    return table


def _wavelengths(study: Study) -> list[Row]:
    table = []
    for lam, other in WAVELENGTHS.items():
        name, note = f"wavelength by formula, conicity {lam}", "Klingel's formula"
        ours = klingel_wavelength(lam)
        table.append(Row.matching(name, other, ours, 5e-5, "m", note, source=OTHER))
        for shape in ("linear", "conical"):
            name, ours = f"the same by a run at 2 m/s, {shape}", study.wavelengths[shape, lam]
            table.append(Row.matching(name, other, ours, 1e-4 * other, "m", source=OTHER))
    return table


def _suspended(study: Study) -> list[Row]:
    routh = LinearWheelset(LAM, **SPRINGS).critical_speed()
    by_values = study.suspended.critical_speed()
    speed, sway = study.critical[0]
    table = []
    for name, ours, within in (
        ("by Routh", routh, 1e-4),
        ("by eigenvalues of the block", by_values, 1e-4),
        (f"by runs with friction, sway {1e3 * sway:.2g} mm", speed, 0.02),
    ):
        met = ours is not None and abs(ours - CRITICAL_SPEED) <= within
        note = f"k_y 0.5 MN/m, k_psi 2 MN m/rad, conicity {LAM}"
        table.append(
            Row(
                f"critical speed {name}", None, ours, "m/s", met, note,
                reference=CRITICAL_SPEED, source=OTHER,
            )
        )  # fmt: skip
    speed, sway = study.critical[-1]
    name = f"the same, sway {1e3 * sway:.2g} mm"
    note = "not in the paper: friction 0.3 softens creep forces, a large sway grows a bit earlier"
    return [*table, Row.not_compared(name, speed, "m/s", note)]


def _car(car: CarStudy) -> list[Row]:
    """Rows of bogies and car body, which the paper announces in its last sentence."""
    note = f"15 joints, runs at {CALM:g} and {HUNTING:g} m/s; there all reactions are unknowns"
    worst = max(acceleration_difference(run) for run in (car.calm, car.hunting))
    lagrange = f"15 coordinates, all 30 eigenvalues at {HUNTING:g} m/s over their size"
    return [
        Row.goal(
            "accelerations of bogies and car body, tree less Newton-Euler", EQUAL_WITHIN, worst, "",
            note,
        ),
        Row.goal(
            "eigenvalues of bogies and car body, tree less Lagrange", EQUAL_WITHIN,
            eigenvalue_difference(car), "", lagrange,
        ),
        Row(
            "car on two bogies: critical speed of the tree", None, car.critical, "m/s",
            car.critical is not None and abs(car.critical - car.linear_critical) <= 1e-2,
            "Manchester wagon from above, conicity 0.18, linear creep",
            reference=round(car.linear_critical, 3), source="Lagrange, eigenvalues",
        ),
    ]  # fmt: skip


def _setting() -> list[Row]:
    a, b, _, _ = patch(0.5 / 0.46, 0.5 / R_HEAD, N_W, composite_modulus(E, NU))
    C11, C22, _, _ = kalker(a, b, NU, kalker_table(NU))
    k = E / (2.0 * (1.0 + NU)) * a * b
    ours = {"f11": 1e-6 * k * C11, "f22": 1e-6 * k * C22}
    note = "Hertz and Kalker's table: 54.55 kN, wheel 0.46 m on a head of 0.3 m"
    return [
        Row.matching(f"creep coefficient {name}", other, ours[name], 5e-5, "MN", note, source=OTHER)
        for name, other in CREEP_COEFFICIENTS.items()
    ]
