"""Diagrams with other variants than the chosen ones, for checking all of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from .copies import without_copies
from .diagram import Diagram
from .flatten import flatten


def every_choice(diagram: Diagram) -> Iterator[tuple[dict[str, str], Diagram]]:
    """The diagram with each variant that is not chosen, one at a time, and with those inside it.

    Each comes with the choices that lead to it, as values by path (`plant.variant`).
    """
    seen: set[tuple[str, str]] = set()
    waiting: deque[dict[str, str]] = deque([{}])
    while waiting:
        choices = waiting.popleft()
        changed = diagram.with_values(choices)
        if choices:
            yield choices, changed
        for name, (chosen, names) in flatten(changed, strict=False).variants.items():
            path = without_copies(name)
            seen.add((path, chosen))
            for other in names:
                if (path, other) not in seen:
                    seen.add((path, other))
                    waiting.append({**choices, f"{path}.variant": f"'{other}'"})
