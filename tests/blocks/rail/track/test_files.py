"""Files of lines: what they say, and what is told of bad ones."""

from __future__ import annotations

import numpy as np
import pytest
from railblocks.blocks.rail.track.data_files import shipped
from railblocks.blocks.rail.track.files import FOLDER, Rails, read_track, track_named
from railblocks.blocks.rail.track.irregularities import deviation_at
from railblocks.blocks.rail.track.layout import length_of
from railblocks.engine import DiagramError


@pytest.fixture
def read(tmp_path):
    def written(text, **files):
        (tmp_path / "line.yaml").write_text(f"track: 1\n{text}", encoding="utf-8")
        for name, content in files.items():
            (tmp_path / f"{name}.csv").write_text(content, encoding="utf-8")
        return read_track(tmp_path / "line.yaml")

    return written


def complaints(read, text, **files):
    with pytest.raises(DiagramError) as refused:
        read(text, **files)
    return str(refused.value)


@pytest.mark.parametrize("name", shipped(FOLDER))
def test_every_shipped_line_is_read(name):
    track = track_named(name)
    assert length_of(track.line) > 0.0
    assert track.rails[0].start == 0.0


def test_rails_hold_from_a_segment_on_until_another_says_otherwise(read):
    track = read(
        "rail: uic60\nsegments:\n  - {length: 10 m, inclination: 0.05}\n"
        "  - {length: 20 m, radius: 200 m}\n  - {length: 30 m, gauge: 1.44 m, rail: uic60_60e1}\n"
        "  - {length: 5 m, gauge: 1.44 m}\n  - {length: 7 m, rail: uic60, inclination: 0}\n"
    )
    assert track.rails == (
        Rails(0.0, "uic60", 0.05, 1.435),
        Rails(30.0, "uic60_60e1", 0.05, 1.44),
        Rails(65.0, "uic60", 0.0, 1.44),
    )
    assert (track.rail, track.inclination, track.gauge) == ("uic60", 0.05, 1.435)
    assert track.rails_table.tolist() == [[0, 0.05, 1.435], [30, 0.05, 1.44], [65, 0.0, 1.44]]


def test_irregularities_come_from_a_file_beside_that_of_the_line(read):
    track = read(
        "segments: [{length: 9 m}]\nirregularities: {file: measured.csv}\n",
        measured="at, vertical (mm), gauge\n0, 1.5, 0.001\n\n2.5, -2, 0\n",
    )
    expected = np.array([[0.0, 0, 0.0015, 0, 0.001], [2.5, 0, -0.002, 0, 0]])
    assert track.deviations[:, [0, 1, 5, 9, 13]] == pytest.approx(expected)


def test_a_spline_that_swings_far_beyond_its_rows_is_refused(read):
    """Across a gap after a steep end: give rows that lie closer, or straight pieces."""
    text = (
        "segments: [{length: 90 m}]\nirregularities:\n  at: [0, 1, 2, 60, 61, 62]\n"
        "  lateral: [0, 3 mm, 0, 0, 3 mm, 0]\n"
    )
    with pytest.raises(DiagramError, match="the spline of lateral swings beyond its rows at"):
        read(text)
    straight = read(text + "  between: straight\n")
    assert deviation_at(straight.deviations, 0, 30.0) == (0.0, 0.0)
    assert deviation_at(straight.deviations, 0, 1.5) == pytest.approx((0.0015, -0.003))


def test_rails_that_would_stand_upright_are_refused(read):
    text = "segments: [{length: 9 m}]\nirregularities: {at: [0, 9], cross_level: [0, 0.8 m]}\n"
    with pytest.raises(DiagramError, match=r"cross_level = 0.8 m; expected less than 0.75 m"):
        read(text)


