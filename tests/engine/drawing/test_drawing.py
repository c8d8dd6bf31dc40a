"""Drawings: nothing overlaps, no wire runs through a block, and it reads from left to right."""

import random
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from itertools import combinations, pairwise
from types import SimpleNamespace

import pytest
from railblocks.engine import loads, standard_blocks
from railblocks.engine.analysis.analysis import Analysis
from railblocks.engine.drawing import drawing_of, layout_positions, svg
from railblocks.engine.drawing.junctions import facing, with_junctions
from railblocks.engine.drawing.layers import flow_of
from railblocks.engine.drawing.placement import placed
from railblocks.engine.drawing.reading import scene_of
from railblocks.engine.drawing.routing import rerouted
from railblocks.engine.drawing.scene import GRID, NAME_ROOM, PORT_SIZE
from railblocks.engine.drawing.symbols import symbol_svg
from railblocks.engine.drawing.text import text_width
from work import work_up_to

MOST_CALLS = 2_000_000

SVG = "{http://www.w3.org/2000/svg}"

MOTOR = """
diagram: 1
title: DC motor with speed control
blocks:
  reference: {type: sources.step, time: 1 s, after: 100 rad/s}
  error:     {type: math.sum, signs: "+-"}
  pid:       {type: continuous.pid, K_p: 3}
  voltage:   {type: math.sum, signs: "+-"}
  armature:  {type: continuous.transfer_function, num: [1], den: [0.5, 1]}
  K_t:       {type: math.gain, k: 0.01}
  torque:    {type: math.sum, signs: "+-"}
  load:      {type: sources.step, time: 5 s}
  shaft:     {type: continuous.first_order_lag, T: 1 s}
  K_e:       {type: math.gain, k: 0.02}
  sensor:    {type: continuous.first_order_lag, T: 1 ms}
  scope:     {type: sinks.scope, n: 2}
wires:
  - reference -> error.u1
  - error -> pid
  - pid -> voltage.u1
  - voltage -> armature -> K_t -> torque.u1
  - load -> torque.u2
  - torque -> shaft
  - shaft -> K_e -> voltage.u2
  - shaft -> sensor -> error.u2
  - shaft -> scope.u1
  - armature -> scope.u2
"""

OSCILLATOR = """
diagram: 1
blocks:
  force:  {type: sources.step}
  sum:    {type: math.sum, signs: "+--"}
  v:      {type: continuous.integrator}
  x:      {type: continuous.integrator}
  damper: {type: math.gain, k: 0.5}
  spring: {type: math.gain, k: 20}
wires: [force -> sum.u1, sum -> v -> x, v -> damper -> sum.u2, x -> spring -> sum.u3]
log: {signals: [x.y]}
"""

KINDS = [
    ("{type: math.gain, k: 2}", ["u"], ["y"]),
    ("{type: continuous.integrator}", ["u"], ["y"]),
    ('{type: math.sum, signs: "+-"}', ["u1", "u2"], ["y"]),
    ('{type: math.sum, signs: "+-+"}', ["u1", "u2", "u3"], ["y"]),
    ("{type: sources.step}", [], ["y"]),
    ("{type: sinks.scope}", ["u1"], []),
    ("{type: mechanics.inertia, J: 1}", ["tau"], ["phi", "omega"]),
    ("{type: routing.switch}", ["u1", "control", "u2"], ["y"]),
]


def random_diagram(count, seed, feedback=0.15):
    """Blocks of all kinds, wired mostly forward."""
    chance = random.Random(seed)
    kinds = [KINDS[4], KINDS[4], *(chance.choice(KINDS) for _ in range(count - 2))]
    lines = ["diagram: 1", "blocks:", *(f"  b{i}: {kind[0]}" for i, kind in enumerate(kinds))]
    lines.append("wires:")
    for i, (_, inputs, _) in enumerate(kinds):
        for port in inputs:
            back = chance.random() < feedback
            near = range(i, min(count, i + 15)) if back else range(max(0, i - 12), i)
            sources = [j for j in near if kinds[j][2]]
            if sources:
                j = chance.choice(sources)
                lines.append(f"  - b{j}.{chance.choice(kinds[j][2])} -> b{i}.{port}")
    return "\n".join(lines) + "\n"


