"""The moving picture of a run: bodies where the states say, as many frames as asked for."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image
from railblocks.blocks.rail.multibody.bodies import PSI, STATES, X, Y
from railblocks.blocks.rail.track.centreline import alignment_at, track_at
from railblocks.blocks.rail.track.files import read_track, track_named
from railblocks.blocks.rail.vehicle.animation import (
    corners_in_space,
    draw_from_above,
    write_animation,
)
from railblocks.blocks.rail.vehicle.files import vehicle_named
from railblocks.engine import DiagramError
from railblocks.engine.plots.style import canvas_of

WAGON = vehicle_named("manchester_wagon")


def world_at(track, s):
    """The wagon with every body on the line, its middle at s."""
    world = np.zeros(STATES * len(WAGON.bodies))
    for k, body in enumerate(WAGON.bodies):
        place = s + body.place[0]
        world[STATES * k + X], world[STATES * k + Y], _ = track_at(track.line, place)[0]
        world[STATES * k + PSI] = alignment_at(track.line, place)[3]
    return world


def test_points_of_a_body_move_and_turn_with_it():
    world = np.zeros(STATES * 7)
    world[[X, Y, PSI]] = 100.0, 20.0, math.pi / 2
    result = corners_in_space(WAGON, world, "body", np.array([(13.0, 0.0), (0.0, 1.5)]))
    assert result == pytest.approx(np.array([(100.0, 33.0), (98.5, 20.0)]))


def test_wheels_stand_on_the_rails_of_a_circle(tmp_path):
    path = tmp_path / "circle.yaml"
    path.write_text("track: 1\nsegments: [{length: 900 m, radius: 150 m}]\n")
    track = read_track(path)
    with canvas_of((8.0, 3.0)) as figure:
        axis = figure.subplots()
        draw_from_above(axis, WAGON, track, world_at(track, 300.0), 300.0, 15.0)
    middles = [p.get_xy()[:4].mean(axis=0) for p in axis.patches if p.get_linewidth()][3:]
    radii = np.hypot(*(np.array(middles) - (0.0, 150.0)).T)
    assert sorted(radii) == pytest.approx([149.25] * 4 + [150.75] * 4)
    for line in axis.lines:
        assert abs(np.hypot(*(line.get_xydata() - (0.0, 150.0)).T) - 150.0) == pytest.approx(0.75)


def test_a_file_has_the_frames_of_the_run(tmp_path):
    track = track_named("s_curve")
    time = np.linspace(0.0, 1.0, 11)
    places = 40.0 + 10.0 * time
    signals = {
        "w.world": np.array([world_at(track, s) for s in places]),
        "w.s": np.column_stack([places + 10.0, places - 10.0]),
    }
    run = type("Run", (dict,), {"time": time})(signals)
    path = tmp_path / "run.gif"
    assert write_animation(path, run, "w", WAGON, track, pace=2.0, rate=5.0) == 3
    with Image.open(path) as image:
        assert image.n_frames == 3
        assert image.info["duration"] == 200


def test_another_format_is_refused(tmp_path):
    with pytest.raises(DiagramError, match="not a GIF file"):
        write_animation(
            tmp_path / "run.mp4", SimpleNamespace(), "w", WAGON, track_named("straight")
        )
