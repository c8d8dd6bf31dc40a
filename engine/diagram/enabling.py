"""Subsystems that run only while a condition holds: `enable: pump.on and tank.h < h_max`."""

from __future__ import annotations

from dataclasses import dataclass

from ..conditions.condition import Condition, read_condition
from ..errors import DiagramError
from ..expressions.tree import ExpressionError
from ..text.nodes import Node, Scalar, describe
from .endpoints import shifted

ENABLE, WHEN_DISABLED, OUTPUTS = "enable", "when_disabled", "outputs"
ENABLING_KEYS = (ENABLE, WHEN_DISABLED, OUTPUTS)
HOLD, RESET = "hold", "reset"


@dataclass(frozen=True)
class Enabling:
    """When a subsystem runs, and what it shows and keeps while it does not.

    `shown` is the value of its outputs then, None where they hold the last one; with `resets`, its
    states go back to their start values.
    """

    node: Node
    condition: Condition
    resets: bool = False
    shown: Node | None = None
    nodes: tuple[tuple[str, Node], ...] = ()


def read_enabling(nodes: dict[str, Node], block: str) -> Enabling:
    """What the keys of a subsystem say, by name; raises `DiagramError`."""
    node = nodes[ENABLE]
    if not isinstance(node, Scalar) or node.value is None:
        message = f"enable of {block!r} is {describe(node)}; expected a condition, as `pump.on`"
        raise DiagramError(message, node.position)
    condition = condition_of(node, 0, f"enable of {block!r}")
    states = nodes.get(WHEN_DISABLED)
    if states is not None and not (isinstance(states, Scalar) and states.text in (HOLD, RESET)):
        message = f"when_disabled of {block!r} is {describe(states)}; expected hold or reset"
        raise DiagramError(message, states.position)
    shown = nodes.get(OUTPUTS)
    holds = shown is None or (isinstance(shown, Scalar) and shown.text == HOLD)
    resets = isinstance(states, Scalar) and states.text == RESET
    return Enabling(node, condition, resets, None if holds else shown, tuple(nodes.items()))


def condition_of(node: Scalar, start: int, what: str) -> Condition:
    """The condition in a text from a character on; raises `DiagramError`."""
    text = node.text[start:].lstrip()
    try:
        return read_condition(text)
    except ExpressionError as error:
        skipped = len(node.text) - len(text)
        position = shifted(node.position, skipped + error.column - 1 + node.quoted)
        raise DiagramError(f"{what}: {error.message}", position) from None