def test_a_changed_file_of_irregularities_is_read_again(read, tmp_path):
    text = "segments: [{length: 9 m}]\nirregularities: {file: m.csv}\n"
    read(text, m="at,lateral\n0,1\n")
    first = track_named(str(tmp_path / "line.yaml")).deviations
    (tmp_path / "m.csv").write_text("at,lateral\n0,2\n")
    assert (first[0, 1], track_named(str(tmp_path / "line.yaml")).deviations[0, 1]) == (1.0, 2.0)


def test_rails_of_a_file_of_points_lie_beside_that_of_the_line(read, tmp_path):
    y = np.linspace(-30.0, 30.0, 121)
    points = "\n".join(f"{a:g} {-(a * a) / 600.0:.9f}" for a in y)
    (tmp_path / "worn.txt").write_text(points)
    track = read("segments:\n  - {length: 9 m}\n  - {length: 9 m, rail: worn.txt}\n")
    assert track.rails[1].rail == str(tmp_path / "worn.txt")


def test_a_broken_file_is_refused_with_all_problems(read):
    text = complaints(
        read,
        "rail: uic61\nsegments:\n  - {length: 3 s}\n  - {length: 4 m, gauge: -1 m, cant: 2 m}\n"
        "  - {length: 4 m, inclination: 0.5}\n  - {length: 4 m, transition: true}\n"
        "irregularities: {at: [0 m, 3 m, 2 m], laterall: [1, 2, 3]}\n"
        "friction: {at: [0 m, 1 m], value: [0.3, -0.1]}\n",
    )
    for part in (
        "line.yaml:2:7: rail: 'uic61' is not a profile; did you mean 'uic60'?",
        "line.yaml:4:14: 3 s has unit s; expected a length (m)",
        "line.yaml:5:26: gauge = -1; expected a value above 0",
        "cant = 2 m; expected less than 1.5 m, the base",
        "inclination = 0.5; expected at most 0.2",
        "a transition must lie between two segments",
        "'laterall' is not a field here; did you mean 'lateral'?",
        "'at' has no positions, or they do not rise",
        "friction = -0.1; expected a value of at least 0",
    ):
        assert part in text
    assert "length = 0" not in text


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("at,lateral\n0,1\n0,2\n", "they do not rise"),
        ("at,lateral\n", "'at' has no positions"),
        ("at,lateral\n0,1\n1,x\n", "measured.csv:3: 'lateral' has 'x'; expected a number"),
        ("at,sideways\n0,1\n", "'sideways' is not a column here"),
        ("s,lateral\n0,1\n", "'s' is not a column here"),
        ("lateral\n1\n", "there is no column 'at'"),
        ("at,lateral (s)\n0,1\n", "measured.csv: column 'lateral (s)': "),
        ("at,lateral,lateral\n0,1,2\n", "a column appears twice"),
        ("", "there is no column 'at'"),
    ],
)
def test_a_broken_file_of_irregularities_is_told(read, content, message):
    text = "segments: [{length: 9 m}]\nirregularities: {file: measured.csv}\n"
    assert message in complaints(read, text, measured=content)


def test_a_missing_file_of_irregularities_is_told(read):
    text = "segments: [{length: 9 m}]\nirregularities: {file: nowhere.csv}\n"
    assert "nowhere.csv: there is no such file" in complaints(read, text)


def test_a_line_without_segments_is_told(read):
    assert "'segments' is empty" in complaints(read, "segments: []\n")


def test_rails_may_say_where_the_gauge_lies_and_how_smooth_their_points_are(read):
    track = read(
        "gauge_depth: 16 mm\nsegments:\n  - {length: 10 m}\n"
        "  - {length: 10 m, rail: head.csv, smoothing: 5 um, gauge_depth: 14 mm}\n"
        "  - {length: 10 m, rail: uic60}\n",
        head="".join(f"{y / 2} {-y * y / 2400}\n" for y in range(-60, 61)),
    )
    assert [(rails.depth, rails.smoothing) for rails in track.rails] == [
        (0.016, 0.0), (0.014, 5e-6), (0.014, 0.0),
    ]  # fmt: skip
