"""`make docs`: pictures of blocks, studies, contacts, roller rig, vehicles, trainset, wheelset."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

from railblocks.engine import standard_blocks
from railblocks.engine.cli import main
from railblocks.engine.reproduction.figures import write_figures
from railblocks.engine.reproduction.result import Figure
from railblocks.engine.responses.picture import has_picture

from .generate import picture_file

FOLDER = Path(__file__).parent / "images"


def contact_points() -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib.figure import Figure as Canvas
    from railblocks.diagrams.falomi.point_figures import draw_example
    from railblocks.diagrams.falomi.points import pair_of

    figure = Canvas((7.2, 5.0), layout="constrained")
    draw_example(figure, pair_of(1 / 40), (0.01, 0.0, 0.0049))
    figure.savefig(FOLDER / "contact_points.png", dpi=130)


def roller_rig() -> None:
    """Scenario 1 of conti2012 at a glance, how estimators damp the rig, filter and observer."""
    from railblocks.diagrams.conti2012.figures import draw_overview
    from railblocks.diagrams.conti2012.filters import compare_filters
    from railblocks.diagrams.conti2012.runs import FILTERED, run
    from railblocks.diagrams.conti2012.stability import MODELS, Growth, stability_figure
    from railblocks.diagrams.runs import silent

    one = run("scenario_1")
    _write(Figure("conti2012", "", lambda canvas: draw_overview(canvas, one), (9.0, 4.8)))
    _write(replace(stability_figure([Growth.of(m) for m in MODELS]), name="conti2012_stability"))
    _write(*compare_filters(run(FILTERED), {}, silent, None).figures)


def trainset() -> None:
    """Adhesion, speeds and the study of toumi2019."""
    from railblocks.diagrams.runs import silent
    from railblocks.diagrams.toumi2019.figures import draw_adhesion, draw_speeds
    from railblocks.diagrams.toumi2019.runs import BRAKING, DRIVEN, run
    from railblocks.diagrams.toumi2019.study import decelerations, draw_decelerations
    from railblocks.diagrams.toumi2019.torques import members

    one, driven, distances = run(BRAKING), run(DRIVEN), decelerations()
    words, harder = "with protection and recovery", "with driven bogies"
    drawn = {
        "adhesion": (lambda canvas: draw_adhesion(canvas, one), (8.4, 4.6)),
        "speeds": (lambda canvas: draw_speeds(canvas, [(one, words)]), (8.4, 4.2)),
        "driven_adhesion": (lambda canvas: draw_adhesion(canvas, driven), (8.4, 4.6)),
        "driven_speeds": (lambda canvas: draw_speeds(canvas, [(driven, harder)]), (8.4, 4.2)),
        "study": (lambda canvas: draw_decelerations(canvas, distances), (8.4, 4.2)),
    }
    _write(*(Figure(f"toumi2019_{name}", "", *how) for name, how in drawn.items()))
    _write(replace(members(silent).figure, name="toumi2019_torques"))


def vehicles() -> None:
    """The S-curve of falomi, and the braking coach of meacci2020."""
    from railblocks.diagrams.falomi.figures import figures
    from railblocks.diagrams.falomi.runs import runs, variants
    from railblocks.diagrams.meacci2020.figures import draw_recoveries, recoveries
    from railblocks.diagrams.meacci2020.runs import READINGS, TAUS, run

    drawn = figures(runs(), variants())
    _write(*(replace(figure, name=f"falomi_{figure.name}") for figure in drawn))
    cases = [(reading, tau) for reading in READINGS for tau in TAUS[1:]]
    braking = recoveries(run(0.0), {case: run(case[1], reading=case[0]) for case in cases})
    size = (8.4, 4.4)
    _write(Figure("meacci2020_speeds", "", lambda canvas: draw_recoveries(canvas, braking), size))


def _write(*figures: Figure) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for drawn in write_figures(figures, Path(folder)):
            shutil.copy(drawn.png, FOLDER)


def blocks() -> None:
    """Blocks that have a picture, with the values of their examples."""
    for kind in standard_blocks():
        name = kind.declaration.id
        if has_picture(kind.declaration):
            main(["show", name, "--plot", str(FOLDER / picture_file(name))])
    modes = str(FOLDER / "rail_vehicle_modes.png")
    main(["show", "rail.vehicle", "--modes", "--range", "0.1", "10", "--plot", modes])


def wheelset() -> None:
    """Figures of vishnu that its page shows."""
    from railblocks.diagrams.runs import silent
    from railblocks.diagrams.vishnu.figures import figures
    from railblocks.diagrams.vishnu.runs import study

    names = ("figure_2a", "profiles", "hunting", "bogies")
    shown = [one for one in figures(study(silent)) if one.name in names]
    _write(*(replace(one, name=f"vishnu_{one.name}") for one in shown))


def studies() -> None:
    """A Monte Carlo study of the DC motor."""
    from railblocks.engine import Sampling, load, simulate_many

    study = simulate_many(
        load(FOLDER.parents[1] / "diagrams" / "dc_motor.yaml"),
        {"motor.J": "normal(2e-4, 4e-5)", "motor.R": "1..1.4 ohm", "load": "0.08..0.16 N*m"},
        {"peak": "max(motor.i)", "iae": "iae(reference.y - motor.omega)"},
        keep_signals=["motor.omega"],
        sampling=Sampling(200, "lhs", 1),
        own_seeds=True,
    )
    for kind in ("families", "scatter"):
        study.plot(kind=kind, file=FOLDER / f"study_{kind}.png")


if __name__ == "__main__":
    blocks()
    studies()
    contact_points()
    roller_rig()
    trainset()
    vehicles()
    wheelset()
