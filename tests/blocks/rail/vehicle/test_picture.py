"""The picture of a vehicle: sizes from inertia, symbols by what elements do, all to scale."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from railblocks.blocks.rail.vehicle.description import Body, Element
from railblocks.blocks.rail.vehicle.files import vehicle_named
from railblocks.blocks.rail.vehicle.picture import ABOVE, SIDE, draw_vehicle
from railblocks.blocks.rail.vehicle.sizes import MIN_SIZE_M, boxes, equivalent_sizes
from railblocks.blocks.rail.vehicle.symbols import (
    DAMPER,
    END_ON,
    SPRING,
    STOP,
    TURN,
    family,
    spread,
    strokes,
)
from railblocks.engine.plots.style import canvas_of

WAGON = vehicle_named("manchester_wagon")
HERE = (0.0, 0.0, 1.0)


def drawn(vehicle):
    with canvas_of((8.0, 6.0)) as figure:
        draw_vehicle(figure, vehicle)
    return figure


def test_a_box_has_the_sizes_that_its_inertia_says():
    length, width, height, mass = 20.0, 2.8, 1.9, 31e3
    inertia = tuple(
        mass * (a * a + b * b) / 12.0
        for a, b in ((width, height), (length, height), (length, width))
    )
    sizes = equivalent_sizes(Body("body", mass, inertia, HERE))
    assert sizes == pytest.approx((length, width, height))


def test_an_inertia_that_no_box_has_is_drawn_small():
    assert equivalent_sizes(Body("rod", 10.0, (9.0, 1.0, 1.0), HERE))[0] == MIN_SIZE_M


def test_boxes_end_where_springs_carry_and_reach_all_elements():
    result = boxes(WAGON)
    assert set(result) == {"body", "bogie_1", "bogie_2"}
    assert result["body"][0][2] == result["bogie_1"][1][2] == 0.8275
    assert result["bogie_1"][0][2] == 0.46
    assert result["bogie_1"][0][0] <= 8.22
    assert result["bogie_1"][1][0] >= 10.78


@pytest.mark.parametrize(
    ("values", "side", "above"),
    [
        ({"stiffness": (0.0, 0.0, 1.0)}, SPRING, END_ON),
        ({"damping": (0.0, 1.0, 0.0)}, END_ON, DAMPER),
        ({"turning": (1.0, 0.0, 0.0)}, TURN, TURN),
        ({"bump": ((0.0, 0.0), (1.0, 1.0)), "bump_axis": 1}, END_ON, STOP),
    ],
)
def test_symbols_are_those_of_what_acts_in_the_view(values, side, above):
    element = Element("link_1_l", "a", "b", HERE, **values)
    assert strokes(element, SIDE) == side
    assert strokes(element, ABOVE) == above
    assert family(element) == "link"


def test_what_acts_along_x_lies_flat():
    rod = Element("rod_1", "a", "b", HERE, stiffness=(1.0, 0.0, 0.0))
    points = np.vstack(strokes(rod, SIDE))
    assert np.ptp(points[:, 0]) == 2.0 > np.ptp(points[:, 1])


def test_a_damper_beside_a_spring_is_drawn_beside_it():
    both = Element("p_1", "a", "b", HERE, stiffness=(0, 0, 1.0), damping=(0, 0, 1.0))
    assert len(strokes(both, SIDE)) == len(SPRING) + len(DAMPER) + 4


def test_symbols_that_would_cover_each_other_stand_apart():
    places = spread([(0.0, 0.0)] * 6 + [(5.0, 0.0)], 1.0, lowest=-0.5)
    assert places[0] == (0.0, 0.0)
    assert places[-1] == (5.0, 0.0)
    for n, (x, y) in enumerate(places):
        assert y >= -0.5
        for a, b in places[:n]:
            assert max(abs(x - a), abs(y - b)) >= 0.95


def test_all_views_are_to_scale_and_show_every_wheel():
    figure = drawn(WAGON)
    figure.canvas.draw()
    titles = [axis.get_title(loc="left") for axis in figure.axes]
    assert titles == [
        "from the side", "from above", "bogie 1 from the side", "bogie 1 from above",
    ]  # fmt: skip
    for axis in figure.axes:
        ways = axis.transData.transform([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)])
        across, up = ways[1, 0] - ways[0, 0], ways[2, 1] - ways[0, 1]
        assert across == pytest.approx(up, rel=1e-6)
    wheels = [p for p in figure.axes[0].patches if getattr(p, "radius", 0.0) == WAGON.radius]
    assert sorted(p.center[0] for p in wheels) == [-10.78, -8.22, 8.22, 10.78]


def test_the_legend_names_every_family_of_elements():
    (legend,) = [a.get_legend() for a in drawn(WAGON).axes if a.get_legend()]
    names = [text.get_text() for text in legend.get_texts()]
    assert names[:-1] == list(dict.fromkeys(map(family, WAGON.elements)))


def test_a_vehicle_without_bogies_needs_no_second_look():
    """Two axles right under the body."""
    body = replace(WAGON.bodies[0], inertia=(2e4, 9e4, 9e4), mass=1e4)
    axles = [
        replace(WAGON.bodies[3], name=n, place=(x, 0.0, 0.46)) for n, x in (("a", 3), ("b", -3))
    ]
    spring = Element("spring_1", "a", "body", (3.0, 0.0, 0.46), stiffness=(0.0, 0.0, 1e6))
    wheelsets = tuple(replace(WAGON.wheelsets[0], body=n, frame="body") for n in "ab")
    short = replace(WAGON, bodies=(body, *axles), elements=(spring,), wheelsets=wheelsets)
    assert len(drawn(short).axes) == 2
