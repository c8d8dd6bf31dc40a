"""Wires: horizontal and vertical lines on a grid that keep off boxes and off each other.

Every net grows from its output to one input after the other by the cheapest way (A*) from any
point it has reached, so that branches arise. A step costs its length; a bend, a crossing, and
touching a name cost more, and running along another wire or through a box so much that it only
happens where there is no other way.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from itertools import pairwise

from .placement import Placement, Spot
from .scene import GRID, NAME_ROOM, NAME_SIZE, Box, Net, Scene, Terminal, Way
from .text import text_width

# What a way costs, in tenths of a step of the grid.
STEP_COST = 10
BEND_COST = 25
BRANCH_COST = 8  # starting at a branch instead of the output
SHORT_END_COST = 15  # a last bend right in front of the input
CROSSING_COST = 30
NEAR_BOX_COST = 4  # each point beside a box
NAME_COST = 80  # each point on the name of a box
ABOVE_NET_COST = 12  # each point above both ends of a wire that leads back
SHARED_COST = 700  # each point along another wire
BOX_COST = 3000  # each point inside a box
THROUGH_BOX_COST = 60  # the same where boxes close all other ways
OUTSIDE = 1 << 30  # the edge of the grid, which no way crosses

MAX_SEARCH_STEPS = 50_000  # of a search that may end without a way
GREED, MAX_NETS_EXACT = 1.2, 40  # more nets: a little longer ways, in much less time
MAX_NETS_ROUTED_TWICE = 80
MARGIN_CELLS, MAX_NET_CELLS = 6, 40  # around all boxes: these, and one for each net up to so many
STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))  # right, down, left, up

Point = tuple[int, int]


@dataclass(frozen=True)
class Route:
    """The lines of one net, each from where it starts to an input, and its branch points."""

    net: Net
    lines: tuple[tuple[Point, ...], ...]
    dots: tuple[Point, ...]
    parts: dict[Point, str]  # `[0]`, by the positions of the inputs that take a part
    labels: dict[Point, str] = field(default_factory=dict)  # by the lower right corners of the text


def rerouted(scene: Scene, spots: Placement, before: Iterable[Route]) -> list[Route]:
    """A route for every net; earlier ones stay where their ends are and nothing is in the way."""
    if not scene.nets:
        return []
    field = _Field(scene, spots)
    terminals = [_ends(scene, spots, net) for net in scene.nets]
    for number, (start, ends) in enumerate(terminals):
        field.reserve(number, (start, *ends))
    known = {route.net.source: route for route in before}
    kept: dict[int, Route] = {}
    for number, net in enumerate(scene.nets):
        route = known.get(net.source)
        if route is not None and _meets(route, net, *terminals[number]) and field.fits(route):
            kept[number] = route if route.net == net else replace(route, net=net)
            field.hold(number, route)
    order = [number for number in range(len(terminals)) if number not in kept]
    order.sort(key=lambda i: _effort(*terminals[i]))
    trees = {number: field.connect(number, *terminals[number]) for number in order}
    if len(order) <= MAX_NETS_ROUTED_TWICE:
        for number in reversed(order):
            field.remove(number)
            field.reserve(number, (terminals[number][0], *terminals[number][1]))
            trees[number] = field.connect(number, *terminals[number])
    return [
        kept[number] if number in kept else field.route(net, trees[number], terminals[number][1])
        for number, net in enumerate(scene.nets)
    ]


def _meets(route: Route, net: Net, start: _End, ends: tuple[_End, ...]) -> bool:
    """Whether a route still joins the ends of its net, from the same sides."""
    if route.net.targets != net.targets or route.net.parts != net.parts:
        return False
    wanted = {(end.x * GRID, end.y * GRID, end.way) for end in ends}
    reached = {(*line[-1], _way(line[-2], line[-1])) for line in route.lines}
    first = next((line for line in route.lines if _way(line[0], line[1]) == start.way), None)
    begins = any(line[0] == (start.x * GRID, start.y * GRID) for line in route.lines)
    return wanted == reached and first is not None and begins


def _way(a: Point, b: Point) -> int:
    """The direction from one point to another, an index of STEPS."""
    if a[1] == b[1]:
        return 0 if b[0] > a[0] else 2
    return 1 if b[1] > a[1] else 3


@dataclass(frozen=True)
class _End:
    """A port on the grid and the direction (an index of STEPS) in which the signal flows."""

    x: int
    y: int
    way: int


def port_position(box: Box, spot: Spot, port: str, way: Way) -> tuple[int, int, int]:
    """Where a port is, and in which direction (an index of STEPS) its signal flows."""
    if box.turned:
        above = (way == "in") != spot.flipped
        return spot.x + box.offset(port, way), spot.y + (not above) * box.height, spot.way
    y = spot.y + box.offset(port, way)
    if way == "in" and box.input_side(port) != "left":
        return spot.x + box.width // 2, y, 1 if box.input_side(port) == "above" else 3
    left = (way == "in") != spot.flipped
    return spot.x if left else spot.x + box.width, y, 2 if spot.flipped else 0


def _ends(scene: Scene, spots: Placement, net: Net) -> tuple[_End, tuple[_End, ...]]:
    def end(terminal: Terminal, way: Way) -> _End:
        box = scene.boxes[terminal[0]]
        x, y, direction = port_position(box, spots[terminal[0]], terminal[1], way)
        return _End(x // GRID, y // GRID, direction)

    return end(net.source, "out"), tuple(end(target, "in") for target in net.targets)


def _effort(start: _End, ends: tuple[_End, ...]) -> tuple[int, int]:
    """The effort of routing a net: straight and short ones come first."""
    way = max(abs(e.x - start.x) + abs(e.y - start.y) for e in ends)
    straight = all(
        e.y == start.y and e.way == start.way and (e.x - start.x) * (1 - start.way) > 0
        for e in ends
    )
    return (0 if straight else 1), way


class _Field:
    """The grid: what each point costs, and which net runs there."""

    def __init__(self, scene: Scene, spots: Placement):
        xs = [s.x // GRID for s in spots.values()]
        ys = [s.y // GRID for s in spots.values()]
        rights = [(s.x + scene.boxes[n].width) // GRID for n, s in spots.items()]
        lows = [(s.y + scene.boxes[n].height) // GRID for n, s in spots.items()]
        self.greed = GREED if len(scene.nets) > MAX_NETS_EXACT else 1.0
        margin = MARGIN_CELLS + min(len(scene.nets), MAX_NET_CELLS)
        beside = [text_width(b.name, NAME_SIZE) for b in scene.boxes.values() if b.turned]
        margin += round(max(beside, default=0) / GRID)
        self.left, self.top = min(xs) - margin, min(ys) - margin
        self.width = max(rights) + margin - self.left + 1
        self.height = max(lows) + margin - self.top + 1
        size = self.width * self.height
        self.price = [0] * size
        self.across = [-1] * size
        self.along = [-1] * size
        self.owned: dict[int, list[int]] = {}
        for name, spot in spots.items():
            self._stand(scene.boxes[name], spot)
        for line in range(self.height):
            self.price[line * self.width] = self.price[(line + 1) * self.width - 1] = OUTSIDE
        for column in range(self.width):
            self.price[column] = self.price[size - 1 - column] = OUTSIDE
        self.strides = (1, self.width, -1, -self.width)

    def _stand(self, box: Box, spot: Spot) -> None:
        left, right = spot.x // GRID, (spot.x + box.width) // GRID
        top, low = spot.y // GRID, (spot.y + box.height) // GRID
        extra = (box.footprint - box.width) // 2 // GRID
        for y in range(top - 1, low + 2):
            for x in range(left - 1, right + 2):
                inside = left <= x <= right and top <= y <= low
                self.price[self.at(x, y)] += BOX_COST if inside else NEAR_BOX_COST
        if box.name and box.turned:
            wide = round(text_width(box.name, NAME_SIZE) / GRID) + 1
            for x in range(right + 1, right + 1 + wide):
                for y in ((top + low) // 2, (top + low) // 2 + 1):
                    self.price[self.at(x, y)] += NAME_COST
        elif box.name:
            first = top - NAME_ROOM // GRID if box.name_above else low + 1
            for y in range(first, first + NAME_ROOM // GRID):
                for x in range(left - extra, right + extra + 1):
                    self.price[self.at(x, y)] += NAME_COST

    def at(self, x: int, y: int) -> int:
        return (y - self.top) * self.width + x - self.left

    def point(self, cell: int) -> Point:
        return cell % self.width + self.left, cell // self.width + self.top

    # --- nets --------------------------------------------------------------------------------
    def reserve(self, net: int, ends: Iterable[_End]) -> None:
        """Reserves the points in front of ports for their nets."""
        for cell in self._stubs(ends):
            self.across[cell] = self.along[cell] = net
            self.owned.setdefault(net, []).append(cell)

    def _stubs(self, ends: Iterable[_End]) -> list[int]:
        first, *others = ends
        stubs = [self.at(first.x, first.y) + self.strides[first.way]]
        return stubs + [self.at(e.x, e.y) - self.strides[e.way] for e in others]

    def fits(self, route: Route) -> bool:
        """Whether a route keeps clear of all boxes."""
        for line in route.lines:
            for x, y in cells(line)[1:-1]:
                column, row = x - self.left, y - self.top
                if not (0 < column < self.width - 1 and 0 < row < self.height - 1):
                    return False
                if self.price[self.at(x, y)] >= BOX_COST:
                    return False
        return True

    def hold(self, net: int, route: Route) -> None:
        """Keeps an earlier route."""
        for line in route.lines:
            self._claim(net, [self.at(x, y) for x, y in cells(line)[1:-1]])

    def remove(self, net: int) -> None:
        for cell in self.owned.pop(net):
            for owner in (self.across, self.along):
                if owner[cell] == net:
                    owner[cell] = -1

    def connect(self, net: int, start: _End, ends: tuple[_End, ...]) -> list[list[int]]:
        """Ways from the output, or from a branch, to every input."""
        origin = self.at(start.x, start.y)
        first = origin + self.strides[start.way]
        ways: list[list[int]] = []
        tree: dict[int, tuple[int, ...]] = {first: (start.way,)}
        nearest = sorted(ends, key=lambda e: abs(e.x - start.x) + abs(e.y - start.y))
        for end in nearest:
            port = self.at(end.x, end.y)
            if port == first:
                ways.append([origin, port])
                continue
            last = port - self.strides[end.way]
            back = (end.x - start.x) * (1 - start.way) <= 0
            ceiling = min(start.y, end.y) - self.top if back else -1
            way = self._way(net, tree, last, end.way, ceiling)
            self._claim(net, way)
            for cell in way[:-1]:
                tree[cell] = (0, 1, 2, 3)
            ways.append([*([origin] if not ways else []), *way, port])
        return ways

    def _claim(self, net: int, way: list[int]) -> None:
        for a, b in pairwise(way):
            owner = self.across if abs(b - a) == 1 else self.along
            owner[a] = owner[b] = net
        self.owned[net] += way

    def _way(
        self, net: int, tree: dict[int, tuple[int, ...]], goal: int, goal_way: int, ceiling: int
    ) -> list[int]:
        """The cheapest way to a goal; where boxes close it, the nearest way through boxes.

        Looking everywhere else first, for a way that cannot be, would take seconds.
        """
        walled = self.price[goal] >= BOX_COST or all(self.price[cell] >= BOX_COST for cell in tree)
        path = [] if walled else self._search(net, tree, goal, goal_way, ceiling, self.price)
        if not path:
            open_price = [p if p == OUTSIDE else min(p, THROUGH_BOX_COST) for p in self.price]
            path = self._search(net, tree, goal, goal_way, ceiling, open_price, patient=True)
        return path

    def _search(
        self,
        net: int,
        tree: dict[int, tuple[int, ...]],
        goal: int,
        goal_way: int,
        ceiling: int,
        price: list[int],
        patient: bool = False,
    ) -> list[int]:
        """The cheapest way from a point of the tree to the goal, turning into its direction.

        Empty if it is not found in time, unless the search is patient.
        """
        width, strides = self.width, self.strides
        across, along = self.across, self.along
        goal_x, goal_y = goal % width, goal // width
        ahead_x, ahead_y = STEPS[goal_way]
        best: dict[int, int] = {}
        came: dict[int, int] = {}
        queue: list[tuple[float, int, int]] = []
        greed = self.greed

        def left(cell: int, way: int) -> float:
            """A lower bound of what is still to pay."""
            dx, dy = goal_x - cell % width, goal_y - cell // width
            if (way ^ goal_way) & 1:
                bends = 1
            elif way == goal_way and dx * ahead_y + dy * ahead_x == 0:
                bends = 0 if dx * ahead_x + dy * ahead_y >= 0 else 2
            else:
                bends = 2
            return greed * (STEP_COST * (abs(dx) + abs(dy)) + BEND_COST * bends)

        alone = len(tree) == 1
        for cell, ways in tree.items():
            for way in ways:
                cost = 0 if alone else BRANCH_COST
                state = cell * 4 + way
                best[state] = cost
                heappush(queue, (cost + left(cell, way), cost, state))
        target = goal * 4 + goal_way
        steps = 0
        while queue:
            _, cost, state = heappop(queue)
            if cost > best[state]:
                continue
            steps += 1
            if steps > MAX_SEARCH_STEPS and not patient:
                return []
            if state == target:
                break
            cell, way = state >> 2, state & 3
            for turn in (way, (way + 1) & 3, (way + 3) & 3):
                new = cell + strides[turn]
                if price[new] == OUTSIDE:
                    continue
                fee = cost + STEP_COST + price[new]
                level, upright = (along, across) if turn & 1 else (across, along)
                if turn != way:
                    fee += BEND_COST
                    if level[cell] not in (-1, net):
                        fee += SHARED_COST
                if level[new] not in (-1, net):
                    fee += SHARED_COST
                elif upright[new] not in (-1, net):
                    fee += CROSSING_COST
                if new // width < ceiling:
                    fee += ABOVE_NET_COST
                following = new * 4 + turn
                if new == goal and (turn ^ goal_way) & 1:
                    fee += BEND_COST + SHORT_END_COST
                    following = target
                if fee < best.get(following, 1 << 60):
                    best[following] = fee
                    came[following] = state
                    heappush(queue, (fee + left(new, turn), fee, following))
        way_back = [target]
        while way_back[-1] in came:
            way_back.append(came[way_back[-1]])
        return [state >> 2 for state in reversed(way_back)]

    # --- lines -------------------------------------------------------------------------------
    def route(self, net: Net, ways: list[list[int]], ends: tuple[_End, ...]) -> Route:
        lines = [tuple(_corners([self.point(cell) for cell in way])) for way in ways]
        arms: dict[int, set[int]] = {}
        for way in ways:
            for a, b in pairwise(way):
                arms.setdefault(a, set()).add(b - a)
                arms.setdefault(b, set()).add(a - b)
        dots = [self.point(cell) for cell, ways_out in arms.items() if len(ways_out) > 2]
        scaled = tuple(tuple((x * GRID, y * GRID) for x, y in line) for line in lines)
        parts = {
            (end.x * GRID, end.y * GRID): net.parts[target]
            for target, end in zip(net.targets, ends, strict=True)
            if target in net.parts
        }
        return Route(net, scaled, tuple((x * GRID, y * GRID) for x, y in dots), parts)


def _corners(points: list[Point]) -> list[Point]:
    """The ends and the bends of a way."""
    kept = [points[0]]
    for before, here, after in zip(points[:-2], points[1:-1], points[2:], strict=True):
        straight = before[0] == here[0] == after[0] or before[1] == here[1] == after[1]
        if not straight:
            kept.append(here)
    return [*kept, points[-1]]


def cells(line: tuple[Point, ...]) -> list[Point]:
    """All points of the grid on a line."""
    cells = [(line[0][0] // GRID, line[0][1] // GRID)]
    for a, b in pairwise(line):
        dx, dy = STEPS[_way(a, b)]
        for _ in range((abs(b[0] - a[0]) + abs(b[1] - a[1])) // GRID):
            cells.append((cells[-1][0] + dx, cells[-1][1] + dy))
    return cells
