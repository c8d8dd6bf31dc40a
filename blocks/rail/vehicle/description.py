"""What a vehicle is made of: bodies, elements between them, wheelsets.

x points forward from the vehicle's middle, y to the left, z up from the top of the rails; positions
are those at rest, under the vehicle's own weight.
"""

from __future__ import annotations

from dataclasses import dataclass

Triple = tuple[float, float, float]
NONE: Triple = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Body:
    """A rigid body; inertia is about its centre of mass, which lies at `place`.

    A body that `rides` on a wheelset turns about its axis and does all else with it.
    """

    name: str
    mass: float
    inertia: Triple
    place: Triple
    rides: str = ""


@dataclass(frozen=True)
class Element:
    """Springs and dampers between a point of the first body and one of the second, at `place`.

    Forces are along axes half-way between those of the two bodies, or along those of the other
    body where one is a wheelset: so the bodies may be swapped. `series` is the stiffness in series
    with each damper (0: none), `bump` a table of displacement and force along the axis `bump_axis`.
    The part of the static load that an element bears follows from its vertical stiffness; one that
    is not `bearing` is put in under load, and bears nothing at rest.
    """

    name: str
    first: str
    second: str
    place: Triple
    stiffness: Triple = NONE
    damping: Triple = NONE
    series: Triple = NONE
    turning: Triple = NONE
    turning_damping: Triple = NONE
    bump: tuple[tuple[float, float], ...] = ()
    bump_axis: int = 1
    bearing: bool = True


@dataclass(frozen=True)
class Wheelset:
    """An axle with two wheels; `frame` is the body that its brake or motor is mounted on."""

    body: str
    frame: str


@dataclass(frozen=True)
class Vehicle:
    """All parts of a vehicle; lengths in metres, everything in SI units."""

    title: str
    radius: float
    spacing: float
    profile: str
    bodies: tuple[Body, ...]
    elements: tuple[Element, ...]
    wheelsets: tuple[Wheelset, ...]
    smoothing: float = 0.0
    """Root mean square by which the profile of the wheels may miss a file of points."""

    def index(self, name: str) -> int:
        return [body.name for body in self.bodies].index(name)

    def carrier(self, body: Body) -> int | None:
        """The wheelset that a body rides on, by its number; None if it moves freely."""
        return self.index(body.rides) if body.rides else None

    def arm(self, element: Element, body: int) -> Triple:
        """Position of an element seen from a body, given by its number."""
        x, y, z = (p - o for p, o in zip(element.place, self.bodies[body].place, strict=True))
        return x, y, z

    @property
    def mass(self) -> float:
        return sum(body.mass for body in self.bodies)
