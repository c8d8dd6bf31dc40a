"""What a vehicle is made of: bodies, elements between them, wheelsets; and how it starts.

x points forward from the vehicle's middle, y to the left, z up from the top of the rails; positions
are those at rest, under the vehicle's own weight.
"""

from __future__ import annotations

from dataclasses import dataclass

from railblocks.blocks.rail.support.description import Support

Triple = tuple[float, float, float]
Points = tuple[tuple[float, float], ...]
NONE: Triple = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Body:
    """A rigid body; inertia is about its centre of mass, which lies at `place`.

    A body that `rides` on a wheelset turns about its axis and does all else with it; one that is
    `welded` to another one does all with it.
    """

    name: str
    mass: float
    inertia: Triple
    place: Triple
    rides: str = ""
    welded: str = ""


@dataclass(frozen=True)
class Preload:
    """Force of an element on its first body at rest; without a z it bears a part of the weight."""

    x: float = 0.0
    y: float = 0.0
    z: float | None = None


@dataclass(frozen=True)
class Element:
    """Springs and dampers between a point of the first body and one of the second, at `place`.

    Forces are along axes half-way between those of the two bodies, or along those of the other
    body where one is a wheelset: so the bodies may be swapped. `series` is the stiffness in series
    with each damper (0: none), `bump` a table of displacement and force along the axis `bump_axis`.
    `curves` are tables of speed and force of the dampers along each axis, from (0, 0) on and alike
    in both directions; without one a damper is linear. `damping` is that of small speeds.
    The part of the static load that an element bears follows from its vertical stiffness, where its
    `preload` does not say it.
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
    bump: Points = ()
    bump_axis: int = 1
    curves: tuple[Points, Points, Points] = ((), (), ())
    preload: Preload = Preload()

    @property
    def has_dampers(self) -> tuple[bool, bool, bool]:
        """Whether there is a damper along each axis."""
        x, y, z = (c > 0.0 or bool(p) for c, p in zip(self.damping, self.curves, strict=True))
        return x, y, z


@dataclass(frozen=True)
class Wheelset:
    """An axle with two wheels; `frame` is the body that its brake or motor is mounted on."""

    body: str
    frame: str


@dataclass(frozen=True)
class StartState:
    """How a body starts: displaced and turned from rest, and faster than the rolling vehicle.

    Angles are roll, pitch and yaw; vectors are in the axes of the track.
    """

    body: str
    place: Triple = NONE
    angles: Triple = NONE
    velocity: Triple = NONE
    omega: Triple = NONE


@dataclass(frozen=True)
class TrackUnder:
    """What bears the rails by a vehicle's file, and where that says so."""

    support: Support
    position: str


@dataclass(frozen=True)
class Vehicle:
    """All parts of a vehicle; lengths in metres, everything in SI units.

    `bodies` move on their own, `welds` are welded to one of them.
    """

    title: str
    radius: float
    spacing: float
    profile: str
    bodies: tuple[Body, ...]
    elements: tuple[Element, ...]
    wheelsets: tuple[Wheelset, ...]
    welds: tuple[Body, ...] = ()
    start: tuple[StartState, ...] = ()
    smoothing: float = 0.0
    """Root mean square by which the profile of the wheels may miss a file of points."""
    track: TrackUnder | None = None
    """What bears the rails under it, if its file says so."""

    def index(self, name: str) -> int:
        """Number of the body of this name, or of the one that it is welded to."""
        hosts = {body.name: body.welded for body in self.welds}
        return [body.name for body in self.bodies].index(hosts.get(name, name))

    def welded_to(self, body: Body) -> tuple[Body, ...]:
        """What is welded to a body."""
        return tuple(part for part in self.welds if part.welded == body.name)

    def carrier(self, body: Body) -> int | None:
        """The wheelset that a body rides on, by its number; None if it moves freely."""
        return self.index(body.rides) if body.rides else None

    def arm(self, element: Element, body: int) -> Triple:
        """Position of an element seen from a body, given by its number."""
        x, y, z = (p - o for p, o in zip(element.place, self.bodies[body].place, strict=True))
        return x, y, z

    @property
    def mass(self) -> float:
        return sum(body.mass for body in (*self.bodies, *self.welds))
