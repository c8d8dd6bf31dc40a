"""Subsystems that run once at each event: `trigger: rising pump.on`."""

from __future__ import annotations

from dataclasses import dataclass

from ..conditions.condition import Condition, Direction
from ..errors import DiagramError
from ..text.nodes import Node, Scalar, describe
from .enabling import condition_of

TRIGGER = "trigger"
DIRECTIONS: dict[str, Direction] = {"rising": "rising", "falling": "falling", "either": "both"}


@dataclass(frozen=True)
class Triggering:
    """When a subsystem runs: once, where a condition begins to hold, where it ends, or at both."""

    node: Node
    condition: Condition
    direction: Direction


def read_triggering(node: Node, block: str) -> Triggering:
    """What `trigger` says; raises `DiagramError`."""
    if not isinstance(node, Scalar) or node.value is None:
        message = f"trigger of {block!r} is {describe(node)}; expected for example `rising pump.on`"
        raise DiagramError(message, node.position)
    word = node.text.split(maxsplit=1)[0]
    direction = DIRECTIONS.get(word)
    if direction is None or word == node.text.strip():
        message = (
            f"trigger of {block!r} is {node.text!r}; expected rising, falling or either, and a "
            "condition, as in `rising pump.on`"
        )
        raise DiagramError(message, node.position)
    start = node.text.index(word) + len(word)
    return Triggering(node, condition_of(node, start, f"trigger of {block!r}"), direction)
