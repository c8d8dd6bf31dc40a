"""`make docs`: pictures of the contact library."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent / "images"


def main() -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib.figure import Figure
    from railblocks.blocks.rail.papers.contact_figures import draw_example
    from railblocks.blocks.rail.papers.falomi import pair_of

    figure = Figure((7.2, 5.0), layout="constrained")
    draw_example(figure, pair_of(1 / 40), (0.01, 0.0, 0.0049))
    figure.savefig(FOLDER / "contact_points.png", dpi=130)


if __name__ == "__main__":
    main()