def drawing(text):
    """A diagram placed and routed, with the rectangle of each box."""
    diagram = loads(text)
    scene = scene_of(diagram, Analysis(diagram, standard_blocks()))
    flow = flow_of(scene)
    scene = with_junctions(scene, flow)
    spots = placed(scene, flow, layout_positions(diagram))
    scene = facing(scene, spots)
    rects = {
        name: (at.x, at.y, at.x + scene.boxes[name].width, at.y + scene.boxes[name].height)
        for name, at in spots.items()
    }
    return SimpleNamespace(scene=scene, spots=spots, routes=rerouted(scene, spots, ()), rects=rects)


def segments(route):
    for line in route.lines:
        for (ax, ay), (bx, by) in pairwise(line):
            yield min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)


def assert_clean(drawn):
    """What holds for every drawing."""
    scene, rects = drawn.scene, drawn.rects
    assert set(rects) == set(scene.boxes)
    for (a, p), (b, q) in combinations(rects.items(), 2):
        apart = p[2] < q[0] or q[2] < p[0] or p[3] < q[1] or q[3] < p[1]
        assert apart, f"{a} and {b} overlap"
    taken = {}
    for number, route in enumerate(drawn.routes):
        assert len(route.lines) == len(route.net.targets)
        for x0, y0, x1, y1 in segments(route):
            assert x0 == x1 or y0 == y1, "a wire is not horizontal or vertical"
            for name, (left, top, right, low) in rects.items():
                through = x0 < right and x1 > left and y0 < low and y1 > top
                assert not through, f"{route.net.source} runs through {name}"
            across = y0 == y1
            for at in range(x0, x1, GRID) if across else range(y0, y1, GRID):
                key = (across, at, y0) if across else (across, x0, at)
                assert taken.setdefault(key, number) == number, "two wires lie on each other"


# --- geometry ----------------------------------------------------------------------------------
@pytest.mark.parametrize("text", [MOTOR, OSCILLATOR], ids=["motor", "oscillator"])
def test_drawings_of_loops_are_clean(text):
    assert_clean(drawing(text))


@pytest.mark.parametrize("count", [2, 5, 12, 30, 60])
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("feedback", [0.0, 0.3])
def test_random_diagrams_are_drawn_clean(count, seed, feedback):
    assert_clean(drawing(random_diagram(count, seed, feedback)))


def test_two_hundred_blocks_are_drawn_clean_and_without_a_long_search():
    text = random_diagram(200, 4)
    with work_up_to(MOST_CALLS):
        drawn = drawing(text)
    assert_clean(drawn)


