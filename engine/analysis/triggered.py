"""Blocks of subsystems that run once at each event: those that need time to go on are refused."""

from __future__ import annotations

from collections.abc import Mapping

from ..declaration import Declaration
from ..diagram.flatten import FlatBlock, FlatDiagram
from ..errors import Problem
from ..model.model import Instance


def refuse_untriggerable(
    flat: FlatDiagram, blocks: Mapping[str, Instance], problems: list[Problem]
) -> None:
    """Adds a problem for each block that cannot be run by events alone."""
    for name, instance in blocks.items():
        why = _obstacle(instance.declaration, flat.blocks[name]) if instance.trigger else ""
        if why:
            subsystem = instance.trigger.rpartition(".")[0]
            problems.append(
                Problem(
                    instance.position,
                    f"{name} ({instance.declaration.id}) {why}, but {subsystem!r} runs at events "
                    "only; take it out of the subsystem, or use `enable`",
                )
            )


def _obstacle(declaration: Declaration, block: FlatBlock) -> str:
    if declaration.states:
        return "has continuous states"
    guards = {guard.guard for guard in declaration.of_kind("guard")}
    used = {name for equation in declaration.equations for name in equation.arguments}
    if declaration.of_kind("reset") or guards & used:
        return "acts on events of its own"
    if any(guard.action != "reset" for guard in declaration.of_kind("guard")):
        return "watches a signal all the time"
    sampled = declaration.sampled
    if sampled is not None and sampled in block.values:
        return f"has a sample time, {sampled!r}"
    if sampled is not None and sampled in used:
        return "computes with its sample time"
    return ""
