"""Figures: panels by unit, nothing hidden, nothing lost."""

from itertools import pairwise

import numpy as np
import pytest
from railblocks.engine import DiagramError, Results
from railblocks.engine.plots.plotting import LARGEST_COUNT, panels_of, reduced, unit_text


@pytest.fixture(scope="module")
def results():
    time = np.linspace(0, 20, 2001)
    speed = 150 * (1 - np.exp(-time / 3))
    return Results.from_arrays(
        time,
        {
            "motor.omega": speed,
            "motor.tau": 5e4 * np.exp(-time),
            "rig.omega": np.stack([speed * k for k in (1, 0.9, 0.8)], axis=1),
            "wsp.on": time % 3 > 1,
            "_odd.y": time,
        },
        {"motor.omega": "rad/s", "motor.tau": "N*m", "rig.omega": "rad/s"},
        {"title": "Rig at 5 $ and 7 $"},
    )


def test_signals_of_one_unit_share_a_panel(results):
    panels, shown, count = panels_of(results, ())
    assert shown == count == 7
    assert [(panel.unit, [label for label, _ in panel.lines]) for panel in panels] == [
        ("rad/s", ["motor.omega", "rig.omega[0]", "rig.omega[1]", "rig.omega[2]"]),
        ("N*m", ["motor.tau"]),
        ("", ["wsp.on"]),
        ("", ["_odd.y"]),
    ]


def test_axes_carry_units_and_time_in_seconds(results):
    figure = results.plot()
    labels = [axis.get_ylabel() for axis in figure.axes]
    assert labels == ["rad/s", "N·m", "", "no unit"]
    assert figure.axes[-1].get_xlabel() == "time (s)"
    assert figure.axes[-1].get_xlim() == (0, 20)


def test_named_signals_and_elements_are_drawn(results):
    figure = results.plot("rig.omega[1]", "motor.tau")
    lines = [line for axis in figure.axes for line in axis.get_lines()]
    assert [line.get_label() for line in lines] == ["rig.omega[1]", "motor.tau"]
    assert np.array_equal(lines[0].get_ydata(), results["rig.omega[1]"])


def test_legends_lie_outside_of_the_data_and_inside_of_the_figure(results):
    figure = results.plot()
    figure.canvas.draw()
    for axis in figure.axes:
        legend = axis.get_legend().get_window_extent()
        assert legend.x0 >= axis.get_window_extent().x1
        assert legend.x1 <= figure.bbox.x1 + 1
        assert [text.get_text() for text in axis.get_legend().get_texts()]


def test_panels_and_labels_do_not_overlap(results):
    figure = results.plot()
    figure.canvas.draw()
    boxes = [axis.get_tightbbox() for axis in figure.axes]
    for upper, lower in pairwise(boxes):
        assert upper.y0 >= lower.y1 - 1


def test_truth_values_have_a_lane_each():
    time = np.arange(10.0)
    results = Results.from_arrays(time, {"a.y": time > 3, "b.y": time > 5})
    (axis,) = results.plot().axes
    upper, lower = (line.get_ydata() for line in axis.get_lines())
    assert min(upper) >= max(lower)
    assert [text.get_text() for text in axis.get_yticklabels()] == ["false", "true"] * 2


def test_reduction_keeps_every_peak_and_both_ends():
    time = np.linspace(0, 1, 1_000_000)
    values = np.zeros_like(time)
    values[[123_456, 777_777]] = 5.0, -3.0
    kept = reduced(time, values)
    assert len(kept) < 10_000
    assert {0, 123_456, 777_777, 999_999} <= set(kept.tolist())


def test_reduction_sees_the_clock_not_the_steps():
    time = np.concatenate([np.linspace(0, 1e-3, 1_000_000), np.linspace(0.01, 10, 1000)])
    kept = reduced(time, np.sin(time))
    assert np.sum(time[kept] > 1e-3) == 1000


def test_short_signals_are_drawn_point_by_point():
    time = np.linspace(0, 1, 5000)
    assert len(reduced(time, time)) == 5000


def test_many_signals_become_several_panels_and_a_note():
    results = Results.from_arrays([0, 1], {f"b{i}.y": [0, i] for i in range(200)})
    figure = results.plot()
    assert sum(len(axis.get_lines()) for axis in figure.axes) == LARGEST_COUNT
    assert "48 of 200 signals" in figure.get_supxlabel()


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_figures_are_written(tmp_path, results, ending):
    results.plot("motor.omega", file=tmp_path / f"a.{ending}")
    start = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[ending]
    assert (tmp_path / f"a.{ending}").read_bytes().startswith(start)


def test_signals_that_are_not_finite_and_single_rows_are_drawn(tmp_path):
    odd = Results.from_arrays([0, 1, 2], {"a.y": [np.nan, np.inf, 1.0]})
    odd.plot(file=tmp_path / "a.png")
    Results.from_arrays([0], {"a.y": [1.0]}).plot(file=tmp_path / "b.png")
    for name in ("a.png", "b.png"):
        assert (tmp_path / name).read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("name", ["a.gif", "a"])
def test_a_format_that_is_none_is_told(tmp_path, results, name):
    with pytest.raises(DiagramError, match=r"expected one of \.png"):
        results.plot(file=tmp_path / name)


def test_a_figure_that_cannot_be_written_is_told(tmp_path, results):
    with pytest.raises(DiagramError, match="cannot be written"):
        results.plot("motor.tau", file=tmp_path / "none" / "a.png")


def test_unknown_signals_and_empty_results_are_told(results):
    with pytest.raises(DiagramError, match=r"did you mean .motor\.tau."):
        results.plot("motor.tav")
    with pytest.raises(DiagramError, match="no signals"):
        Results.from_arrays([0, 1], {}).plot()


@pytest.mark.parametrize(
    ("unit", "text"), [("kg*m^2/s^3", "kg·m²/s³"), ("m^(-1)", "m⁻¹"), ("", ""), ("rad/s", "rad/s")]
)
def test_units_are_written_as_people_do(unit, text):
    assert unit_text(unit) == text
