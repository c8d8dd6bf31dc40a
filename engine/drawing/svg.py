"""A placed and routed scene as SVG text."""

from __future__ import annotations

import math
from collections.abc import Iterator

from .placement import Placement, Spot
from .routing import STEPS, Point, Route, port_position
from .scene import ARROW, GRID, NAME_ROOM, NAME_SIZE, PORT_SIZE, Box, Scene, Way
from .symbols import INK, symbol_svg
from .text import shortened, svg_text, text_width

MARGIN = 2 * GRID  # around the drawing, in pixels
PAPER, EDGE, WIRE, FAINT, NOTE = "#ffffff", "#3b4a59", "#1f2933", "#a7b1bb", "#5a6672"
FILL = {"block": "#ffffff", "subsystem": "#f3f7fb", "input": "#eef3f7", "output": "#eef3f7"}
FONT = "'DejaVu Sans', 'Segoe UI', Helvetica, Arial, sans-serif"
HALO = ' paint-order="stroke" stroke="#ffffff" stroke-width="3"'


def drawn(scene: Scene, spots: Placement, routes: list[Route], title: str = "") -> str:
    """The whole drawing."""
    left, top, right, bottom = _bounds(scene, spots, routes)
    head = 3 * GRID if title else 0
    x, y = left - MARGIN, top - MARGIN - head
    width, height = right - left + 2 * MARGIN, bottom - top + 2 * MARGIN + head
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="{x} {y} {width} {height}" font-family="{FONT}">',
        f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{PAPER}"/>',
    ]
    if title:
        shown = shortened(title, max(int(width / 8.5), 8))
        parts.append(
            f'<text x="{x + MARGIN}" y="{y + 24}" font-size="14" font-weight="bold" '
            f'fill="{INK}">{svg_text(shown)}</text>'
        )
    for route in routes:
        parts.extend(_wires(route))
    for name, spot in spots.items():
        parts.extend(_box(scene.boxes[name], spot))
    return "\n".join([*parts, "</svg>", ""])


def _bounds(scene: Scene, spots: Placement, routes: list[Route]) -> tuple[int, int, int, int]:
    xs, ys = [0] if not spots else [], [0] if not spots else []
    for name, spot in spots.items():
        box = scene.boxes[name]
        extra = (box.footprint - box.width) // 2
        xs += [spot.x - extra, spot.x + box.width + extra]
        if box.turned:
            xs.append(spot.x + box.width + math.ceil(text_width(box.name, NAME_SIZE)) + 5)
        room = NAME_ROOM if box.name else 0
        ys += [spot.y - room * box.name_above, spot.y + box.height + room * (not box.name_above)]
    for route in routes:
        for line in route.lines:
            xs += [x for x, _ in line]
            ys += [y for _, y in line]
    return min(xs), min(ys), max(xs), max(ys)


# --- wires -----------------------------------------------------------------------------------
def _wires(route: Route) -> Iterator[str]:
    net = route.net
    colour = FAINT if net.disabled else WIRE
    dash = ' stroke-dasharray="4 3"' if net.disabled else ""
    lines = [_shortened(line) for line in route.lines]
    data = " ".join("M" + "L".join(f"{x:g} {y:g}" for x, y in line) for line in lines)
    yield f'<g class="wire"><title>{svg_text(net.title)}</title>'
    yield f'<path d="{data}" fill="none" stroke="#000" stroke-opacity="0" stroke-width="9"/>'
    yield (
        f'<path d="{data}" fill="none" stroke="{colour}" '
        f'stroke-width="{2.4 if net.wide else 1.3}" stroke-linejoin="round"{dash}/>'
    )
    for line in route.lines:
        yield _arrow(line[-2], line[-1], colour)
    for (x, y), part in route.labels.items():
        yield _text(part, x, y, PORT_SIZE, "end", NOTE, HALO)
    for x, y in route.dots:
        yield f'<circle cx="{x}" cy="{y}" r="3" fill="{colour}"/>'
    yield "</g>"


def _shortened(line: tuple[Point, ...]) -> list[tuple[float, float]]:
    """The line up to the arrow's notch, so that a wide one does not show at its tip."""
    (ax, ay), (bx, by) = line[-2], line[-1]
    length = max(abs(bx - ax) + abs(by - ay), 1)
    cut = ARROW - 2
    end = (bx - (bx - ax) / length * cut, by - (by - ay) / length * cut)
    return [*line[:-1], end]


