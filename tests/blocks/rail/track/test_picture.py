"""The drawing of a line: true to scale, and with all that there is to see."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from railblocks.blocks.rail.track.files import read_track, track_named
from railblocks.blocks.rail.track.picture import draw_line
from railblocks.engine.plots.style import canvas_of


def drawn(track):
    with canvas_of((8.0, 6.0)) as figure:
        draw_line(figure, track)
    return figure


def panels(figure):
    return {axis.get_ylabel().replace("\n", " "): axis for axis in figure.axes[1:]}


def test_the_plan_is_true_to_scale():
    figure = drawn(track_named("branch_line"))
    figure.canvas.draw()
    plan = figure.axes[0]
    metre = np.diff(plan.transData.transform([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]), axis=0)
    assert metre[0, 0] == pytest.approx(metre[1, 1] - metre[0, 1], rel=1e-3)


def test_the_plan_goes_through_the_line():
    """The S-curve ends where its closed form does (see test_track_line)."""
    plan = drawn(track_named("s_curve")).axes[0]
    ends = [line.get_xydata() for line in plan.lines if len(line.get_xydata()) > 1]
    assert ends[0][0] == pytest.approx((0.0, 0.0))
    angle = 30.0 / 190.0
    side = 2.0 * 190.0 * (1.0 - np.cos(angle)) + 4.0 * np.sin(angle)
    assert ends[-1][-1][1] == pytest.approx(-side)


def test_curvature_and_cant_are_always_there_and_the_rest_where_there_is_something_to_see():
    assert list(panels(drawn(track_named("s_curve")))) == ["curvature / km⁻¹", "cant / mm"]
    assert list(panels(drawn(track_named("branch_line")))) == [
        "curvature / km⁻¹", "cant / mm", "height / m", "gradient / ‰", "gauge / mm",
        "laying angle / ‰", "rail", "irregularity / mm", "friction",
    ]  # fmt: skip


def test_curvature_jumps_at_the_ends_of_circles():
    (curve,) = panels(drawn(track_named("s_curve")))["curvature / km⁻¹"].lines
    at, kappa = curve.get_xdata(), curve.get_ydata()
    assert at.tolist() == [0, 50, 50, 80, 80, 84, 84, 114, 114, 214]
    r = 1000.0 / 190.0
    assert kappa == pytest.approx(np.array([0, 0, -r, -r, 0, 0, r, r, 0, 0]))


def test_a_circle_is_drawn_round(tmp_path):
    path = tmp_path / "loop.yaml"
    path.write_text("track: 1\nsegments: [{length: 500 m, radius: 100 m, cant: 80 mm}]\n")
    plan, _, cant = drawn(read_track(path)).axes
    points = plan.lines[0].get_xydata()
    assert np.hypot(*(points - (0.0, 100.0)).T) == pytest.approx(np.full(len(points), 100.0))
    middles = 0.5 * (points[1:] + points[:-1]) - (0.0, 100.0)
    assert np.hypot(*middles.T).min() > 99.99
    assert cant.lines[0].get_ydata() == pytest.approx([80.0, 80.0])


def test_titles_are_no_mathematics():
    figure = drawn(replace(track_named("s_curve"), title="10 $ for $x^"))
    figure.canvas.draw()
    assert figure.get_suptitle() == r"10 \$ for \$x^"
