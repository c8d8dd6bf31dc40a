"""What bears the rails, as data: layers of masses on springs and dampers."""

from __future__ import annotations

from dataclasses import dataclass

Pair = tuple[float, float]
NONE: Pair = (0.0, 0.0)


@dataclass(frozen=True)
class Layer:
    """A mass on springs and dampers; pairs are to the side and upright, `turning` is in roll.

    Without inertia a rail rolls with what it lies on.
    """

    mass: float
    inertia: float
    stiffness: Pair
    damping: Pair
    turning: float = 0.0
    turning_damping: float = 0.0


@dataclass(frozen=True)
class Support:
    """What bears the two rails under an axle: `rails` is each of them, `sleepers` all under both.

    Rails have their seats `spread` apart, `height` below their top. Without sleepers they lie on
    the ground; without a layer of their own they do not give.
    """

    title: str
    rails: Layer | None = None
    sleepers: Layer | None = None
    spread: float = 1.5
    height: float = 0.172