def test_wires_end_at_the_ports_that_they_name():
    drawn = drawing(MOTOR)
    ends = {route.net.source: {line[-1] for line in route.lines} for route in drawn.routes}
    left, top, _, low = drawn.rects["pid"]
    assert ends["error", "y"] == {(left, (top + low) // 2)}
    for route in drawn.routes:
        box = drawn.rects[route.net.source[0]]
        starts = {line[0] for line in route.lines}
        edge = box[0] if drawn.spots[route.net.source[0]].flipped else box[2]
        assert any(x == edge for x, _ in starts)


def test_branches_start_on_their_own_wire_with_a_dot():
    drawn = drawing(MOTOR)
    (route,) = [r for r in drawn.routes if r.net.source == ("shaft", "y")]
    assert len(route.lines) == 3
    for line in route.lines[1:]:
        assert line[0] in route.dots


def test_a_block_that_feeds_itself_is_drawn_clean():
    text = "diagram: 1\nblocks:\n  i: {type: continuous.integrator}\nwires: [i -> i]\n"
    assert_clean(drawing(text))


# --- as an engineer draws ----------------------------------------------------------------------
def test_the_forward_path_is_one_row_from_left_to_right():
    drawn = drawing(MOTOR)
    path = ["reference", "error", "pid", "voltage", "armature", "K_t", "torque", "shaft"]
    rects = [drawn.rects[name] for name in path]
    assert all(a[2] < b[0] for a, b in pairwise(rects))
    assert len({(top + low) // 2 for _, top, _, low in rects}) == 1


def test_feedback_blocks_point_back_and_lie_below():
    drawn = drawing(MOTOR)
    flipped = {name for name, spot in drawn.spots.items() if spot.flipped}
    assert flipped == {"K_e", "sensor"}
    lowest = max(drawn.rects[n][3] for n in ("error", "pid", "voltage", "armature", "shaft"))
    assert drawn.rects["K_e"][1] > lowest + NAME_ROOM
    assert drawn.rects["sensor"][1] > drawn.rects["K_e"][3]
    assert drawn.rects["voltage"][0] < drawn.rects["K_e"][0] < drawn.rects["shaft"][0]


def test_sums_are_round_with_feedback_from_below_and_loads_from_above():
    boxes = drawing(MOTOR).scene.boxes
    assert [port.side for port in boxes["error"].inputs] == ["left", "below"]
    assert [port.side for port in boxes["torque"].inputs] == ["left", "above"]
    assert [port.label for port in boxes["error"].inputs] == ["+", "\u2212"]
    assert boxes["error"].round
    assert not drawing(OSCILLATOR).scene.boxes["sum"].round


def test_springs_and_dampers_lead_back_in_rows():
    drawn = drawing(OSCILLATOR)
    assert drawn.spots["damper"].flipped
    assert drawn.spots["spring"].flipped
    assert drawn.rects["damper"][3] < drawn.rects["spring"][1]


def test_a_loop_without_another_reader_keeps_its_plant_forward():
    text = """
diagram: 1
blocks:
  r: {type: sources.step}
  e: {type: math.sum, signs: "+-"}
  plant: {type: continuous.integrator}
wires: [r -> e.u1, e -> plant -> e.u2]
"""
    drawn = drawing(text)
    assert not drawn.spots["plant"].flipped
    assert drawn.rects["e"][2] < drawn.rects["plant"][0]
    assert_clean(drawn)


def test_positions_of_the_file_are_used():
    drawn = drawing(MOTOR + "layout: {reference: [40, 80], pid: [400, 200], K_e: [303, 298]}\n")
    assert drawn.rects["reference"][:2] == (40, 80)
    assert drawn.rects["pid"][:2] == (400, 200)
    assert drawn.rects["K_e"][:2] == (300, 300)
    assert all(drawn.rects[n][1] > 320 for n in ("error", "shaft", "scope"))
    assert_clean(drawn)


@pytest.mark.parametrize(
    "layout", ["7", "{a: x}", "{a: [1]}", "{a: [x, y]}", "{a: [1e99, 0]}", "[]"]
)
def test_a_layout_that_says_something_else_is_passed_over(layout):
    text = f"diagram: 1\nblocks:\n  a: {{type: sources.step}}\nlayout: {layout}\n"
    assert "<svg" in svg(loads(text))


# --- SVG ---------------------------------------------------------------------------------------
def titles(drawing):
    return [node.text or "" for node in ElementTree.fromstring(drawing).iter(f"{SVG}title")]


def texts(drawing):
    return [node.text or "" for node in ElementTree.fromstring(drawing).iter(f"{SVG}text")]


def test_the_drawing_is_xml_with_names_symbols_and_title():
    drawn = svg(loads(MOTOR))
    shown = texts(drawn)
    for word in ("DC motor with speed control", "reference", "PID", "Σ", "0.02", "a(s)", "u2"):
        assert word in shown


def test_hovering_tells_units_types_and_values():
    result = titles(svg(loads(MOTOR)))
    assert any("reference.y" in title and "(rad/s)" in title for title in result)
    assert any(title.startswith("pid: continuous.pid") and "K_p = 3" in title for title in result)


def test_wires_and_boxes_stay_inside_of_the_picture():
    root = ElementTree.fromstring(svg(loads(MOTOR)))
    x, y, width, height = map(float, root.get("viewBox").split())
    for rect in root.iter(f"{SVG}rect"):
        assert x <= float(rect.get("x"))
        assert float(rect.get("x")) + float(rect.get("width")) <= x + width
        assert float(rect.get("y")) + float(rect.get("height")) <= y + height


def test_text_is_escaped():
    block = "a: {type: math.gain, k: '1<2', comment: '&'}"
    text = f"diagram: 1\ntitle: '<b> & \"c\"'\nblocks:\n  {block}\n"
    assert texts(svg(loads(text)))[0] == '<b> & "c"'


SUBSYSTEM = """
diagram: 1
blocks:
  r: {type: sources.step}
  ctl:
    subsystem:
      inputs: {e: [p.u, i.u]}
      outputs: {u: s.y, raw: p.y}
      blocks:
        p: {type: math.gain, k: 3}
        i: {type: continuous.integrator}
        s: {type: math.sum}
      wires: [p -> s.u1, i -> s.u2]
  off: {type: math.gain, disabled: true}
  vec: {type: sources.constant, value: [1, 2, 3]}
  one: {type: math.gain}
wires:
  - r -> ctl
  - ctl.u -> off
  - vec.y[1] -> one.u
"""


def test_subsystems_have_a_double_border_and_their_ports():
    drawn = svg(loads(SUBSYSTEM))
    groups = ElementTree.fromstring(drawn).iter(f"{SVG}g")
    (box,) = [group for group in groups if group.get("class") == "subsystem"]
    assert len(list(box.iter(f"{SVG}rect"))) == 2
    assert {"u", "raw"} <= {node.text for node in box.iter(f"{SVG}text")}


def test_the_inside_of_a_subsystem_shows_its_ports_as_marks():
    inner = loads(SUBSYSTEM).blocks["ctl"].subsystem.diagram
    classes = [g.get("class") for g in ElementTree.fromstring(svg(inner)).iter(f"{SVG}g")]
    assert classes.count("input") == 1
    assert classes.count("output") == 2


def test_parts_of_vectors_that_meet_at_one_port_are_told_apart():
    diagram = loads(
        "diagram: 1\nblocks:\n  a: {type: sources.constant, value: [1, 2]}\n"
        "  b: {type: sources.constant, value: [3, 4]}\n  v: {type: math.gain, k: 2}\n"
        "wires: ['a -> v.u[0:2]', 'b -> v.u[2:4]']\n"
    )
    result = drawing_of(scene_of(diagram, Analysis(diagram, standard_blocks())), diagram)
    labels = {part: corner for route in result.routes for corner, part in route.labels.items()}
    assert set(labels) == {"[0:2]", "[2:4]"}
    (ax, ay), (bx, by) = labels.values()
    assert abs(ay - by) >= PORT_SIZE or abs(ax - bx) >= text_width("[0:2]", PORT_SIZE)
    for route in result.routes:
        ((x, y),) = route.labels
        assert any(
            a[1] == b[1] and 0 < a[1] - y < GRID and min(a[0], b[0]) < x <= max(a[0], b[0])
            for line in route.lines
            for a, b in pairwise(line)
        )


def test_disabled_blocks_and_parts_of_vectors_are_marked():
    drawn = svg(loads(SUBSYSTEM))
    assert "stroke-dasharray" in drawn
    assert "[1]" in texts(drawn)


@pytest.mark.parametrize(
    "block", ["{type: no.such_block}", "{type: math.gain, k: 1 +}", "{type: math.gain, q: 2}"]
)
def test_diagrams_with_mistakes_are_drawn_too(block):
    text = f"diagram: 1\nblocks:\n  a: {{type: sources.step}}\n  b: {block}\nwires: [a -> b.u]\n"
    drawn = drawing(text)
    assert_clean(drawn)
    assert len(drawn.routes) == 1


def test_an_empty_diagram_is_an_empty_picture():
    assert texts(svg(loads("diagram: 1\ntitle: nothing\n"))) == ["nothing"]


def test_notebooks_show_the_drawing():
    diagram = loads(MOTOR)
    assert diagram._repr_svg_() == svg(diagram)


def test_the_same_diagram_gives_the_same_drawing_in_every_process():
    code = "import sys\nfrom railblocks.engine import loads\nprint(loads(sys.argv[1])._repr_svg_())"
    call = [sys.executable, "-c", code, random_diagram(30, 9)]
    drawn = [
        subprocess.run(call, env={"PYTHONHASHSEED": seed}, capture_output=True, check=True).stdout
        for seed in ("1", "2")
    ]
    assert drawn[0] == drawn[1]


@pytest.mark.parametrize(
    ("symbol", "shown"),
    [("1/s", ["1", "s"]), ("k/(Ts+1)", ["k", "Ts+1"]), ("PID", ["PID"]), ("_/‾", []), ("∿▭", [])],
)
def test_fractions_are_stacked_and_curves_are_drawn(symbol, shown):
    drawn = f'<svg xmlns="http://www.w3.org/2000/svg">{symbol_svg(symbol, 0, 0, 50)}</svg>'
    assert texts(drawn) == shown
    assert ("<path" in drawn) == (symbol != "PID")


def test_every_standard_block_can_be_drawn():
    blocks = [f"  b{i}: {{type: {name}}}" for i, name in enumerate(standard_blocks().ids())]
    drawn = drawing("diagram: 1\nblocks:\n" + "\n".join(blocks) + "\n")
    assert len(drawn.rects) == len(blocks)
    assert_clean(drawn)