def _arrow(before: Point, tip: Point, colour: str) -> str:
    (ax, ay), (x, y) = before, tip
    length = max(abs(x - ax) + abs(y - ay), 1)
    dx, dy = (x - ax) / length * ARROW, (y - ay) / length * ARROW
    points = [(x, y), (x - dx - dy * 0.45, y - dy + dx * 0.45)]
    points += [(x - dx * 0.75, y - dy * 0.75), (x - dx + dy * 0.45, y - dy - dx * 0.45)]
    return f'<polygon points="{" ".join(f"{px:g},{py:g}" for px, py in points)}" fill="{colour}"/>'


# --- boxes -----------------------------------------------------------------------------------
def _box(box: Box, spot: Spot) -> Iterator[str]:
    edge = FAINT if box.disabled else EDGE
    dash = ' stroke-dasharray="5 3"' if box.disabled else ""
    style = f'fill="{FILL[box.kind]}" stroke="{edge}" stroke-width="1.4"{dash}'
    round_ends = box.height // 2 if box.kind in ("input", "output") else 3
    opacity = ' opacity="0.55"' if box.disabled else ""
    yield f'<g class="{box.kind}"{opacity}><title>{svg_text(box.title)}</title>'
    if box.round:
        radius = box.width // 2
        yield f'<circle cx="{spot.x + radius}" cy="{spot.y + radius}" r="{radius}" {style}/>'
    else:
        yield _rect(spot.x, spot.y, box.width, box.height, round_ends, style)
    if box.kind == "subsystem":
        inner = f'fill="none" stroke="{edge}" stroke-width="0.8"'
        yield _rect(spot.x + 3, spot.y + 3, box.width - 6, box.height - 6, 1, inner)
    middle_x, middle_y = spot.x + box.width / 2, spot.y + box.height / 2
    if box.kind in ("input", "output"):
        yield _text(box.symbol, middle_x, middle_y + 4, NAME_SIZE, "middle", INK)
    elif box.symbol:
        yield symbol_svg(box.symbol, middle_x, middle_y, box.width - 10)
    yield from _port_labels(box, spot)
    if box.name:
        yield _name(box, spot)
    yield "</g>"


def _rect(x: int, y: int, width: int, height: int, radius: int, style: str) -> str:
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{radius}" {style}/>'


def _name(box: Box, spot: Spot) -> str:
    sides = {port.side for port in box.inputs}
    x, y = spot.x + box.width / 2, spot.y + box.height + NAME_SIZE + 3
    if box.turned:
        beside = (spot.x + box.width + 5, spot.y + box.height / 2 + 4)
        return _text(box.name, *beside, NAME_SIZE, "start", NOTE)
    if box.name_above:
        return _text(box.name, x, spot.y - 6, NAME_SIZE, "middle", NOTE)
    if "below" in sides:
        return _text(box.name, x + 6, y, NAME_SIZE, "start", NOTE)
    return _text(box.name, x, y, NAME_SIZE, "middle", NOTE)


def _port_labels(box: Box, spot: Spot) -> Iterator[str]:
    ways: tuple[Way, Way] = ("in", "out")
    for way in ways:
        for port in box.inputs if way == "in" else box.outputs:
            x, y, direction = port_position(box, spot, port.name, way)
            inwards = direction if way == "in" else (direction + 2) % 4
            dx, dy = STEPS[inwards]
            anchor = ("start", "middle", "end", "middle")[inwards]
            label = ""
            if port.label:
                at = (x + 5 * dx, y + 3 + 7 * dy)
                label = _text(port.label, *at, PORT_SIZE, anchor, NOTE)
            hit = f'<circle cx="{x}" cy="{y}" r="6" fill="#000" fill-opacity="0"/>'
            yield f"<g><title>{svg_text(port.title)}</title>{hit}{label}</g>"


def _text(
    text: str, x: float, y: float, size: float, anchor: str, colour: str, style: str = ""
) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}" '
        f'fill="{colour}"{style}>{svg_text(text)}</text>'
    )
