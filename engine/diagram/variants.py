"""Variants of a block: which of them its value names."""

from __future__ import annotations

from ..errors import DiagramError
from ..text.nodes import Scalar
from .assignments import Assignment, used_names


def variant_named(assignment: Assignment) -> str:
    """The name in the value of `variant`: text, a parameter that is text, or a condition's result.

    Truth values name the variants `true` and `false`, whole numbers those of their digits. Raises
    `DiagramError`.
    """
    node = assignment.node
    is_name = isinstance(node, Scalar) and isinstance(node.value, str)
    if is_name and not any(name in assignment.scope for name in used_names(node)):
        return assignment.text()
    if assignment.written() is not assignment:
        return assignment.text()
    quantity = assignment.quantity()
    value = quantity.value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer() and quantity.unit is None:
        return str(int(value))
    raise DiagramError(
        f"the variant is {quantity}; expected a name, a truth value or a whole number",
        node.position,
    )
