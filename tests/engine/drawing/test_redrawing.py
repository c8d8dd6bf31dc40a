"""Drawings that change: turned blocks, routes that stay, blocks that are resolved once."""

from dataclasses import replace
from itertools import pairwise

import pytest
from railblocks.engine import loads, standard_blocks
from railblocks.engine.analysis.analysis import Analysis
from railblocks.engine.drawing import box_key, drawing_of, layout_name, layout_positions
from railblocks.engine.drawing.reading import scene_of
from railblocks.engine.drawing.routing import port_position, rerouted
from work import work_up_to

MOST_CALLS = 20_000_000

LOOP = """diagram: 1
blocks:
  ref:   {type: sources.step}
  err:   {type: math.sum, signs: +-}
  plant: {type: continuous.first_order_lag, T: 1 s}
  pair:  {type: mechanics.dc_motor, R: 1, L: 1, K: 1, J: 1}
wires:
  - ref -> err.u1
  - err -> plant
  - plant -> err.u2, pair.V
layout:
  ref: [0, 0]
  err: [120, 0]
  plant: [220, 0WAY]
  pair: [400, 0WAY]
"""


def drawn(text, before=None):
    diagram = loads(text)
    return drawing_of(scene_of(diagram, Analysis(diagram, standard_blocks())), diagram, before)


@pytest.mark.parametrize("way", ["right", "down", "left", "up"])
def test_ports_stand_on_the_sides_of_the_direction(way):
    drawing = drawn(LOOP.replace("WAY", f", {way}"))
    step = {"right": (1, 0), "down": (0, 1), "left": (-1, 0), "up": (0, -1)}[way]
    for key, into, out in (("plant", "u", "y"), ("pair", "V", "omega")):
        box, spot = drawing.scene.boxes[key], drawing.spots[key]
        x0, y0, _ = port_position(box, spot, into, "in")
        x1, y1, _ = port_position(box, spot, out, "out")
        assert (x1 - x0) * step[0] + (y1 - y0) * step[1] > 0
        assert spot.x <= min(x0, x1) <= max(x0, x1) <= spot.x + box.width
        assert spot.y <= min(y0, y1) <= max(y0, y1) <= spot.y + box.height
        assert all(value % 10 == 0 for value in (x0, y0, x1, y1))


@pytest.mark.parametrize("way", ["right", "down", "left", "up"])
def test_wires_reach_turned_blocks_without_running_through_them(way):
    drawing = drawn(LOOP.replace("WAY", f", {way}"))
    for route in drawing.routes:
        assert len(route.lines) == len(route.net.targets)
        for key, spot in drawing.spots.items():
            box = drawing.scene.boxes[key]
            for line in route.lines:
                for (ax, ay), (bx, by) in pairwise(line):
                    apart = (
                        max(ax, bx) <= spot.x
                        or min(ax, bx) >= spot.x + box.width
                        or max(ay, by) <= spot.y
                        or min(ay, by) >= spot.y + box.height
                    )
                    assert apart, (route.net.source, key)


def test_routes_stay_unless_their_blocks_moved():
    before = drawn(LOOP.replace("WAY", ""))
    after = drawn(LOOP.replace("WAY", "").replace("pair: [400, 0]", "pair: [400, 100]"), before)
    old = {route.net.source: route for route in before.routes}
    new = {route.net.source: route for route in after.routes}
    assert new["ref", "y"].lines == old["ref", "y"].lines
    assert new["err", "y"].lines == old["err", "y"].lines
    assert new["plant", "y"].lines != old["plant", "y"].lines


def test_a_block_in_the_way_of_a_route_moves_the_route():
    far = LOOP.replace("plant: [220, 0WAY]", "plant: [600, 0]").replace("400, 0WAY", "800, 0")
    before = drawn(far)
    spots = before.spots | {"pair": replace(before.spots["pair"], x=300, y=-20)}
    after = {r.net.source: r for r in rerouted(before.scene, spots, before.routes)}
    (line,) = after["err", "y"].lines
    assert len(line) > 2
    box = before.scene.boxes["pair"]
    for (ax, ay), (bx, by) in pairwise(line):
        inside = max(ax, bx) > 300 and min(ax, bx) < 300 + box.width
        assert not (inside and max(ay, by) > -20 and min(ay, by) < -20 + box.height)


def test_layout_names_of_ports_and_blocks():
    for key in ("gain", "<e", ">u"):
        assert box_key(layout_name(key)) == key
    diagram = loads(
        "diagram: 1\ninputs: {e: g.u}\nblocks: {g: {type: math.gain}}\n"
        "layout: {inputs.e: [0, 20], g: [100, 0, sideways]}\n"
    )
    positions = layout_positions(diagram)
    assert positions["<e"].y == 20
    assert positions["g"].direction == ""


def test_blocks_on_each_other_are_routed_without_a_long_search():
    rows = [
        f"  g{k}: {{type: math.gain}}\n  h{k}: {{type: continuous.integrator}}" for k in range(25)
    ]
    wires = [f"  - g{k} -> h{k}\n  - h{k} -> g{k}" for k in range(25)]
    layout = [f"  g{k}: [0, {70 * k}]\n  h{k}: [30, {70 * k}]" for k in range(25)]
    body = "\n".join(["blocks:", *rows, "wires:", *wires, "layout:", *layout])
    with work_up_to(MOST_CALLS):
        drawing = drawn(f"diagram: 1\n{body}\n")
    assert all(len(route.lines) == len(route.net.targets) for route in drawing.routes)
