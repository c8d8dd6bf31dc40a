"""Toumi et al. (2019): a trainset of 22 axles brakes on a soaped rail that its axles clean.

The paper prints distances, thresholds and three numbers of the adhesion model. Mass, torques, time
constants, creep law and period of exchange are not printed, and its initial adhesion is a curve in
a figure. Here they are parameters with proposals, none of them chosen by the result; a study shows
what each of them changes.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from railblocks.diagrams.toumi2019.figures import figures
from railblocks.diagrams.toumi2019.runs import (
    BRAKING,
    FAST,
    FROM,
    REACHED,
    WITHOUT_RECOVERY,
    WITHOUT_WSP,
    Run,
    run,
)
from railblocks.diagrams.toumi2019.study import CALCULATED, MEASURED, nominal_for, study
from railblocks.engine.errors import DiagramError, Place
from railblocks.engine.reproduction.result import Reproduction, Row

TITLE = "Braking of a trainset with wheel-slide protection and adhesion recovery"
SOURCE = (
    "M. Toumi, M. Sebès, K. Laden, H. Chollet, M. Bouallaga: Contribution to the certification of "
    "a WSP device in a HIL environment through a new adhesion recovery model. 12th World Congress "
    "on Railway Research, Tokyo 2019, hal-04663856"
)
AGREED = 0.02  # section 3: "less than 2 %"
AXLES_TO_MU_MAX = 4  # section 3, Figure 3
TABLE_1 = {"s1": 5.0, "s2": 10.0, "s3": 20.0, "s4": 25.0}
REAL_TIME, ROUNDS = 100.0, 3
MESHES = (0.1, 0.25, 1.0)
SAMPLES = (2.0, 5.0, 10.0)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--fast", action="store_true", help="only the three runs, without the study of proposals"
    )
    parser.add_argument("--keep", metavar="DIR", help="keep the three runs as HDF5 files")


def reproduce(options: Any, tell: Callable[[str], None]) -> Reproduction:
    if options.keep is not None and Path(options.keep).is_file():
        raise DiagramError("is a file; expected a folder for the runs", Place(options.keep))
    tell("braking")
    braking = run(BRAKING, keep=options.keep)
    tell("without protection, without recovery")
    locking, untouched = (run(name, keep=options.keep) for name in (WITHOUT_WSP, WITHOUT_RECOVERY))
    rows = [*distance_rows(braking), *adhesion_rows(braking)]
    rows += [*variant_rows(braking, locking, untouched), *setting_rows(braking)]
    drawn = figures(braking, locking, untouched)
    if not options.fast:
        tell("steps and meshes")
        rows += mesh_rows(braking)
        found = study(tell)
        tell("nominal deceleration of the paper's distance")
        rows += [*nominal_row(), *found.rows]
        drawn += found.figures
    return Reproduction(TITLE, SOURCE, tuple(rows), drawn)


def distance_rows(braking: Run) -> list[Row]:
    ours, m = braking.distance, float(braking.blocks["train.motion"]["m"])
    torque = float(np.max(braking.blocks["train.brake"]["C_bs_lim"]))
    note = (
        f"met: within {100 * AGREED:g} %, what the paper calls very good; torques are not printed, "
        f"{torque / 1e3:.2f} kN m an axle is the public nominal deceleration of 1 m/s² at "
        f"{m / 1e3:.0f} t"
    )
    rows = []
    for words, paper in (("calculated", CALCULATED), ("measured", MEASURED)):
        met = abs(ours - paper) <= AGREED * paper
        name = f"braking distance from 160 km/h, {words}"
        rows.append(Row(name, paper, ours, "m", met, note))
        note = "as the row above"
    paper = (160 / 3.6) ** 2 / (2.0 * CALCULATED)
    note = "v² / (2 distance), the paper's of its calculated distance"
    mean = Row("mean deceleration", round(paper, 3), braking.deceleration, "m/s²", None, note)
    return [*rows, mean]


def adhesion_rows(braking: Run) -> list[Row]:
    rows = []
    where = f"over the rail from {FROM:g} m to where the train has {100 * FAST:g} % of its speed"
    for of, words in ((np.max, "largest"), (np.mean, "mean")):
        ours = braking.axles_to_mu_max(of)
        note = f"{words} {where}; reached: {100 * REACHED:g} %, for which the paper has no number"
        name = f"axles until µ_max is reached, by the {words} adhesion"
        met = ours == AXLES_TO_MU_MAX
        rows.append(Row(name, float(AXLES_TO_MU_MAX), float(ours or np.inf), "", met, note))
    for n in (1, 2, 3, 4, len(braking.left)):
        mean, most = float(braking.left[n - 1].mean()), float(braking.left[n - 1].max())
        note = f"mean of the same rail; largest {most:.4f}"
        rows.append(Row(f"adhesion behind axle {n}", None, mean, "", None, note))
    slip = braking.slip
    sliding = int(np.sum(slip.max(axis=0) > float(braking.blocks["wsp"]["s2"])))
    note = "slip above s2 at some time; met: less than half of them, and the first slides the most"
    met = sliding < slip.shape[1] / 2 and int(np.argmax(slip.mean(axis=0))) == 0
    rows.append(Row("axles that slide", "the first ones", float(sliding), "", met, note))
    return rows


def variant_rows(braking: Run, locking: Run, untouched: Run) -> list[Row]:
    listed = ", ".join(map(str, locking.locked)) or "none"
    kept = ", ".join(map(str, braking.locked)) or "none"
    more = 100.0 * (untouched.distance / braking.distance - 1.0)
    friction = "friction does not fall with sliding here: a locked axle brakes as well as a sliding"
    return [
        Row("axles that lock with protection", None, kept, "", None, "above 1 m/s"),
        Row("axles that lock without protection", None, listed, "", None, "above 1 m/s"),
        Row(
            "distance without protection", None, locking.distance, "m", None,
            f"{friction} one, and cleans more; the price is a flat wheel",
        ),
        Row(
            "distance without recovery", "longer", untouched.distance, "m",
            untouched.distance > braking.distance, f"{more:.0f} % longer",
        ),
    ]  # fmt: skip


def setting_rows(braking: Run) -> list[Row]:
    wsp, rail = braking.blocks["wsp"], braking.blocks["train.cleaned"]
    rows = []
    for name, paper in TABLE_1.items():
        ours = 100.0 * float(wsp[name])
        rows.append(Row(f"Table 1, {name}", paper, ours, "%", abs(ours - paper) < 1e-9))
    first = 3.6 * float(braking.v[0])
    mu_max, P_0 = float(rail["mu_max"]), float(rail["P_0"]) / 1e3
    again = [braking, *(run(BRAKING) for _ in range(ROUNDS - 1))]
    took = max((one.results.statistics for one in again), key=lambda s: s.real_time_factor)
    note = "variable steps that end at each exchange, event and sample of the rail"
    step = took.simulated / took.steps
    goal = f"a goal of this project; {took.wall:.2g} s for {took.simulated:.1f} s on one core, the "
    goal += f"fastest of {ROUNDS} runs"
    return [
        *rows,
        Row("Table 2, initial speed", 160.0, first, "km/h", abs(first - 160.0) < 1e-9),
        Row("Table 2, µ_max", 0.15, mu_max, "", mu_max == 0.15),
        Row("Table 2, P_0", 20.0, P_0, "kW", P_0 == 20.0),
        Row("Table 2, time step", 3e-4, step, "s", None, f"mean of {note}"),
        Row(
            "real-time factor", f"goal {REAL_TIME:g}", took.real_time_factor, "",
            took.real_time_factor >= REAL_TIME, goal,
        ),
    ]  # fmt: skip


def mesh_rows(braking: Run) -> list[Row]:
    """Spread of the distance over cells and samples of the rail."""
    runs = [run(BRAKING, {"train.dx": f"{dx} m"}).distance for dx in MESHES]
    runs += [run(BRAKING, {"train.every": f"{ms} ms"}).distance for ms in SAMPLES]
    spread = max([*runs, braking.distance]) - min([*runs, braking.distance])
    note = f"cells of {MESHES[0]:g} to {MESHES[-1]:g} m, samples every {SAMPLES[0]:g} to "
    note += f"{SAMPLES[-1]:g} ms; a sum over steps, as Eq. 5 is printed, has no limit"
    return [Row("spread of the distance over step and mesh", None, spread, "m", None, note)]


def nominal_row() -> list[Row]:
    note = "what the paper's calculation had, if all else were as here; not used for anything"
    name = f"nominal deceleration that gives {CALCULATED:g} m"
    return [Row(name, None, nominal_for(CALCULATED), "m/s²", None, note)]
