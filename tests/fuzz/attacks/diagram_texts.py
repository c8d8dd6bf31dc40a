"""Damaged texts of diagrams, through load and check."""

from __future__ import annotations

from random import Random

from corpus import one_block_diagrams, originals
from mutations import damaged_text
from promises import checked_message
from trials import Attack


def attempt(random: Random, folder: str) -> str:
    from railblocks.engine import DiagramError, check, loads

    original = originals(random)
    text = damaged_text(random, original.text)
    try:
        check(loads(text, "damaged.yaml", original.folder))
    except DiagramError as error:
        checked_message(str(error))
        return "refused"
    return "accepted"


ATTACK = Attack(
    "texts",
    "damaged diagrams, loaded and checked",
    attempt,
    count=50_000,
    few=600,
    prepare=one_block_diagrams,
)
