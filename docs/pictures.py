"""`make docs`: pictures of the contact library, of the roller rig and of the wheelset."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from railblocks.engine.reproduction.figures import write_figures
from railblocks.engine.reproduction.result import Figure

FOLDER = Path(__file__).parent / "images"


def contact_points() -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib.figure import Figure as Canvas
    from railblocks.blocks.rail.papers.contact_figures import draw_example
    from railblocks.blocks.rail.papers.falomi import pair_of

    figure = Canvas((7.2, 5.0), layout="constrained")
    draw_example(figure, pair_of(1 / 40), (0.01, 0.0, 0.0049))
    figure.savefig(FOLDER / "contact_points.png", dpi=130)


def roller_rig() -> None:
    """Scenario 1 of conti2012 at a glance."""
    from railblocks.blocks.rail.papers.rig_figures import draw_overview
    from railblocks.blocks.rail.papers.rig_runs import run

    one = run("scenario_1", {}, lambda text: None)
    figure = Figure("conti2012", "", lambda canvas: draw_overview(canvas, one), (9.0, 4.8))
    with tempfile.TemporaryDirectory() as folder:
        (drawn,) = write_figures([figure], Path(folder))
        shutil.copy(drawn.png, FOLDER)


def wheelset() -> None:
    """Figures of vishnu that its page shows."""
    import argparse

    from railblocks.blocks.rail.papers import vishnu

    made = vishnu.reproduce(argparse.Namespace(), lambda text: None).figures
    shown = [one for one in made if one.name in ("figure_2a", "profiles", "hunting")]
    with tempfile.TemporaryDirectory() as folder:
        for drawn in write_figures(shown, Path(folder)):
            shutil.copy(drawn.png, FOLDER / f"vishnu_{drawn.png.name}")


if __name__ == "__main__":
    contact_points()
    roller_rig()
    wheelset()
