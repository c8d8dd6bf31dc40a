"""Sample times on both sides of blocks that say how their ports are paced.

A port with `paced` is read or written by sampled blocks of one pace only: "own", the sample time of
its block, or "faster", one of which every hit of its block is a hit too. Blocks without a sample
time and without memory, between it and the sampled ones, count as wires. What is not sampled has no
pace, and may be on either side.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from ..errors import Problem
from ..model.model import Instance
from ..units.times import seconds, time_text
from .wiring import Link

OWN, FASTER = "own", "faster"
Pace = tuple[Fraction, Fraction]  # sample time and offset


def refuse_odd_paces(
    blocks: Mapping[str, Instance], links: Iterable[Link], problems: list[Problem]
) -> None:
    """Adds a problem for each wire between paces that do not fit."""
    links = list(links)
    behind: dict[str, list[str]] = {}
    ahead: dict[str, list[str]] = {}
    for link in links:
        behind.setdefault(link.target.block, []).append(link.source.block)
        ahead.setdefault(link.source.block, []).append(link.target.block)
    for link in links:
        for port, other, ways in (
            (link.target, link.source, behind),
            (link.source, link.target, ahead),
        ):
            if not port.item.paced:
                continue
            block = blocks[port.block]
            for far in _sampled(other.block, blocks, ways):
                if not _fits(port.item.paced, _pace(block), _pace(far)):
                    verb = "is driven" if ways is behind else "is read"
                    problems.append(
                        Problem(
                            link.position,
                            f"{port.path} {verb} by {far.name}, which runs {_text(_pace(far))}; "
                            f"expected {_wanted(port.item.paced, block)}",
                        )
                    )


def _sampled(
    start: str, blocks: Mapping[str, Instance], ways: Mapping[str, list[str]]
) -> Iterator[Instance]:
    """The sampled blocks that are reached first."""
    seen, waiting = set(), [start]
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        if blocks[name].declaration.sampled:
            yield blocks[name]
        elif not (blocks[name].declaration.states or blocks[name].declaration.discretes):
            waiting += ways.get(name, [])


def _pace(block: Instance) -> Pace:
    name = block.declaration.sampled
    assert name is not None, block.name
    return seconds(block.values[name]), seconds(block.values["offset"])


def _fits(paced: str, own: Pace, other: Pace) -> bool:
    if paced == OWN:
        return own == other
    (period, offset), (faster, first) = own, other
    return period % faster == 0 and first <= offset and (offset - first) % faster == 0


def _text(pace: Pace) -> str:
    period, offset = pace
    return f"every {time_text(period)}" + (f" from {time_text(offset)} on" if offset else "")


def _wanted(paced: str, block: Instance) -> str:
    own = _text(_pace(block))
    if paced == OWN:
        return f"a block that runs {own}, as {block.name} does; make their sample times equal"
    return (
        f"a block that runs at all hits of {block.name}, {own}, and between them; take a sample "
        f"time that divides {time_text(_pace(block)[0])}, with an offset that fits"
    )
